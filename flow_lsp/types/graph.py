"""The rules of every declarations map (decisions 2 and 8), a source reader's and a TypeSpec's alike.

Each is decided on the finite graph of templates and type parameters, never by writing out instantiations, so
the time is linear in the map however its types are combined:

- which parameters a value of a type really holds (`Parts.arguments` count only for these);
- which types must contain themselves;
- which parameters grow without end along a cycle of Named arguments;
- which types and parameters must have an order, and what has none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from flow_lsp.types.components import components, shortest_cycle
from flow_lsp.types.facts import FUNCTION, TASK, Facts, Parts
from flow_lsp.types.terms import Kind

Slot = tuple[str, int]  # a type parameter: its owner and its place


SHOWN_WAY = 6  # how many types of a long chain a message names


@dataclass(frozen=True, slots=True)
class Step:
    """On the way to a target: the next owner, None at the target itself, and the target."""

    following: str | None
    target: str


@dataclass(frozen=True, slots=True)
class Endless:
    """A type that must contain itself. `cycle` starts and ends with `owner`; `member` is the field that
    begins it."""

    owner: str
    member: int
    cycle: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Growing:
    """A cycle of parameters in which an argument is larger than the parameter. `member` of `owner` holds
    it."""

    owner: str
    member: int
    target: str
    cycle: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class NoOrder:
    """A place that must have an order and holds something that has none. `through` are the types that lead
    to it."""

    owner: str
    member: int
    place: str
    what: str
    through: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Verdicts:
    """What is wrong with a map, in the map's order, and all owners that something is wrong with."""

    endless: tuple[Endless, ...]
    growing: tuple[Growing, ...]
    no_order: tuple[NoOrder, ...]
    refused: frozenset[str]


class Graph:
    """The facts of a whole map by local id; roots of Tools may stand in it as owners like any other."""

    def __init__(self, owners: Mapping[str, Facts]) -> None:
        self.owners = owners
        self._held: dict[Slot, None] = {}  # the parameters that a value really holds
        self._waiting: dict[Slot, list[tuple[str, Parts]]] = {}
        self.successors: dict[str, dict[str, None]] = {owner: {} for owner in owners}
        self.leaves: dict[str, int] = dict.fromkeys(owners, 0)
        for owner, facts in owners.items():
            for member in facts.members:
                self._hold(owner, member.parts)

    def _hold(self, owner: str, parts: Parts) -> None:
        """Takes note that values of `owner` hold `parts`, and of all that follows from it."""
        work = [(owner, parts)]
        while work:
            holder, found = work.pop()
            if found.leaves:
                self.leaves[holder] |= found.leaves
            for name in found.named:
                self.successors[holder][name] = None
            for declaration, index, inner in found.arguments:
                if (declaration, index) in self._held:
                    work.append((holder, inner))
                else:
                    self._waiting.setdefault((declaration, index), []).append((holder, inner))
            for index in found.params:
                slot = (holder, index)
                if slot not in self._held:
                    self._held[slot] = None
                    work += self._waiting.pop(slot, ())

    def held(self, parts: Parts) -> tuple[int, list[str], list[int]]:
        """What a value of `parts` holds: leaves, named types, and parameters of the owner."""
        leaves, named, params = 0, list[str](), list[int]()
        work = [parts]
        while work:
            found = work.pop()
            leaves |= found.leaves
            named += found.named
            params += found.params
            work += [inner for owner, index, inner in found.arguments if (owner, index) in self._held]
        return leaves, named, params

    def reaching(self, is_target: Callable[[str], bool]) -> dict[str, Step]:
        """All owners whose values hold a target, or are one, each with its first step on a shortest way
        there."""
        above: dict[str, list[str]] = {}
        for owner, held in self.successors.items():
            for name in held:
                above.setdefault(name, []).append(owner)
        found = {owner: Step(None, owner) for owner in self.owners if is_target(owner)}
        layer = list(found)
        while layer:
            following: list[str] = []
            for name in layer:
                for owner in above.get(name, ()):
                    if owner not in found:
                        found[owner] = Step(name, found[name].target)
                        following.append(owner)
            layer = following
        return found

    def way(self, reaching: Mapping[str, Step], start: str) -> tuple[str, ...]:
        """The owners from `start` to the target, by what `reaching` gave; of a long way its start and its
        target."""
        way = [start]
        while (following := reaching[way[-1]].following) is not None:
            if len(way) == SHOWN_WAY:
                way.append(reaching[start].target)
                break
            way.append(following)
        return tuple(way)

    # -- the rules ------------------------------------------------------------------------------------

    def verdicts(self) -> Verdicts:
        """Everything that is wrong with the map."""
        endless, in_cycles = self._endless()
        growing, grown = self._growing()
        no_order = self._no_order()
        refused = in_cycles | grown | {problem.owner for problem in no_order}
        return Verdicts(endless, growing, no_order, frozenset(refused))

    def _endless(self) -> tuple[tuple[Endless, ...], set[str]]:
        contained = self._contained()
        found: list[Endless] = []
        in_cycles: set[str] = set()
        places = {owner: place for place, owner in enumerate(self.owners)}
        holders = [owner for owner, held in contained.items() if held]
        for group in components(holders, lambda owner: contained.get(owner, ())):
            in_cycles.update(group)
            members = set(group)
            owner = min(group, key=places.__getitem__)
            cycle = shortest_cycle(
                owner,
                lambda node, members=members: [name for name in contained[node] if name in members],  # type: ignore[misc]
            )
            found.append(Endless(owner, contained[owner][cycle[1]], tuple(cycle)))
        return tuple(sorted(found, key=lambda problem: places[problem.owner])), in_cycles

    def _contained(self) -> dict[str, dict[str, int]]:
        """For each record, the types that each of its values contains, with the member that does."""
        slots: dict[Slot, None] = {}
        waiting: dict[Slot, list[tuple[str, int, Parts]]] = {}
        contained: dict[str, dict[str, int]] = {owner: {} for owner in self.owners}
        for owner, facts in self.owners.items():
            if facts.kind is not Kind.RECORD:
                continue
            work = [(owner, index, member.direct) for index, member in enumerate(facts.members)]
            work.reverse()
            while work:
                holder, index, parts = work.pop()
                for name in parts.named:
                    inner_facts = self.owners.get(name)
                    if inner_facts is not None and inner_facts.kind is Kind.RECORD:
                        contained[holder].setdefault(name, index)
                for declaration, place, inner in parts.arguments:
                    if (declaration, place) in slots:
                        work.append((holder, index, inner))
                    else:
                        waiting.setdefault((declaration, place), []).append((holder, index, inner))
                for place in parts.params:
                    if (holder, place) not in slots:
                        slots[holder, place] = None
                        work += waiting.pop((holder, place), ())
        return contained

    def _growing(self) -> tuple[tuple[Growing, ...], set[str]]:
        edges: dict[Slot, dict[Slot, None]] = {}
        larger: list[tuple[Slot, Slot, int]] = []
        for owner, facts in self.owners.items():
            for index, member in enumerate(facts.members):
                for argument in member.arguments:
                    target = (argument.declaration, argument.index)
                    for param in argument.params:
                        edges.setdefault((owner, param), {})[target] = None
                        if not argument.bare:
                            larger.append(((owner, param), target, index))
        group_of: dict[Slot, int] = {}
        if larger:
            for number, group in enumerate(components(edges, lambda slot: edges.get(slot, ()))):
                group_of.update(dict.fromkeys(group, number))
        found: list[Growing] = []
        grown: set[str] = set()
        said: set[int] = set()
        for slot, target, index in larger:
            number = group_of.get(slot, -1)
            if number < 0 or group_of.get(target, -2) != number:
                continue
            grown.update((slot[0], target[0]))
            if number not in said:
                said.add(number)
                cycle = self._parameter_cycle(edges, slot, target)
                found.append(Growing(slot[0], index, target[0], cycle))
        return tuple(found), grown

    def _parameter_cycle(self, edges: Mapping[Slot, Iterable[Slot]], start: Slot, target: Slot) -> tuple[str, ...]:
        """The owners along a way from `start` over `target` back to `start`."""
        if start == target:
            return start[0], start[0]
        came_from: dict[Slot, Slot] = {target: start}
        layer = [target]
        while layer:
            following = []
            for slot in layer:
                for successor in edges.get(slot, ()):
                    if successor not in came_from:
                        came_from[successor] = slot
                        following.append(successor)
            if start in came_from:
                break
            layer = following
        way = [start[0]]
        slot = came_from.get(start, target)
        while slot != start:
            way.append(slot[0])
            slot = came_from[slot]
        way.append(start[0])
        way.reverse()
        last = len(way) - 1
        return tuple(name for place, name in enumerate(way) if place in (0, last) or name != way[place - 1])

    def _no_order(self) -> tuple[NoOrder, ...]:
        if not any(member.ordered for facts in self.owners.values() for member in facts.members):
            return ()
        unordered = self.reaching(self._has_no_order)
        demands: dict[Slot, str] = {}
        uses: dict[Slot, list[tuple[str, int, Parts]]] = {}
        work: list[tuple[str, int, str, Parts]] = []
        for owner, facts in self.owners.items():
            for index, member in enumerate(facts.members):
                work += [(owner, index, ordered.place, ordered.parts) for ordered in member.ordered]
                for argument in member.arguments:
                    slot = (argument.declaration, argument.index)
                    uses.setdefault(slot, []).append((owner, index, argument.parts))
        found: dict[tuple[str, int], NoOrder] = {}
        work.reverse()
        while work:
            owner, index, place, parts = work.pop()
            leaves, named, params = self.held(parts)
            culprit = next((name for name in named if name in unordered), None)
            if leaves:
                found.setdefault((owner, index), NoOrder(owner, index, place, leaf_name(leaves), ()))
            elif culprit is not None:
                way = self.way(unordered, culprit)
                what = self._unordered_name(way[-1])
                if self.owners[way[-1]].kind in (Kind.HOST, Kind.NONDATA):
                    way = way[:-1]  # it is named already
                found.setdefault((owner, index), NoOrder(owner, index, place, what, way))
            for param in params:
                slot = (owner, param)
                if slot not in demands:
                    demands[slot] = place
                    work += [(user, member, place, argument) for user, member, argument in uses.get(slot, ())]
        places = {owner: place for place, owner in enumerate(self.owners)}
        return tuple(sorted(found.values(), key=lambda problem: (places[problem.owner], problem.member)))

    def _has_no_order(self, owner: str) -> bool:
        return bool(self.leaves[owner]) or self.owners[owner].kind in (Kind.HOST, Kind.NONDATA)

    def _unordered_name(self, owner: str) -> str:
        facts = self.owners[owner]
        if facts.kind is Kind.HOST:
            return f"the host type {facts.name}"
        if facts.kind is Kind.NONDATA:
            return f"the type {facts.name}, which is no data,"
        return leaf_name(self.leaves[owner])


def leaf_name(leaves: int) -> str:
    """A leaf in words: the one that no encoding exists for, where there is one."""
    if leaves & FUNCTION:
        return "a function"
    if leaves & TASK:
        return "a Task"
    return "json.Value"
