"""The start of a process that serves a Program."""

from __future__ import annotations

from flow_lsp.toolkit.program import Program


def serve_program(program: Program, tools: object) -> None:
    """Serves `program` with the functions of `tools`."""
    raise NotImplementedError
