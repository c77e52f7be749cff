"""The text of an open document, changed by the edits of textDocument/didChange.

It is kept as lines, so that an edit costs as much as the lines it touches and not as the document.
"""

from __future__ import annotations

from dataclasses import dataclass

from flow_lsp.text.lines import LineIndex, Position, PositionEncoding, column_offset, split_lines


@dataclass(frozen=True, slots=True)
class Change:
    """One content change: `text` in place of `start` to `end`, or of everything where both are None."""

    text: str
    start: Position | None = None
    end: Position | None = None


class DocumentText:
    """A document that edits are applied to in order. Nothing a client sends makes it raise."""

    __slots__ = ("_index", "_lines", "_text")

    def __init__(self, text: str) -> None:
        self._lines = split_lines(text)
        self._text: str | None = text
        self._index: LineIndex | None = None

    @property
    def text(self) -> str:
        """The whole text as of now."""
        if self._text is None:
            self._text = "".join(self._lines)
        return self._text

    @property
    def index(self) -> LineIndex:
        """Positions in the text as of now; it stays right for this text when the document changes."""
        if self._index is None:
            self._index = LineIndex(list(self._lines))
        return self._index

    def apply(self, change: Change, encoding: PositionEncoding) -> None:
        """Applies one change. Places outside the text are taken to the nearest that exists;
        an end before its start is taken as the start."""
        self._text = self._index = None
        if change.start is None or change.end is None:
            self._lines = split_lines(change.text)
            return
        first, before = self._place(change.start, encoding)
        last, after = self._place(change.end, encoding)
        if (last, after) < (first, before):
            last, after = first, before
        head = self._lines[first][:before]
        tail = self._lines[last][after:]
        # A CR that an edit parts from its LF, or brings to one, changes what the lines beside it are.
        if first and self._lines[first - 1].endswith("\r"):
            first -= 1
            head = self._lines[first] + head
        if tail.endswith("\r") or (not tail and change.text.endswith("\r")):
            last += 1
            tail += self._lines[last] if last < len(self._lines) else ""
        fresh = split_lines(head + change.text + tail)
        if last + 1 < len(self._lines) and not fresh[-1]:
            fresh.pop()  # the text goes on at the line behind, which starts there
        self._lines[first : last + 1] = fresh

    def _place(self, position: Position, encoding: PositionEncoding) -> tuple[int, int]:
        line, character = position
        if line < 0:
            return 0, 0
        if line >= len(self._lines):
            return len(self._lines) - 1, len(self._lines[-1])
        return line, column_offset(self._lines[line], character, encoding)
