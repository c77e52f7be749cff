"""A workspace of two files, and all that a check says of one, comparable."""

from __future__ import annotations

from typing import Any

from flow_lsp.source.declarations import CheckedFile
from flow_lsp.source.homes import FileHome, ImportTarget, file_identity, import_target
from flow_lsp.source.model import ImportSyntax, SourceFile

MAIN, TYPES = "/w/main.flow", "/w/types.flow"


class TwoFiles:
    """A workspace of `main.flow` and `types.flow`, either of which may be missing."""

    def __init__(self, sources: dict[str, SourceFile]) -> None:
        self.sources = sources

    def source(self, path: str) -> SourceFile | None:
        return self.sources.get(path)

    def home(self, path: str) -> FileHome:
        return file_identity(path.removeprefix("/w/"))

    def import_target(self, importing: str, item: ImportSyntax) -> ImportTarget:
        return import_target(importing, item, [], ["/w"])


def said(checked: CheckedFile | None) -> Any:
    """All that a check says, comparable."""
    assert checked is not None
    return (
        [(finding.rule.code, finding.span, finding.message, finding.related) for finding in checked.findings],
        [
            (
                tool.name,
                tool.identity,
                tool.doc,
                tool.generic,
                tool.params,
                tool.spec,
                tool.refused,
                checked.cause_of(tool),
                checked.name_span(tool),
                checked.extent(tool),
            )
            for tool in checked.tools
        ],
        list(checked.depends_on),
    )
