"""The page of a Tool: sections in pieces, and Markdown that no declaration can break."""

from __future__ import annotations

import json

import pytest
from support.bounds import not_hopeless
from support.drifting import described_by
from support.snapshots import ROOT, Fixture, snapshot

from flow_lsp.analysis.engine import Analysis
from flow_lsp.analysis.snapshot import Snapshot
from flow_lsp.analysis.tool_page import MOST_MEMBERS, Section, ToolPage, tool_page
from flow_lsp.analysis.tool_pieces import MOST_PIECES, Piece, TypeWriter
from flow_lsp.types.terms import Kind, Named, Primitive, Template, TupleOf

KEY = f"{ROOT}/a.flow"
MANIFEST = {"flow.toml": '[tools."a.flow"]\ncommand = "serve"\n'}
HERE = """\
import ./types.{Place}
import std/json
import std/result
/// What may go wrong.
enum Problem { Offline, Slow(Duration), Range(Int, Page<Int>), Refused { code: Int, session: Session } }
record Page<T> {
    /// All of them,
    /// in order.
    items: List<T>,
    next: Option<Page<T>>,
    raw: json.Value,
}
host Session
record Unrelated { x: Int }
/// Finds places.
@tool
pub fn find(query: Text, near: (Place, Set<Text>)) -> Result<Page<Place>, Problem>
"""
TYPES = "record Place { at: Dict<Int, Bytes>, was: Option<result.Result<Int, Text>> }\nimport std/result\n"


def state_of(here: str, **others: str) -> Snapshot:
    return snapshot(
        Fixture({"a.flow": here, **MANIFEST, **{f"{name}.flow": text for name, text in others.items()}}, {})
    )


def page_in(state: Snapshot) -> ToolPage:
    analysis = Analysis()
    found = tool_page(analysis, state, KEY, analysis.tools(state, KEY)[0])
    assert found is not None
    return found


def page(here: str = HERE, **others: str) -> ToolPage:
    return page_in(state_of(here, **others))


def section(found: ToolPage, heading: str) -> Section:
    (one,) = [section for section in found.sections if section.heading == heading]
    return one


def test_every_type_has_a_section_in_the_order_of_its_first_mention() -> None:
    found = page(types=TYPES)
    assert [(one.heading, one.kind, one.id) for one in found.sections] == [
        ("find", "tool", "tool"),
        ("Place", "record", "type-types.Place"),
        ("Page<T>", "record", "type-a.Page"),
        ("Problem", "enum", "type-a.Problem"),
        ("Result<T, E>", "enum", "type-std@0.1.0/result.Result"),
        ("Session", "host", "type-a.Session"),
    ]


def test_declarations_are_as_flow_writes_them() -> None:
    found = page(types=TYPES)
    assert [one.text for one in found.sections] == [
        "@tool\nfn find(query: Text, near: (Place, Set<Text>)) -> Result<Page<Place>, Problem>",
        "record Place {\n    at: Dict<Int, Bytes>,\n    was: Option<Result<Int, Text>>,\n}",
        "record Page<T> {\n    /// All of them,\n    /// in order.\n    items: List<T>,\n    next: Option<Page<T>>,\n"
        "    raw: json.Value,\n}",
        "enum Problem {\n    Offline,\n    Slow(Duration),\n    Range(Int, Page<Int>),\n"
        "    Refused { code: Int, session: Session },\n}",
        "enum Result<T, E> {\n    Ok(T),\n    Err(E),\n}",
        "host Session",
    ]


def test_names_of_types_lead_to_their_sections() -> None:
    found = page(types=TYPES)
    assert found.sections[0].lines[1] == (
        Piece("fn find(query: Text, near: ("),
        Piece("Place", "type-types.Place"),
        Piece(", Set<Text>)) -> Result<"),
        Piece("Page", "type-a.Page"),
        Piece("<"),
        Piece("Place", "type-types.Place"),
        Piece(">, "),
        Piece("Problem", "type-a.Problem"),
        Piece(">"),
    )


def test_each_section_knows_where_its_name_stands_but_for_what_std_declares() -> None:
    state = state_of(HERE, types=TYPES)
    texts = {key: source.text for key, source in state.sources.items()}
    for one in page_in(state).sections:
        if one.heading.startswith("Result"):
            assert one.place is None
            continue
        assert one.place is not None
        path, span = one.place
        assert texts[path][span.start : span.end] == one.heading.partition("<")[0]


def test_comments_stand_beside_what_they_are_of() -> None:
    found = page(types=TYPES)
    assert found.doc == "Finds places."
    assert section(found, "Problem").doc == "What may go wrong."
    assert section(found, "Session").doc is None


def test_a_built_in_type_is_explained_where_it_is_first_mentioned() -> None:
    found = page(types=TYPES)
    explained = {one.heading: [note.partition(":")[0] for note in one.notes] for one in found.sections}
    assert explained == {
        "find": ["Bound to serve.", "Set"],
        "Place": ["Dict", "Bytes", "Option"],
        "Page<T>": ["json.Value"],
        "Problem": ["Duration"],
        "Result<T, E>": [],
        "Session": ["A token of the host, which is handed back unchanged; a string in JSON."],
    }


def test_a_page_says_how_its_tool_stands() -> None:
    here, there = (f"@tool fn find() -> Result<{ok}, Never>\n" for ok in ("Int", "Text"))
    state = snapshot(Fixture({"a.flow": here, **MANIFEST}, {}), described=described_by(Fixture({"a.flow": there}, {})))
    found = page_in(state)
    (tool,) = Analysis().tools(state, KEY)
    assert tool.declared.signature is not None
    assert (found.title, found.identity, found.state) == ("find", "a.find", "drift")
    assert found.fingerprint == tool.declared.signature.fingerprint
    assert found.detail.startswith("`find` no longer fits its implementation `serve`: ")
    assert json.loads(found.json)["ok"] == {"type": "integer"}


def test_parameters_with_comments_and_long_lines_stand_on_lines_of_their_own() -> None:
    documented = page(
        "@tool\nfn find(\n  /// What to look for.\n  query: Text,\n  limit: Int\n) -> Result<Int, Never>\n"
    )
    assert documented.sections[0].text == (
        "@tool\nfn find(\n    /// What to look for.\n    query: Text,\n    limit: Int,\n) -> Result<Int, Never>"
    )
    long = page(f"@tool fn find({', '.join(f'parameter{n}: Text' for n in range(9))}) -> Result<Int, Never>\n")
    assert long.sections[0].text.count("\n") == 11


def test_types_of_one_name_are_told_apart() -> None:
    found = page(
        "import ./one\nimport ./two\n@tool fn find(a: one.Hit) -> Result<two.Hit, Never>\n",
        one="record Hit { x: Int }\n",
        two="record Hit { y: Int }\n",
    )
    assert [one.heading for one in found.sections] == ["find", "one.Hit", "two.Hit"]
    assert found.sections[0].text.endswith("fn find(a: one.Hit) -> Result<two.Hit, Never>")
    assert [one.text.partition(" {")[0] for one in found.sections[1:]] == ["record Hit", "record Hit"]


def test_an_opaque_type_says_so() -> None:
    found = page("opaque record Ticket { id: Text }\n@tool fn use(ticket: Ticket) -> Result<Int, Never>\n")
    ticket = section(found, "Ticket")
    assert ticket.text == "opaque record Ticket {\n    id: Text,\n}"
    assert ticket.notes[0].startswith("It is opaque")


def test_a_tool_without_a_signature_has_no_page() -> None:
    state, analysis = state_of("@tool fn find(a: Nope) -> Result<Int, Never>\n"), Analysis()
    assert tool_page(analysis, state, KEY, analysis.tools(state, KEY)[0]) is None


def test_the_markdown_is_headings_and_fences() -> None:
    text = page("/// Counts.\n@tool fn count(of: List<Own>) -> Result<Int, Never>\nrecord Own { x: Int }\n").markdown
    assert text.startswith("# count\n\n**not-checked**: ")
    assert "\n\nCounts.\n\n```flow\n@tool\nfn count(of: List<Own>) -> Result<Int, Never>\n```\n" in text
    assert text.endswith("## Own\n\n```flow\nrecord Own {\n    x: Int,\n}\n```\n")


@pytest.mark.parametrize(
    "doc",
    [
        "```",
        "````\n# Heading\n[click](command:evil)",
        "<script>alert(1)</script>",
        "![x](http://evil) [y](command:workbench.action)",
        "~~~\n<img src=x onerror=y>",
        "\u202eevil\u2066 \x1b[31m \x00",
    ],
)
def test_no_comment_leaves_its_place(doc: str) -> None:
    comment = "".join(f"/// {line}\n" for line in doc.split("\n"))
    inner = comment.replace("/// ", "  /// ")
    found = page(f"{comment}record Own {{\n{inner}  x: Int }}\n{comment}@tool fn f(own: Own) -> Result<Int, Never>\n")
    outside, fence = [], ""
    for line in found.markdown.split("\n"):
        if fence:
            fence = "" if line == fence else fence
        elif line.startswith("```"):
            fence = line.removesuffix("flow")
        else:
            outside.append(line)
    assert fence == ""
    assert [line for line in outside if line.startswith("#")] == ["# f", "## Own"]
    assert not [line for line in outside if "<" in line or "](" in line.replace("\\]", "") or line.startswith("~~~")]
    for text in (found.markdown, *(piece.text for one in found.sections for line in one.lines for piece in line)):
        assert not set(text) & set("\u202e\u2066\x1b\x00")
    assert all("\n" not in piece.text for one in found.sections for line in one.lines for piece in line)


def test_what_is_very_large_is_cut_and_says_so() -> None:
    fields = ", ".join(f"f{number}: Int" for number in range(MOST_MEMBERS + 5))
    with not_hopeless():
        found = page(f"record Big {{ {fields} }}\n@tool fn f(big: Big) -> Result<Int, Never>\n")
    assert "    // … and 5 more" in section(found, "Big").text.split("\n")


def test_types_past_the_most_are_named_and_lead_nowhere() -> None:
    template = Template("R", "a.R", 1, (), False, Kind.HOST)
    write = TypeWriter({str(number): template for number in range(3)}, 2)
    pieces = write.term(TupleOf(tuple(Named(str(number)) for number in range(3))), ())
    assert [piece.to is None for piece in pieces] == [True, False, True, False, True, True, True]
    assert write.mentioned == ["0", "1"]
    cut = write.term(TupleOf((Primitive.INT,) * (MOST_PIECES + 5)), ())
    assert cut[-1].text.endswith("…")
