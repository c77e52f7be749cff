"""What the checks of a declarations map need to know of one template or Tool, drawn from its terms once.

Facts hold no spans and no doc comments, so those of a declaration that only moved, or was only described
anew, are equal.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass

from flow_lsp.types.terms import (
    DictOf,
    FunctionOf,
    Kind,
    ListOf,
    Named,
    OptionOf,
    Param,
    Primitive,
    SetOf,
    TaskOf,
    Template,
    Term,
    TupleOf,
)

# Parts of a value that some rule is about, as bits: they are joined for every member of every type.
FUNCTION = 1
TASK = 2
JSON = 4


@dataclass(frozen=True, slots=True)
class Parts:
    """What a value of a term is made of. `arguments` are the arguments of Named terms: the declaration,
    the argument's place, and its own parts, which count only where the declaration has a value of that
    parameter."""

    leaves: int = 0
    named: tuple[str, ...] = ()
    params: tuple[int, ...] = ()
    arguments: tuple[tuple[str, int, Parts], ...] = ()


NOTHING = Parts()


@dataclass(frozen=True, slots=True)
class Ordered:
    """A place that needs an order: a Set's item or a Dict's key."""

    place: str
    parts: Parts


@dataclass(frozen=True, slots=True)
class Argument:
    """One argument of a Named term, wherever it stands. `bare` is one that is a parameter itself;
    `params` are all parameters in it."""

    declaration: str
    index: int
    parts: Parts
    params: tuple[int, ...]
    bare: bool


@dataclass(frozen=True, slots=True)
class MemberFacts:
    """One field, payload part or parameter. `direct` is what a value of it always contains."""

    label: str
    parts: Parts
    direct: Parts = NOTHING
    ordered: tuple[Ordered, ...] = ()
    arguments: tuple[Argument, ...] = ()
    references: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Facts:
    """One template, or the roots of a Tool as members of one."""

    name: str
    members: tuple[MemberFacts, ...]
    kind: Kind | None = None
    opaque: bool = False

    @property
    def references(self) -> Iterable[str]:
        """The local ids that the members name, in order, with repetitions."""
        return (reference for member in self.members for reference in member.references)


def template_facts(template: Template) -> Facts:
    """The facts of `template`: one member for each field, or each part of each constructor."""
    is_record = template.kind is Kind.RECORD
    members = [member_facts(field.name, field.type, is_record) for field in template.fields]
    for constructor in template.constructors:
        members += [member_facts(f"{constructor.name}.{field.name}", field.type) for field in constructor.named or ()]
        members += [member_facts(constructor.name, term) for term in constructor.positional or ()]
    return Facts(template.name, tuple(members), template.kind, template.opaque)


def member_facts(label: str, term: Term, contained: bool = False) -> MemberFacts:
    """The facts of one member of type `term`; `contained` where a value of its owner always holds one."""
    if isinstance(term, Primitive):
        return MemberFacts(label, _JSON if term is Primitive.JSON_VALUE else NOTHING)
    ordered: list[Ordered] = []
    arguments: list[Argument] = []
    references: list[str] = []
    parts, _ = _collect(term, ordered, arguments, references)
    return MemberFacts(
        label,
        parts,
        _direct(term) if contained else NOTHING,
        tuple(ordered),
        tuple(arguments),
        tuple(references),
    )


_JSON = Parts(JSON)
_TASK = Parts(TASK)
_FUNCTION = Parts(FUNCTION)


def parts_of(term: Term) -> Parts:
    """What a value of `term` is made of. Recurs once for each level of the term."""
    match term:
        case Primitive():
            return _JSON if term is Primitive.JSON_VALUE else NOTHING
        case ListOf(item) | SetOf(item) | OptionOf(item):
            return parts_of(item)
        case Named(declaration, args):
            return _named(declaration, [parts_of(arg) for arg in args])
        case Param(_, index):
            return Parts(params=(index,))
        case DictOf(key, value):
            return _joined([parts_of(key), parts_of(value)])
        case TupleOf(items):
            return _joined([parts_of(item) for item in items])
        case TaskOf():
            return _TASK
        case FunctionOf():
            return _FUNCTION


def _direct(term: Term) -> Parts:
    """What a value of `term` always contains: nothing behind a List, Set, Dict or Option."""
    match term:
        case Named(declaration, args):
            return _named(declaration, [_direct(arg) for arg in args])
        case Param(_, index):
            return Parts(params=(index,))
        case TupleOf(items):
            return _joined([_direct(item) for item in items])
        case _:
            return NOTHING


def _named(declaration: str, args: list[Parts]) -> Parts:
    counting = tuple((declaration, index, parts) for index, parts in enumerate(args) if parts != NOTHING)
    return Parts(named=(declaration,), arguments=counting)


def _joined(several: list[Parts]) -> Parts:
    leaves = 0
    named: list[str] = []
    params: list[int] = []
    arguments: list[tuple[str, int, Parts]] = []
    for parts in several:
        leaves |= parts.leaves
        named += parts.named
        params += parts.params
        arguments += parts.arguments
    return Parts(leaves, tuple(named), tuple(params), tuple(arguments))


def _collect(
    term: Term, ordered: list[Ordered], arguments: list[Argument], references: list[str]
) -> tuple[Parts, Set[int]]:
    """Adds what stands anywhere in `term`, in its order; gives back its parts, as `parts_of` does, and the parameters
    in it. Parts are made once for each term, from those inside, however deep it is."""
    match term:
        case Primitive():
            return (_JSON if term is Primitive.JSON_VALUE else NOTHING), _NO_PARAMS
        case Param(_, index):
            return Parts(params=(index,)), {index}
        case Named(declaration, args):
            references.append(declaration)
            found = []
            for index, arg in enumerate(args):
                parts, params = _collect(arg, ordered, arguments, references)
                bare = isinstance(arg, Param)
                arguments.append(Argument(declaration, index, parts, tuple(sorted(params)), bare))
                found.append((parts, params))
            return _named(declaration, [parts for parts, _ in found]), _union(found)
        case ListOf(item) | OptionOf(item):
            return _collect(item, ordered, arguments, references)
        case SetOf(item):
            at = len(ordered)
            found_item = _collect(item, ordered, arguments, references)
            ordered.insert(at, Ordered("a Set's item", found_item[0]))
            return found_item
        case TaskOf(item):
            return _TASK, _collect(item, ordered, arguments, references)[1]
        case DictOf(key, value):
            at = len(ordered)
            found = [_collect(part, ordered, arguments, references) for part in (key, value)]
            ordered.insert(at, Ordered("a Dict's key", found[0][0]))
        case TupleOf(items):
            found = [_collect(item, ordered, arguments, references) for item in items]
        case FunctionOf(given, result):
            return _FUNCTION, _union([_collect(part, ordered, arguments, references) for part in (*given, result)])
    return _joined([parts for parts, _ in found]), _union(found)


_NO_PARAMS: Set[int] = frozenset()


def _union(found: Sequence[tuple[Parts, Set[int]]]) -> Set[int]:
    """All parameters in several terms."""
    several = [params for _, params in found if params]
    if len(several) < 2:
        return several[0] if several else _NO_PARAMS
    return set().union(*several)
