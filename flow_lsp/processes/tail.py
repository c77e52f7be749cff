"""The last of what a process wrote to its standard error, in bounded memory."""

from __future__ import annotations

from collections import deque

from flow_lsp.protocol.printable import printable

KEPT = 32 * 1024


class Tail:
    """Takes any number of bytes and keeps the last of them, `kept` bytes or a little more."""

    __slots__ = ("_chunks", "_held", "kept", "total")

    def __init__(self, kept: int = KEPT) -> None:
        self.kept = kept
        self.total = 0  # bytes taken in all
        self._chunks: deque[bytes] = deque()
        self._held = 0

    def add(self, data: bytes) -> None:
        """Take `data`. Bytes that can no longer be among the last are let go."""
        self.total += len(data)
        self._chunks.append(data[-self.kept :])
        self._held += len(self._chunks[-1])
        while self._held - len(self._chunks[0]) >= self.kept:
            self._held -= len(self._chunks.popleft())

    def lines(self, count: int = 20, width: int = 300) -> tuple[str, ...]:
        """The last `count` lines that are not blank, printable and each cut to `width` characters.

        Bytes that are no UTF-8 become U+FFFD. A line whose beginning was let go starts with `…`.
        """
        data = b"".join(self._chunks)[-self.kept :]
        cut = self.total > len(data)
        parts = data.replace(b"\r", b"\n").split(b"\n")
        shown = [printable(part, width) for part in parts]
        if cut and shown[0]:
            shown[0] = "…" + shown[0]
        return tuple([line for line in shown if line.strip()][-count:])
