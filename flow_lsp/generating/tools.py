"""The Tools of a program as Python: what each raises, and the protocol that an implementation has."""

from __future__ import annotations

from collections.abc import Sequence

from flow_lsp.generating.annotations import Annotations
from flow_lsp.generating.docs import INDENT, WIDTH, docstring, member_docs
from flow_lsp.generating.naming import ToolNames, tool_parameters
from flow_lsp.generating.program import ProgramTool


def failure_lines(tool: ProgramTool, names: ToolNames, annotations: Annotations) -> list[str]:
    """The exception that answers with the Tool's declared error."""
    assert names.failure is not None
    error = annotations.of_tool(tool.spec.err, tool.spec.generic)
    annotations.used.add("ToolFailed")
    bases = "ToolFailed"
    held = [tool.spec.generic[place] for place in tool_parameters(tool.spec.err)]
    if held:
        annotations.used.add("Generic")
        bases = f"ToolFailed, Generic[{', '.join(annotations.variables(held))}]"
    return [
        f"class {names.failure}({bases}):",
        *docstring([f"What `{names.method}` raises to answer with its declared error."], INDENT),
        "",
        f"{INDENT}error: {error}",
        "",
        *signature_lines("__init__", [("error", error)], "None", INDENT),
        f"{INDENT * 2}super().__init__(error)",
    ]


def protocol_lines(tools: Sequence[ProgramTool], names: Sequence[ToolNames], annotations: Annotations) -> list[str]:
    """The protocol of all Tools."""
    annotations.used.update(("Protocol", "Awaitable"))
    lines = ["class Tools(Protocol):"]
    lines += docstring(
        [
            "The Tools to implement.",
            "Each is called with its parameters by name. Each may be `async def`, or plain `def`, which runs on a "
            "thread.",
        ],
        INDENT,
    )
    for tool, own in zip(tools, names, strict=True):
        result = annotations.of_tool(tool.spec.ok, tool.spec.generic)
        # What never returns is a function of any result, so that Never beside another type says nothing.
        either = f"Awaitable[{result}]" if result == "Never" else f"{result} | Awaitable[{result}]"
        lines += ["", *method_lines(tool, own, either, annotations), f"{INDENT * 2}..."]
    return lines


def method_lines(tool: ProgramTool, names: ToolNames, result: str, annotations: Annotations) -> list[str]:
    """The head of a method that takes the Tool's parameters, and what the declaration says of it."""
    types = [annotations.of_tool(param.type, tool.spec.generic) for param in tool.spec.params]
    head = signature_lines(names.method, list(zip(names.parameters, types, strict=True)), result, INDENT)
    docs = member_docs(list(zip(names.parameters, tool.param_docs, strict=True)))
    return [*head, *docstring([tool.doc or "", docs], INDENT * 2)]


def signature_lines(name: str, parameters: Sequence[tuple[str, str]], result: str, indent: str) -> list[str]:
    """The head of a method, on several lines where it is long."""
    written = ["self", *[f"{parameter}: {annotation}" for parameter, annotation in parameters]]
    line = f"{indent}def {name}({', '.join(written)}) -> {result}:"
    if len(line) <= WIDTH or not parameters:
        return [line]
    inner = f"{indent}{INDENT}{', '.join(written)}"
    if len(inner) <= WIDTH:
        return [f"{indent}def {name}(", inner, f"{indent}) -> {result}:"]
    return [f"{indent}def {name}(", *(f"{indent}{INDENT}{each}," for each in written), f"{indent}) -> {result}:"]
