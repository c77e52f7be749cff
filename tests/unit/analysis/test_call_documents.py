"""Documents of arguments: how they begin, what is kept of an earlier one, what is said of their text."""

from __future__ import annotations

import pytest
from support.bounds import not_hopeless
from support.call_forms import SOURCE, form

from flow_lsp.analysis.call_documents import LARGE, LARGEST, CallText, call_text, check_call_text
from flow_lsp.analysis.call_tools import call_findings, tool_to_call
from flow_lsp.analysis.engine import Analysis
from flow_lsp.analysis.snapshot import Settings, Snapshot
from flow_lsp.findings.model import Severity
from flow_lsp.source.reader import read_source
from flow_lsp.types.terms import Named, Primitive


def said(name: str, text: str) -> list[tuple[str, str, str]]:
    """Each finding's code, the text it is at, and its sentence."""
    return [
        (found.rule.code, text[found.span.start : found.span.end], found.message)
        for found in check_call_text(form(name), text)
    ]


def test_a_document_begins_with_a_template_for_each_parameter_on_its_own_line() -> None:
    assert form("current").fresh() == (
        '{\n  "place": {"latitude": 0, "longitude": 0},\n  "sky": "None",\n  "tags": []\n}\n'
    )
    assert form("nothing").fresh() == "{}\n"
    assert form("impossible").fresh() == '{\n  "no": null,\n  "yes": false\n}\n'


def test_the_document_of_a_generic_tool_asks_for_its_types() -> None:
    text = form("largest").fresh()
    assert text == (
        '{\n  "types": {\n    "T": ""\n  },\n  "args": {\n    "values": [],\n    "otherwise": null,\n'
        '    "count": 0\n  }\n}\n'
    )
    assert said("largest", text) == [
        ("type-argument", '""', "Write the type that `T` stands for, such as `Int` or `List<Text>`.")
    ]


def test_what_is_still_a_value_is_kept_as_it_is_written() -> None:
    before = '{"place": {"longitude": 1.50,\n    "latitude": 2e1}, "tags": ["b", "a"], "sky": 3, "gone": 1}'
    assert form("current").carried(before) == (
        '{\n  "place": {"longitude": 1.50,\n    "latitude": 2e1},\n  "sky": "None",\n  "tags": []\n}\n'
    )
    assert form("current").carried("{") is None
    assert form("current").carried("[1]") == form("current").fresh()


def test_the_types_of_a_generic_call_are_kept_too() -> None:
    before = (
        '{"types": {"T": "Place"}, "args": {"values": [], "otherwise": {"latitude": 1, "longitude": 2}, "count": "x"}}'
    )
    after = form("largest").carried(before)
    assert after is not None
    assert '"T": "Place"' in after
    assert '"otherwise": {"latitude": 1, "longitude": 2}' in after
    assert '"count": 0' in after


def test_every_fault_is_said_at_its_place() -> None:
    text = (
        '{"place": {"latitude": "x", "longitudes": 2}, "sky": {"Some": {"Clouds": {"from": "now"}}}, '
        '"tags": ["b", 1, "a"], "tag": 3}'
    )
    assert said("current", text) == [
        ("argument", "{", "The record Place needs its field `longitude`. It has `longitudes`. Is that meant?"),
        ("argument", '"x"', "A number is expected for Decimal, and this is a string."),
        (
            "unused-argument",
            '"longitudes"',
            "`longitudes` is not used: the record Place has no such field. Is `longitude` meant?",
        ),
        ("argument", "{", "Sky.Clouds needs its part `percent`."),
        (
            "argument",
            '"now"',
            "`now` is not an Instant that can be read: an Instant is written as `2024-01-31T12:30:00.5Z`, or with an "
            "offset such as `+02:00`.",
        ),
        ("argument", "1", "A string is expected for Text, and this is a number."),
        ("unused-argument", '"tag"', "`tag` is not used: current has no such parameter. Is `tags` meant?"),
    ]


def test_missing_arguments_are_said_at_the_bracket() -> None:
    assert said("current", '  {"tags": []}') == [
        ("argument", "{", "The arguments `place` and 1 more are missing."),
    ]
    assert said("current", '["place"]') == [
        ("argument", '["place"]', "An object is expected for the arguments, and this is an array."),
    ]


@pytest.mark.parametrize(
    ("text", "place", "sentence"),
    [
        ('{"place": 1,}', "}", "A key in double quotes is expected here, and `}` stands there."),
        ('{"a": tru }', "tru", "A JSON value is expected here, and `tru` stands there."),
        ('{"a": 1, "a": 2}', '"a"', "The key `a` stands twice in one object."),
        (
            '{"a": "\\ud800"}',
            "\\",
            "A text holds half a character, the lone surrogate \\ud800, which no UTF-8 can write.",
        ),
        ("\ufeff{}", "\ufeff", "The text begins with a byte order mark, which JSON text must not have."),
        ('{"a": ', "", "A JSON value is expected here, and the text ends."),
        ("", "", "A JSON value is expected here, and the text ends."),
    ],
)  # fmt: skip
def test_a_text_that_is_no_json_is_said_at_the_fault(text: str, place: str, sentence: str) -> None:
    message = f"This is no JSON as values are written: {sentence}"
    assert said("current", text) == [("arguments-json", place, message)]


def test_numbers_are_read_exactly_and_held_to_their_limits() -> None:
    digits = "1234567890" * 30
    assert said("kinds", '{"i": ' + digits + "}")[1:] == []
    (one,) = [found for found in said("kinds", '{"i": 1e4096}') if found[1] == "1e4096"]
    assert one[2] == "An Int has at most 4096 digits; this has more."


GENERIC = '{"types": {"T": %s}, "args": {"values": [1, {"latitude": 1, "longitude": 2}], "otherwise": 1, "count": 1}}'


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ('"Int"', [("argument", '{"latitude": 1, "longitude": 2}')]),
        ('" Place "', [("argument", "1"), ("argument", "1")]),
        ('"Plce"', [("type-argument", "Plce")]),
        ('"List<Plce>"', [("type-argument", "Plce")]),
        ('"List<"', [("type-argument", "<")]),
        ('"fn() -> Int"', [("type-argument", "fn() -> Int")]),
        ('"\\u0050lce"', [("type-argument", "\\u0050lce")]),
        ("1", [("type-argument", "1")]),
        ('""', [("type-argument", '""')]),
    ],
)
def test_the_types_of_a_generic_call_are_read_and_its_arguments_checked_at_them(
    written: str, expected: list[tuple[str, str]]
) -> None:
    assert [found[:2] for found in said("largest", GENERIC % written)] == expected


def test_while_a_type_is_not_known_what_does_not_depend_on_it_is_checked() -> None:
    text = '{"types": {}, "args": {"values": [1], "count": "x", "more": 1}, "other": 1}'
    assert [found[:2] for found in said("largest", text)] == [
        ("type-argument", "{"),
        ("argument", "{"),
        ("argument", '"x"'),
        ("unused-argument", '"more"'),
        ("unused-argument", '"other"'),
    ]
    assert [found[0] for found in said("largest", "{}")] == ["type-argument", "argument"]
    assert [found[0] for found in said("largest", "[]")] == ["argument"]
    assert [found[:2] for found in said("largest", '{"types": {"T": "Int", "U": ""}, "args": []}')] == [
        ("unused-argument", '"U"'),
        ("argument", "[]"),
    ]


def test_what_a_document_calls_with() -> None:
    found = call_text(form("current"), '{"place": 1.50}')
    assert isinstance(found, CallText)
    assert (str(found.args["place"]), found.bound.terms) == ("1.50", ())
    found = call_text(form("largest"), GENERIC % '"List<Place>"')
    assert isinstance(found, CallText)
    (term,) = found.bound.terms
    assert isinstance(term.item, Named)
    assert found.args["count"] == 1
    found = call_text(form("largest"), GENERIC % '"Int"')
    assert isinstance(found, CallText)
    assert found.bound.terms == (Primitive.INT,)


@pytest.mark.parametrize(
    ("name", "text", "sentence"),
    [
        ("current", "{", "The arguments are no JSON: A key in double quotes is expected here, and the text ends."),
        ("largest", GENERIC % '"X"', "There is no type `X` among the declarations given."),
        ("largest", '{"types": {"T": "Int"}}', "The arguments are missing: they stand in the member `args`."),
    ],
)
def test_why_a_document_calls_nothing(name: str, text: str, sentence: str) -> None:
    assert call_text(form(name), text) == sentence


def test_a_hostile_document_takes_no_more_than_some_walks() -> None:
    with not_hopeless():
        tags = ",".join(["1"] * 200_000)
        assert len(said("current", f'{{"tags": [{tags}]}}')) == 2
        many = ",".join(f'"x{number}": 1' for number in range(5_000))
        assert len(said("current", f"{{{many}}}")) == 200
        more = ",".join(f'"x{number}": 1' for number in range(100_000))
        assert len(said("largest", f'{{"types": {{{more}}}}}')) == 200
        assert len(said("largest", f"{{{more}}}")) == 200
        assert len(said("largest", f'{{"types": {{"T": "({"Int, " * 500_000}Int)"}}, "args": {{}}}}')) == 2
        assert said("current", "[" * 100_000)[0][0] == "arguments-json"


def test_of_a_large_document_nothing_unused_is_said_and_of_one_that_no_call_carries_nothing_but_that() -> None:
    large = f'{{"more": "{"x" * LARGE}"}}'
    assert [code for code, _, _ in said("nothing", large[: LARGE - 2] + '"}')] == ["unused-argument"]
    assert said("nothing", large) == []
    largest = f'"{"x" * (LARGEST - 1)}"'
    sentence = "The arguments have more than 16 MiB, which no call carries."
    assert said("nothing", largest) == [("call-tool", '"', f"{sentence} Nothing can be called with these arguments.")]
    assert call_text(form("nothing"), largest) == sentence
    assert isinstance(call_text(form("nothing"), largest.replace("x", "", 1)), CallText)


def test_the_text_of_a_type_has_a_longest() -> None:
    long = f'{{"types": {{"T": "{"List<" * 2_001}"}}, "args": {{"values": [], "otherwise": 1, "count": 1}}}}'
    ((code, _, sentence),) = said("largest", long)
    assert (code, sentence) == ("type-argument", "The type of `T` has more than 10,000 characters.")


def test_a_tool_is_found_by_its_file_and_name() -> None:
    broken = SOURCE + "@tool\nfn broken(x: Nothing) -> Result<Int, Int>\n"
    snapshot = Snapshot(sources={"/w/a.flow": read_source(broken)})
    analysis = Analysis()

    def found(name: str, key: str = "/w/a.flow") -> object:
        return tool_to_call(analysis, snapshot, key, name)

    assert found("current").form.name == "current"  # type: ignore[attr-defined]
    assert found("curent") == "a.flow declares no Tool `curent`. Is `current` meant?"
    assert found("x", "/w/b.flow") == "b.flow declares no Tool `x`."
    assert found("broken") == "The declaration of `broken` in a.flow has an error, which is shown there."


def test_findings_have_the_severities_that_the_user_set() -> None:
    settings = Settings(severities={"unused-argument": None, "argument": Severity.WARNING})
    snapshot = Snapshot(sources={"/w/a.flow": read_source(SOURCE)}, settings=settings)
    analysis = Analysis()
    called = tool_to_call(analysis, snapshot, "/w/a.flow", "nothing")
    assert call_findings(analysis, snapshot, called, '{"x": 1}') == []
    (one,) = call_findings(analysis, snapshot, called, "1")
    assert one.rule.severity is Severity.WARNING
    (none,) = call_findings(analysis, snapshot, "There is none.", "{}")
    assert none.message == "There is none. Nothing can be called with these arguments."
