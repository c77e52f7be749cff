"""Whether a call's view agrees with the served TypeSpec ("A generic call's types view").

Local ids are compared through identities without versions and ordinals. Templates are compared pair by pair, each with
all that it names taken to agree; since those pairs are compared too, recursion needs nothing more.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import TypeAlias

from flow_lsp.descriptions.problems import DescriptionProblem, DescriptionRule, counted
from flow_lsp.descriptions.scopes import inner_pointer, member_pointers
from flow_lsp.findings.model import shown
from flow_lsp.signature.identity import without_version
from flow_lsp.types.inner import inner_terms
from flow_lsp.types.instances import member_terms
from flow_lsp.types.shapes import pointer_token
from flow_lsp.types.terms import (
    TOOL_OWNER,
    CallView,
    Constructor,
    Declarations,
    Field,
    FunctionOf,
    Named,
    Param,
    Primitive,
    Template,
    Term,
    TypeSpec,
)

_Key: TypeAlias = tuple[str, int]  # an identity without its version, and the ordinal
_Pair: TypeAlias = tuple[str, str]  # a served local id, and one of the view


class Agreement:
    """The judgment over one served TypeSpec and one view, both by themselves valid but for what only graphs show."""

    def __init__(self, spec: TypeSpec, view: CallView, at: str) -> None:
        self._spec = spec
        self._view = view
        self._at = at
        self._served_keys = _keys(spec.declarations)
        self._keys = _keys(view.declarations)
        self._agreeing: set[_Pair] = set()

    def problem(self) -> DescriptionProblem | None:
        """The first place where the two disagree."""
        return self._names() or self._templates() or self._roots()

    # -- names ----------------------------------------------------------------------------------------

    def _names(self) -> DescriptionProblem | None:
        spec, view = self._spec, self._view
        bindings = [binding.name for binding in view.bindings]
        params = [param.name for param in view.params]
        return self._named_alike("bindings", "type parameter", bindings, spec.generic) or self._named_alike(
            "params", "parameter", params, [param.name for param in spec.params]
        )

    def _named_alike(
        self, member: str, what: str, given: Sequence[str], served: Sequence[str]
    ) -> DescriptionProblem | None:
        if len(given) != len(served):
            return DescriptionProblem(
                DescriptionRule.MISMATCH,
                f"{self._at}/{member}",
                f"The Tool has {counted(len(served), what)}, and this call has {len(given)}.",
            )
        for index, (name, wanted) in enumerate(zip(given, served, strict=True)):
            if name != wanted:
                return DescriptionProblem(
                    DescriptionRule.MISMATCH,
                    f"{self._at}/{member}/{index}/name",
                    f"The Tool has `{shown(wanted)}` at this place of its {what}s.",
                )
        return None

    # -- templates ------------------------------------------------------------------------------------

    def _templates(self) -> DescriptionProblem | None:
        """Every template of the view whose identity is served agrees with the served one."""
        served: dict[str, dict[int, list[str]]] = {}
        for local_id, (identity, ordinal) in self._served_keys.items():
            served.setdefault(identity, {}).setdefault(ordinal, []).append(local_id)
        for local_id, template in self._view.declarations.items():
            identity, ordinal = self._keys[local_id]
            if identity not in served:
                continue
            counterparts = served[identity].get(ordinal)
            if counterparts is None:
                return self._conflict(
                    local_id, "/lexical_ordinal", "The Tool knows this identity with another ordinal."
                )
            # Of two served versions, the one that is the caller's own counts.
            own = [each for each in counterparts if self._spec.declarations[each].identity == template.identity]
            for counterpart in own or counterparts:
                found = self.disagreement(counterpart, local_id)
                if found is not None:
                    return found
        return None

    def disagreement(self, served_id: str, local_id: str) -> DescriptionProblem | None:
        """Where the template `local_id` is another than the served one; what the two name is not looked into."""
        served, given = self._spec.declarations[served_id], self._view.declarations[local_id]
        if served.kind is not given.kind:
            return self._conflict(local_id, "/kind", f"The Tool knows this declaration as {served.kind}.")
        if served.opaque is not given.opaque:
            known = "opaque" if served.opaque else "not opaque"
            return self._conflict(local_id, "/opaque", f"The Tool knows this declaration as {known}.")
        if len(served.generic) != len(given.generic):
            many = counted(len(served.generic), "type parameter")
            return self._conflict(local_id, "/generic", f"The Tool knows this declaration with {many}.")
        pointer = _other_members(served, given)
        if pointer is not None:
            return self._conflict(local_id, pointer, "The Tool knows this declaration with other members.")
        for one, other, at in zip(member_terms(served), member_terms(given), member_pointers(given), strict=True):
            inner = self._other_type(one, other, (served_id, local_id))
            if inner is not None:
                return self._conflict(local_id, at + inner, "The Tool knows this declaration with another type here.")
        self._agreeing.add((served_id, local_id))
        return None

    def _conflict(self, local_id: str, pointer: str, sentence: str) -> DescriptionProblem:
        at = f"{self._at}/declarations{pointer_token(local_id)}"
        return DescriptionProblem(DescriptionRule.CONFLICT, at + pointer, sentence)

    # -- terms ----------------------------------------------------------------------------------------

    def _other_type(self, served: Term, given: Term, owners: _Pair) -> str | None:
        """The pointer into `given` to what is another type than in `served`; None where the two agree. A served Param
        of the owner `tool` is what the call binds. Recurs once per level."""
        if isinstance(served, Param):
            if owners[0] == TOOL_OWNER:
                return None if given == self._view.bindings[served.index].type else ""
            return None if given == Param(owners[1], served.index) else ""
        if type(served) is not type(given) or (isinstance(served, Primitive) and served is not given):
            return ""
        if (
            isinstance(served, Named)
            and isinstance(given, Named)
            and self._served_keys[served.declaration] != self._keys[given.declaration]
        ):
            return "/Named/declaration"
        one, other = inner_terms(served), inner_terms(given)
        if len(one) != len(other):
            return "/Function/params" if isinstance(given, FunctionOf) else ""
        for index, (mine, theirs) in enumerate(zip(one, other, strict=True)):
            inner = self._other_type(mine, theirs, owners)
            if inner is not None:
                return inner_pointer(given, index) + inner
        return None

    # -- roots ----------------------------------------------------------------------------------------

    def _roots(self) -> DescriptionProblem | None:
        """The served signature, with the bindings put in, is that of the roots; and over all that it reaches, each
        served declaration is one of the view."""
        spec, view = self._spec, self._view
        ahead: list[_Pair] = []
        followed: set[_Pair] = set()
        places = [f"/params/{index}/type" for index in range(len(view.params))]
        served = [*(param.type for param in spec.params), spec.ok, spec.err]
        given = [*(param.type for param in view.params), view.ok, view.err]
        for one, other, pointer in zip(served, given, [*places, "/ok", "/err"], strict=True):
            inner = self._other_type(one, other, (TOOL_OWNER, TOOL_OWNER))
            if inner is not None:
                return DescriptionProblem(
                    DescriptionRule.MISMATCH,
                    self._at + pointer + inner,
                    "This is not the Tool's type with the bindings put in.",
                )
            ahead.extend(_named_pairs(one, other))
        counterpart: dict[str, str] = {}
        for pair in ahead:  # grows while it is read
            served_id, local_id = pair
            known = counterpart.setdefault(served_id, local_id)
            if known != local_id:
                return DescriptionProblem(
                    DescriptionRule.MISMATCH,
                    f"{self._at}/declarations{pointer_token(local_id)}",
                    f"The Tool's signature has one declaration where this call has two, this and `{shown(known)}`.",
                )
            if pair in followed:
                continue
            followed.add(pair)
            if pair not in self._agreeing:
                found = self.disagreement(*pair)
                if found is not None:
                    return found
            members = member_terms(spec.declarations[served_id]), member_terms(view.declarations[local_id])
            ahead.extend(chain.from_iterable(map(_named_pairs, *members)))
        return None


def _keys(declarations: Declarations) -> dict[str, _Key]:
    return {
        local_id: (without_version(template.identity), template.lexical_ordinal)
        for local_id, template in declarations.items()
    }


def _named_pairs(served: Term, given: Term) -> Iterator[_Pair]:
    """The local ids at the same places of two types that agree, but for what the call binds."""
    if isinstance(served, Named) and isinstance(given, Named):
        yield served.declaration, given.declaration
    for one, other in zip(inner_terms(served), inner_terms(given), strict=False):
        yield from _named_pairs(one, other)


def _other_members(served: Template, given: Template) -> str | None:
    """The pointer into `given` to the first member that is called otherwise, or made otherwise, than in `served`."""
    found = _other_names(served.fields, given.fields, "/fields")
    found = found or _other_names(served.constructors, given.constructors, "/constructors")
    if found is not None:
        return found
    for index, (one, other) in enumerate(zip(served.constructors, given.constructors, strict=True)):
        payload = f"/constructors/{index}/payload"
        if (one.positional is None, one.named is None) != (other.positional is None, other.named is None):
            return payload
        if len(one.positional or ()) != len(other.positional or ()):
            return f"{payload}/positional"
        found = _other_names(one.named or (), other.named or (), f"{payload}/named")
        if found is not None:
            return found
    return None


def _other_names(
    served: Sequence[Field | Constructor], given: Sequence[Field | Constructor], pointer: str
) -> str | None:
    if len(served) != len(given):
        return pointer
    for index, (one, other) in enumerate(zip(served, given, strict=True)):
        if one.name != other.name:
            return f"{pointer}/{index}/name"
    return None
