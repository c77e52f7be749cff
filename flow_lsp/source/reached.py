"""The declarations that one file reaches, judged; after an edit only what reaches the change is judged again.

All that the rules say of a declaration follows from the declarations it reaches, and from their order. (Of
`types.graph`: what a value holds, contains or passes on as an argument is found by following references, and
where several ways lead to the same, the first in the order counts.) So after an edit

- only those are judged again that reach something whose facts are other ones now, and
- for that, a graph of what they reach is enough, in the order of the whole.

Where declarations have changed places among each other, everything is judged again.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from itertools import chain
from operator import attrgetter
from typing import TypeAlias

from flow_lsp.source.files import Look
from flow_lsp.source.resolution import Resolved
from flow_lsp.source.resolved_file import ResolvedFile
from flow_lsp.source.standard import RESULT_ID
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


@dataclass(frozen=True, slots=True)
class Foreign:
    """What the names `roots` reach in other files: what is known, by local id in ascending order, and the files
    it was looked for in."""

    roots: Sequence[str]
    nodes: Nodes
    files: Mapping[str, ResolvedFile | None]
    users: Users


class Map:
    """The declarations map of one file. `own` are its known types and then its known Tools, each in source
    order; `nodes` the same with what they reach in other files between."""

    def __init__(self, own: Nodes, nodes: Nodes, foreign: Foreign, own_users: Users | None) -> None:
        self.own = own
        self.nodes = nodes
        self.foreign = foreign
        self.verdicts = NOTHING_WRONG
        self.graph = NO_GRAPH
        """A graph of some of the nodes, with all that they reach."""
        self._own_users = own_users

    @property
    def own_users(self) -> Users:
        """Which of `own` name each local id."""
        if self._own_users is None:
            self._own_users = _users(self.own)
        return self._own_users

    def usable(self, local_id: str) -> Template | None:
        """The declaration of a type that nothing is wrong with."""
        one = self.nodes.get(local_id)
        return None if one is None or local_id in self.verdicts.refused else one.template

    def references(self, local_id: str) -> Iterable[str]:
        """What that declaration names."""
        return _names(self.nodes, local_id)

    def graph_of(self, names: Collection[str]) -> Graph:
        """A graph that holds `names` and all that they reach."""
        if not all(map(self.graph.owners.__contains__, names)):
            self.judge(names)
        return self.graph

    def judge(self, names: Iterable[str]) -> None:
        """Makes `graph` that of `names` and all that they reach."""
        part = set(reachable(names, self.references))
        nodes = self.nodes
        self.graph = Graph(
            {name: facts for name in filter(part.__contains__, nodes) if (facts := nodes[name].facts) is not None}
        )

    def reaching(self, names: Iterable[str]) -> Set[str]:
        """`names`, and all that reach one of them."""
        found = set(names)
        work = list(found)
        nothing = frozenset[str]()
        while work:
            name = work.pop()
            for users in (self.own_users, self.foreign.users):
                more = users.get(name, nothing) - found
                found |= more
                work += more
        return found


def read_map(look: Look, file: ResolvedFile, previous: Map | None) -> tuple[Map, Changes]:
    """What `file` reaches, judged. `previous` is an earlier map of the same file."""
    tools = {name: one for name, one in file.tools.items() if one.facts is not None}
    own = {**file.types, **tools}
    if previous is not None and not _in_order(previous.own, own):
        previous = None
    changed: set[str] = set()
    users: Users | None = None
    if previous is not None:
        before = previous.own
        changed = _differing(before, own)
        if len(changed) <= MOST_FOLLOWED:
            users = _followed(previous.own_users, before, own, changed)
    named = users.keys() if users is not None else set(chain.from_iterable(map(_references, own.values())))
    roots = sorted(named - file.types.keys())
    foreign = _foreign(look, file.path, roots, None if previous is None else previous.foreign)
    found = Map(own, {**file.types, **foreign.nodes, **tools}, foreign, users)
    if previous is None:
        everything = found.nodes.keys()
        found.judge(everything)
        found.verdicts = found.graph.verdicts()
        return found, Changes(everything, everything, everything)
    if foreign is not previous.foreign:
        changed |= _differing(previous.foreign.nodes, foreign.nodes)
    found.graph, found.verdicts = previous.graph, previous.verdicts
    touched = found.reaching(changed)
    other_facts = {name for name in changed if _facts(previous.nodes, name) != _facts(found.nodes, name)}
    judged = touched if len(other_facts) == len(changed) else found.reaching(other_facts)
    if judged:
        found.judge(judged)
        found.verdicts = _merged(previous.verdicts, found.graph, found.nodes)
    return found, Changes(changed, touched, judged)


NOTHING_WRONG = Verdicts((), (), (), frozenset())
NO_GRAPH = Graph({})


def _foreign(look: Look, path: str, roots: Sequence[str], previous: Foreign | None) -> Foreign:
    """What `roots` reach in other files than that at `path`: its own types are known, or not to be known."""
    if (
        previous is not None
        and previous.roots == roots
        and all(look.file(other) is known for other, known in previous.files.items())
    ):
        return previous
    nodes: dict[str, Resolved] = {}
    files: dict[str, ResolvedFile | None] = {}
    seen = set(roots)
    work = list(roots)
    for local_id in work:  # grows while it is read
        other = local_id.rpartition(":")[0]
        if other == path:
            continue
        if local_id != RESULT_ID and other not in files:
            files[other] = look.file(other)
        one = look.resolved(local_id)
        if one is not None:
            nodes[local_id] = one
            more = [name for name in one.references if name not in seen]
            seen.update(more)
            work += more
    return Foreign(roots, dict(sorted(nodes.items())), files, _users(nodes))


def _users(nodes: Nodes) -> Users:
    found: dict[str, set[str]] = {}
    for name, one in nodes.items():
        for reference in one.references:
            found.setdefault(reference, set()).add(name)
    return found


def _followed(users: Users, before: Nodes, now: Nodes, changed: Set[str]) -> Users:
    """The users of each name, where they were `users` and the nodes `changed` are others now."""
    found = dict(users)
    for name in changed:
        for reference in set(_names(before, name)).symmetric_difference(_names(now, name)):
            found[reference] = found.get(reference, frozenset()) ^ {name}
            if not found[reference]:
                del found[reference]
    return found


def _differing(before: Nodes, now: Nodes) -> set[str]:
    """What is another object, new or gone."""
    found = {name for name, one in now.items() if before.get(name) is not one}
    return found | (before.keys() - now.keys())


def _in_order(before: Nodes, now: Nodes) -> bool:
    """Whether what both hold stands in both in the same order."""
    if before.keys() == now.keys():
        return list(before) == list(now)
    return list(filter(now.__contains__, before)) == list(filter(before.__contains__, now))


def _names(nodes: Nodes, local_id: str) -> Iterable[str]:
    one = nodes.get(local_id)
    return () if one is None else one.references


def _facts(nodes: Nodes, name: str) -> Facts | None:
    one = nodes.get(name)
    return None if one is None else one.facts


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
