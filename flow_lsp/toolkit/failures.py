"""How a Tool's function answers with something else than its success value."""

from __future__ import annotations

from typing import Any


class ToolFailed(Exception):  # noqa: N818 - the word of the protocol: Failed
    """Raised by a function to answer with the Tool's declared error; `error` is its Python value."""

    error: Any

    def __init__(self, error: Any) -> None:
        super().__init__(error)
        self.error = error


class ToolNotRun(Exception):  # noqa: N818 - the word of the protocol: NotRun
    """Raised by a function that certainly did nothing; the message says why."""
