"""The Tools of one `.flow` text, which must have no fault: what they declare, and their signatures."""

from __future__ import annotations

from strategies.flow_checks import MAIN, TwoFiles

from flow_lsp.signature.signature import Signature, signature_of
from flow_lsp.source.declarations import CheckedFile, ToolDeclaration
from flow_lsp.source.program import check_file
from flow_lsp.source.reader import read_source


def checked(text: str) -> CheckedFile:
    found = check_file(TwoFiles({MAIN: read_source(text)}), MAIN)
    assert found is not None
    return found


def declared(text: str) -> tuple[ToolDeclaration, ...]:
    found = checked(text)
    assert [finding.message for finding in found.findings] == []
    return found.tools


def signature(tool: ToolDeclaration) -> Signature:
    assert tool.spec is not None
    found = signature_of(tool.spec)
    assert isinstance(found, Signature)
    return found
