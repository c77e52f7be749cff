"""A first main.py: every function is there and says that it is still to be written."""

from __future__ import annotations

from collections.abc import Sequence

from flow_lsp.generating.annotations import Annotations
from flow_lsp.generating.docs import INDENT, WIDTH, docstring
from flow_lsp.generating.literals import string
from flow_lsp.generating.module import file_words, import_line, standard_imports, toolkit_import
from flow_lsp.generating.naming import ModuleNames, ToolNames
from flow_lsp.generating.program import ProgramTool, ProgramTypes
from flow_lsp.generating.tools import method_lines
from flow_lsp.types.terms import Kind, Named, Primitive, Term


def stub_text(program: ProgramTypes, names: ModuleNames, module: str, vendored: bool) -> str:
    """A main.py that imports the module called `module` and serves its Tools. `vendored` says that the toolkit stands
    beside it, and not where packages do."""
    annotations = Annotations(program.types, names)
    methods: list[str] = []
    imported = {"serve"}
    for tool, own in zip(program.tools, names.tools, strict=True):
        result = annotations.of_tool(tool.spec.ok, tool.spec.generic)
        methods += ["", *method_lines(tool, own, result, annotations), *_raised(tool, own, program, names, imported)]
    offered = {*names.types.values(), *names.variables.values()}
    imported |= annotations.used & offered
    lines = [
        *docstring(
            [
                f"Implements the Tools of {file_words(program)}.",
                "This file is yours: flow-lsp wrote it once, and does not write over it.",
            ]
        ),
        "",
        "from __future__ import annotations",
        "",
        *_imports(annotations.used - offered, module, imported, vendored),
        "",
        "",
        "class Implementation:",
        *docstring(["A function for each Tool. Any of them may be `async def`."], INDENT),
        *methods,
        "",
        "",
        'if __name__ == "__main__":',
        f"{INDENT}serve(Implementation())",
    ]
    return "\n".join(lines) + "\n"


def _imports(used: set[str], module: str, imported: set[str], vendored: bool) -> list[str]:
    """The imports, in the blocks that sorters of imports make of them."""
    standard = standard_imports(used)
    lines = [*standard, ""] if standard else []
    own, shared = import_line(module, imported), toolkit_import(used)
    if not shared:
        return [*lines, *own]
    if not vendored:
        return [*lines, *shared, "", *own]
    return [*lines, *(own + shared if module < "flow_lsp" else shared + own)]


def _raised(
    tool: ProgramTool, own: ToolNames, program: ProgramTypes, names: ModuleNames, imported: set[str]
) -> list[str]:
    """The body of a function: its declared error, where the type has an obvious first value."""
    sentence = string(f"{own.method} is not implemented yet.")
    value = None if own.failure is None else _first_value(tool.spec.err, sentence, program, names, imported)
    if value is None:
        return [f"{INDENT * 2}raise NotImplementedError({sentence})"]
    assert own.failure is not None
    imported.add(own.failure)
    line = f"{INDENT * 2}raise {own.failure}({value})"
    if len(line) <= WIDTH:
        return [line]
    return [f"{INDENT * 2}raise {own.failure}(", f"{INDENT * 3}{value}", f"{INDENT * 2})"]


def _first_value(
    term: Term, sentence: str, program: ProgramTypes, names: ModuleNames, imported: set[str]
) -> str | None:
    """The value of an error type that says no more than that there is one; None where none is obvious."""
    if term in (Primitive.TEXT, Primitive.JSON_VALUE):
        return sentence
    if term is Primitive.UNIT:
        return "None"
    if not isinstance(term, Named):
        return None
    template = program.types[term.declaration]
    if template.kind is not Kind.ENUM:
        return None
    classes = names.constructors[term.declaration]
    parts: list[tuple[str, Sequence[Term]]] = [
        (
            made,
            [part.type for part in constructor.named]
            if constructor.named is not None
            else constructor.positional or (),
        )
        for made, constructor in zip(classes, template.constructors, strict=True)
    ]
    for made, types in parts:
        if not types:
            imported.add(made)
            return f"{made}()"
    for made, types in parts:
        if all(part is Primitive.TEXT for part in types):
            imported.add(made)
            return f"{made}({', '.join([sentence] * len(types))})"
    return None
