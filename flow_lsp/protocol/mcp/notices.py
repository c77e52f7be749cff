"""What a server tells on its own account: log messages, and how far a call is. Bounded and printable."""

from __future__ import annotations

from decimal import Decimal
from typing import Final

from flow_lsp.findings.model import shown
from flow_lsp.protocol.mcp.events import LogMessage, Progress
from flow_lsp.protocol.printable import printable
from flow_lsp.values.canonical import canonical_text
from flow_lsp.values.numbers import HugeNumber, number_text
from flow_lsp.values.strict_json import Json, JsonObject

MESSAGE_SHOWN: Final = 1_000  # characters of a log or progress message


def log_message(params: JsonObject) -> LogMessage:
    """The log message with these params; its data is shown as JSON where it is no text."""
    data = params.get("data")
    text = data if isinstance(data, str) else canonical_text(data)
    return LogMessage(_text(params.get("level")), _text(params.get("logger")), _text(text, MESSAGE_SHOWN))


def progress_of(run: str, call: str, params: JsonObject) -> Progress:
    """How far the call of that pair is, by these params."""
    progress, total = _number(params.get("progress")), _number(params.get("total"))
    return Progress(run, call, progress, total, _text(params.get("message"), MESSAGE_SHOWN))


def _text(value: Json, limit: int = 200) -> str:
    return printable(value[: limit + 1].encode("utf-8", "replace"), limit) if isinstance(value, str) else ""


def _number(value: Json) -> str:
    """A number as one reads it, however large."""
    if isinstance(value, bool) or not isinstance(value, int | Decimal | HugeNumber):
        return ""
    return shown(number_text(value))
