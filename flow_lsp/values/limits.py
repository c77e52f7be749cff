"""The limits of values and messages (decisions 4)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Limits:
    """How large a value may be. Digits are decimal digits; places count from 1 on both sides of the point."""

    int_digits: int = 4096
    decimal_digits: int = 4096  # significant: from the first to the last that is not zero
    decimal_places: int = 4096  # how far from the point a digit may stand
    nesting: int = 512  # arrays and objects inside each other, from the value's own root
    line_bytes: int = 16 * 1024 * 1024  # of one message, in either direction


DEFAULT_LIMITS: Final[Limits] = Limits()

# How many levels of a message stand around a value: the message, its outcome, and the outcome's member.
ENVELOPE_NESTING: Final = 16
