"""The arguments of one Tool as a document: how it begins, what its text means, what is checked at its types.

Of a Tool that is not generic the document is the JSON object of its arguments. Of a generic one it has two members:
`types`, which names in Flow the type that each type parameter stands for, and `args`. What is found out of the types is
kept with the form, so that a keystroke costs reading the text alone.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from flow_lsp.codecs.codec import Codec, Codecs
from flow_lsp.codecs.inside import Member, Parts
from flow_lsp.codecs.nodes import Nodes
from flow_lsp.codecs.refusals import ValueRefused
from flow_lsp.codecs.template import Templates
from flow_lsp.descriptions.calls import call_view
from flow_lsp.descriptions.problems import DescriptionProblem
from flow_lsp.findings.model import shown
from flow_lsp.source.type_text import TypeProblem, read_type_text
from flow_lsp.text.spans import Span
from flow_lsp.types.inner import inner_terms
from flow_lsp.types.shapes import pointer_token
from flow_lsp.types.terms import TOOL_OWNER, Declarations, Param, Parameter, Primitive, Term, TypeSpec
from flow_lsp.values.canonical import canonical_text
from flow_lsp.values.layout import laid_out
from flow_lsp.values.limits import DEFAULT_LIMITS, Limits
from flow_lsp.values.places import place_of, places_of
from flow_lsp.values.strict_json import JsonRefused, read_json

TYPES = "types"
ARGS = "args"
LONGEST_TYPE = 10_000  # characters of a type's text


@dataclass(frozen=True, slots=True)
class TypeFault:
    """Why there is no type for the type parameter `name`. `span` counts from the start of the type's text; None where
    all of it is meant."""

    name: str
    sentence: str
    span: Span | None = None


@dataclass(frozen=True, slots=True)
class BoundTypes:
    """What a call puts for the type parameters, in their order: terms over `declarations`."""

    terms: tuple[Term, ...]
    declarations: Declarations


class Arguments:
    """The arguments at known types. `place` is what stands in their object; `codecs` are those of the parameters whose
    type is known, by name."""

    def __init__(
        self, name: str, params: Sequence[Parameter], declarations: Declarations, limits: Limits, generic: int
    ) -> None:
        """`name` is the Tool's. `generic` type parameters have no type yet: their values are taken for any JSON."""
        codecs = Codecs(declarations, limits=limits)
        self.nodes = Nodes(declarations)
        self.templates = Templates(self.nodes)
        anything = [self.nodes.node(Primitive.JSON_VALUE)] * generic
        places = [self.nodes.node(param.type, TOOL_OWNER, anything) for param in params]
        found = [Member(param.name, place, False, param.doc) for param, place in zip(params, places, strict=True)]
        self.place = Parts(shown(name), tuple(found), word="parameter")
        self.codecs: dict[str, Codec] = {
            param.name: codecs.codec(param.type) for param in params if not _names_parameter(param.type)
        }


class CallForm:
    """How the arguments of the Tool `name` are written. `spec` is valid; `docs` are the parameters' doc comments.

    `in_view` gives the declarations that a type may name: those that the Tool's file declares or reaches.
    """

    def __init__(
        self,
        name: str,
        spec: TypeSpec,
        docs: Mapping[str, str | None],
        in_view: Callable[[], Declarations],
        limits: Limits = DEFAULT_LIMITS,
    ) -> None:
        self.name = name
        self.spec = spec
        self.limits = limits
        self._docs = docs
        self._in_view = in_view
        self._known: tuple[Mapping[str, str], BoundTypes | list[TypeFault], Arguments] | None = None

    @property
    def is_generic(self) -> bool:
        """Whether the document names types too."""
        return bool(self.spec.generic)

    # -- types --------------------------------------------------------------------------------------------------

    def types_in(self, text: str) -> dict[str, str]:
        """The texts of the types that a document names, also of one that cannot be read whole."""
        found: dict[str, str] = {}
        for name in self.spec.generic:
            span = place_of(text, f"/{TYPES}{pointer_token(name)}")
            written = text[span.start : span.end]
            try:
                value = json.loads(written) if written.startswith('"') else None
            except ValueError:
                continue
            if isinstance(value, str):
                found[name] = value
        return found

    def bound(self, types: Mapping[str, str]) -> BoundTypes | list[TypeFault]:
        """What the type parameters stand for, by the texts of `types`; or what keeps that from being known."""
        return self._at(types)[1]

    def arguments(self, types: Mapping[str, str]) -> Arguments:
        """The arguments at these types; where one of them is not known, with any JSON for its values."""
        return self._at(types)[2]

    def names_in_view(self) -> list[str]:
        """The names of types that a type may be written with, without those that are built in, ascending."""
        found = {template.name for template in self._in_view().values() if not template.generic}
        return sorted(found)

    def _at(self, types: Mapping[str, str]) -> tuple[Mapping[str, str], BoundTypes | list[TypeFault], Arguments]:
        if self._known is None or self._known[0] != types:
            self._known = (dict(types), *self._worked_out(types))
        return self._known

    def _worked_out(self, types: Mapping[str, str]) -> tuple[BoundTypes | list[TypeFault], Arguments]:
        spec = self.spec
        if not spec.generic:
            return BoundTypes((), {}), self._arguments(spec.params, spec.declarations, 0)
        bound = self._read(types)
        if isinstance(bound, BoundTypes):
            made = call_view(spec, bound.terms, bound.declarations)
            if not isinstance(made, DescriptionProblem):
                return bound, self._arguments(made[0].params, made[0].declarations, 0)
            bound = [TypeFault(_name_in(made, spec.generic), made.sentence)]
        return bound, self._arguments(spec.params, spec.declarations, len(spec.generic))

    def _arguments(self, params: Sequence[Parameter], declarations: Declarations, generic: int) -> Arguments:
        documented = [Parameter(param.name, param.type, self._docs.get(param.name)) for param in params]
        return Arguments(self.name, documented, declarations, self.limits, generic)

    def _read(self, types: Mapping[str, str]) -> BoundTypes | list[TypeFault]:
        declarations = self._in_view()
        terms: list[Term] = []
        faults: list[TypeFault] = []
        for name in self.spec.generic:
            text = types.get(name, "")
            if not text.strip():
                example = "such as `Int` or `List<Text>`"
                faults.append(TypeFault(name, f"Write the type that `{shown(name)}` stands for, {example}."))
                continue
            if len(text) > LONGEST_TYPE:
                faults.append(
                    TypeFault(name, f"The type of `{shown(name)}` has more than {LONGEST_TYPE:,} characters.")
                )
                continue
            found = read_type_text(text, declarations)
            if isinstance(found, TypeProblem):
                faults.append(TypeFault(name, found.sentence, found.span))
            else:
                terms.append(found.term)
                declarations = found.declarations
        return faults or BoundTypes(tuple(terms), declarations)

    # -- texts --------------------------------------------------------------------------------------------------

    def fresh(self) -> str:
        """The document as it begins: a template for each parameter; types are left to be named."""
        return self._document({}, {})

    def carried(self, text: str) -> str | None:
        """The document as it begins, with those arguments of an earlier one that are still values of their parameters'
        types, and the types; None where `text` cannot be read."""
        try:
            value = read_json(text, self.limits, 1)
        except JsonRefused:
            return None
        types = self.types_in(text) if self.is_generic else {}
        args = value.get(ARGS) if self.is_generic and isinstance(value, dict) else value
        kept: dict[str, str] = {}
        above = f"/{ARGS}" if self.is_generic else ""
        right = []
        for name, codec in self.arguments(types).codecs.items():
            if isinstance(args, dict) and name in args:
                try:
                    codec.decode(args[name])
                except ValueRefused:
                    continue
                right.append(name)
        places = places_of(text, [above + pointer_token(name) for name in right])
        for name, found in zip(right, places, strict=True):
            kept[name] = _outdented(text[found.value.start : found.value.end], "    " if self.is_generic else "  ")
        return self._document(types, kept)

    def _document(self, types: Mapping[str, str], kept: Mapping[str, str]) -> str:
        """`kept` holds the texts of arguments by name."""
        arguments = self.arguments(types)
        members = arguments.place.members
        fresh = {each.name: arguments.templates.text(each.place) or "null" for each in members if each.name not in kept}
        args = _object({each.name: kept.get(each.name) or laid_out(fresh[each.name]) for each in members})
        if not self.is_generic:
            return args + "\n"
        named = _object({name: canonical_text(types.get(name, "")) for name in self.spec.generic})
        return _object({TYPES: named, ARGS: args}) + "\n"


def _object(members: Mapping[str, str]) -> str:
    """An object of `members`, JSON texts by name, each on lines of its own."""
    if not members:
        return "{}"
    # No JSON text holds a line end inside a string, so that each of them is layout.
    lines = [f"  {canonical_text(name)}: {text.replace(chr(10), chr(10) + '  ')}" for name, text in members.items()]
    return "{\n" + ",\n".join(lines) + "\n}"


def _outdented(text: str, by: str) -> str:
    """`text`, a value that stood `by` from the margin, as at the margin."""
    first, *others = text.split("\n")
    return "\n".join([first, *(line.removeprefix(by) for line in others)])


def _names_parameter(term: Term) -> bool:
    """Whether a type parameter of the Tool stands in `term`."""
    ahead = [term]
    while ahead:
        current = ahead.pop()
        if isinstance(current, Param):
            return True
        ahead.extend(inner_terms(current))
    return False


def _name_in(problem: DescriptionProblem, generic: Sequence[str]) -> str:
    """The type parameter that a problem of a view is about; the first where it is about none."""
    tokens = problem.pointer.split("/")
    if tokens[1:3] == ["types", "bindings"] and len(tokens) > 3 and tokens[3].isdecimal():
        return generic[min(int(tokens[3]), len(generic) - 1)]
    return generic[0]
