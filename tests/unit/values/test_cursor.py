"""What stands at a place of a JSON text that is being typed. `|` marks the place."""

from __future__ import annotations

import pytest
from support.bounds import not_hopeless

from flow_lsp.values.cursor import JsonCursor, Role, cursor_at


def at(marked: str) -> JsonCursor:
    offset = marked.index("|")
    return cursor_at(marked[:offset] + marked[offset + 1 :], offset)


def where(marked: str) -> tuple[Role, tuple[str | int, ...], str]:
    found = at(marked)
    text = marked.replace("|", "", 1)
    return found.role, found.steps, text[found.span.start : found.span.end]


@pytest.mark.parametrize(
    ("marked", "role", "steps", "word"),
    [
        ("|", Role.VALUE, (), ""),
        ("  |  ", Role.VALUE, (), ""),
        ("tr|", Role.VALUE, (), "tr"),
        ('|"a"', Role.VALUE, (), '"a"'),
        ("1 |", Role.NOTHING, (), ""),
        ("{|", Role.KEY, (), ""),
        ("{|}", Role.KEY, (), ""),
        ('{"a|', Role.KEY, (), '"a'),
        ('{"a": |', Role.VALUE, ("a",), ""),
        ('{"a":|}', Role.VALUE, ("a",), ""),
        ('{"a"| ', Role.KEY, (), '"a"'),
        ('{"a" |', Role.NOTHING, ("a",), ""),
        ('{"a" 1|', Role.NOTHING, ("a",), "1"),
        ('{"a": 1|}', Role.VALUE, ("a",), "1"),
        ('{"a": 1 |}', Role.NOTHING, ("a",), ""),
        ('{"a": 1, |}', Role.KEY, (), ""),
        ('{"a": 1 "b|"', Role.KEY, (), '"b"'),
        ('{"a": {"b": [1, |', Role.VALUE, ("a", "b", 1), ""),
        ('{"a": {"b": [1, {}, 3|', Role.VALUE, ("a", "b", 2), "3"),
        ('{"a": {"b": [1]}, |', Role.KEY, (), ""),
        ("[|", Role.VALUE, (0,), ""),
        ("[[]|", Role.NOTHING, (0,), ""),
        ("[1 2|", Role.NOTHING, (0,), "2"),
        ('{"a\\u0062": |', Role.VALUE, ("ab",), ""),
        ('{"a\\"": |', Role.VALUE, ('a"',), ""),
        ("{a: |", Role.VALUE, ("a",), ""),
        ("}|", Role.NOTHING, (), ""),
        (":,|", Role.VALUE, (), ""),
        ('{"a": {|"b": 1}', Role.KEY, ("a",), '"b"'),
    ],
)
def test_what_belongs_at_a_place(marked: str, role: Role, steps: tuple[str | int, ...], word: str) -> None:
    assert where(marked) == (role, steps, word)


def test_a_string_without_its_quote_ends_at_the_place_and_hides_no_other_line() -> None:
    assert where('{"a|}}') == (Role.KEY, (), '"a')
    found = at('{"a|\n "b": 1}')
    assert (found.role, found.written) == (Role.KEY, "a")
    assert where('{"a": "x\n, "b": |') == (Role.VALUE, ("b",), "")


def test_the_other_keys_of_the_object_are_known_before_and_behind() -> None:
    assert at('{"a": {"x": 1}, "b|": 2, "c": {"y": 1}}').keys == {"a", "c"}
    assert at('{"a": {"x": 1}, | "c": [{"y": 1}], "d"').keys == {"a", "c", "d"}
    assert at('{"o": {"x": 1, "|"}, "c": 1}').keys == {"x"}
    assert at('{"a": 1, "a|": 2}').keys == {"a"}


def test_what_follows_is_told() -> None:
    assert at('{"a|": 1}').has_colon
    assert not at('{"a|", "b": 1}').has_colon
    assert at('{"a|" "b": 1}').wants_comma
    assert at('{| "b": 1}').wants_comma
    assert not at('{"a|", "b": 1}').wants_comma
    assert at('{"a": | "b": 1}').wants_comma
    assert at('{"a": | {"b": 1}}').occupied
    assert not at('{"a": |, "b": 1}').occupied


def test_a_bracket_is_a_value_that_is_there() -> None:
    for marked, steps in (('|{"a": 1}', ()), ('{"a": |[1]}', ("a",)), ("[1, |{}]", (1,))):
        found = at(marked)
        assert (found.role, found.steps, found.occupied, found.span.end - found.span.start) == (
            Role.VALUE, steps, True, 1,
        )  # fmt: skip
    assert at('{"a" |{}').role is Role.NOTHING


def test_what_is_written_is_read() -> None:
    assert at('{"a\\u00e9|": 1}').written == "aé"
    assert at('["a\\q|"]').written == "a\\q"
    assert at("[tru|]").written == "tru"


def test_places_outside_the_text_are_its_ends() -> None:
    assert cursor_at("[1]", -5).role is Role.VALUE
    assert cursor_at("[1]", 99).role is Role.NOTHING


def test_however_deep_or_long_a_text_is_it_takes_one_walk() -> None:
    with not_hopeless():
        assert len(cursor_at("[" * 200_000, 200_000).steps) == 200_000
        assert len(cursor_at('{"a":' * 100_000, 500_000).steps) == 100_000
        assert len(cursor_at('{"a": "' + "\\" * 300_000, 200_000).steps) == 1
        many = "{" + ",".join(f'"{number}": 1' for number in range(50_000))
        assert len(cursor_at(many + ", ", len(many) + 2).keys) == 50_000
