"""What a process writes to its standard error, in bounded memory: the last of it, and new lines as they come."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from flow_lsp.protocol.printable import printable

KEPT = 32 * 1024


@dataclass(frozen=True, slots=True)
class NewLines:
    """The last of the lines that came at once, printable and cut; before them `skipped` more were left out."""

    lines: tuple[str, ...]
    skipped: int


class Tail:
    """Takes any number of bytes and keeps the last of them: `kept` bytes or a quarter more."""

    __slots__ = ("_data", "_followers", "kept", "total")

    def __init__(self, kept: int = KEPT) -> None:
        self.kept = kept
        self.total = 0  # bytes taken in all
        self._data = bytearray()
        self._followers: tuple[_Follower, ...] = ()

    def add(self, data: bytes) -> None:
        """Take `data`. Bytes that can no longer be among the last are let go."""
        self.total += len(data)
        last = data[-self.kept :]
        over = len(self._data) + len(last) - self.kept
        if over > self.kept // 4:  # seldom, for what is kept may have to be moved; and before more is asked for
            del self._data[:over]
        self._data += last
        for follower in self._followers:
            follower.add(data)

    def lines(self, count: int = 20, width: int = 300) -> tuple[str, ...]:
        """The last `count` lines that are not blank, printable and each cut to `width` characters.

        Bytes that are no UTF-8 become U+FFFD. A line whose beginning was let go starts with `…`.
        """
        data = bytes(self._data[-self.kept :])
        cut = self.total > len(data)
        shown = [printable(part, width) for part in _split(data)]
        if cut and shown[0]:
            shown[0] = "…" + shown[0]
        return tuple([line for line in shown if line.strip()][-count:])

    def follow(self, take: Callable[[NewLines], None], count: int = 20, width: int = 300) -> Callable[[], None]:
        """From now on hand the lines that are not blank to `take` as they come, as `lines` shows them: of those
        that come at once the last `count`. A line is handed over when it ends, the last one with `end`.

        `take` must not raise. What this gives ends it.
        """
        follower = _Follower(take, count, width)
        self._followers += (follower,)

        def stop() -> None:
            self._followers = tuple(other for other in self._followers if other is not follower)

        return stop

    def end(self) -> None:
        """There is no more: a line that did not end is one all the same."""
        for follower in self._followers:
            follower.add(b"\n")


class _Follower:
    """Lines made of what comes in any pieces. Of one that has not ended no more is kept than is shown of it."""

    __slots__ = ("_begun", "_count", "_take", "_width")

    def __init__(self, take: Callable[[NewLines], None], count: int, width: int) -> None:
        self._take = take
        self._count = count
        self._width = width
        self._begun = b""

    def add(self, data: bytes) -> None:
        *ended, begun = _split(data)
        if ended:
            ended[0] = self._begun + ended[0]
            self._begun = b""
            self._hand_over(ended)
        # What `printable` looks at, for a line as wide as this or wider.
        room = 4 * self._width + 4 - len(self._begun)
        self._begun += begun[: max(room, 0)]

    def _hand_over(self, ended: list[bytes]) -> None:
        shown: list[str] = []
        while ended and len(shown) < self._count:
            line = printable(ended.pop(), self._width)
            if line.strip():
                shown.append(line)
        skipped = sum(map(bool, map(bytes.strip, ended)))
        if shown:
            self._take(NewLines(tuple(reversed(shown)), skipped))


def _split(data: bytes) -> list[bytes]:
    return data.replace(b"\r", b"\n").split(b"\n")
