"""What a fix is, and what those who make one are given."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, TypeAlias

from flow_lsp.analysis.edits import Change
from flow_lsp.analysis.snapshot import Snapshot
from flow_lsp.findings.model import Finding
from flow_lsp.text.spans import Span

if TYPE_CHECKING:
    from flow_lsp.analysis.engine import Analysis


class FixKind(StrEnum):
    """What sort of action a fix is; the values are the LSP's CodeActionKind."""

    QUICK_FIX = "quickfix"
    REFACTOR = "refactor"
    FIX_ALL = "source.fixAll.flow"


@dataclass(frozen=True, slots=True)
class FixContext:
    """A file at one moment: `key` is its absolute path, `text` as the snapshot has it."""

    analysis: Analysis
    snapshot: Snapshot
    key: str
    text: str


@dataclass(frozen=True, slots=True)
class Fix:
    """Something that can be done. `finding` is what it removes, `preferred` holds for the one most likely meant,
    `safe` where it can be done without asking, together with others (`source.fixAll`).

    Exactly one of `change`, `command` and `disabled` is there: `command` names one of the server's own, with arguments;
    `disabled` is the sentence that says why it cannot be done here, for clients that show such.
    """

    title: str
    change: Change | None = None
    finding: Finding | None = None
    kind: FixKind = FixKind.QUICK_FIX
    preferred: bool = False
    safe: bool = False
    command: tuple[str, tuple[str, ...]] | None = None
    disabled: str = ""


FindingFixer: TypeAlias = Callable[[FixContext, Finding], Iterable[Fix]]
"""Makes the fixes of one finding of the file."""

PlaceFixer: TypeAlias = Callable[[FixContext, Span], Iterable[Fix]]
"""Makes what can be done at a place, whether or not anything is wrong there."""
