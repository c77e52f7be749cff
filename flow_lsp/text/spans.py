"""A span: a half-open range of code points in one text."""

from __future__ import annotations

from typing import NamedTuple


class Span(NamedTuple):
    """From `start` up to but not including `end`, in code points from the start of the text."""

    start: int
    end: int

    def shifted(self, by: int) -> Span:
        """The same range in a text that has `by` more code points before it."""
        return Span(self.start + by, self.end + by)

    def holds(self, offset: int) -> bool:
        """Whether a cursor at `offset` touches the span; its end counts, as in editors."""
        return self.start <= offset <= self.end
