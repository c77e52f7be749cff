"""What is judged on the finite graph of roots and declarations: reach, recursion, order, instances, crossing."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property

from flow_lsp.descriptions.problems import DescriptionProblem, DescriptionRule
from flow_lsp.descriptions.scopes import Root, member_pointer
from flow_lsp.findings.model import shown
from flow_lsp.types.crossing import Crossing
from flow_lsp.types.facts import Facts, member_facts
from flow_lsp.types.graph import Graph, Verdicts
from flow_lsp.types.instances import INSTANCE_LIMIT, LENGTH_LIMIT, member_terms, within_limits
from flow_lsp.types.reach import reachable
from flow_lsp.types.shapes import pointer_token
from flow_lsp.types.terms import TOOL_OWNER, Declarations, Kind, Primitive, Template, Term

_SHOWN_WAY = 8  # how many types of a long way a sentence names


# Members are told by their places here, not by labels, so that all those of primitive types are two.
_PLAIN = member_facts("", Primitive.UNIT)
_JSON = member_facts("", Primitive.JSON_VALUE)


def unlabelled_facts(template: Template) -> Facts:
    """The facts of `template`, its members in the order of `member_terms`."""
    contained = template.kind is Kind.RECORD
    members = [
        member_facts("", term, contained)
        if term.__class__ is not Primitive
        else (_JSON if term is Primitive.JSON_VALUE else _PLAIN)
        for term in member_terms(template)
    ]
    return Facts(template.name, tuple(members), template.kind, template.opaque)


class DescriptionGraph:
    """One map, whose pointer is `at`, with the roots over it. All terms are known to keep the rules of `TermRules`,
    and no local id is `tool`."""

    def __init__(self, roots: Sequence[Root], declarations: Declarations, at: str) -> None:
        self._roots = roots
        self._declarations = declarations
        self._at = at
        self._facts = {local_id: unlabelled_facts(template) for local_id, template in declarations.items()}
        self._members = tuple(member_facts("", root.term) for root in roots)

    def reached(self, roots: Iterable[int]) -> list[str]:
        """The local ids that the roots of these numbers reach."""
        named = (reference for number in roots for reference in self._members[number].references)
        return reachable(named, lambda local_id: self._facts[local_id].references)

    def extra(self) -> DescriptionProblem | None:
        """The first declaration that no root reaches."""
        reached = set(self.reached(range(len(self._roots))))
        for local_id in self._declarations:
            if local_id not in reached:
                return DescriptionProblem(
                    DescriptionRule.EXTRA, self._at + pointer_token(local_id), "Nothing reaches this declaration."
                )
        return None

    @cached_property
    def _graph(self) -> Graph:
        owners = self._facts
        if self._members:
            # No declaration names the roots, so that those of many Tools may stand as one owner's members.
            owners = {**owners, TOOL_OWNER: Facts(TOOL_OWNER, self._members)}
        return Graph(owners)

    @cached_property
    def _verdicts(self) -> Verdicts:
        return self._graph.verdicts()

    def growing(self) -> DescriptionProblem | None:
        """The first type that needs ever new instantiations."""
        for problem in self._verdicts.growing:
            return DescriptionProblem(
                DescriptionRule.RECURSION,
                self._pointer(problem.owner, problem.member),
                f"Ever new types are needed: {self._way_text('leads to', problem.cycle)}, each time with larger "
                "arguments.",
            )
        return None

    def endless(self) -> DescriptionProblem | None:
        """The first type that must contain itself."""
        for problem in self._verdicts.endless:
            return DescriptionProblem(
                DescriptionRule.RECURSION,
                self._pointer(problem.owner, problem.member),
                f"No value can ever be made: {self._way_text('contains', problem.cycle)}, with no List, Set, Dict, "
                "Option or enum between.",
            )
        return None

    def no_order(self) -> DescriptionProblem | None:
        """The first Set item or Dict key without an order."""
        for problem in self._verdicts.no_order:
            place = problem.place[0].upper() + problem.place[1:]
            return DescriptionProblem(
                DescriptionRule.ORDER,
                self._pointer(problem.owner, problem.member),
                f"{place} must have an order, and {shown(problem.what)}{self._through_text(problem.through)} has none.",
            )
        return None

    def too_many(self, roots: Iterable[Term] | None = None) -> DescriptionProblem | None:
        """Whether all roots, or these of them, reach too many instances: more than INSTANCE_LIMIT beyond one for each
        declaration."""
        declarations = self._declarations
        if not any(template.generic for template in declarations.values()):
            return None
        terms = [root.term for root in self._roots] if roots is None else roots
        most = INSTANCE_LIMIT + len(declarations)
        if within_limits(terms, declarations, most, LENGTH_LIMIT + sum(map(len, declarations))):
            return None
        return DescriptionProblem(
            DescriptionRule.LIMIT, "", f"More than {INSTANCE_LIMIT} instances of generic types are reached."
        )

    def uncoded(self, first: int = 0) -> DescriptionProblem | None:
        """The first root, from the one of that number on, a value of which holds what has no encoding."""
        return next(filter(None, map(self.uncoded_root, range(first, len(self._roots)))), None)

    def uncoded_root(self, number: int) -> DescriptionProblem | None:
        """What has no encoding in a value of the root of that number."""
        obstacle = self._crossing.uncoded(self._members[number].parts)
        if obstacle is None:
            return None
        return DescriptionProblem(
            DescriptionRule.CROSSING,
            self._roots[number].pointer,
            f"A value would hold {shown(obstacle.what)}{self._through_text(obstacle.through)}, and that has no "
            "encoding.",
        )

    def opaque_root(self, number: int) -> DescriptionProblem | None:
        """The opaque type in a value of the root of that number, so that no host decodes it from a reply."""
        obstacle = self._crossing.opaque(self._members[number].parts)
        if obstacle is None:
            return None
        return DescriptionProblem(
            DescriptionRule.CROSSING,
            self._roots[number].pointer,
            f"A value would hold {shown(obstacle.what)}{self._through_text(obstacle.through[:-1])}, which is opaque, "
            "and is built from no reply.",
        )

    @cached_property
    def _crossing(self) -> Crossing:
        return Crossing(self._graph)

    # -- places and ways ------------------------------------------------------------------------------

    def _pointer(self, owner: str, member: int) -> str:
        if owner == TOOL_OWNER:
            return self._roots[member].pointer
        return self._at + pointer_token(owner) + member_pointer(self._declarations[owner], member)

    def _way_text(self, verb: str, way: Sequence[str]) -> str:
        listed = [f"`{shown(self._declarations[local_id].name)}`" for local_id in way]
        if len(listed) > _SHOWN_WAY:
            listed = [*listed[:4], "…", *listed[-3:]]
        return f" {verb} ".join(listed)

    def _through_text(self, way: Sequence[str]) -> str:
        names = [f"`{shown(self._declarations[local_id].name)}`" for local_id in reversed(way)]
        return f" (in {', in '.join(names)})" if names else ""
