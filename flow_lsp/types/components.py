"""Strongly connected components of a directed graph, without recursion."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from typing import TypeVar

Node = TypeVar("Node", bound=Hashable)


def components(nodes: Iterable[Node], successors: Callable[[Node], Iterable[Node]]) -> Iterator[list[Node]]:
    """The components in which some node can reach itself (Tarjan's algorithm). Linear in nodes and edges."""
    order: dict[Node, int] = {}
    low: dict[Node, int] = {}
    held: list[Node] = []
    on_path: set[Node] = set()
    for root in nodes:
        if root in order:
            continue
        order[root] = low[root] = len(order)
        held.append(root)
        on_path.add(root)
        work: list[tuple[Node, Iterator[Node]]] = [(root, iter(tuple(successors(root))))]
        while work:
            node, remaining = work[-1]
            for successor in remaining:
                if successor not in order:
                    order[successor] = low[successor] = len(order)
                    held.append(successor)
                    on_path.add(successor)
                    work.append((successor, iter(tuple(successors(successor)))))
                    break
                if successor in on_path:
                    low[node] = min(low[node], order[successor])
            else:
                work.pop()
                if work:
                    above = work[-1][0]
                    low[above] = min(low[above], low[node])
                if low[node] == order[node]:
                    found: list[Node] = []
                    while True:
                        member = held.pop()
                        on_path.discard(member)
                        found.append(member)
                        if member == node:
                            break
                    if len(found) > 1 or node in successors(node):
                        yield found


def shortest_cycle(start: Node, successors: Callable[[Node], Iterable[Node]]) -> list[Node]:
    """The nodes of a shortest way from `start` back to itself, `start` at both ends; empty where there is
    none."""
    came_from: dict[Node, Node] = {}
    layer = [start]
    while layer:
        following: list[Node] = []
        for node in layer:
            for successor in successors(node):
                if successor == start:
                    way = [start, node]
                    while way[-1] != start:
                        way.append(came_from[way[-1]])
                    way.reverse()
                    return way if node != start else [start, start]
                if successor not in came_from:
                    came_from[successor] = node
                    following.append(successor)
        layer = following
    return []
