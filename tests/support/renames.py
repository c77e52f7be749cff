"""Renaming in a workspace of texts, and what it comes to."""

from __future__ import annotations

from collections.abc import Mapping

from flow_lsp.analysis.edits import Change, applied
from flow_lsp.analysis.engine import Analysis
from flow_lsp.analysis.navigation.renaming import Refusal, rename
from flow_lsp.analysis.snapshot import Folder, Snapshot
from flow_lsp.server.slices import at_once
from flow_lsp.source.reader import read_source

ROOT = "/w"


class Texts:
    """Sources by path relative to /w, and renames in them."""

    def __init__(self, texts: Mapping[str, str], folders: tuple[Folder, ...] = (Folder(ROOT),)) -> None:
        self.texts = dict(texts)
        self.folders = folders
        self.analysis = Analysis()
        sources = {f"{ROOT}/{path}": read_source(text) for path, text in self.texts.items()}
        self.snapshot = Snapshot(folders=folders, sources=sources)

    def change(self, path: str, offset: int, name: str, own: tuple[str, ...] = (ROOT,)) -> Change | Refusal:
        return at_once(rename(self.analysis, self.snapshot, f"{ROOT}/{path}", offset, name, own))

    def after(self, change: Change) -> Texts:
        """The workspace with the change made."""
        texts = dict(self.texts)
        for key, edits in change.edits.items():
            path = key.removeprefix(f"{ROOT}/")
            texts[path] = applied(texts[path], edits)
        return Texts(texts, self.folders)

    def codes(self) -> list[tuple[str, str, int]]:
        """What is found in all files: the file, the code, the line."""
        return [
            (path, finding.rule.code, text.count("\n", 0, finding.span.start))
            for path, text in self.texts.items()
            for finding in self.analysis.source_findings(self.snapshot, f"{ROOT}/{path}")
        ]
