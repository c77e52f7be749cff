"""Implementations in Python begun and kept in step: the files that come to be, and what is edited."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from support.fixing import after, offered
from support.snapshots import Fixture, answered, fixture, listing

from flow_lsp.analysis.fixes.model import Fix
from flow_lsp.binding.model import CommandKey

TOOL = "@tool fn find(query: Text) -> Result<Int, Text>\n"
BEGIN = "Generate Python implementation"


def begun(made: Fixture, path: str) -> list[Fix]:
    return [fix for fix in offered(made, path) if fix.title.startswith(BEGIN)]


def files(made: Fixture, fix: Fix) -> Mapping[str, str]:
    assert fix.change is not None
    result = after(made, fix.change)
    return {name: text for name, text in result.texts.items() if made.texts.get(name) != text}


def test_an_implementation_comes_with_its_table_as_one_change() -> None:
    made = Fixture({"flow.toml": "# mine\n", "sub/a b.flow": TOOL}, {})
    (fix,) = begun(made, "sub/a b.flow")
    assert fix.title == f"{BEGIN} in a_b_tools"
    new = files(made, fix)
    assert sorted(new) == ["flow.toml", "sub/a_b_tools/flow_tools.py", "sub/a_b_tools/main.py"]
    assert new["flow.toml"] == '# mine\n\n[tools."sub/a b.flow"]\ncommand = "python3 sub/a_b_tools/main.py"\n'
    assert "class Tools(Protocol):" in new["sub/a_b_tools/flow_tools.py"]
    assert "def find(self, query: str) -> int:" in new["sub/a_b_tools/main.py"]


def test_where_there_is_no_manifest_one_comes_with_it() -> None:
    made = Fixture({"sub/a.flow": TOOL}, {})
    (fix,) = begun(made, "sub/a.flow")
    assert fix.title == f"{BEGIN} in a_tools, with a new flow.toml"
    assert files(made, fix)["sub/flow.toml"] == '[tools."a.flow"]\ncommand = "python3 a_tools/main.py"\n'


def test_an_environment_beside_the_manifest_runs_it() -> None:
    made = Fixture({"flow.toml": "", "a.flow": TOOL, ".venv/bin/python": ""}, {})
    (fix,) = begun(made, "a.flow")
    assert files(made, fix)["flow.toml"] == '[tools."a.flow"]\ncommand = ".venv/bin/python a_tools/main.py"\n'


@pytest.mark.parametrize("taken", ["main.py", "flow_tools.py", "__init__.py"])
def test_what_is_there_is_never_written_over(taken: str) -> None:
    made = Fixture({"flow.toml": "", "a.flow": TOOL, f"a_tools/{taken}": "mine"}, {})
    (fix,) = begun(made, "a.flow")
    assert sorted(files(made, fix)) == ["a_tools_2/flow_tools.py", "a_tools_2/main.py", "flow.toml"]


def test_a_directory_with_spaces_is_quoted() -> None:
    made = Fixture({"flow.toml": "", "the tools/ä.flow": TOOL}, {})
    (fix,) = begun(made, "the tools/ä.flow")
    assert files(made, fix)["flow.toml"].endswith('command = "python3 \\"the tools/flow_tools/main.py\\""\n')


def test_declarations_with_a_problem_say_why_nothing_is_generated() -> None:
    made = Fixture({"flow.toml": "", "a.flow": TOOL + "@tool fn bad(x: Gone) -> Result<Int, Text>\n"}, {})
    (fix,) = begun(made, "a.flow")
    assert fix.change is None
    assert "Gone" in fix.disabled


def test_a_manifest_with_an_error_is_left_alone() -> None:
    made = Fixture({"flow.toml": "bogus = 1\n", "a.flow": TOOL}, {})
    assert begun(made, "a.flow") == []


# -- generated types that are behind --------------------------------------------------------------------

COMMAND = CommandKey("/w", ("python3", "a_tools/main.py"))
DRIFTED = answered(listing(("a.find", "sha256:" + "0" * 64, {"params": [], "ok": {}, "err": {}, "generic": []})))
UPDATE = "Update generated types in a_tools/flow_tools.py"


def generated() -> Fixture:
    """What "Generate Python implementation" leaves."""
    made = Fixture({"flow.toml": "", "a.flow": TOOL}, {})
    (fix,) = begun(made, "a.flow")
    assert fix.change is not None
    return after(made, fix.change)


def updates(made: Fixture) -> list[Fix]:
    return [
        fix for fix in offered(made, "a.flow", described={COMMAND: DRIFTED}) if fix.title.startswith("Update generated")
    ]


def test_types_that_are_behind_are_generated_anew() -> None:
    made = generated()
    changed = Fixture({**made.texts, "a.flow": TOOL.replace("query: Text", "query: Text, most: Int")}, {})
    (fix,) = updates(changed)
    assert fix.title == UPDATE
    new = files(changed, fix)
    assert list(new) == ["a_tools/flow_tools.py"]
    assert "def find(self, query: str, most: int) -> int | Awaitable[int]:" in new["a_tools/flow_tools.py"]
    assert fix.change is not None
    assert updates(after(changed, fix.change)) == []


def test_all_files_of_the_command_are_in_it() -> None:
    made = generated()
    other = "@tool fn look() -> Result<Int, Never>\n"
    table = made.texts["flow.toml"] + made.texts["flow.toml"].replace("a.flow", "b.flow")
    (fix,) = updates(Fixture({**made.texts, "b.flow": other, "flow.toml": table}, {}))
    assert "def look(self)" in files(made, fix)["a_tools/flow_tools.py"]


def test_types_that_somebody_edited_are_left_alone() -> None:
    made = generated()
    module = made.texts["a_tools/flow_tools.py"]
    changed = {"a.flow": TOOL.replace("Text", "Int"), "a_tools/flow_tools.py": module + "# mine\n"}
    assert updates(Fixture({**made.texts, **changed}, {})) == []


def test_a_module_of_another_name_is_found_by_what_the_script_imports() -> None:
    made = generated()
    texts = dict(made.texts)
    texts["a_tools/kit.py"] = texts.pop("a_tools/flow_tools.py")
    texts["a_tools/main.py"] = texts["a_tools/main.py"].replace("from flow_tools", "from kit")
    texts["a.flow"] = TOOL.replace("Text", "Int")
    assert [fix.title for fix in updates(Fixture(texts, {}))] == ["Update generated types in a_tools/kit.py"]


def test_another_program_has_nothing_to_update() -> None:
    made = fixture('//- flow.toml\n[tools."a.flow"]\ncommand = "python3 a_tools/main.py"\n//- a.flow\n' + TOOL)
    assert updates(made) == []
