"""Which types may cross, and which may be built by decoding (decisions 3 and 8)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from flow_lsp.types.facts import FUNCTION, TASK, Parts
from flow_lsp.types.graph import Graph, Step, leaf_name
from flow_lsp.types.terms import Kind


@dataclass(frozen=True, slots=True)
class Obstacle:
    """What may not cross, in words, and the types that lead to it, the outermost first."""

    what: str
    through: tuple[str, ...]


class Crossing:
    """The judgments over one map, made once for all its Tools."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._without_codec = graph.reaching(self._has_no_codec)
        self._opaque = graph.reaching(lambda owner: graph.owners[owner].opaque)

    def _has_no_codec(self, owner: str) -> bool:
        uncoded = self._graph.leaves[owner] & (FUNCTION | TASK)
        return bool(uncoded) or self._graph.owners[owner].kind is Kind.NONDATA

    def uncoded(self, parts: Parts) -> Obstacle | None:
        """The function, task or nondata type that a value of `parts` holds, if any."""
        leaves, named, _ = self._graph.held(parts)
        if leaves & (FUNCTION | TASK):
            return Obstacle(leaf_name(leaves), ())
        way = self._first_way(self._without_codec, named)
        if way is None:
            return None
        last = self._graph.owners[way[-1]]
        if last.kind is Kind.NONDATA:
            return Obstacle(f"{last.name}, which is no data", way[:-1])
        return Obstacle(leaf_name(self._graph.leaves[way[-1]]), way)

    def opaque(self, parts: Parts) -> Obstacle | None:
        """The opaque type that a value of `parts` holds, if any."""
        way = self._first_way(self._opaque, self._graph.held(parts)[1])
        return None if way is None else Obstacle(self._graph.owners[way[-1]].name, way)

    def _first_way(self, reaching: Mapping[str, Step], named: list[str]) -> tuple[str, ...] | None:
        for name in named:
            if name in reaching:
                return self._graph.way(reaching, name)
        return None
