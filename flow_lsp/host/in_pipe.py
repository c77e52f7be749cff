"""Calls whose lines are on their way together: which of them were handed to the operating system, and how far."""

from __future__ import annotations

from collections import deque

from flow_lsp.processes.pieces import Piece
from flow_lsp.protocol.ledger import Pair


class InPipe:
    """Lines that were joined to one piece. `is_done` where the piece was finished before it was given back."""

    __slots__ = ("_lines", "_size", "is_done", "piece")

    def __init__(self) -> None:
        self._lines: deque[tuple[Pair, int, int]] = deque()  # those not told of: where each starts and ends
        self._size = 0
        self.piece: Piece | None = None
        self.is_done = False

    def add(self, pair: Pair, length: int) -> int:
        """Another line of so many bytes; how many there are in all now."""
        self._lines.append((pair, self._size, self._size + length))
        self._size += length
        return self._size

    def whole(self) -> list[Pair]:
        """The calls whose lines were handed over whole since this was last asked."""
        handed = self._handed()
        pairs: list[Pair] = []
        while self._lines and self._lines[0][2] <= handed:
            pairs.append(self._lines.popleft()[0])
        return pairs

    def begun(self) -> Pair | None:
        """The call of whose line a part was handed over, once all whole ones were told of."""
        handed = self._handed()
        return next((pair for pair, start, end in self._lines if start < handed < end), None)

    def waits(self, pair: Pair) -> bool:
        """Whether the line of `pair` is among those that were not handed over whole."""
        return any(each == pair for each, _, _ in self._lines)

    def forget(self, pair: Pair) -> None:
        """Has nothing more told of `pair`."""
        self._lines = deque(line for line in self._lines if line[0] != pair)

    def _handed(self) -> int:
        return 0 if self.piece is None else self.piece.size - len(self.piece.rest)
