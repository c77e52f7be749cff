"""The text of a generated module: imports, types, failures, the protocol, and what the process answers by."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable
from typing import Final

from flow_lsp.generating.annotations import Annotations
from flow_lsp.generating.answering import described, listed
from flow_lsp.generating.declarations import Declared, declared
from flow_lsp.generating.docs import INDENT, WIDTH, docstring
from flow_lsp.generating.header import sealed
from flow_lsp.generating.literals import joined_strings, member, string, strings
from flow_lsp.generating.naming import ModuleNames
from flow_lsp.generating.program import ProgramTypes
from flow_lsp.generating.tools import failure_lines, protocol_lines

_STANDARD: Final = (
    ("collections.abc", ("Awaitable", "Callable", "Mapping")),
    ("collections.abc", ("AbstractSet",)),
    ("dataclasses", ("dataclass",)),
    ("decimal", ("Decimal",)),
    ("typing", ("Any", "Generic", "Never", "NewType", "Protocol", "TypeAlias", "TypeVar", "Union")),
)
_RENAMED: Final = {"AbstractSet": "Set as AbstractSet"}
_TOOLKIT: Final = ("Carrier", "Duration", "Instant", "JsonValue", "Program", "Some", "ToolFailed")
_FILES: Final = 3  # that are named
_PIECE: Final = re.compile(r"[0-9]{1,100}|.", re.DOTALL)


def module_text(program: ProgramTypes, names: ModuleNames) -> str:
    """The module for `program`, sealed (see `header`)."""
    annotations = Annotations(program.types, names)
    types = {local_id: declared(local_id, template, names, annotations) for local_id, template in program.types.items()}
    pairs = list(zip(program.tools, names.tools, strict=True))
    blocks = [made.lines for made in types.values()]
    blocks += [failure_lines(tool, own, annotations) for tool, own in pairs if own.failure is not None]
    blocks.append(protocol_lines(program.tools, names.tools, annotations))
    blocks.append(_program_lines(program, names, types))
    blocks.append(_SERVE)
    variables = [f"{name} = TypeVar({string(name)})" for name in names.variables.values()]
    annotations.used.update(("Program", *(["TypeVar"] if variables else [])))
    head = [
        "# fmt: off",
        "# ruff: noqa",
        *docstring(
            [
                f"The types and Tools of {file_words(program)}.",
                "Change the declarations and generate again: what is changed here is not kept.",
            ]
        ),
        "",
        "from __future__ import annotations",
        "",
        *standard_imports(annotations.used),
        "",
        *toolkit_import(annotations.used),
        *([""] if variables else []),
        *variables,
    ]
    # Sorters of imports want two blank lines before a class, and one before anything else.
    lines = [*head, "", *([""] if variables or blocks[0][0].startswith(("@", "class ")) else []), *blocks[0]]
    for block in blocks[1:]:
        lines += ["", "", *block]
    return sealed("\n".join(lines) + "\n")


def file_words(program: ProgramTypes) -> str:
    """The files that declare the Tools, in words."""
    files = list(dict.fromkeys(file for tool in program.tools if isinstance(file := tool.entry.get("file"), str)))
    if not files:
        return "a Flow program"
    if len(files) > _FILES:
        return f"{', '.join(files[: _FILES - 1])} and {len(files) - _FILES + 1} more files"
    return " and ".join(filter(None, (", ".join(files[:-1]), files[-1])))


def import_line(module: str, names: Iterable[str]) -> list[str]:
    """The import of `names`, one a line where they are many."""
    ordered = sorted(names, key=_as_sorted)
    line = f"from {module} import {', '.join(ordered)}"
    if len(line) <= WIDTH:
        return [line]
    return [f"from {module} import (", *(f"{INDENT}{name}," for name in ordered), ")"]


def _as_sorted(name: str) -> tuple[int, list[tuple[int, int, str]], str]:
    """As sorters of imports have it: constants, classes, then the rest; numbers by what they are."""
    kind = 0 if name.isupper() and len(name) > 1 else 1 if name[:1].isupper() else 2
    pieces = _PIECE.findall(name.lower())
    return kind, [(0, int(piece), piece) if piece.isdecimal() else (1, 0, piece) for piece in pieces], name


def standard_imports(used: Container[str]) -> list[str]:
    """The imports from the standard library of what stands in `used`."""
    lines: list[str] = []
    for module, offered in _STANDARD:
        wanted = [_RENAMED.get(name, name) for name in offered if name in used]
        if wanted:
            lines += import_line(module, wanted)
    return lines


def toolkit_import(used: Container[str]) -> list[str]:
    """The import from the toolkit of what stands in `used`; none where nothing does."""
    wanted = [name for name in _TOOLKIT if name in used]
    return import_line("flow_lsp.toolkit", wanted) if wanted else []


# -- what the process answers by ----------------------------------------------------------------------------------


_SERVE: Final = [
    "def serve(tools: Tools) -> None:",
    *docstring(
        ["Answers the host on standard input and output until it ends."],
        INDENT,
    ),
    f"{INDENT}PROGRAM.serve(tools)",
]


def _program_lines(program: ProgramTypes, names: ModuleNames, types: dict[str, Declared]) -> list[str]:
    inner = INDENT * 2
    lines = ["# What describe is answered with, and what values are read and written by.", "PROGRAM = Program("]
    lines += [f"{INDENT}describe=(", *joined_strings(described(program), inner), f"{INDENT}),"]
    lines += [f"{INDENT}listing=(", *joined_strings(listed(program), inner), f"{INDENT}),"]
    classes: list[str] = []
    attributes: list[str] = []
    for local_id, made in types.items():
        if isinstance(made.classes, str):
            classes.append(f"{inner}{string(local_id)}: {made.classes},")
        elif made.classes is not None:
            classes += member(local_id, made.classes, inner)
        if made.attributes is not None:
            attributes += member(local_id, [_names(own) for own in made.attributes], inner)
    methods: list[str] = []
    for tool, own in zip(program.tools, names.tools, strict=True):
        methods += member(tool.identity, [string(own.method), strings(own.parameters)], inner)
    for name, members in (("classes", classes), ("attributes", attributes), ("methods", methods)):
        lines += [f"{INDENT}{name}={{", *members, f"{INDENT}}},"] if members else [f"{INDENT}{name}={{}},"]
    return [*lines, ")"]


def _names(own: str | tuple[str, ...]) -> str:
    return string(own) if isinstance(own, str) else strings(own)
