"""What a call came to, as a document and as the answer of a command. Values stay text: they never become floats."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal

from flow_lsp.findings.model import shown
from flow_lsp.protocol.call_outcomes import CallOutcome, Failed, Ok, outcome_text
from flow_lsp.values.canonical import canonical_text
from flow_lsp.values.layout import laid_out

LINES = 20  # of the implementation's log
LARGEST = 4 * 1024 * 1024  # characters of an outcome that is laid out over lines; a larger one stays as it came


@dataclass(frozen=True, slots=True)
class CallResult:
    """One call that is over. `args` is the canonical text of its arguments, None where they were none; `started` is in
    seconds since 1970, `seconds` how long it took; `log` the implementation's last lines meanwhile."""

    tool: str
    outcome: CallOutcome
    args: str | None
    started: float
    seconds: float
    log: Sequence[str]

    @property
    def outcome_text(self) -> str:
        """The outcome as canonical JSON."""
        return outcome_text(self.outcome)

    @property
    def summary(self) -> str:
        """What it came to, in a few words."""
        word = type(self.outcome).__name__
        took = f" after {self.seconds:.2f} s"
        if isinstance(self.outcome, Ok | Failed):
            return f"{word}{took}"
        return f"{word}{took}: {shown(self.outcome.reason)}"


def result_document(result: CallResult) -> str:
    """The result as a JSON document for people: every value written exactly, laid out over lines."""
    outcome = result.outcome_text
    members = {
        "tool": canonical_text(result.tool),
        "outcome": outcome if len(outcome) > LARGEST else laid_out(outcome),
        "args": laid_out(result.args) if result.args is not None else "null",
        "started": canonical_text(_moment(result.started)),
        "seconds": canonical_text(Decimal(f"{result.seconds:.3f}")),
        "log": _lines(result.log),
    }
    lines = [f"  {canonical_text(name)}: {_indented(text)}" for name, text in members.items()]
    return "{\n" + ",\n".join(lines) + "\n}\n"


def _moment(seconds: float) -> str:
    return datetime.fromtimestamp(int(seconds), UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _lines(log: Sequence[str]) -> str:
    if not log:
        return "[]"
    # A line is what a process wrote, and may hold anything.
    texts = [canonical_text(line.encode("utf-8", "replace").decode("utf-8")) for line in log]
    return "[\n  " + ",\n  ".join(texts) + "\n]"


def _indented(text: str) -> str:
    """A JSON text one level in; no string of it holds a line end."""
    return text.replace("\n", "\n  ")
