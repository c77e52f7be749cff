"""Flow types as Python's, as they stand in annotations.

| Flow | Python |
|---|---|
| Int, Decimal, Bool, Text, Bytes | int, Decimal, bool, str, bytes |
| Duration, Instant | the toolkit's |
| Unit, Never, json.Value | None, Never, JsonValue |
| List<T>, (A, B) | tuple[T, ...], tuple[A, B] |
| Set<T>, Dict<K, V> | AbstractSet[T], Mapping[K, V], of collections.abc |
| Option<T> | T or None; Some[T] or None exactly where the codecs wrap it |
| record, enum | its class; the union of its constructors' |
| host type | a NewType over str |
| a Tool's type parameter | Carrier[T] |
| Function, Task, nondata | Callable, Awaitable, an empty class: no value of them crosses |
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from flow_lsp.generating.naming import ModuleNames
from flow_lsp.types.terms import (
    Declarations,
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

_PRIMITIVES: Final = {
    Primitive.INT: "int",
    Primitive.DECIMAL: "Decimal",
    Primitive.BOOL: "bool",
    Primitive.TEXT: "str",
    Primitive.BYTES: "bytes",
    Primitive.DURATION: "Duration",
    Primitive.INSTANT: "Instant",
    Primitive.UNIT: "None",
    Primitive.NEVER: "Never",
    Primitive.JSON_VALUE: "JsonValue",
}
# Python reads no more than 200 brackets inside each other, checkers of types not even those, and people fewer still.
_DEEPEST: Final = 40


class Annotations:
    """Writes the types of one module. `used` are the names that what was written so far has in it."""

    def __init__(self, types: Declarations, names: ModuleNames) -> None:
        self._types = types
        self._names = names
        self._plain: dict[str, str] = {}  # declarations that are written without arguments
        self.used: set[str] = set()

    def of_member(self, term: Term, variables: Sequence[str]) -> str:
        """The type of a member of a declaration whose type variables are `variables`."""
        if term.__class__ is Primitive:
            return self._name(_PRIMITIVES[term])
        return self._text(term, variables, 0)

    def of_tool(self, term: Term, generic: Sequence[str]) -> str:
        """The type of a parameter or result of a Tool with the type parameters `generic`."""
        return self._text(term, [f"Carrier[{self._names.variables[name]}]" for name in generic], 0)

    def variables(self, generic: Sequence[str]) -> list[str]:
        """The type variables of these type parameters."""
        return [self._name(self._names.variables[name]) for name in generic]

    def keeps_arguments(self, template: Template) -> bool:
        """Whether the type is generic in Python too."""
        return bool(template.generic) and (template.kind is Kind.RECORD or bool(template.constructors))

    def _text(self, term: Term, parameters: Sequence[str], depth: int) -> str:
        if depth > _DEEPEST:
            return self._name("Any")
        if term.__class__ is Primitive:
            return self._name(_PRIMITIVES[term])
        deeper = depth + 1
        match term:
            case Named(declaration, args):
                return self._named(declaration, args, parameters, deeper)
            case ListOf(item):
                return f"{self._name('tuple')}[{self._text(item, parameters, deeper)}, ...]"
            case OptionOf(item):
                if item is Primitive.NEVER:
                    return "None"
                inner = self._text(item, parameters, deeper)
                if isinstance(item, Param | OptionOf) or item in (Primitive.UNIT, Primitive.JSON_VALUE):
                    inner = f"{self._name('Some')}[{inner}]"  # as codecs.nodes has it
                return f"{inner} | None"
            case Param(_, index):
                self.used.update(parameters[index].rstrip("]").split("["))
                return parameters[index]
            case DictOf(key, value):
                return self._applied("Mapping", (key, value), parameters, deeper)
            case SetOf(item):
                return self._applied("AbstractSet", (item,), parameters, deeper)
            case TupleOf(items):
                return self._applied("tuple", items, parameters, deeper)
            case TaskOf(item):
                return self._applied("Awaitable", (item,), parameters, deeper)
            case FunctionOf(params, result):
                taken = ", ".join([self._text(param, parameters, deeper) for param in params])
                return f"{self._name('Callable')}[[{taken}], {self._text(result, parameters, deeper)}]"
            case _:
                raise AssertionError(term)

    def _named(self, declaration: str, args: Sequence[Term], parameters: Sequence[str], depth: int) -> str:
        name = self._name(self._names.types[declaration])
        if not args or not self.keeps_arguments(self._types[declaration]):
            return name
        return self._applied(name, args, parameters, depth)

    def _applied(self, head: str, args: Sequence[Term], parameters: Sequence[str], depth: int) -> str:
        return f"{self._name(head)}[{', '.join([self._text(arg, parameters, depth) for arg in args])}]"

    def _name(self, name: str) -> str:
        self.used.add(name)
        return name
