"""What a function that raised comes to.

"An author's code that stops with an error other than the declared one is answered Unknown, since what it did before it
stopped is not known" ("Toolkits"). That is so for every exception, also for those by which Python ends programs.
"""

from __future__ import annotations

from asyncio import CancelledError

from flow_lsp.protocol.call_outcomes import NotRun, SentOutcome, Unknown
from flow_lsp.toolkit.context import Cancelled
from flow_lsp.toolkit.failures import ToolFailed, ToolNotRun
from flow_lsp.toolkit.served import PreparedCall, error_text
from flow_lsp.toolkit.streams import report


def outcome_of(prepared: PreparedCall, cancelled: Cancelled, error: BaseException) -> SentOutcome:
    """The outcome of a function that raised `error`. What nobody declared is written to standard error, too."""
    if isinstance(error, ToolFailed):
        return prepared.failed(error)
    if isinstance(error, ToolNotRun):
        return NotRun(_message(error) or "The function did not run.")
    if isinstance(error, CancelledError) and cancelled.is_set():
        return Unknown(f"The function `{prepared.name}` was stopped while it ran.")
    report(f"the function `{prepared.name}` raised an exception.", error, cut=1)  # our own frame
    return Unknown(f"The function `{prepared.name}` raised {error_text(error)}")


def _message(error: BaseException) -> str:
    try:
        return str(error)
    except Exception:
        return ""
