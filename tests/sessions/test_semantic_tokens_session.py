"""textDocument/semanticTokens: whole, in a range, and as differences, in each encoding and for each kind of client."""

from __future__ import annotations

from typing import Any

import pytest
from editor_session import Editor
from lsprotocol import types
from session_asks import ask
from session_client import capabilities
from session_workspace import Workspace
from support.painting import decoded

from flow_lsp.text.lines import PositionEncoding

TEXT = """\
import ./types.{Hit}
/// 🙂 doc
record Page { /* 🙂🙂
 two lines */ 名: Hit, b: Text }
"""


def painting(encoding: str = "utf-16", *, multiline: bool = False) -> types.ClientCapabilities:
    can = capabilities(encodings=(encoding,))
    can.text_document.semantic_tokens = types.SemanticTokensClientCapabilities(
        requests=types.ClientSemanticTokensRequestOptions(range=True, full=True),
        token_types=["struct"],
        token_modifiers=[],
        formats=[types.TokenFormat.Relative],
        multiline_token_support=multiline,
    )
    return can


def words(text: str, data: list[int], encoding: str = "utf-16") -> list[str]:
    found = decoded(data, text, PositionEncoding(encoding))
    return [f"{text[start:end]} {kind}" for start, end, kind in found]


WHOLE = [
    "import keyword", "./types namespace", "Hit struct", "/// 🙂 doc comment.documentation", "record keyword",
    "Page struct.declaration", "/* 🙂🙂 comment", " two lines */ comment", "名 property.declaration", "Hit struct",
    "b property.declaration", "Text type.defaultLibrary",
]  # fmt: skip


@pytest.fixture
def work(workspace: Workspace) -> Workspace:
    workspace.write("types.flow", "record Hit { title: Text }\n")
    workspace.write("a.flow", TEXT)
    return workspace


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-32"])
async def test_a_whole_file_in_each_encoding(editor, work: Workspace, encoding: str):
    one: Editor = editor()
    started = await one.start(painting(encoding))
    provider = started.capabilities.semantic_tokens_provider
    assert provider.legend.token_types[2] == "struct"
    one.open("a.flow")
    found = await ask(one, "semanticTokens/full", "a.flow")
    assert words(TEXT, found.data, encoding) == WHOLE


async def test_a_client_that_takes_tokens_over_several_lines_gets_them(editor, work: Workspace):
    one = editor()
    await one.start(painting(multiline=True))
    one.open("a.flow")
    found = await ask(one, "semanticTokens/full", "a.flow")
    assert "/* 🙂🙂\n two lines */ comment" in words(TEXT, found.data)


async def test_an_edit_comes_as_a_difference_of_what_it_touched(editor, work: Workspace):
    one = editor()
    await one.start(painting())
    one.open("a.flow")
    before = await ask(one, "semanticTokens/full", "a.flow")
    same = await ask(one, "semanticTokens/full/delta", "a.flow", previousResultId=before.result_id)
    assert not same.edits
    one.change("a.flow", ((3, 22), (3, 22), "c: List<Hit>, "))
    text = TEXT.replace("b: Text", "c: List<Hit>, b: Text")
    assert text != TEXT
    delta = await ask(one, "semanticTokens/full/delta", "a.flow", previousResultId=same.result_id)
    (edit,) = delta.edits
    data = list(before.data)
    data[edit.start : edit.start + edit.delete_count] = edit.data
    assert words(text, data) == [
        *WHOLE[:10],
        "c property.declaration",
        "List type.defaultLibrary",
        "Hit struct",
        *WHOLE[10:],
    ]
    assert edit.start >= 15
    # What another result was given for is answered whole, and so is what was never given.
    for name in (before.result_id, "never"):
        whole = await ask(one, "semanticTokens/full/delta", "a.flow", previousResultId=name)
        assert list(whole.data) == data


async def test_a_range_has_the_tokens_that_it_touches(editor, work: Workspace):
    one = editor()
    await one.start(painting())
    one.open("a.flow")

    async def between(start: tuple[int, int], end: tuple[int, int]) -> list[str]:
        place = {"start": {"line": start[0], "character": start[1]}, "end": {"line": end[0], "character": end[1]}}
        found = await ask(one, "semanticTokens/range", "a.flow", range=place)
        return words(TEXT, found.data)

    assert await between((0, 0), (99, 0)) == WHOLE
    assert await between((2, 8), (3, 2)) == WHOLE[5:8]
    assert await between((0, 7), (0, 8)) == ["./types namespace"]
    assert await between((4, 0), (4, 0)) == []


MANIFEST = '# 🙂\r\n[tools."🙂.flow"] # one\ncommand = "a"\n\n[tools."b.flow"]\ncommand = "b"\n'
PAINTED = [
    "# 🙂 comment", "tools namespace", '"🙂.flow" string', "# one comment", "command property", '"a" string',
    "tools namespace", '"b.flow" string', "command property", '"b" string',
]  # fmt: skip


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-32"])
async def test_a_manifest_is_painted_too_whole_in_a_range_and_as_a_difference(editor, work: Workspace, encoding: str):
    one = editor()
    await one.start(painting(encoding))
    one.open("flow.toml", MANIFEST)
    whole = await ask(one, "semanticTokens/full", "flow.toml")
    assert words(MANIFEST, whole.data, encoding) == PAINTED
    place = {"start": {"line": 2, "character": 3}, "end": {"line": 4, "character": 2}}
    part = await ask(one, "semanticTokens/range", "flow.toml", range=place)
    assert words(MANIFEST, part.data, encoding) == PAINTED[4:7]
    one.change("flow.toml", ((2, 11), (2, 12), "true, # x"))
    text = MANIFEST.replace('"a"', '"true, # x"')
    delta = await ask(one, "semanticTokens/full/delta", "flow.toml", previousResultId=whole.result_id)
    (edit,) = delta.edits
    data = list(whole.data)
    data[edit.start : edit.start + edit.delete_count] = edit.data
    assert words(text, data, encoding) == [*PAINTED[:5], '"true, # x" string', *PAINTED[6:]]
    assert (edit.start, len(edit.data)) == (5, 25)  # of the table alone


async def test_documents_that_are_neither_sources_nor_manifests_of_a_file_have_none(editor, work: Workspace):
    one = editor()
    await one.start(painting())
    uri = one.open("untitled:Untitled-1", TEXT, language="flow")
    assert await ask(one, "semanticTokens/full", uri) is None
    assert await ask(one, "semanticTokens/full/delta", uri, previousResultId="1") is None
    with pytest.raises(Exception, match="is not open"):
        await ask(one, "semanticTokens/full", "a.flow")


class PaintedEditor(Editor):
    """An editor that counts how often it is told to ask for tokens again."""

    def __init__(self, *arguments: Any) -> None:
        self.repainted = 0
        self.more_features = {types.WORKSPACE_SEMANTIC_TOKENS_REFRESH: self._repaint}
        super().__init__(*arguments)

    def _repaint(self, _: object) -> None:
        self.repainted += 1
        self._happened.set()


@pytest.mark.parametrize("method", ["full", "range"])
async def test_another_file_makes_another_kind_of_thing_of_a_name(work: Workspace, tmp_path, method: str):
    one = PaintedEditor(work, tmp_path / "state")
    whole = {"start": {"line": 0, "character": 0}, "end": {"line": 99, "character": 0}}
    more = {"range": whole} if method == "range" else {}

    async def painted() -> list[str]:
        return words(TEXT, (await ask(one, f"semanticTokens/{method}", "a.flow", **more)).data)

    try:
        can = painting()
        can.workspace.semantic_tokens = types.SemanticTokensWorkspaceClientCapabilities(refresh_support=True)
        await one.start(can)
        one.open("a.flow")
        one.open("types.flow")
        assert await painted() == WHOLE
        one.change("types.flow", "record Hit { title: Text, more: Int }\n")
        await one.everything_checked()
        await one.quiet()
        assert one.repainted == 0  # it is painted as it was
        one.change("types.flow", "enum Hit { A }\n")
        await one.until(lambda: one.repainted)
        assert await painted() == [word.replace("Hit struct", "Hit enum") for word in WHOLE]
        await one.everything_checked()
        await one.quiet()
        assert one.repainted == 1  # it was told once
        work.path("types.flow").unlink()
        one.close("types.flow")
        one.watched("types.flow", kind=types.FileChangeType.Deleted)
        await one.until(lambda: one.repainted == 2)
        assert await painted() == [word.replace("Hit struct", "Hit type") for word in WHOLE]
        await one.leave()
    finally:
        await one.abandon()


async def test_a_client_that_cannot_paint_again_is_not_asked_to(work: Workspace, tmp_path):
    one = PaintedEditor(work, tmp_path / "state")
    try:
        await one.start(painting())
        one.open("a.flow")
        await ask(one, "semanticTokens/full", "a.flow")
        one.open("types.flow", "enum Hit { A }\n")
        await one.everything_checked()
        await one.quiet()
        assert one.repainted == 0
        await one.leave()
    finally:
        await one.abandon()
