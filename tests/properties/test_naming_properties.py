"""Laws of renaming: a fresh name and back gives every byte again, and findings follow the name."""

from __future__ import annotations

from unicodedata import is_normalized

from hypothesis import assume, event, given
from hypothesis import strategies as st
from strategies.flow_texts import fragments
from support.renames import Texts

from flow_lsp.analysis.edits import Change
from flow_lsp.analysis.navigation.references import symbol_at
from flow_lsp.source.lexemes import word_spans

TYPES = (
    "pub record Hit { title: Text, next: Option<Hit> }\n",
    "enum Problem { Offline, Slow(Duration), Refused { code: Int, hit: Hit } }\n",
    "record Page<T> {\n  items: List<T>\n  next: Option<Page<T>>\n}\n",
    "@tool fn search(Hit: Hit) -> Result<Problem, Never>\n",
    "fn helper(x: Hit) -> Problem { let Hit = search(x); t.Hit }\n",
)
USES = (
    "import ./types.{Hit, Problem}\n",
    "import ./types.{search}\n",
    "import ./types as t\n",
    "import ./types\n",
    "record Own { hit: Hit, other: t.Hit, third: types.Page<t.Problem> }\n",
    "record Generic<Hit> { hit: Hit, other: t.Hit }\n",
    "enum E { A, Hit, B(Hit, t.Hit), C { Hit: types.Hit } }\n",
    "@tool fn find<T>(query: Dict<T, Hit>, own: Own) -> Result<List<t.Hit>, Problem>\n",
    "record Unfinished { hit: Hit, other: t.Hit\n",
    "fn helper() { search(t.search); Hit { a: 1 } }\n",
)


@st.composite
def workspaces(draw: st.DrawFn) -> dict[str, str]:
    """Three files that use each other's names, with unfinished text between."""

    def text(lines: tuple[str, ...]) -> str:
        chosen = draw(st.lists(st.sampled_from(lines), min_size=2, max_size=7, unique=True))
        if draw(st.integers(0, 4)) == 0:
            chosen.insert(draw(st.integers(0, len(chosen))), draw(fragments))
        return "".join(chosen)

    return {"types.flow": text(TYPES), "a.flow": text(USES), "b.flow": text((*TYPES, *USES))}


NAMES = ("Hit", "Problem", "Page", "search", "t", "types", "T", "title", "code", "A", "find", "query", "Own", "E")


def _codes(work: Texts) -> list[tuple[str, str, int]]:
    """All findings, but those of imports whose names are nowhere else, or somewhere: there any word counts, also one in
    a comment, or of a member or type parameter."""
    return [finding for finding in work.codes() if finding[1] not in ("unused-import", "import")]


@given(workspaces(), st.data())
def test_a_fresh_name_and_back_gives_every_byte_again_and_findings_follow(
    texts: dict[str, str], data: st.DataObject
) -> None:
    work = Texts(texts)
    # Of two things of one name, one that was renamed may not have its name back.
    assume(not any(code in ("repeated-name", "duplicate-name") for _, code, _ in work.codes()))
    assume(not all(words in texts["b.flow"] for words in ("fn search", "{search}")))
    assume(all(is_normalized("NFC", text) for text in texts.values()))
    path = data.draw(st.sampled_from(sorted(texts)))
    places = [span for name in NAMES for span in word_spans(texts[path], name)]
    assume(places)
    offset = data.draw(st.sampled_from(places)).start
    symbol = symbol_at(work.analysis, work.snapshot, f"/w/{path}", offset)
    change = work.change(path, offset, "Fresh")
    if not isinstance(change, Change):
        event("refused")
        return
    assert symbol is not None
    event(symbol.kind)
    after = work.after(change)
    assert after.texts != texts
    assert _codes(after) == _codes(work)
    for at in [span.start for span in word_spans(after.texts[path], "Fresh")]:
        found = symbol_at(after.analysis, after.snapshot, f"/w/{path}", at)
        if found is not None and found.kind is symbol.kind and found.path == symbol.path:
            back = after.change(path, at, symbol.name)
            assert isinstance(back, Change), back
            assert after.after(back).texts == texts
            return
    raise AssertionError("the new name is nowhere")
