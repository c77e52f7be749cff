"""How many instances of generic types some roots reach: a bound for maps that multiply beyond any use.

Fixed and permuted arguments are allowed in recursion, so a short text can ask for a factorial number of
instances, or for a name as long as a memory. Terms are shared here, never written out.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from flow_lsp.types.inner import inner_terms
from flow_lsp.types.terms import (
    Declarations,
    DictOf,
    FunctionOf,
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

INSTANCE_LIMIT = 10_000
LENGTH_LIMIT = 4_000_000  # of all keys together, in code points
WORK_LIMIT = 1_000_000  # terms gone through for second and further instances of one declaration

Shared = int  # the number of a term whose parameters are replaced
_Key = tuple[object, ...]


def within_limits(
    roots: Iterable[Term],
    declarations: Declarations,
    instances: int = INSTANCE_LIMIT,
    length: int = LENGTH_LIMIT,
) -> bool:
    """Whether `roots` reach at most so many instances, whose keys are together at most so long, and whose members
    can be gone through in bounded time."""
    counting = _Counting(declarations, instances, length)
    return counting.count(roots)


class _Counting:
    def __init__(self, declarations: Declarations, instances: int, length: int) -> None:
        self._declarations = declarations
        self._instances = instances
        self._length = length
        self._numbers: dict[_Key, Shared] = {}
        self._lengths: list[int] = []
        self._found: dict[tuple[str, tuple[Shared, ...]], None] = {}
        self._work: list[tuple[str, tuple[Shared, ...]]] = []
        self._seen: set[str] = set()
        self._terms = 0  # gone through

    def count(self, roots: Iterable[Term]) -> bool:
        for root in roots:
            self._visit(root, ())
        total = 0
        while self._work:
            declaration, arguments = self._work.pop()
            total += len(declaration) + sum(self._lengths[argument] for argument in arguments)
            if len(self._found) > self._instances or total > self._length or self._terms > WORK_LIMIT:
                return False
            template = self._declarations.get(declaration)
            if template is not None:
                before = self._terms
                for term in member_terms(template):
                    self._visit(term, arguments)
                if declaration not in self._seen:
                    self._seen.add(declaration)
                    self._terms = before
        return True

    def _visit(self, term: Term, arguments: Sequence[Shared]) -> None:
        """Takes note of the instances in `term`; recurs once per level of the term."""
        self._terms += 1
        if isinstance(term, Named):
            self._instance(term, tuple([self._share(arg, arguments) for arg in term.args]))
        elif term.__class__ is not Primitive:
            for part in inner_terms(term):
                self._visit(part, arguments)

    def _instance(self, term: Named, arguments: tuple[Shared, ...]) -> None:
        instance = (term.declaration, arguments)
        if instance not in self._found:
            self._found[instance] = None
            self._work.append(instance)

    def _share(self, term: Term, arguments: Sequence[Shared]) -> Shared:
        """The number of `term` with `arguments` for its owner's parameters; recurs once per level of the
        term."""
        self._terms += 1
        match term:
            case Primitive():
                return self._number((term,), len(term))
            case Param(_, index):
                return arguments[index] if index < len(arguments) else self._number(("param", index), 1)
            case Named(declaration, args):
                shared = tuple(self._share(arg, arguments) for arg in args)
                self._instance(term, shared)
                return self._compound(declaration, shared)
            case ListOf(item) | SetOf(item) | OptionOf(item) | TaskOf(item):
                return self._compound(type(term), (self._share(item, arguments),))
            case DictOf(key, value):
                return self._compound(DictOf, (self._share(key, arguments), self._share(value, arguments)))
            case TupleOf(items):
                return self._compound(TupleOf, tuple(self._share(item, arguments) for item in items))
            case FunctionOf(params, result):
                given = tuple(self._share(param, arguments) for param in params)
                return self._compound(FunctionOf, (*given, self._share(result, arguments)))

    def _compound(self, head: object, parts: tuple[Shared, ...]) -> Shared:
        return self._number((head, *parts), 8 + sum(self._lengths[part] for part in parts))

    def _number(self, key: _Key, length: int) -> Shared:
        number = self._numbers.get(key)
        if number is None:
            number = self._numbers[key] = len(self._lengths)
            self._lengths.append(length)
        return number


def member_terms(template: Template) -> Iterable[Term]:
    """The types of all fields and payload parts, in declaration order."""
    for field in template.fields:
        yield field.type
    for constructor in template.constructors:
        yield from constructor.positional or ()
        for part in constructor.named or ():
            yield part.type
