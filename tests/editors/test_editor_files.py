"""The files for editors that cannot be run here: they can be read, hold only what the editor knows, and fit together.

What each editor knows is written from its documentation; that nothing else is checked stands in each README.
"""

from __future__ import annotations

import json
import plistlib
import re
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

from flow_lsp.cli.arguments import parsers
from flow_lsp.host.settings import HostSettings, read_settings

ROOT = Path(__file__).resolve().parents[2]
EDITORS = ROOT / "editors"
HELIX = tomllib.loads((EDITORS / "helix" / "languages.toml").read_text(encoding="utf-8"))

HELIX_LANGUAGE = {
    *("name", "language-id", "scope", "injection-regex", "file-types", "shebangs", "roots", "auto-format"),
    *("diagnostic-severity", "comment-token", "comment-tokens", "block-comment-tokens", "indent", "language-servers"),
    *("grammar", "formatter", "soft-wrap", "text-width", "rulers", "auto-pairs", "workspace-lsp-roots"),
}
HELIX_SERVER = {"command", "args", "config", "environment", "timeout", "required-root-patterns"}
SUBLIME_CLIENT = {
    *("enabled", "command", "env", "settings", "initializationOptions", "selector", "priority_selector"),
    *("diagnostics_mode", "tcp_port", "experimental_capabilities", "disabled_capabilities"),
}
ZED_TASK = {
    *("label", "command", "args", "env", "cwd", "use_new_terminal", "allow_concurrent_runs", "reveal", "hide"),
    *("shell", "show_summary", "show_command", "tags"),
}
KATE_SERVER = {
    *("command", "url", "root", "rootIndicationFileNames", "rootIndicationFilePatterns", "highlightingModeRegex"),
    *("initializationOptions", "settings", "use", "documentLanguageId"),
}


def commented_json(path: Path) -> Any:
    """JSON whose comments are lines of their own."""
    text = path.read_text(encoding="utf-8")
    return json.loads(re.sub(r"^\s*//.*$", "", text, flags=re.MULTILINE))


def accepted(settings: Any) -> bool:
    """Whether these are settings of the server."""
    return read_settings(settings, HostSettings(), from_user=True)[1] == []


def test_helix_knows_every_key_and_name() -> None:
    assert set(HELIX) == {"language", "language-server"}
    for language in HELIX["language"]:
        assert set(language) <= HELIX_LANGUAGE
        assert {"name", "scope", "file-types"} <= set(language)
        assert set(language["language-servers"]) <= set(HELIX["language-server"])
        assert set(language["indent"]) == {"tab-width", "unit"}
    for server in HELIX["language-server"].values():
        assert set(server) <= HELIX_SERVER
        assert accepted(server["config"]["flow"])


def test_helix_is_told_of_flow_files_and_of_no_toml_but_manifests() -> None:
    flow, manifest = HELIX["language"]
    assert (flow["name"], flow["file-types"]) == ("flow", ["flow", "flow-text"])
    assert (manifest["language-id"], manifest["file-types"]) == ("toml", [{"glob": "flow.toml"}])


def test_the_queries_of_helix_are_those_of_the_grammar_that_the_language_takes() -> None:
    (manifest,) = (one for one in HELIX["language"] if "grammar" in one)
    queries = list((EDITORS / "helix" / "queries" / manifest["name"]).iterdir())
    assert {query.name for query in queries} >= {"highlights.scm", "injections.scm"}
    assert {query.read_text() for query in queries} == {f"; inherits: {manifest['grammar']}\n"}


def test_sublime_knows_every_key_and_scope() -> None:
    settings = commented_json(EDITORS / "sublime" / "LSP.sublime-settings")
    (client,) = settings["clients"].values()
    assert set(settings) == {"clients"}
    assert set(client) <= SUBLIME_CLIENT
    assert client["command"] == ["flow-lsp"]
    assert accepted(client["initializationOptions"]["flow"])
    syntaxes = (EDITORS / "sublime").glob("*.sublime-syntax")
    scopes = {re.search(r"^scope: (\S+)$", one.read_text(), re.MULTILINE)[1] for one in syntaxes}  # type: ignore[index]
    assert set(client["selector"].split(" | ")) == scopes


def test_the_comments_of_sublime_are_a_property_list_for_a_scope_that_is_there() -> None:
    comments = plistlib.loads((EDITORS / "sublime" / "Comments (Flow).tmPreferences").read_bytes())
    assert comments["scope"] == "source.flow"
    variables = {one["name"]: one["value"] for one in comments["settings"]["shellVariables"]}
    assert variables == {"TM_COMMENT_START": "// ", "TM_COMMENT_START_2": "/*", "TM_COMMENT_END_2": "*/"}


def test_kate_knows_every_key_and_the_modes_are_those_of_its_syntax_files() -> None:
    (server,) = json.loads((EDITORS / "kate" / "settings.json").read_text())["servers"].values()
    assert set(server) <= KATE_SERVER
    assert accepted(server["initializationOptions"]["flow"])
    texts = [one.read_text(encoding="utf-8") for one in (EDITORS / "kate" / "syntax").glob("*.xml")]
    modes = {name for text in texts for name in re.findall(r'<language name="([^"]+)"', text)}
    assert len(modes) == 2
    assert {mode for mode in modes if re.search(server["highlightingModeRegex"], mode)} == modes
    assert not re.search(server["highlightingModeRegex"], "TOML")


def test_zed_knows_every_key_and_the_commands_of_its_tasks_are_there() -> None:
    tasks = commented_json(EDITORS / "zed" / "tasks.json")
    assert len({task["label"] for task in tasks}) == len(tasks) == 2
    for task in tasks:
        assert set(task) <= ZED_TASK
        assert task["command"] == "flow-lsp"
        name, *rest = task["args"]
        parsers()[1][name].parse_intermixed_args(rest)


def test_what_a_task_of_zed_prints_begins_with_a_place(tmp_path: Path) -> None:
    (tmp_path / "a.flow").write_text("@tool\nfn find() -> Nowhere\n")
    task = commented_json(EDITORS / "zed" / "tasks.json")[0]
    program = Path(sys.executable).with_name("flow-lsp")
    done = subprocess.run(
        [program, *task["args"]], cwd=tmp_path, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60
    )
    assert re.match(r"a\.flow:2:\d+: error", done.stdout)


@pytest.mark.parametrize("editor", sorted(folder.name for folder in EDITORS.iterdir() if folder.is_dir()))
def test_each_editor_says_how_to_install_and_the_page_of_editors_names_it(editor: str) -> None:
    readme = EDITORS / editor / "README.md"
    assert readme.exists()
    assert f"(../editors/{editor}/README.md)" in (ROOT / "docs" / "editors.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("editor", ["helix", "kate", "sublime", "vim", "zed"])
def test_readmes_say_what_was_tested_and_their_paths_are_there(editor: str) -> None:
    text = (EDITORS / editor / "README.md").read_text(encoding="utf-8")
    assert text.count("**Tested:**") == 1
    assert len(text.splitlines()) <= 55
    for block in re.findall(r"^```sh\n(.*?)^```$", text, re.DOTALL | re.MULTILINE):
        for word in (word for line in block.splitlines() for word in shlex.split(line)):
            inside = word.removeprefix("$PWD/")
            if inside.startswith("editors/"):
                assert list(ROOT.glob(inside)), word
