"""Places in a fixture of several files: words found by what stands before them, spans shown as text."""

from __future__ import annotations

from support.snapshots import ROOT, Fixture, fixture, snapshot

from flow_lsp.analysis.engine import Analysis
from flow_lsp.analysis.snapshot import Snapshot
from flow_lsp.source.declarations import CheckedFile
from flow_lsp.text.spans import Span


class Places:
    """The files of one string (see `snapshots.fixture`), checked as one workspace."""

    def __init__(self, text: str, **more: object) -> None:
        self.made: Fixture = fixture(text)
        self.analysis = Analysis()
        self.snapshot: Snapshot = snapshot(self.made, **more)

    def checked(self, path: str) -> CheckedFile:
        found = self.analysis.checked(self.snapshot, self.key(path))
        assert found is not None
        return found

    def key(self, path: str) -> str:
        return f"{ROOT}/{path}"

    def text(self, path: str) -> str:
        return self.made.texts[path]

    def offset(self, path: str, words: str) -> int:
        """The place marked by `|` in `words`, which stand once in the file."""
        before, _, after = words.partition("|")
        text = self.text(path)
        assert text.count(before + after) == 1, (words, text.count(before + after))
        return text.index(before + after) + len(before)

    def show(self, path: str, span: Span) -> str:
        """A span as `LINE:COLUMN TEXT`, both from 1; an absolute path is one of this workspace."""
        text = self.text(path.removeprefix(f"{ROOT}/"))
        line = text.count("\n", 0, span.start) + 1
        return f"{line}:{span.start - text.rfind(chr(10), 0, span.start)} {text[span.start : span.end]}"
