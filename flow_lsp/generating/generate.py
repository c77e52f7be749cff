"""Python from a tools listing: `generate`."""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from typing import Final

from flow_lsp.findings.model import shown
from flow_lsp.generating.module import module_text
from flow_lsp.generating.names import KEYWORDS
from flow_lsp.generating.naming import ModuleNames, module_names
from flow_lsp.generating.program import GenerationRefused, ProgramTypes, read_program
from flow_lsp.generating.stub import stub_text
from flow_lsp.values.strict_json import Json

DEFAULT_MODULE: Final = "flow_tools"
MAIN: Final = "main"


@dataclass(frozen=True)
class Generated:
    """A generated module: its name, its text, and how many Tools and types it has."""

    name: str
    module: str
    tools: int
    types: int
    _program: ProgramTypes = field(repr=False, compare=False)
    _names: ModuleNames = field(repr=False, compare=False)

    def main(self, *, vendored: bool = False) -> str:
        """The text of a first main.py beside the module. `vendored` says that the toolkit stands there too, and not
        where packages do."""
        return stub_text(self._program, self._names, self.name, vendored)


def generate(listing: Json, module: str = DEFAULT_MODULE) -> Generated | GenerationRefused:
    """Python for all Tools of `listing`, as read_json gives it (decisions 9), in a module called `module`; or every
    reason why there is none.

    The same listing gives the same texts. Raises ValueError for a `module` that `module_name_problem` finds fault with,
    nothing else.
    """
    problem = module_name_problem(module)
    if problem is not None:
        raise ValueError(problem)
    program = read_program(listing)
    if isinstance(program, GenerationRefused):
        return program
    names = module_names(program)
    return Generated(module, module_text(program, names), len(program.tools), len(program.types), program, names)


def module_name_problem(name: str) -> str | None:
    """Why no module of a generated program can be called `name`, as a sentence."""
    if not (name.isascii() and name.isidentifier()) or name in KEYWORDS:
        return f"{shown(name)!r} is no name of a Python module."
    if name in (MAIN, "flow_lsp") or name in sys.stdlib_module_names:
        return f"A module called {shown(name)} would hide another one that is needed."
    return None
