"""What authors import: every name is there, and importing costs little and needs nothing."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from support.toolkit_programs import REPOSITORY, generated_text

import flow_lsp.toolkit

LATE = (
    "asyncio",
    "jsonschema",
    "platformdirs",
    "threading",
    "flow_lsp.codecs.codec",
    "flow_lsp.descriptions",
    "flow_lsp.protocol",
    "flow_lsp.types",
)
SOURCE = """
import std/json
pub record Box<T> { value: T, more: Option<T>, at: Instant, lasts: Duration, all: Set<Decimal>, data: json.Value }
pub enum Problem { Bad(Text) }
@tool
pub fn box<T>(boxes: List<Box<T>>) -> Result<Dict<Int, Box<T>>, Problem>
"""


def modules_after(code: str, path: Path = REPOSITORY) -> list[str]:
    words = [
        sys.executable,
        "-S",
        "-E",
        "-c",
        f"import sys; sys.path[:0] = [{str(REPOSITORY)!r}, {str(path)!r}]; {code}",
    ]
    ran = subprocess.run([*words[:-1], words[-1] + "; print(*sys.modules)"], capture_output=True, text=True, check=True)
    return ran.stdout.split()


@pytest.mark.parametrize("name", flow_lsp.toolkit.__all__)
def test_every_name_is_there(name: str) -> None:
    assert getattr(flow_lsp.toolkit, name) is not None
    assert name in dir(flow_lsp.toolkit)


def test_a_name_that_is_not_there() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'Nothing'"):
        flow_lsp.toolkit.Nothing  # noqa: B018


def test_a_generated_module_imports_little(tmp_path: Path) -> None:
    (tmp_path / "flow_tools.py").write_text(generated_text(SOURCE), "utf-8")
    loaded = modules_after("import flow_tools", tmp_path)
    assert "flow_lsp.toolkit.program" in loaded
    assert not [name for name in LATE if name in loaded]


def test_what_describe_needs_imports_little() -> None:
    loaded = modules_after("import flow_lsp.toolkit.starting")
    assert not [name for name in (*LATE, "json", "decimal") if name in loaded]


def test_everything_is_there_without_other_packages() -> None:
    loaded = modules_after("from flow_lsp.toolkit import *; import flow_lsp.toolkit.serving")
    assert "flow_lsp.toolkit.testing" in loaded
    assert not {"jsonschema", "platformdirs"} & set(loaded)
