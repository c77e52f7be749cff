"""The declarations that one file reaches, judged; after an edit only what reaches the change is judged again.

All that the rules say of a declaration follows from the declarations it reaches, and from their order. (Of
`types.graph`: what a value holds, contains or passes on as an argument is found by following references, and
where several ways lead to the same, the first in the order counts.) So after an edit

- only those are judged again that reach something whose facts are other ones now, and
- for that, a graph of what they reach is enough, in the order of the whole.

Where declarations have changed places among each other, everything is judged again.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Set
from dataclasses import dataclass
from itertools import chain, filterfalse
from operator import attrgetter
from typing import TypeAlias

from flow_lsp.source.files import Look
from flow_lsp.source.resolution import Resolved
from flow_lsp.source.resolved_file import ResolvedFile
from flow_lsp.types.facts import Facts
from flow_lsp.types.graph import Graph, Verdicts
from flow_lsp.types.reach import reachable
from flow_lsp.types.terms import Template

Nodes: TypeAlias = Mapping[str, Resolved]
Users: TypeAlias = Mapping[str, Set[str]]

MOST_FOLLOWED = 50  # changes at once; where more changed, the users of each name are collected anew

_references = attrgetter("references")


@dataclass(frozen=True, slots=True)
class Changes:
    """What an earlier check of the file and this one have not in common, by local id.

    `changed` are other objects now, or new, or gone; `touched` all that reach one of these; `judged` all
    whose judgment may be another, because facts of one that they reach are.
    """

    changed: Set[str]
    touched: Set[str]
    judged: Set[str]


class Map:
    """The declarations map of one file. `nodes` are its own types, in source order, then what they and its
    Tools reach in other files, and its Tools at the end; only what is known."""

    def __init__(self, nodes: Nodes, foreign: bool, verdicts: Verdicts, graph: Graph) -> None:
        self.nodes = nodes
        self.foreign = foreign
        """Whether declarations of other files are among them."""
        self.verdicts = verdicts
        self.graph = graph
        """A graph of some of them, with all that they reach."""
        self._users: Users | None = None

    def users(self) -> Users:
        """Which nodes name each local id."""
        if self._users is None:
            found: dict[str, set[str]] = {}
            for name, one in self.nodes.items():
                for reference in one.references:
                    found.setdefault(reference, set()).add(name)
            self._users = found
        return self._users

    def usable(self, local_id: str) -> Template | None:
        """The declaration of a type that nothing is wrong with."""
        one = self.nodes.get(local_id)
        return None if one is None or local_id in self.verdicts.refused else one.template

    def references(self, local_id: str) -> Iterable[str]:
        """What that declaration names."""
        one = self.nodes.get(local_id)
        return () if one is None else one.references

    def graph_of(self, names: Collection[str]) -> Graph:
        """A graph that holds `names` and all that they reach."""
        if not all(map(self.graph.owners.__contains__, names)):
            self.graph = _graph(self, names)
        return self.graph

    def follow_users(self, before: Map, changed: Set[str]) -> None:
        """Takes over the users that `before` collected."""
        if before._users is None or len(changed) > MOST_FOLLOWED:
            return
        users = dict(before._users)
        for name in changed:
            old, new = before.references(name), self.references(name)
            for reference in set(old).symmetric_difference(new):
                users[reference] = users.get(reference, frozenset()) ^ {name}
        self._users = users


def read_map(look: Look, file: ResolvedFile, previous: Map | None) -> tuple[Map, Changes]:
    """What `file` reaches, judged. `previous` is an earlier map of the same file."""
    nodes, foreign = _nodes(look, file)
    found = Map(nodes, foreign, NOTHING_WRONG, NO_GRAPH)
    everything = nodes.keys()
    if previous is None or not _in_order(previous.nodes, nodes):
        found.graph = Graph({name: facts for name, one in nodes.items() if (facts := one.facts) is not None})
        found.verdicts = found.graph.verdicts()
        return found, Changes(everything, everything, everything)
    before = previous.nodes
    changed = {name for name, one in nodes.items() if before.get(name) is not one}
    changed |= before.keys() - everything
    found.verdicts = previous.verdicts
    if not changed:
        found.graph, found._users = previous.graph, previous.users()
        return found, Changes(changed, changed, changed)
    previous.users()
    found.follow_users(previous, changed)
    touched = _upward(changed, found.users())
    other_facts = {name for name in changed if _facts(before, name) != _facts(nodes, name)}
    judged = touched if len(other_facts) == len(changed) else _upward(other_facts, found.users())
    if judged:
        found.graph = _graph(found, judged)
        found.verdicts = _merged(previous.verdicts, found.graph, nodes)
    return found, Changes(changed, touched, judged)


NOTHING_WRONG = Verdicts((), (), (), frozenset())
NO_GRAPH = Graph({})


def _nodes(look: Look, file: ResolvedFile) -> tuple[Nodes, bool]:
    nodes: dict[str, Resolved] = dict(file.types)
    items = file.items
    tools = [one for place in file.tools if (one := items[place]) is not None and one.facts is not None]
    outside = dict.fromkeys(
        [
            *filterfalse(nodes.__contains__, chain.from_iterable(map(_references, file.types.values()))),
            *filterfalse(nodes.__contains__, chain.from_iterable(map(_references, tools))),
        ]
    )
    work = list(outside)
    for local_id in work:  # grows while it is read
        one = look.resolved(local_id)
        if one is not None:
            nodes[local_id] = one
            for reference in one.references:
                if reference not in nodes and reference not in outside:
                    outside[reference] = None
                    work.append(reference)
    foreign = len(nodes) > len(file.types)
    nodes.update((tool.local_id, tool) for tool in tools)
    return nodes, foreign


def _in_order(before: Nodes, now: Nodes) -> bool:
    """Whether what both hold stands in both in the same order."""
    if before.keys() == now.keys():
        return list(before) == list(now)
    return list(filter(now.__contains__, before)) == list(filter(before.__contains__, now))


def _facts(nodes: Nodes, name: str) -> Facts | None:
    one = nodes.get(name)
    return None if one is None else one.facts


def _upward(names: Iterable[str], users: Users) -> Set[str]:
    """`names`, and all that reach one of them."""
    found = set(names)
    work = list(found)
    while work:
        more = users.get(work.pop(), frozenset()) - found
        found |= more
        work += more
    return found


def _graph(found: Map, names: Iterable[str]) -> Graph:
    """The graph of `names` and all that they reach."""
    part = set(reachable(names, found.references))
    nodes = found.nodes
    return Graph({name: facts for name in filter(part.__contains__, nodes) if (facts := nodes[name].facts) is not None})


def _merged(before: Verdicts, graph: Graph, nodes: Nodes) -> Verdicts:
    """What `graph` says of all that it holds, and what was said before of all others."""
    fresh = graph.verdicts()
    if not before.refused:
        return fresh
    kept = nodes.keys() - graph.owners.keys()
    places = {name: place for place, name in enumerate(nodes)}
    return Verdicts(
        tuple(
            sorted(
                [*(one for one in before.endless if one.owner in kept), *fresh.endless],
                key=lambda one: places[one.owner],
            )
        ),
        tuple(
            sorted(
                [*(one for one in before.growing if one.owner in kept), *fresh.growing],
                key=lambda one: places[one.owner],
            )
        ),
        tuple(
            sorted(
                [*(one for one in before.no_order if one.owner in kept), *fresh.no_order],
                key=lambda one: (places[one.owner], one.member),
            )
        ),
        frozenset(before.refused & kept) | fresh.refused,
    )
