"""Generated modules for tests of the toolkit, from Flow source as users write it."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

from support.callables import PATH, OneFile

from flow_lsp.generating.generate import Generated, generate
from flow_lsp.source.listing import tools_listing
from flow_lsp.source.program import check_file

REPOSITORY = Path(__file__).parents[2]


def generated_text(source: str) -> str:
    """The module that is generated for the Flow text `source`; its Tools are `tools.NAME`."""
    checked = check_file(OneFile(source), PATH)
    assert checked is not None
    made = generate(tools_listing([checked], "/w"))
    assert isinstance(made, Generated), made
    return made.module


def generated_module(source: str, directory: Path, name: str) -> ModuleType:
    """The same, imported as `name`, which no other test may use."""
    path = directory / f"{name}.py"
    path.write_text(generated_text(source), "utf-8")
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules[name] = importlib.util.module_from_spec(spec)  # dataclasses look it up there
    spec.loader.exec_module(module)
    return module
