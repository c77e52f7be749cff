"""`flow-lsp value check`: canonical text alone on standard output, refusals on standard error."""

from __future__ import annotations

import io
import json
import sys

import pytest
from support.command_line import Ran, Run, write

TOOLS = """opaque record Ticket { id: Text }
pub record Hit { title: Text, score: Option<Decimal>, ticket: Option<Ticket> }
@tool
fn find(ticket: Ticket, hit: Hit) -> Result<Int, Never>
"""


@pytest.fixture
def check(run: Run, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Runs `value check` with the first argument on standard input."""

    def check(text: str | bytes, *arguments: str) -> Ran:  # type: ignore[misc]
        data = text.encode() if isinstance(text, str) else text
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
        return run("value", "check", *arguments)

    return check


@pytest.fixture
def listing(run: Run) -> str:
    """A file that holds the listing of TOOLS."""
    write({"tools/search.flow": TOOLS})
    write({"listing.json": run("tools").out})
    return "listing.json"


def test_a_value_gives_its_canonical_text_alone(check: Run) -> None:
    ran = check(' { "b" : 1.50, "a" : 1e2 }\n', "--type", "Dict<Text, Decimal>")
    assert (ran.status, ran.out, ran.err) == (0, '{"a":100,"b":1.5}\n', "")


@pytest.mark.parametrize("term", ["Set<Int>", '{"Set": "Int"}', ' {"Set":"Int"}'])
def test_a_type_is_written_as_in_source_or_as_a_json_term(check: Run, term: str) -> None:
    assert check("[1,2.0]", "--type", term).out == "[1,2]\n"


def test_a_refusal_has_a_caret_and_a_pointer(check: Run) -> None:
    ran = check('{\n  "a/b": [1, "2"]\n}', "--type", "Dict<Text, List<Int>>")
    assert (ran.status, ran.out) == (1, "")
    assert ran.err == (
        "standard input:2:14: error[type]: A whole number is expected for Int, and this is a string.\n"
        "   |\n"
        ' 2 |   "a/b": [1, "2"]\n'
        "   |              ^^^\n"
        "  = at /a~1b/1\n"
    )


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"{", "standard input:1:2: error[syntax]: "),
        (b'{"a":1,"a":2}', "standard input:1:8: error[duplicate-key]: The key `a` stands twice in one object."),
        (b'"\xff"', "standard input:1:2: error[utf8]: Byte 2 of the text is not UTF-8."),
        (b"\xef\xbb\xbf1", "standard input:1:1: error[utf8]: The text begins with a byte order mark"),
        (b'"\\ud800"', "standard input:1:2: error[surrogate]: "),
        (b"", "standard input:1:1: error[syntax]: A JSON value is expected here, and the text ends."),
        (b"[" * 600, "standard input:1:513: error[depth]: "),
    ],
)
def test_a_text_that_is_no_json(check: Run, data: bytes, said: str) -> None:
    ran = check(data, "--type", "json.Value")
    assert (ran.status, ran.out) == (1, "")
    assert ran.err.startswith(said)


def test_types_of_a_listing(check: Run, listing: str) -> None:
    for name in ("Hit", "search.Hit", '{"Named":{"declaration":"tools/search.Hit","args":[]}}'):
        ran = check('{"title":"a","more":1}', "--type", name, "--types", listing)
        assert (ran.status, ran.out) == (0, '{"title":"a"}\n')


def test_a_declarations_map_by_itself(check: Run, listing: str) -> None:
    with open(listing, encoding="utf-8") as file:
        types = json.load(file)["types"]
    write({"types.json": json.dumps(types)})
    assert check('{"title":"a"}', "--type", "Hit", "--types", "types.json").status == 0


def test_replies_build_no_opaque_type(check: Run, listing: str) -> None:
    text = '{"title":"a","ticket":{"id":"x"}}'
    assert check(text, "--type", "Hit", "--types", listing).status == 0
    ran = check(text, "--type", "Hit", "--types", listing, "--reply")
    assert ran.status == 1
    assert "error[opaque]: The type Ticket is opaque" in ran.err
    assert "= at /ticket" in ran.err


@pytest.mark.parametrize(
    ("term", "said"),
    [
        (
            "weather.Place",
            "flow-lsp: --type:1:1: error[type]: There is no type `weather.Place` among the built-in ones, "
            "and no declarations are given. "
            "Give its declarations: `flow-lsp tools > listing.json`, then `--types listing.json`.\n",
        ),
        (
            "String",
            "There is no type `String` among the built-in ones, and no declarations are given. Is `Text` meant?\n",
        ),
        ("List<Int", "This `<` has no `>`."),
        ("List<Int> Int", "Expected the type to end here"),
        ("Dict<Int>", "`Dict` takes 2 type arguments, and 1 stand here."),
        ("", "Expected a type, and the text ends here."),
        ('"Int', "This string has no closing quote."),
        ('{"List":"Intt"}', "`Intt` is no primitive type. (at /List)"),
        ('{"Named":{"declaration":"x","args":[]}}', "reference: "),
        ('{"Param":{"owner":"tool","index":0}}', "index: "),
        ("Set<json.Value>", "order: "),
    ],
)
def test_what_is_no_type_is_wrong_usage(check: Run, term: str, said: str) -> None:
    ran = check("1", "--type", term)
    assert (ran.status, ran.out) == (2, "")
    assert said in ran.err


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (None, "types.json cannot be read: No such file or directory."),
        ("{", "types.json holds no JSON that can be used.\ntypes.json:1:2: error[syntax]: "),
        ("[]", "types.json holds no valid declarations map: shape: "),
        ('{"tools":[],"types":{"a":1}}', "types.json holds no valid listing: shape: "),
    ],
)
def test_declarations_that_cannot_be_used_are_wrong_usage(check: Run, text: str | None, said: str) -> None:
    if text is not None:
        write({"types.json": text})
    ran = check("1", "--type", "Int", "--types", "types.json")
    assert (ran.status, ran.out) == (2, "")
    assert said in ran.err


def test_two_types_of_one_name_are_told_apart_by_their_modules(check: Run, run: Run) -> None:
    write(
        {
            "a.flow": "pub record Hit { a: Int }\n@tool\nfn one(hit: Hit) -> Result<Int, Never>\n",
            "b.flow": "pub record Hit { b: Int }\n@tool\nfn two(hit: Hit) -> Result<Int, Never>\n",
        }
    )
    write({"listing.json": run("tools").out})
    assert check('{"b":1}', "--type", "b.Hit", "--types", "listing.json").out == '{"b":1}\n'
    ran = check("1", "--type", "Hit", "--types", "listing.json")
    assert ran.status == 2
    assert "`Hit` is more than one type: `a.Hit`, `b.Hit`." in ran.err


def test_a_hostile_number_or_nesting_is_refused_without_cost(check: Run) -> None:
    for number in ("1e999999999999", "-1e-999999999999", "1e" + "9" * 100_000):
        assert check(number, "--type", "Decimal").status == 1
    assert check("[" * 1_000_000, "--type", "json.Value").status == 1
