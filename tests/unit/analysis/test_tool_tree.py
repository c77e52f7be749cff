"""All Tools of a workspace as a view lists them, of a snapshot alone."""

from __future__ import annotations

from dataclasses import replace

import pytest
from support.drifting import COMMAND, described_by
from support.snapshots import ROOT, Fixture, fixture, snapshot

from flow_lsp.analysis.engine import Analysis
from flow_lsp.analysis.lenses import advice_on
from flow_lsp.analysis.snapshot import Described, Folder, Settings, Snapshot, Standing
from flow_lsp.analysis.tool_tree import TreeFile, TreeTool, doing, place_label, tree_file, tree_stamp
from flow_lsp.binding.model import CommandKey
from flow_lsp.protocol.outcome import DescribeFailure, DescribeOutcome, FailureKind

FIND = "@tool fn find(query: Text) -> Result<Int, Never>\n"
BOUND = {"a.flow": FIND, "flow.toml": '[tools."a.flow"]\ncommand = "serve"\n'}
NOON = 1_796_299_353.9  # 2026-12-03T12:02:33.9Z


def tree(state: Snapshot, path: str = "a.flow") -> TreeFile:
    found = tree_file(Analysis(), state, f"{ROOT}/{path}")
    assert found is not None
    return found


def only(state: Snapshot) -> TreeTool:
    (tool,) = tree(state).tools
    return tool


def served(there: str = FIND, standing: Standing = Standing.CURRENT, at: float = NOON) -> dict[CommandKey, Described]:
    (described,) = described_by(Fixture({"a.flow": there}, {})).values()
    assert described.outcome is not None
    return {COMMAND: Described(standing, replace(described.outcome, started_at=at), "noon")}


def test_a_tool_says_what_its_lens_and_its_advice_say() -> None:
    state = snapshot(Fixture(BOUND, {}), described=served())
    tool, analysis = only(state), Analysis()
    (declared,) = analysis.tools(state, f"{ROOT}/a.flow")
    assert (tool.name, tool.identity, tool.span) == ("find", "a.find", declared.declared.span)
    assert (tool.state, tool.lens.state, tool.implementation) == ("fits", "fits · serve", "serve")
    assert tool.detail == advice_on(analysis, state, f"{ROOT}/a.flow", declared)
    assert (tool.as_of, tool.standing) == ("2026-12-03T12:02:33Z", "current")


@pytest.mark.parametrize(
    ("files", "described", "word", "unfit", "as_of", "standing"),
    [
        (BOUND, served(standing=Standing.REMEMBERED), "fits", 0, True, "remembered"),
        (BOUND, served(at=0.0), "fits", 0, False, "current"),
        (BOUND, served(at=1e300), "fits", 0, False, "current"),
        (BOUND, served(FIND.replace("Int", "Text")), "drift", 1, True, "current"),
        (BOUND, served(FIND.replace("find", "seek")), "unserved", 1, True, "current"),
        (BOUND, {COMMAND: Described(Standing.NOT_TRUSTED)}, "not-checked", 0, False, "not-trusted"),
        (BOUND, {}, "not-checked", 0, False, "unknown"),
        (BOUND | {"a.flow": FIND.replace("Int", "Nope")}, served(), "unknown", 0, False, "current"),
        (BOUND | {"flow.toml": ""}, served(), "unbound", 1, False, None),
        (BOUND | {"flow.toml": "bogus = 1\n"}, served(), "refused", 1, False, None),
        ({"a.flow": FIND}, {}, "unbound", 1, False, None),
    ],
)
def test_each_state_and_what_it_is_by(files, described, word, unfit, as_of, standing) -> None:
    found = tree(snapshot(Fixture(files, {}), described=described))
    (tool,) = found.tools
    assert (tool.state, found.unfit) == (word, unfit)
    assert tool.as_of == ("2026-12-03T12:02:33Z" if as_of else None)
    assert tool.standing == standing


def test_a_command_that_failed_makes_its_tools_unfit_as_of_then() -> None:
    failed = DescribeOutcome(None, DescribeFailure(FailureKind.EXITED, "ended."), started_at=NOON)
    state = snapshot(Fixture(BOUND, {}), described={COMMAND: Described(Standing.CURRENT, failed)})
    assert (only(state).state, only(state).as_of, tree(state).unfit) == ("describe-failed", "2026-12-03T12:02:33Z", 1)


def test_files_belong_to_the_manifest_that_decides_about_them() -> None:
    made = fixture(
        f"//- sub/deep/a.flow\n{FIND}//- sub/flow.toml\n//- b.flow\n{FIND}//- bad/flow.toml\nx\n//- bad/c.flow\n{FIND}"
    )
    state = snapshot(made)
    found = {path: tree(state, path) for path in ("sub/deep/a.flow", "b.flow", "bad/c.flow")}
    assert [(file.manifest, file.label) for file in found.values()] == [
        (f"{ROOT}/sub/flow.toml", "deep/a.flow"),
        (None, "b.flow"),
        (f"{ROOT}/bad/flow.toml", "c.flow"),
    ]


def test_a_file_without_tools_is_no_part_of_it() -> None:
    state = snapshot(Fixture({"a.flow": "record Hit { x: Int }\n"}, {}))
    assert tree_file(Analysis(), state, f"{ROOT}/a.flow") is None
    assert tree_file(Analysis(), state, f"{ROOT}/gone.flow") is None


def test_a_label_has_the_name_of_its_folder_where_there_are_several() -> None:
    def label(path: str, *folders: Folder) -> str:
        return place_label(Snapshot(folders=folders), path)

    one, other, same = Folder("/w/one"), Folder("/w/other"), Folder("/x/one")
    kit = Folder("/kit", "acme/kit", "1.2.0")
    assert label("/w/one/a/flow.toml", one) == "a/flow.toml"
    assert label("/w/one/a/flow.toml", one, other) == "one/a/flow.toml"
    assert label("/w/one/flow.toml", one, same) == "/w/one/flow.toml"
    assert label("/kit/flow.toml", one, kit) == "acme/kit@1.2.0/flow.toml"
    assert label("/w/one/flow.toml", one, kit) == "flow.toml"
    assert label("/w/flow.toml", one) == "../flow.toml"
    assert label("/w/flow.toml", one, other) == "/w/flow.toml"
    assert label("/w/one/a\u202eb\n.flow", one) == "a\\u202eb\\n.flow"


def test_what_goes_on_is_a_sentence() -> None:
    running = Described(Standing.RUNNING)
    asked = {CommandKey("/w", ("python3", name)): running for name in ("one.py", "two.py", "three.py")}
    quiet = {CommandKey("/w", ("other",)): Described(Standing.CURRENT)}
    assert doing(Snapshot(described=quiet)) is None
    assert doing(Snapshot(described=quiet | dict([*asked.items()][:1]))) == "Asking python3 one.py"
    assert doing(Snapshot(described=asked | quiet)) == "Asking python3 one.py and 2 more"


def test_an_override_is_what_implements_a_tool() -> None:
    settings = Settings(overrides={"a.find": CommandKey(ROOT, ("other", "one"))})
    found = tree(snapshot(Fixture(BOUND, {}), settings=settings))
    assert (found.tools[0].implementation, found.manifest) == ("other one", f"{ROOT}/flow.toml")


def test_what_another_command_said_leaves_a_file_alone() -> None:
    analysis, made = Analysis(), Fixture(BOUND, {})
    before = snapshot(made, described=served())
    other = CommandKey(ROOT, ("other",))
    # The same text objects, as in a workspace that is not edited.
    said = replace(before, described={**before.described, other: Described(Standing.RUNNING)}, surroundings=1)
    again = replace(before, described=served(FIND.replace("Int", "Text")), surroundings=2)
    key = f"{ROOT}/a.flow"
    first = tree_stamp(analysis, before, key)
    assert tree_stamp(analysis, said, key) == first
    assert tree_stamp(analysis, again, key) != first
