"""Type terms and templates: the data types of the host boundary, before any schema.

Realizes "Type descriptions" of the specification. A term is immutable and hashable; a template is one
declaration, unsubstituted. Local ids are plain strings; `tool` owns a Tool's own type parameters.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

TOOL_OWNER = "tool"


class Primitive(StrEnum):
    """The primitive terms, under their names in JSON."""

    INT = "Int"
    DECIMAL = "Decimal"
    BOOL = "Bool"
    TEXT = "Text"
    BYTES = "Bytes"
    DURATION = "Duration"
    INSTANT = "Instant"
    UNIT = "Unit"
    NEVER = "Never"
    JSON_VALUE = "json.Value"


@dataclass(frozen=True, slots=True)
class ListOf:
    item: Term


@dataclass(frozen=True, slots=True)
class SetOf:
    item: Term


@dataclass(frozen=True, slots=True)
class OptionOf:
    item: Term


@dataclass(frozen=True, slots=True)
class TaskOf:
    item: Term


@dataclass(frozen=True, slots=True)
class DictOf:
    key: Term
    value: Term


@dataclass(frozen=True, slots=True)
class TupleOf:
    """At least two parts."""

    items: tuple[Term, ...]


@dataclass(frozen=True, slots=True)
class FunctionOf:
    params: tuple[Term, ...]
    result: Term


@dataclass(frozen=True, slots=True)
class Named:
    """A template by its local id, with its arguments in declaration order."""

    declaration: str
    args: tuple[Term, ...] = ()


@dataclass(frozen=True, slots=True)
class Param:
    """A type parameter: the `index`-th of its owner, a local id or `tool`."""

    owner: str
    index: int


Term: TypeAlias = Primitive | ListOf | SetOf | OptionOf | TaskOf | DictOf | TupleOf | FunctionOf | Named | Param


class Kind(StrEnum):
    """What a template declares."""

    RECORD = "record"
    ENUM = "enum"
    HOST = "host"
    NONDATA = "nondata"


@dataclass(frozen=True, slots=True)
class Field:
    """A record's field, or a named part of a payload."""

    name: str
    type: Term
    doc: str | None = None


@dataclass(frozen=True, slots=True)
class Constructor:
    """An enum's constructor. Without payload both are None; else exactly one of them is set."""

    name: str
    doc: str | None = None
    positional: tuple[Term, ...] | None = None
    named: tuple[Field, ...] | None = None


@dataclass(frozen=True, slots=True)
class Template:
    """One declaration. `fields` belongs to a record, `constructors` to an enum."""

    name: str
    identity: str
    lexical_ordinal: int
    generic: tuple[str, ...]
    opaque: bool
    kind: Kind
    doc: str | None = None
    fields: tuple[Field, ...] = ()
    constructors: tuple[Constructor, ...] = ()


Declarations: TypeAlias = Mapping[str, Template]


@dataclass(frozen=True, slots=True)
class Parameter:
    """A Tool's parameter. `doc` is the listing's own and no part of a TypeSpec."""

    name: str
    type: Term
    doc: str | None = None


@dataclass(frozen=True)
class TypeSpec:
    """What a Tool takes and gives: its roots, and the declarations they reach."""

    generic: tuple[str, ...]
    params: tuple[Parameter, ...]
    ok: Term
    err: Term
    declarations: Declarations


@dataclass(frozen=True, slots=True)
class Binding:
    """What one call puts for a type parameter of its Tool."""

    name: str
    type: Term


@dataclass(frozen=True)
class CallView:
    """The types of one generic call: its concrete roots, and the caller's declarations that they and the bindings
    reach."""

    bindings: tuple[Binding, ...]
    params: tuple[Parameter, ...]
    ok: Term
    err: Term
    declarations: Declarations
