"""Declared Tools for tests of calls, read from Flow source as users write it."""

from __future__ import annotations

from flow_lsp.host.calling import CallableTool
from flow_lsp.signature.signature import Signature, signature_of
from flow_lsp.source.homes import FileHome, ImportTarget, file_identity, import_target
from flow_lsp.source.model import ImportSyntax, SourceFile
from flow_lsp.source.program import check_file
from flow_lsp.source.reader import read_source

PATH = "/w/tools.flow"


class OneFile:
    """A program of one file, whose text is given."""

    def __init__(self, text: str) -> None:
        self._source = read_source(text)

    def source(self, path: str) -> SourceFile | None:
        return self._source if path == PATH else None

    def home(self, path: str) -> FileHome:
        return file_identity(path.removeprefix("/w/"))

    def import_target(self, importing: str, item: ImportSyntax) -> ImportTarget:
        return import_target(importing, item, [], ["/w"])


def callable_tools(text: str) -> dict[str, CallableTool]:
    """The Tools that the Flow text declares, by name; their identities are `tools.NAME`."""
    checked = check_file(OneFile(text), PATH)
    assert checked is not None
    assert not checked.findings, checked.findings
    found = {}
    for tool in checked.tools:
        assert tool.spec is not None
        signature = signature_of(tool.spec)
        assert isinstance(signature, Signature)
        found[tool.name] = CallableTool(tool.identity, tool.name, tool.spec, signature)
    return found
