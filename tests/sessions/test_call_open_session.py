"""flow.call.open: the arguments of a Tool as a document of their own, kept for the user."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest
from call_editor import ACT, ALWAYS, SOURCE, CallingEditor, bind, can_call, path_of
from lsprotocol import types
from session_workspace import Workspace

FRESH = '{\n  "how": "",\n  "value": 0\n}\n'


@pytest.fixture
async def editors(workspace: Workspace, tmp_path: Path) -> AsyncIterator[Callable[[], CallingEditor]]:
    """Makes editors of one user; all are left, or ended, here."""
    made: list[CallingEditor] = []

    def make() -> CallingEditor:
        made.append(CallingEditor(workspace, tmp_path / "state"))
        return made[-1]

    try:
        yield make
        for one in made:
            if one.process.returncode is None:
                await one.leave()
    finally:
        for one in made:
            await one.abandon()


async def started(one: CallingEditor, can: types.ClientCapabilities | None = None) -> CallingEditor:
    await one.start(can or can_call(), options=ALWAYS)
    one.open(SOURCE)
    return one


async def open_arguments(one: CallingEditor) -> Path:
    """The file of the arguments of `act`, which the editor shows but does not open."""
    return path_of((await one.run("flow.call.open", one.workspace.uri(SOURCE), "act"))["uri"])


async def test_a_template_is_written_outside_the_workspace_and_shown(editors, workspace: Workspace, tmp_path: Path):
    bind(workspace)
    files = set(workspace.folder.rglob("*"))
    one = await started(editors())
    answer = await one.run("flow.call.open", workspace.uri(SOURCE), "act")
    assert answer["shown"] is True
    (shown,) = one.shown
    assert (shown.uri, shown.take_focus, shown.external) == (answer["uri"], True, False)
    path = path_of(answer["uri"])
    assert path.read_text() == FRESH
    assert path.name == "act.flow-call.json"
    assert (tmp_path / "state") in path.parents
    assert set(workspace.folder.rglob("*")) - {workspace.path("starts")} == files


async def test_a_client_that_shows_no_documents_is_given_the_uri(editors, workspace: Workspace):
    bind(workspace)
    one = await started(editors(), can_call(show=False))
    answer = await one.run("flow.call.open", workspace.uri(SOURCE), "act")
    assert answer["shown"] is False
    assert one.shown == []
    assert path_of(answer["uri"]).read_text() == FRESH
    assert one.client.messages[-1].message == f"The arguments of act: {path_of(answer['uri'])}"


async def test_a_client_that_fails_to_show_it_is_given_the_uri(editors, workspace: Workspace):
    bind(workspace)
    one = await started(editors())
    one.can_show = False
    answer = await one.run("flow.call.open", workspace.uri(SOURCE), "act")
    assert answer["shown"] is False


async def test_what_was_written_for_the_same_signature_stays_also_in_another_session(editors, workspace: Workspace):
    bind(workspace)
    one = await started(editors())
    path = await open_arguments(one)
    path.write_text('{"how": "mine"')
    assert await open_arguments(one) == path
    assert path.read_text() == '{"how": "mine"'
    await one.leave()
    two = await started(editors())
    assert await open_arguments(two) == path
    assert path.read_text() == '{"how": "mine"'


async def test_a_doc_comment_is_no_other_signature(editors, workspace: Workspace):
    bind(workspace)
    one = await started(editors())
    path = await open_arguments(one)
    path.write_text("{}")
    one.change(SOURCE, f"/// More is said of it.\n{ACT}")
    assert await open_arguments(one) == path
    assert path.read_text() == "{}"


async def test_for_another_signature_what_is_still_right_is_kept(editors, workspace: Workspace):
    bind(workspace)
    one = await started(editors())
    path = await open_arguments(one)
    path.write_text('{"how": "mine",\n  "value": 12.5}')
    one.change(SOURCE, ACT.replace("value: Int", "more: Bool, value: Decimal"))
    assert await open_arguments(one) == path
    assert path.read_text() == '{\n  "how": "mine",\n  "more": false,\n  "value": 12.5\n}\n'
    one.change(SOURCE, ACT)
    await open_arguments(one)
    assert path.read_text() == '{\n  "how": "mine",\n  "value": 0\n}\n'


async def test_a_template_that_was_never_edited_gives_way(editors, workspace: Workspace):
    bind(workspace)
    one = await started(editors())
    path = await open_arguments(one)
    one.change(SOURCE, ACT.replace("value: Int", "value: Option<Int>"))
    await open_arguments(one)
    assert path.read_text() == '{\n  "how": "",\n  "value": "None"\n}\n'


async def test_what_cannot_be_read_is_left_to_the_user(editors, workspace: Workspace):
    bind(workspace)
    one = await started(editors())
    path = await open_arguments(one)
    path.write_bytes(b'{"how": \xff')
    one.change(SOURCE, ACT.replace("value: Int", "value: Text"))
    await open_arguments(one)
    assert path.read_bytes() == b'{"how": \xff'


async def test_a_document_that_is_open_is_left_to_its_editor(editors, workspace: Workspace):
    bind(workspace)
    one = await started(editors())
    uri = await one.arguments_of(text='{"how": "typed", "value": 1}')
    one.change(SOURCE, ACT.replace("value: Int", "value: Text"))
    await one.run("flow.call.open", workspace.uri(SOURCE), "act")
    assert path_of(uri).read_text() == FRESH
    one.close(uri)
    await one.run("flow.call.open", workspace.uri(SOURCE), "act")
    assert path_of(uri).read_text() == '{\n  "how": "",\n  "value": ""\n}\n'


async def test_arguments_that_were_removed_are_written_anew(editors, workspace: Workspace):
    bind(workspace)
    one = await started(editors())
    path = await open_arguments(one)
    for file in path.parent.iterdir():
        file.unlink()
    assert await open_arguments(one) == path
    assert path.read_text() == FRESH


async def test_tools_of_one_name_in_two_files_have_their_own(editors, workspace: Workspace):
    bind(workspace)
    workspace.write("other.flow", ACT)
    one = await started(editors())
    first = await open_arguments(one)
    second = path_of((await one.run("flow.call.open", workspace.uri("other.flow"), "act"))["uri"])
    assert first != second
    assert first.name == second.name


async def test_unsaved_text_counts(editors, workspace: Workspace):
    bind(workspace)
    one = await started(editors())
    one.change(SOURCE, ACT + "@tool\nfn new(x: List<Int>) -> Result<Int, Int>\n")
    answer = await one.run("flow.call.open", workspace.uri(SOURCE), "new")
    assert path_of(answer["uri"]).read_text() == '{\n  "x": []\n}\n'


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "flow.call.open takes the URI of a .flow file and the name of a Tool."),
        (["SOURCE"], "flow.call.open takes the URI of a .flow file and the name of a Tool."),
        (["SOURCE", 1], "flow.call.open takes the URI of a .flow file and the name of a Tool."),
        (["untitled:x", "act"], "flow.call.open takes the URI of a .flow file and a Tool."),
        (["SOURCE", "atc"], "tools.flow declares no Tool `atc`. Is `act` meant?"),
        (["SOURCE", "bad"], "The declaration of `bad` in tools.flow has an error, which is shown there."),
    ],
)
async def test_what_cannot_be_opened_is_refused(editors, workspace: Workspace, arguments, message):
    bind(workspace)
    one = await started(editors())
    one.change(SOURCE, ACT + "@tool\nfn bad(x: Nothing) -> Result<Int, Int>\n")
    given = [workspace.uri(SOURCE) if argument == "SOURCE" else argument for argument in arguments]
    with pytest.raises(Exception, match=r".") as refused:
        await one.run("flow.call.open", *given)
    assert str(refused.value).startswith(message)


async def test_where_nothing_can_be_kept_it_is_said(editors, workspace: Workspace, tmp_path: Path):
    bind(workspace)
    (tmp_path / "state").mkdir()
    (tmp_path / "state" / "calls").write_text("in the way")
    one = await started(editors())
    with pytest.raises(Exception, match="The arguments could not be kept as "):
        await one.run("flow.call.open", workspace.uri(SOURCE), "act")
