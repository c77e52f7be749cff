"""The README and the user's pages: what they show is what happens, and what they name is there."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from flow_lsp.cli.arguments import parsers
from flow_lsp.host.settings import HostSettings, read_settings
from flow_lsp.server.commands import COMMANDS

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
PAGES += sorted((ROOT / "editors").glob("*/README.md"))
SCRIPT = Path(sys.executable).with_name("flow-lsp")


def blocks(text: str, language: str) -> list[str]:
    """The fenced blocks of one language."""
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)


def test_the_capture_is_what_make_demo_prints(tmp_path: Path) -> None:
    (shown,) = blocks(README, "console")
    first, _, expected = shown.partition("\n")
    assert first == "$ make demo"
    (recipe,) = re.findall(r"flow-lsp (check .*?);", (ROOT / "Makefile").read_text(encoding="utf-8"))
    ran = subprocess.run(
        [SCRIPT, *recipe.split()],
        cwd=ROOT,
        env={"FLOW_LSP_STATE_DIRECTORY": str(tmp_path), "PATH": f"{SCRIPT.parent}:/usr/bin:/bin"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert ran.stdout == expected
    assert (ran.returncode, ran.stderr) == (1, "")


def test_the_commands_table_is_complete() -> None:
    rows = re.findall(r"^\| `flow-lsp ([a-z-]+)", README, re.MULTILINE)
    assert sorted(rows) == sorted(parsers()[1])


def _settings(text: str) -> Iterator[tuple[str, Any]]:
    for name, default in re.findall(r"^\| `([A-Za-z.]+)` \| `([^|]*)` \|", text, re.MULTILINE):
        yield name, json.loads(default)


def test_the_settings_table_is_complete_and_its_defaults_are_the_defaults() -> None:
    named = dict(_settings(README))
    for name, default in named.items():
        assert read_settings({name: default}, HostSettings(), from_user=True) == (HostSettings(), []), name
        wrong = read_settings({name: object()}, HostSettings(), from_user=True)
        assert len(wrong[1]) == 1, f"{name} is no setting"
    assert len(named) == len(HostSettings.__dataclass_fields__)


def test_the_page_of_settings_has_a_section_for_each() -> None:
    page = (ROOT / "docs" / "settings.md").read_text(encoding="utf-8")
    sections = re.findall(r"^## `flow\.([A-Za-z.]+)`", page, re.MULTILINE)
    assert sections == list(dict(_settings(README)))


def test_every_json_example_of_the_settings_is_accepted() -> None:
    page = (ROOT / "docs" / "settings.md").read_text(encoding="utf-8")
    examples = blocks(page, "json")
    assert examples
    for example in examples:
        (given,) = json.loads(example).values()
        changed, problems = read_settings(given, HostSettings(), from_user=True)
        assert problems == []
        assert changed != HostSettings(), example


def test_the_commands_on_the_page_for_editors_are_those_of_the_server() -> None:
    page = (ROOT / "docs" / "editors.md").read_text(encoding="utf-8")
    table = page.split("## Commands", 1)[1].split("\n## ", 1)[0]
    assert re.findall(r"^\| `([A-Za-z.]+)` \|", table, re.MULTILINE) == list(COMMANDS)


def test_every_method_that_the_server_speaks_is_on_the_page_for_editors() -> None:
    """All but those without which there is no session, and no synchronization of documents."""
    page = (ROOT / "docs" / "editors.md").read_text(encoding="utf-8")
    method = re.compile(r'"((?:client|textDocument|window|workspace|codeLens|\$)/[A-Za-z/]+)"')
    sources = (ROOT / "flow_lsp" / "server").rglob("*.py")
    spoken = {name for path in sources for name in method.findall(path.read_text(encoding="utf-8"))}
    common = {"$/cancelRequest", "client/unregisterCapability"}
    common |= {name for name in spoken if name.rpartition("/")[2].startswith("did")}
    assert {"textDocument/codeLens", "window/showDocument", "$/progress"} <= spoken
    assert {name for name in spoken - common if f"`{name}`" not in page} == set()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8")):
        if not target.startswith("https://"):
            assert (page.parent / target).exists(), target


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_command_line_that_is_shown_can_be_read(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    lines = [
        line
        for language in ("sh", "console", "yaml")
        for block in blocks(text, language)
        for line in block.splitlines()
    ]
    shown = [line.strip().removeprefix("- run: ").removeprefix("$ ") for line in lines]
    shown += [" ".join(example.split()) for example in re.findall(r"`(flow-lsp [^`]*)`", text)]
    _, by_name = parsers()
    for line in shown:
        if not line.startswith("flow-lsp ") or re.search(r"[\[…]|\b[A-Z]{4,}\b", line):
            continue
        words = shlex.split(re.split(r" [|>] | {2,}", line)[0], comments=True)[1:]
        if words[0] in by_name and words not in (["schema"], ["fingerprint"]):
            by_name[words[0]].parse_intermixed_args(words[1:])


def test_no_page_names_a_machine_or_a_place_to_download_from() -> None:
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        assert not re.search(r"/(home|Users|work|root)/", text), page
        assert "badge" not in text
