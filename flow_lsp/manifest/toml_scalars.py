"""TOML's numbers, dates, times and booleans."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from flow_lsp.manifest.toml_syntax import ValueKind

if TYPE_CHECKING:
    from datetime import date, datetime, time, tzinfo

# Everything that a scalar without quotes is written with.
BARE = re.compile(r"[A-Za-z0-9_+\-.:]+")
# A date and a time may have a space between them.
SPACED_TIME = re.compile(r" [0-9][A-Za-z0-9_+\-.:]*")

_DECIMAL = re.compile(r"[+-]?(?:0|[1-9](?:_?[0-9])*)")
_BASED = re.compile(r"0(?:x[0-9A-Fa-f](?:_?[0-9A-Fa-f])*|o[0-7](?:_?[0-7])*|b[01](?:_?[01])*)")
_FLOAT = re.compile(r"[+-]?(?:0|[1-9](?:_?[0-9])*)(?:\.[0-9](?:_?[0-9])*)?(?:[eE][+-]?[0-9](?:_?[0-9])*)?")
_DATE = re.compile(r"([0-9]{4})-([0-9]{2})-([0-9]{2})")
_TIME = re.compile(r"([0-9]{2}):([0-9]{2}):([0-9]{2})(?:\.([0-9]+))?")
_OFFSET = re.compile(r"[Zz]|([+-])([0-9]{2}):([0-9]{2})")
_WORDS = {"true": True, "false": False}
_SPECIAL = {sign + word for sign in ("", "+", "-") for word in ("inf", "nan")}


def is_date(text: str) -> bool:
    """Whether `text` has the form of a date, so that a time may follow behind a space."""
    return _DATE.fullmatch(text) is not None


def scalar(text: str) -> tuple[ValueKind, object] | str:
    """What `text`, matched by BARE, stands for; or a sentence that says why it is no value."""
    if text in _WORDS:
        return ValueKind.BOOLEAN, _WORDS[text]
    if _DECIMAL.fullmatch(text) or _BASED.fullmatch(text):
        try:
            return ValueKind.INTEGER, int(text.replace("_", ""), 0 if text[1:2] in ("x", "o", "b") else 10)
        except ValueError:  # Python's bound on the digits of one number
            return "This number has too many digits."
    if text in _SPECIAL or _FLOAT.fullmatch(text):
        return ValueKind.FLOAT, float(text.replace("_", ""))
    if text[:1].isdigit() and (text[2:3] == ":" or text[4:5] == "-"):
        moment = _moment(text)
        return "This is no date or time that exists." if moment is None else (ValueKind.DATE, moment)
    if text.lower() in _WORDS:
        return f"A boolean is written in small letters: {text.lower()}."
    if text[0].isdigit() or text[0] in "+-.":
        return "This is neither a number, a date nor a time. A string needs quotes around it."
    return "A string needs quotes around it."


def _moment(text: str) -> date | datetime | time | None:
    from datetime import date, datetime

    try:
        found = _DATE.match(text)
        if found is None:
            clock = _clock(text)
            return clock[0] if clock is not None and clock[1] is None and not _has_offset(text) else None
        day = date(int(found[1]), int(found[2]), int(found[3]))
        if found.end() == len(text):
            return day
        clock = _clock(text[found.end() + 1 :]) if text[found.end()] in "Tt " else None
        return None if clock is None else datetime.combine(day, clock[0], clock[1])
    except ValueError:
        return None


def _has_offset(text: str) -> bool:
    found = _TIME.match(text)
    return found is not None and found.end() < len(text)


def _clock(text: str) -> tuple[time, tzinfo | None] | None:
    """The time of day and the offset that `text` is; a fraction beyond microseconds is cut off."""
    from datetime import UTC, time, timedelta, timezone

    found = _TIME.match(text)
    if found is None:
        return None
    micro = int((found[4] or "0")[:6].ljust(6, "0"))
    clock = time(int(found[1]), int(found[2]), int(found[3]), micro)
    rest = text[found.end() :]
    if not rest:
        return clock, None
    offset = _OFFSET.fullmatch(rest)
    if offset is None:
        return None
    if offset[1] is None:
        return clock, UTC
    hours, minutes = int(offset[2]), int(offset[3])
    if hours > 23 or minutes > 59:
        return None
    away = timedelta(hours=hours, minutes=minutes)
    return clock, timezone(away if offset[1] == "+" else -away)
