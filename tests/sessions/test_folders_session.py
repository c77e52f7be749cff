"""Workspace folders: none, one, nested ones, and others while the server runs."""

from __future__ import annotations

import pytest
from lsprotocol import types
from session_workspace import FIND, Workspace, command, table

NEVER = {"trust": "never", "diagnostics": {"severity": {"not-run": "off"}}}


async def test_without_a_folder_a_single_file_finds_its_manifest(editor, workspace: Workspace):
    workspace.write("flow.toml", table("a.flow", "python3"))
    workspace.write("a.flow", FIND)
    workspace.write("b.flow", FIND)
    one = editor()
    await one.start(options=NEVER, folders=[])
    one.open("b.flow")
    await one.shows("b.flow", "unbound-no-table")
    one.open("a.flow")
    assert "python3" in await one.hover("a.flow", 0, 10)
    one.change_folders()
    assert "find" in await one.hover("a.flow", 0, 10)
    assert one.said() == {"b.flow": ["unbound-no-table"]}


async def test_the_root_uri_counts_where_there_are_no_folders(editor, workspace: Workspace):
    workspace.write("a.flow", FIND)
    one = editor()
    await one.start(options=NEVER, folders=[], root_uri=workspace.uri())
    await one.until(lambda: one.said() == {"a.flow": ["unbound-no-manifest"]})


@pytest.mark.parametrize("slash", ["", "/"])
async def test_folders_come_and_go(editor, workspace: Workspace, slash):
    for name in ("one", "two"):
        workspace.write(f"{name}/a.flow", FIND)
    first, second = (workspace.uri(name) + slash for name in ("one", "two"))
    one = editor()
    await one.start(options=NEVER, folders=[first])
    await one.until(lambda: one.said() == {"one/a.flow": ["unbound-no-manifest"]})
    one.change_folders(added=[second])
    await one.until(lambda: set(one.said()) == {"one/a.flow", "two/a.flow"})
    one.change_folders(removed=[first])
    await one.until(lambda: set(one.said()) == {"two/a.flow"})
    one.change_folders(removed=[workspace.uri("two")])
    await one.until(lambda: one.said() == {})
    one.open("one/a.flow")
    await one.shows("one/a.flow", "unbound-no-manifest")
    assert "find" in await one.hover("one/a.flow", 0, 10)


@pytest.mark.parametrize("folders", [["w"], ["w/sub"], ["w", "w/sub"], ["w/sub", "w"]])
async def test_the_nearest_manifest_is_the_boundary_whatever_the_folders_are(editor, workspace, folders):
    workspace.write("w/flow.toml", table("sub/a.flow", command("--log", "starts")))
    workspace.write("w/sub/flow.toml", table("b.flow", command("--log", "starts")))
    workspace.write("w/sub/a.flow", FIND)
    workspace.write("w/sub/b.flow", FIND)
    one = editor()
    await one.start(options={"trust": "always"}, folders=[workspace.uri(folder) for folder in folders])
    one.open("w/sub/a.flow")
    (unbound,) = await one.shows("w/sub/a.flow", "unbound-no-table")
    assert "The table for it in ../flow.toml does not count" in unbound.message
    places = [related.location.uri for related in unbound.related_information]
    assert places == [workspace.uri("w/sub/flow.toml"), workspace.uri("w/flow.toml")]
    await one.started("w/sub/starts")  # in the manifest's directory
    one.open("w/flow.toml")
    await one.until(lambda: "shadowed" in one.codes("w/flow.toml"))


@pytest.mark.parametrize("folders", [["w", "w"], ["w", "w/sub"]])
async def test_a_file_in_two_folders_is_published_once(editor, workspace: Workspace, folders):
    workspace.write("w/sub/a.flow", FIND)
    one = editor()
    await one.start(options=NEVER, folders=[workspace.uri(folder) for folder in folders])
    await one.everything_checked()
    assert one.said() == {"w/sub/a.flow": ["unbound-no-manifest"]}
    report = await one.pull_workspace()
    assert len(report.items) == 1


async def test_folders_that_are_no_files_or_not_there_are_passed_by(editor, workspace: Workspace):
    workspace.write("a.flow", FIND)
    one = editor()
    await one.start(
        options=NEVER, folders=["untitled:x", "vscode-vfs://github/x", workspace.uri("gone"), workspace.uri()]
    )
    await one.until(lambda: one.said() == {"a.flow": ["unbound-no-manifest"]})


async def test_a_manifest_above_the_folder_binds_what_is_in_it(editor, workspace: Workspace):
    workspace.write("flow.toml", table("w/a.flow", "python3") + table("w/gone.flow", "python3"))
    workspace.write("w/a.flow", FIND)
    one = editor()
    await one.start(options=NEVER, folders=[workspace.uri("w")])
    one.open("w/a.flow")
    await one.shows("w/a.flow")
    assert isinstance(await one.pull("w/a.flow"), types.RelatedFullDocumentDiagnosticReport)
