"""Which calls this process ran already: a host sends one again after a crash of its own, under the same ids."""

from __future__ import annotations

from typing import Final

REMEMBERED: Final = 100_000  # calls; about 15 MB where ids are of the usual length


class AnsweredCalls:
    """The last calls that came to something else than NotRun. For one thread at a time."""

    def __init__(self, most: int = REMEMBERED) -> None:
        self._most = most
        self._known: dict[str, None] = {}  # in the order in which they were answered

    def has(self, pair: tuple[str, str]) -> bool:
        """Whether the call of that run and call is one of them."""
        return _key(pair) in self._known

    def add(self, pair: tuple[str, str]) -> None:
        """The call of that run and call has been answered."""
        key = _key(pair)
        self._known.pop(key, None)
        self._known[key] = None
        if len(self._known) > self._most:
            del self._known[next(iter(self._known))]


def _key(pair: tuple[str, str]) -> str:
    """One text for one pair: a tuple of two would take twice the memory."""
    run, call = pair
    return f"{len(run)} {run}{call}"
