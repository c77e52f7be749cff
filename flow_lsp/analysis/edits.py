"""What an action changes: texts replaced in files, and files that come to be. Plain data, offsets in code points."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from flow_lsp.text.spans import Span


@dataclass(frozen=True, slots=True)
class Note:
    """What a user is told of edits before they are made. `asks`: each is only made where the user agrees."""

    label: str
    description: str
    asks: bool = False


@dataclass(frozen=True, slots=True)
class TextEdit:
    """`text` in place of what stands at `span`; an empty span inserts. `note` is for clients that can show one; the
    others make the edit without."""

    span: Span
    text: str
    note: Note | None = None


@dataclass(frozen=True, slots=True)
class Change:
    """One undoable change: `edits` by the files' absolute paths, spans in the text as it is, none overlapping; and
    `created`, the texts of files that are not there yet, by path."""

    edits: Mapping[str, Sequence[TextEdit]] = field(default_factory=dict)
    created: Mapping[str, str] = field(default_factory=dict)

    @property
    def is_empty(self) -> bool:
        """Whether nothing would be other than it is."""
        return not any(self.edits.values()) and not self.created


def in_one_file(path: str, *edits: TextEdit) -> Change:
    """The change that makes `edits` in the file at `path`."""
    return Change({path: edits})


def in_order(edits: Iterable[TextEdit]) -> list[TextEdit]:
    """The edits by place. Raises ValueError where two overlap, for then there is no one result."""
    ordered = sorted(edits, key=lambda edit: edit.span)
    for before, after in pairwise(ordered):
        if after.span.start < before.span.end:
            raise ValueError(f"Two edits overlap at {after.span.start}.")
    return ordered


def applied(text: str, edits: Iterable[TextEdit]) -> str:
    """`text` with all edits made. Raises ValueError where two overlap."""
    parts: list[str] = []
    at = 0
    for edit in in_order(edits):
        parts += (text[at : edit.span.start], edit.text)
        at = edit.span.end
    return "".join([*parts, text[at:]])
