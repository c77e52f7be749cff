"""What each word is painted as, and that an edit paints anew only what it touches."""

from __future__ import annotations

from dataclasses import replace

from support.places import Places

from flow_lsp.analysis.navigation.token_types import MODIFIERS, TOKEN_TYPES, Modifier, TokenType
from flow_lsp.analysis.navigation.tokens import file_tokens, tokens_between
from flow_lsp.source.reader import read_source

TYPES = "record Hit { x: Int }\nenum Bad { A }\n@tool fn look() -> Result<Int, Never>\n"
TEXT = """\
import ./types.{Hit, Bad, look, Gone}
import ./types as t
import std/json
/// A page.
@other(1) pub record Page<T> { /* why */ items: List<T>, hit: Hit, bad: t.Bad, raw: json.Value, gone: Gone }
enum E { A, B(Int), C { record: Text } }
opaque record O { e: E }
host Session // plain
@tool fn find<T>(query: T, s: Session) -> Result<Page<T>, Never>
fn helper(x: Hit) { let record = "a"; x.record }
record Broken { a: Int
"""


def painted(text: str, types: str = TYPES) -> list[str]:
    """Each token as `WORD type.modifier`."""
    work = Places(f"//- a.flow\n{text}\n//- types.flow\n{types}")
    checked = work.checked("a.flow")
    found = []
    for index, one in enumerate(file_tokens(checked).items):
        for token in one.tokens:
            start = checked.source.starts[index]
            names = [name for bit, name in enumerate(MODIFIERS) if token.modifiers & (1 << bit)]
            word = checked.source.text[start + token.start : start + token.end]
            found.append(f"{word} {'.'.join([TOKEN_TYPES[token.type], *names])}")
    return found


def test_the_legend_names_every_type_and_modifier_in_order() -> None:
    assert [name.lower() for name in TOKEN_TYPES] == [one.name.replace("_", "").lower() for one in TokenType]
    assert [name.lower() for name in MODIFIERS] == [
        one.name.replace("_", "").lower() for one in Modifier if one.name is not None and one
    ]


def test_every_kind_of_word() -> None:
    found = painted(TEXT)
    lines = [
        "import keyword", "./types namespace", "Hit struct", "Bad enum", "look function", "Gone type",
        "import keyword", "./types namespace", "as keyword", "t namespace.declaration",
        "import keyword", "std/ namespace", "json namespace.declaration",
        "/// A page. comment.documentation", "@other decorator", "pub keyword", "record keyword",
        "Page struct.declaration", "T typeParameter.declaration", "/* why */ comment",
        "items property.declaration", "List type.defaultLibrary", "T typeParameter",
        "hit property.declaration", "Hit struct", "bad property.declaration", "t namespace", "Bad enum",
        "raw property.declaration", "json namespace", "Value type.defaultLibrary", "gone property.declaration",
        "Gone type",
        "enum keyword", "E enum.declaration", "A enumMember.declaration", "B enumMember.declaration",
        "Int type.defaultLibrary", "C enumMember.declaration", "record property.declaration",
        "Text type.defaultLibrary",
        "opaque keyword", "record keyword", "O struct.declaration", "e property.declaration", "E enum",
        "host keyword", "Session type.declaration", "// plain comment",
        "@tool decorator", "fn keyword", "find function.declaration", "T typeParameter.declaration",
        "query parameter.declaration", "T typeParameter", "s parameter.declaration", "Session type",
        "Result type.defaultLibrary", "Page struct", "T typeParameter", "Never type.defaultLibrary",
        "fn keyword", "record keyword", '"a" string',
        "record keyword", "Broken struct.declaration",
    ]  # fmt: skip
    assert found == lines


def test_after_an_edit_all_other_items_keep_their_tokens() -> None:
    work = Places(f"//- a.flow\n{TEXT}\n//- types.flow\n{TYPES}")
    before = file_tokens(work.checked("a.flow"))
    assert file_tokens(work.checked("a.flow"), before).items == before.items
    other = Places(f"//- a.flow\n{TEXT.replace('query: T', 'query: List<T>')}\n//- types.flow\n{TYPES}")
    sources = dict(work.snapshot.sources)
    sources["/w/a.flow"] = read_source(other.text("a.flow"), sources["/w/a.flow"])
    edited = replace(work.snapshot, sources=sources)
    checked = work.analysis.checked(edited, "/w/a.flow")
    assert checked is not None
    after = file_tokens(checked, before)
    changed = [index for index, (old, new) in enumerate(zip(before.items, after.items, strict=True)) if old is not new]
    assert [checked.source.items[index].name for index in changed] == ["find"]

    sources["/w/types.flow"] = read_source(TYPES.replace("record Hit {", "enum Hit {"), sources["/w/types.flow"])
    elsewhere = work.analysis.checked(replace(edited, sources=sources), "/w/a.flow")
    assert elsewhere is not None
    last = file_tokens(elsewhere, after)
    changed = [index for index, (old, new) in enumerate(zip(after.items, last.items, strict=True)) if old is not new]
    assert changed == [0, 3]
    assert [one.tokens for one in last.items] == [one.tokens for one in file_tokens(elsewhere).items]


def test_a_part_of_a_file_has_the_tokens_of_its_items() -> None:
    checked = Places(f"//- a.flow\n{TEXT}\n//- types.flow\n{TYPES}").checked("a.flow")
    whole = [one.tokens for one in file_tokens(checked).items]
    start, end = TEXT.index("enum E"), TEXT.index("host")
    assert [(index, one.tokens) for index, one in tokens_between(checked, start, end)] == [
        (index, whole[index]) for index in (4, 5, 6)
    ]
    assert [index for index, _ in tokens_between(checked, -5, 10_000)] == list(range(len(whole)))
