"""Names in Python: identifiers, apart, and changed no more than needed."""

from __future__ import annotations

import keyword
from unicodedata import normalize

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies.program_strategies import HARD_NAMES

from flow_lsp.generating.names import (
    KEYWORDS,
    MODULE_NAMES,
    OF_FIELDS,
    OF_MEMBERS,
    OF_PARAMETERS,
    OF_TYPES,
    Wanted,
    camel,
    distinct,
    given_names,
    python_name,
)

any_names = st.lists(st.sampled_from(HARD_NAMES) | st.text(max_size=4), unique=True, max_size=12)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("title", "title"),
        ("größe", "größe"),
        ("名", "名"),
        ("class", "class_"),
        ("None", "None_"),
        ("l", "l_"),
        ("self", "self_"),
        ("int", "int_"),
        ("match", "match"),
        ("list", "list"),
        ("_x", "x_"),
        ("__x", "x_"),
        ("__init__", "init_"),
        ("_", "field_"),
        ("", "field"),
        ("1x", "field_1x"),
        ("_1", "field_1_"),
        ("a-b", "a_b"),
        ("a - b!", "a_b"),
        ("-a", "a"),
        ("x\n    y = 1", "x_y_1"),
        ("𝔘nd", "Und"),
        ("ﬁnd", "find"),
        ("ｃlass", "class_"),
        ("e\u0301", "é"),
        ("\u0301", "field_\u0301"),
        ('"""', "field"),
        ("\ud800", "field"),
        ("x" * 300, "x" * 100),
    ],
)
def test_a_name_is_an_identifier_as_near_to_the_wire_as_can_be(name: str, expected: str) -> None:
    assert python_name(name, "field", OF_MEMBERS) == expected


def test_the_keywords_are_pythons() -> None:
    assert set(keyword.kwlist) >= KEYWORDS
    assert {name for name in keyword.kwlist if name not in KEYWORDS} <= {"lazy"}


def test_what_dataclasses_look_up_in_a_module_is_no_name_of_a_type() -> None:
    assert {"hash", "type", "super", "object", "repr", "dataclass", "Program", "Tools", "serve"} <= MODULE_NAMES


@given(any_names)
def test_the_names_of_a_scope_are_valid_apart_and_free(names: list[str]) -> None:
    for reserved in (OF_MEMBERS, OF_PARAMETERS, OF_TYPES):
        found = distinct(names, "field", reserved, {"taken", "a_b"})
        assert len(set(found)) == len(names)
        for name in found:
            assert name.isidentifier()
            assert normalize("NFKC", name) == name
            assert not name.startswith("_")
            assert name not in reserved | {"taken", "a_b"}


@given(any_names, st.randoms())
def test_a_name_depends_on_no_order(names: list[str], random: object) -> None:
    before = dict(zip(names, distinct(names, "field", OF_MEMBERS), strict=True))
    random.shuffle(names)  # type: ignore[attr-defined]
    assert dict(zip(names, distinct(names, "field", OF_MEMBERS), strict=True)) == before


@given(any_names, st.sampled_from(HARD_NAMES))
def test_a_name_depends_on_those_alone_that_it_collides_with(names: list[str], other: str) -> None:
    def core(name: str) -> str:
        return python_name(name, "field", OF_MEMBERS).rstrip("_")

    without = [name for name in names if name != other]
    before = dict(zip(without, distinct(without, "field", OF_MEMBERS), strict=True))
    after = dict(zip([*without, other], distinct([*without, other], "field", OF_MEMBERS), strict=True))
    changed = [name for name in without if before[name] != after[name]]
    assert all(core(name) == core(other) for name in changed)


def test_who_has_a_name_from_the_wire_keeps_it() -> None:
    assert distinct(["a-b", "a_b", "a b"], "field", OF_MEMBERS)[1] == "a_b"
    assert distinct(["_x", "x_"], "field", OF_MEMBERS) == ["x__", "x_"]
    assert distinct(["class", "class_"], "field", OF_MEMBERS) == ["class__", "class_"]
    assert distinct(["id", "ID", "Id"], "field", OF_MEMBERS) == ["id", "ID", "Id"]


def test_where_nobody_has_it_more_of_the_origin_tells_them_apart() -> None:
    one, other = distinct(["a-b", "a b"], "field", OF_MEMBERS)
    assert one != other
    assert {one[:4], other[:4]} == {"a_b_"}
    assert distinct(["a b", "a-b"], "field", OF_MEMBERS) == [other, one]


def test_no_field_has_the_name_of_what_every_class_has() -> None:
    """A dataclass takes an attribute of that name, even one of `type`, for the field's default."""
    names = [*dir(type), "class"]
    assert not set(distinct(names, "field", OF_FIELDS)) & set(dir(type))
    assert distinct(["mro", "mro_"], "field", OF_FIELDS) == ["mro__", "mro_"]


def test_candidates_are_tried_one_after_the_other() -> None:
    wishes = [Wanted(("Hit", "AHit"), "a"), Wanted(("Hit", "BHit"), "b"), Wanted(("BHit", "X"), "c")]
    assert given_names(wishes) == ["AHit", "Hit_" + given_names(wishes)[1][4:], "BHit"]
    assert given_names(wishes[:1], {"Hit"}) == ["AHit"]
    assert given_names(wishes[:1], {"Hit", "AHit"})[0].startswith("Hit_")


def test_many_equal_names_take_no_time_out_of_proportion() -> None:
    wishes = [Wanted(("Hit",), str(number)) for number in range(20_000)]
    assert len(set(given_names(wishes))) == 20_000


@pytest.mark.parametrize(
    ("name", "expected"),
    [("find_hits", "FindHits"), ("find", "Find"), ("findHits", "FindHits"), ("ß", "ß"), ("x_", "X"), ("dž", "Dž")],
)
def test_a_function_and_a_constructor_are_parts_of_class_names(name: str, expected: str) -> None:
    assert camel(name) == expected
