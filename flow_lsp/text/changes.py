"""Where two texts differ. Halves are compared, so that the work is done in C whatever the length."""

from __future__ import annotations


def common_prefix(one: str, other: str) -> int:
    """How many code points both texts start with."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        if one[low:middle] == other[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def common_suffix(one: str, other: str, prefix: int) -> int:
    """How many code points both texts end with, not counting the common `prefix`."""
    low, high = 0, min(len(one), len(other)) - prefix
    while low < high:
        middle = (low + high + 1) // 2
        if one[len(one) - middle : len(one) - low] == other[len(other) - middle : len(other) - low]:
            low = middle
        else:
            high = middle - 1
    return low
