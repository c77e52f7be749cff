"""The data version of encoding, protocol and descriptions, and what it is compared by ("Versioning").

The only place that says which one this is.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

DATA_VERSION: Final = "0.1"

_LONGEST: Final = 100  # characters; Python turns as many digits into an int without a guard
_VERSION: Final = re.compile(r"(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)")


@dataclass(frozen=True, slots=True, order=True)
class DataVersion:
    """MAJOR.MINOR; a later one is greater."""

    major: int
    minor: int

    def __str__(self) -> str:
        return f"{self.major}.{self.minor}"


def parse_data_version(text: str) -> DataVersion | None:
    """The data version that `text` is: MAJOR.MINOR in ASCII digits without leading zeros, at most 100 characters.
    None where it is none."""
    match = _VERSION.fullmatch(text) if len(text) <= _LONGEST else None
    return None if match is None else DataVersion(int(match.group(1)), int(match.group(2)))


def same_major(one: str, other: str) -> bool:
    """Whether who speaks the data version `one` understands `other`: within a major, minors only add. What is no
    data version is understood by none."""
    first, second = parse_data_version(one), parse_data_version(other)
    return first is not None and second is not None and first.major == second.major
