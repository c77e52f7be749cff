"""workspace/didChangeWatchedFiles: files that come, change and go, told one by one, in bursts, or half."""

from __future__ import annotations

import shutil
import sys

from lsprotocol import types
from session_client import capabilities
from session_workspace import FIND, Workspace, command, table

SOURCE = "tools/search.flow"
TEXT_RESULT = FIND.replace("Int", "Text")
NEVER = {"trust": "never", "diagnostics": {"severity": {"not-run": "off"}}}
ALWAYS = {"trust": "always"}
CREATED, CHANGED, DELETED = types.FileChangeType.Created, types.FileChangeType.Changed, types.FileChangeType.Deleted


async def test_only_our_files_are_watched_and_those_that_the_user_names(editor, workspace: Workspace):
    one = editor()
    await one.start()
    await one.until(lambda: one.registrations)
    (registration,) = one.registrations.values()
    assert registration.method == "workspace/didChangeWatchedFiles"
    assert patterns(registration) == ["**/*.flow", "**/flow.toml", "**/flow_tools.py"]
    one.configure({"flow": {"describe": {"watch": ["**/*.py"]}}})
    await one.until(lambda: len(one.registered) == 3)
    assert [kind[0] for kind in one.registered] == ["+", "-", "+"]
    assert patterns(*one.registrations.values()) == ["**/*.flow", "**/flow.toml", "**/flow_tools.py", "**/*.py"]


def patterns(registration: types.Registration) -> list[str]:
    options = registration.register_options
    watchers = options.watchers if hasattr(options, "watchers") else options["watchers"]
    return [getattr(watcher, "glob_pattern", None) or watcher["globPattern"] for watcher in watchers]


async def test_a_client_that_registers_nothing_is_asked_for_nothing(editor, workspace: Workspace):
    one = editor()
    await one.start(capabilities(watch=False))
    await one.everything_checked()
    assert one.registered == []


async def test_what_is_deleted_is_cleared_and_what_depends_on_it_is_checked_again(editor, workspace: Workspace):
    workspace.write("flow.toml", table("a.flow", "python3") + table("c.flow", "python3"))
    workspace.write("a.flow", FIND)
    workspace.write("b.flow", FIND + "import ./a.{Gone}\nrecord B { x: Gone }\n")
    workspace.write("c.flow", "record Hit { x: Txt }\n")
    one = editor()
    await one.start(options=NEVER)
    await one.until(lambda: one.said() == {"b.flow": ["import", "unbound-no-table"], "c.flow": ["unknown-type"]})
    workspace.path("b.flow").unlink()
    workspace.path("c.flow").rename(workspace.path("d.flow"))
    one.watched("b.flow", "c.flow", kind=DELETED)
    one.watched("d.flow", kind=CREATED)
    await one.until(lambda: one.said() == {"flow.toml": ["missing-file"], "d.flow": ["unknown-type"]})
    workspace.path("flow.toml").unlink()
    one.watched("flow.toml", kind=DELETED)
    await one.until(lambda: one.said() == {"a.flow": ["unbound-no-manifest"], "d.flow": ["unknown-type"]})
    assert [params.diagnostics for params in one.publications("b.flow")][-1] == ()


async def test_an_open_document_counts_after_its_file_is_gone_and_is_cleared_when_it_is_closed(editor, workspace):
    workspace.write("flow.toml", "bogus = 1\n")
    workspace.write("a.flow", FIND)
    one = editor()
    await one.start(options=NEVER)
    one.open("flow.toml")
    await one.shows("flow.toml", "unknown-key", version=1)
    workspace.path("flow.toml").unlink()
    one.watched("flow.toml", kind=DELETED)
    await one.everything_checked()
    assert one.said() == {"flow.toml": ["unknown-key"]}
    one.close("flow.toml")
    await one.until(lambda: one.said() == {"a.flow": ["unbound-no-manifest"]})


async def test_a_folder_that_is_deleted_clears_all_that_was_in_it(editor, workspace: Workspace):
    for name in ("x", "y/z"):
        workspace.write(f"{name}/a.flow", FIND)
        workspace.write(f"{name}/flow.toml", "bogus = 1\n")
    one = editor()
    await one.start(options=NEVER)
    expected = {f"{name}/flow.toml": ["unknown-key"] for name in ("x", "y/z")}
    await one.until(lambda: one.said() == expected)
    for name in ("x/a.flow", "x/flow.toml", "y/z/a.flow", "y/z/flow.toml"):
        workspace.path(name).unlink()
    workspace.path("x").rmdir()
    workspace.path("y/z").rmdir()
    one.watched("x", "y/z", kind=DELETED)  # some clients tell of the folder alone
    await one.until(lambda: one.said() == {})


async def test_a_folder_that_is_deleted_and_made_anew_in_one_burst_holds_what_is_there_now(
    editor, workspace: Workspace
):
    workspace.write("x/a.flow", FIND)
    workspace.write("x/y/flow.toml", "bogus = 1\n")
    workspace.write("x/same.flow", FIND)
    one = editor()
    await one.start(options=NEVER)
    unbound = ["unbound-no-manifest"]
    await one.until(
        lambda: one.said() == {"x/a.flow": unbound, "x/same.flow": unbound, "x/y/flow.toml": ["unknown-key"]}
    )
    shutil.rmtree(workspace.path("x"))
    workspace.write("x/b.flow", FIND)
    workspace.write("x/same.flow", "record A { x: Nope }\n")
    one.watched("x", kind=DELETED)
    one.watched("x/b.flow", kind=CREATED)  # all are looked at together, a moment later
    await one.until(lambda: one.said() == {"x/b.flow": unbound, "x/same.flow": ["unknown-type"]})


async def test_a_folder_that_goes_takes_along_what_ran_in_it_and_gives_it_back(editor, workspace: Workspace):
    workspace.write("x/flow.toml", table("a.flow", "sh run.sh"))
    workspace.write("x/a.flow", FIND)
    one = editor()
    await one.start(options=NEVER)
    for name in ("x/flow.toml", "x/a.flow"):
        one.open(name)
    await one.shows("x/flow.toml")
    workspace.path("x").rename(workspace.path("z"))
    one.watched("x", kind=DELETED)
    one.watched("z", kind=CREATED)
    await one.shows("x/flow.toml", "program-not-found")
    workspace.path("z").rename(workspace.path("x"))
    one.watched("x", kind=CREATED)
    one.watched("z", kind=DELETED)
    await one.shows("x/flow.toml")


async def test_a_folder_that_comes_is_looked_into(editor, workspace: Workspace):
    one = editor()
    await one.start(options=NEVER)
    await one.everything_checked()
    workspace.write("new/deep/a.flow", FIND)
    one.watched("new", kind=CREATED)
    await one.until(lambda: one.said() == {"new/deep/a.flow": ["unbound-no-manifest"]})


async def test_a_table_that_is_added_on_the_disk_binds_without_a_restart(editor, workspace: Workspace):
    workspace.write("flow.toml", "")
    workspace.write(SOURCE, FIND)
    one = editor()
    await one.start(options=NEVER)
    one.open(SOURCE)
    await one.shows(SOURCE, "unbound-no-table")
    workspace.write("flow.toml", table(SOURCE, "python3"))
    one.watched("flow.toml")
    await one.shows(SOURCE)


async def test_a_save_by_rename_in_any_order_ends_with_what_is_there(editor, workspace: Workspace):
    workspace.write("flow.toml", "")
    workspace.write(SOURCE, FIND)
    one = editor()
    await one.start(options=NEVER)
    one.open(SOURCE)
    await one.shows(SOURCE, "unbound-no-table")
    bound = ["unbound-no-table"], []
    for number, kinds in enumerate([(DELETED, CREATED), (CREATED, DELETED), (DELETED,), (CHANGED, DELETED, CREATED)]):
        expected = bound[(number + 1) % 2]
        workspace.write("flow.toml", "" if expected else table(SOURCE, "python3"))
        uri = workspace.uri("flow.toml")
        changes = [types.FileEvent(uri=uri, type=kind) for kind in kinds]
        one.client.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams(changes=changes))
        await one.shows(SOURCE, *expected)


async def test_an_open_manifest_wins_over_the_disk(editor, workspace: Workspace):
    workspace.write("flow.toml", "")
    workspace.write(SOURCE, FIND)
    one = editor()
    await one.start(options=NEVER)
    one.open("flow.toml")
    one.open(SOURCE)
    await one.shows(SOURCE, "unbound-no-table")
    one.change("flow.toml", table(SOURCE, "python3"))
    await one.shows(SOURCE)
    workspace.write("flow.toml", "bogus = 1\n")
    one.watched("flow.toml")
    await one.everything_checked()
    assert one.said() == {}


async def test_broken_text_on_the_disk_keeps_the_last_good_bindings(editor, workspace: Workspace):
    workspace.write("flow.toml", table(SOURCE, command("--log", "starts")))
    workspace.write(SOURCE, TEXT_RESULT)
    one = editor()
    await one.start(options=ALWAYS)
    one.open(SOURCE)
    await one.shows(SOURCE, "drift")
    workspace.write("flow.toml", "[tools")
    one.watched("flow.toml")
    await one.until(lambda: "by the last flow.toml without errors" in one.message(SOURCE, "drift"))
    await one.shows("flow.toml", "toml")


async def test_500_events_restart_nothing_and_publish_nothing(editor, workspace: Workspace):
    workspace.write("flow.toml", table(SOURCE, command("--log", "starts")))
    workspace.write(SOURCE, TEXT_RESULT)
    for number in range(400):
        workspace.write(f"node_modules/p{number}/index.js", "")
        if number < 20:
            workspace.write(f"node_modules/p{number}/flow.toml", "bogus = 1\n")
    one = editor()
    await one.start(options={**ALWAYS, "describe": {"watch": ["*.py", "src/**/*.py"]}})
    one.open(SOURCE)
    await one.shows(SOURCE, "drift")
    await one.quiet(0.3)
    count = len(one.published)
    for number in range(400):
        one.watched(f"node_modules/p{number}/index.js", kind=CREATED)
        if number < 20:
            one.watched(f"node_modules/p{number}/flow.toml", kind=CREATED)
        if number % 4 == 0:
            one.watched("flow.toml")
    await one.everything_checked()
    await one.quiet(0.5)
    assert (len(one.published), len(workspace.starts())) == (count, 1)


async def test_what_the_user_names_asks_again_and_nothing_else_does(editor, workspace: Workspace):
    workspace.write("flow.toml", table(SOURCE, command("--log", "starts", "--served", "served.json")))
    workspace.write(SOURCE, FIND)
    workspace.serve(("tools/search.find", {}))
    workspace.write("far/flow.toml", table(SOURCE, command("--log", "starts")))
    workspace.write(f"far/{SOURCE}", FIND)
    one = editor()
    await one.start(options={**ALWAYS, "describe": {"watch": ["*.json", "src/**/*.{py,pyi}"]}})
    one.open(SOURCE)
    await one.current(SOURCE)
    await one.started("far/starts")
    workspace.serve(("tools/search.find", {"ok": {"type": "string"}}))
    one.watched("served.json")
    await one.shows(SOURCE, "drift")
    for number, name in enumerate(("src/a.py", "src/deep/b.pyi"), 3):
        one.watched(name)
        await one.started(times=number)
    for name in ("served.txt", "deep/other.json", "src/a.pyc", "a.py", "../outside.json"):
        one.watched(name)
    await one.everything_checked()
    await one.quiet(0.5)
    assert (len(workspace.starts()), len(workspace.starts("far/starts"))) == (4, 1)


async def test_a_declared_file_or_manifest_that_changes_on_the_disk_asks_again(editor, workspace: Workspace):
    workspace.write("flow.toml", table(SOURCE, command("--log", "starts", "--served", "served.json")))
    workspace.write(SOURCE, FIND)
    workspace.serve(("tools/search.find", {}))
    one = editor()
    await one.start(options=ALWAYS)
    await one.started()
    await one.everything_checked()
    await one.quiet(0.3)
    workspace.serve(("tools/search.find", {"ok": {"type": "string"}}))
    workspace.write(SOURCE, FIND + "// another\n")
    one.watched(SOURCE)
    await one.shows(SOURCE, "drift")
    assert len(workspace.starts()) == 2


async def test_the_disk_is_looked_at_where_the_client_watches_nothing(editor, workspace: Workspace):
    workspace.write("flow.toml", table("a.flow", "python3"))
    workspace.write("a.flow", FIND)
    one = editor()
    await one.start(capabilities(watch=False), options=NEVER)
    await one.until(lambda: one.said() == {})
    workspace.write("new/b.flow", FIND)
    await one.until(lambda: one.said() == {"new/b.flow": ["unbound-no-table"]})
    workspace.write("flow.toml", table("a.flow", "python3") + table("new/b.flow", "python3"))
    await one.until(lambda: one.said() == {})
    workspace.path("a.flow").unlink()
    await one.until(lambda: one.said() == {"flow.toml": ["missing-file"]})


async def test_a_folder_that_is_deleted_clears_its_findings_though_nobody_tells(editor, workspace: Workspace):
    workspace.write("tools/flow.toml", "bogus = 1\n")
    workspace.write("tools/a.flow", FIND)
    one = editor()
    await one.start(capabilities(watch=False), options=NEVER)
    await one.until(lambda: set(one.said()) == {"tools/flow.toml"})
    workspace.path("tools").rename(workspace.path("../elsewhere"))
    await one.until(lambda: one.said() == {})


async def test_a_script_that_changes_is_asked_again(editor, workspace: Workspace):
    workspace.write("flow.toml", table("tools/search.flow", f"{sys.executable} -S -E serve.py"))
    workspace.write("tools/search.flow", FIND)
    workspace.write("serve.py", "import sys; sys.exit('not yet')\n")
    one = editor()
    await one.start(options=ALWAYS)
    await one.until(lambda: "not yet" in one.message(SOURCE, "describe-failed"))
    assert "**/serve.py" in patterns(*await one.until(lambda: one.registrations.values()))
    workspace.write("serve.py", "import sys; sys.exit('still not')\n")
    one.watched("serve.py")
    await one.until(lambda: "still not" in one.message(SOURCE, "describe-failed"))


async def test_a_script_that_changes_is_asked_again_though_nobody_tells(editor, workspace: Workspace):
    workspace.write("flow.toml", table("tools/search.flow", f"{sys.executable} -S -E serve.py"))
    workspace.write("tools/search.flow", FIND)
    workspace.write("serve.py", "import sys; sys.exit('not yet')\n")
    one = editor()
    await one.start(capabilities(watch=False), options=ALWAYS)
    await one.until(lambda: "not yet" in one.message(SOURCE, "describe-failed"))
    workspace.write("serve.py", "import sys; sys.exit('still not')\n")
    await one.until(lambda: "still not" in one.message(SOURCE, "describe-failed"))
