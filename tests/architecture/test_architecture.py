"""The shape of the code: directions, lengths, start-up, pages in step with the rules."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

from flow_lsp.findings.catalogue import RULES
from flow_lsp.values.data_version import DATA_VERSION

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "flow_lsp"
CORE = [
    *("analysis", "binding", "importing", "source", "manifest", "protocol", "descriptions", "signature"),
    *("schema", "types", "values", "findings", "text"),
]
MODULES = sorted(PACKAGE.rglob("*.py"))
LONGEST = 420

# What must not be loaded before it is needed, and by which start.
HEAVY = ["jsonschema", "platformdirs", "pygls", "lsprotocol", "tomlkit", "mcp", "mcp_types", "pydantic"]


@pytest.mark.parametrize("package", CORE)
def test_the_core_opens_no_file_and_reads_no_clock(package: str) -> None:
    banned = {"open", "input", "print", "exec", "eval", "breakpoint"}
    for module in (PACKAGE / package).rglob("*.py"):
        for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                assert node.func.id not in banned, f"{module.name}:{node.lineno} calls {node.func.id}"


def test_the_data_version_stands_in_one_place() -> None:
    holding = {
        str(module.relative_to(PACKAGE))
        for module in MODULES
        for node in ast.walk(ast.parse(module.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and DATA_VERSION in node.value.split('"')
    }
    assert holding == {str(Path("values", "data_version.py"))}


def test_no_file_is_longer_than_one_reads_in_one_sitting() -> None:
    long = {
        str(path.relative_to(ROOT)): length
        for path in [*MODULES, *(ROOT / "tests").rglob("*.py"), *(ROOT / "benchmarks").rglob("*.py")]
        if (length := len(path.read_text(encoding="utf-8").splitlines())) > LONGEST
    }
    assert not long


def test_packages_say_what_they_are_and_export_nothing_again() -> None:
    door = PACKAGE / "toolkit" / "__init__.py"  # the one exception: what authors of implementations import from
    for path in set(PACKAGE.rglob("__init__.py")) - {door}:
        tree = ast.parse(path.read_text(encoding="utf-8"))
        assert ast.get_docstring(tree), path
        allowed = (ast.Expr, ast.Assign) if path.parent == PACKAGE else (ast.Expr,)
        assert all(isinstance(node, allowed) for node in tree.body), path


@pytest.mark.parametrize("module", ["flow_lsp.server.serve", "flow_lsp.cli.main", "flow_lsp.analysis.engine"])
def test_start_up_loads_nothing_heavy(module: str) -> None:
    code = f"import sys, {module}; print(*sys.modules)"
    loaded = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60
    ).stdout.split()
    assert not [name for name in HEAVY if name in loaded]


def test_every_code_has_its_page_and_every_page_its_code() -> None:
    pages = {path.stem for path in (ROOT / "docs" / "diagnostics").glob("*.md")} - {"README"}
    assert pages == set(RULES)


def test_a_code_once_given_is_never_used_for_another_rule() -> None:
    """`codes.txt` holds each code ever released with its summary; a line is added, never changed."""
    lines = (ROOT / "tests" / "architecture" / "codes.txt").read_text(encoding="utf-8").splitlines()
    known = dict(line.split(": ", 1) for line in lines)
    assert len(known) == len(lines)
    assert {code: rule.summary for code, rule in RULES.items()}.items() <= known.items()


def test_every_rule_is_complete() -> None:
    for rule in RULES.values():
        assert rule.code == rule.code.lower()
        assert " " not in rule.code
        assert rule.summary.endswith(".")
        assert rule.message
        assert rule.section


@pytest.mark.skipif(not (ROOT / ".git").exists(), reason="only git says what is of the repository")
def test_the_repository_names_no_machine_path() -> None:
    listed = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True, timeout=60
    ).stdout.split("\0")
    for name in filter(None, listed):
        path = ROOT / name
        if path.is_file():
            data = path.read_bytes()
            assert str(ROOT).encode() + b"/" not in data, name
