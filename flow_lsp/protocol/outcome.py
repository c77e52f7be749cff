"""What asking an implementation `describe` came to: plain facts, whose age the reader judges.

Realizes the describe message of "The Tool process protocol" and decisions 7. Nothing here is ever changed; an
outcome may be kept, compared and shown long after its process has gone.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

from flow_lsp.findings.model import shown

if TYPE_CHECKING:
    from flow_lsp.protocol.mcp.listing import McpListing
    from flow_lsp.values.strict_json import Json


@dataclass(frozen=True, slots=True)
class ServedTool:
    """One entry of a listing: what the implementation says it serves.

    `fingerprint` is as listed, `recomputed` the one of `signature`, None where that has none. `problem` says
    in a clause why the two are no proof of a fit; None where they agree.
    """

    identity: str
    fingerprint: str
    signature: Json
    recomputed: str | None = None
    problem: str | None = None


@dataclass(frozen=True, slots=True)
class DescribeListing:
    """A valid answer: its data version, and its tools in the order listed.

    `worked_out` is for readers, to keep what they make of it; it is no part of its value.
    """

    data: str
    tools: tuple[ServedTool, ...]
    worked_out: dict[object, object] = field(default_factory=dict, init=False, repr=False, compare=False)


class FailureKind(StrEnum):
    """Why there is no listing."""

    NOT_STARTED = "not-started"  # no process came to be
    EXITED = "exited"  # the process ended before it answered
    CLOSED_OUTPUT = "closed-output"  # it lives, and closed its standard output before it answered
    TIMED_OUT = "timed-out"  # no answer in time
    TOO_LARGE = "too-large"  # a line past the limit stood where the answer should
    INVALID = "invalid"  # the answer is not as the specification has it
    ERROR_RESPONSE = "error-response"  # it answered with an error
    DATA_VERSION = "data-version"  # it speaks another major data version
    MCP_REVISION = "mcp-revision"  # an MCP server that speaks no revision which this host does


@dataclass(frozen=True, slots=True)
class DescribeFailure:
    """Why there is no listing. `sentence` is a predicate whose subject is the implementation, with a full
    stop: "ended with exit status 3 before it answered."."""

    kind: FailureKind
    sentence: str


_NO_RUN_TIME = "ModuleNotFoundError: No module named 'flow_lsp"


@dataclass(frozen=True, slots=True)
class DescribeOutcome:
    """The result of one run; exactly one of `listing`, `mcp` and `failure` is set: a process that speaks the Tool
    process protocol gives a `listing`, an MCP server `mcp`.

    `noise` holds the first lines on standard output that were no messages, cut and printable, `noise_reasons`
    why each was none, `noise_count` how many there were in all. `stderr_tail` holds the last lines of
    standard error. `exit_status` is negative for a signal, None where the process never ran or its status is
    unknown; `terminated` says that it did not end of itself. `started_at` is in seconds since 1970,
    `duration` in seconds.
    """

    listing: DescribeListing | None = None
    failure: DescribeFailure | None = None
    noise: tuple[str, ...] = ()
    noise_reasons: tuple[str, ...] = field(default=())
    noise_count: int = 0
    stderr_tail: tuple[str, ...] = ()
    exit_status: int | None = None
    terminated: bool = False
    program: str = ""
    started_at: float = 0.0
    duration: float = 0.0
    mcp: McpListing | None = None

    @property
    def answer(self) -> DescribeListing | McpListing | None:
        """What was answered; None for a failure."""
        return self.listing if self.listing is not None else self.mcp

    @property
    def run_time_remedy(self) -> str:
        """What to do where a Python did not find the run time that generated modules need; else nothing."""
        if self.failure is None or not any(line.startswith(_NO_RUN_TIME) for line in self.stderr_tail):
            return ""
        return f"Generate again with --vendor, or install flow-lsp into {shown(self.program or 'that Python')}."
