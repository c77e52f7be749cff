"""The projection of type terms to JSON Schema ("Schemas"; decisions 5 gives the exact shapes).

A Projector serves one declarations map. Types are interned: one object per type, however often and in how
many Tools it stands, so that its body is made once and two types are the same where their objects are. An
argument is never substituted into a term: a template's body is read with its arguments' types at hand, so
that deep or doubling instantiations cost no more than their names.

The schemas share parts with each other: whoever changes one copies it first.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import NoReturn

from flow_lsp.findings.model import shown
from flow_lsp.schema.keys import declaration_key, key_without_versions, reference
from flow_lsp.schema.stripping import stripped
from flow_lsp.types.inner import inner_terms
from flow_lsp.types.terms import (
    TOOL_OWNER,
    Constructor,
    Declarations,
    DictOf,
    Field,
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
from flow_lsp.values.canonical import canonical_text_of_schema
from flow_lsp.values.strict_json import JsonObject

TYPES_LIMIT = 10_000  # types that one root reaches
KEY_LIMIT = 4_096  # characters of one key, which doubling instantiations would let grow without end
SIZE_LIMIT = 16 * 1024 * 1024  # characters of one root's schema, about: more fits into no message
DEPTH_LIMIT = 440  # of a schema's JSON; the listing stands around it, and 512 levels may be read
_TERM_DEPTH_LIMIT = 256

_PRIMITIVE_SCHEMAS: dict[Primitive, JsonObject] = {
    Primitive.INT: {"type": "integer"},
    Primitive.DECIMAL: {"type": "number"},
    Primitive.BOOL: {"type": "boolean"},
    Primitive.TEXT: {"type": "string"},
    Primitive.BYTES: {"type": "string", "contentEncoding": "base64"},
    Primitive.DURATION: {"type": "string", "format": "duration"},
    Primitive.INSTANT: {"type": "string", "format": "date-time"},
    Primitive.UNIT: {"type": "null"},
    Primitive.NEVER: {"not": {}},
    Primitive.JSON_VALUE: {},
}


class ProjectionFault(StrEnum):
    """Why a term has no schema."""

    NO_ENCODING = "no-encoding"  # a value would hold a function, a task or nondata
    REFERENCE = "reference"  # a name or parameter that the declarations do not have
    SAME_KEY = "same-key"  # two types come out under one key
    TOO_LARGE = "too-large"  # past the bounds of this module


@dataclass(frozen=True, slots=True)
class ProjectionProblem:
    """Why a term has no schema; `sentence` is a sentence with a full stop."""

    fault: ProjectionFault
    sentence: str


class Shape:
    """One type as its uses see it. Compared by identity; made by a Projector alone.

    `key` is how a key's arguments write it, `schema` its schema at each use, None where it has no encoding
    (then `unencodable` says what has none). `types` are the named types that the schema refers to.
    """

    __slots__ = ("depth", "key", "option_item", "schema", "size", "types", "unencodable")
    depth: int
    size: int

    def __init__(
        self,
        key: str,
        schema: JsonObject | None,
        parts: Sequence[Shape] = (),
        levels: int = 1,
        unencodable: str = "",
    ) -> None:
        self.key = key
        self.schema = schema
        self.depth = levels + max([part.depth for part in parts], default=0)
        self.size = 16 + len(key) + sum([part.size for part in parts])
        self.types: tuple[NamedShape, ...] = parts[0].types if len(parts) == 1 else _types_of(parts)
        self.option_item: Shape | None = None
        self.unencodable = unencodable


class NamedShape(Shape):
    """A declared type with its arguments. Its body is made when it is first asked for."""

    __slots__ = ("_bare_member", "arguments", "body", "body_size", "body_types", "local_id", "template")

    def __init__(self, local_id: str, template: Template, key: str, arguments: tuple[Shape, ...]) -> None:
        super().__init__(key, {"$ref": reference(key)})
        self.types = (self,)
        self.local_id = local_id
        self.template = template
        self.arguments = arguments
        self.body: JsonObject | None = None
        self.body_types: tuple[NamedShape, ...] = ()
        self.body_size = 0
        self._bare_member: tuple[str, str] | None = None
        if template.kind is Kind.NONDATA:
            self.schema = None
            self.unencodable = f"`{shown(template.name)}`, which is no data,"

    @property
    def bare_member(self) -> tuple[str, str]:
        """Its key without versions, and the canonical text of its stripped body."""
        if self._bare_member is None:
            bare_key = key_without_versions(self.key)
            self._bare_member = (bare_key, canonical_text_of_schema(stripped(self.body)))
        return self._bare_member


@dataclass(frozen=True, eq=False)
class RootSchema:
    """A complete schema: `root` at the use, and the named types that it reaches, in the order met."""

    root: JsonObject
    types: tuple[NamedShape, ...]

    @property
    def schema(self) -> JsonObject:
        """It as JSON, with its own `$defs` where it names a type."""
        if not self.types:
            return self.root
        return {**self.root, "$defs": {type_.key: type_.body for type_ in self.types}}


class _Stop(Exception):  # noqa: N818 - how projection ends early; it never leaves this module
    def __init__(self, problem: ProjectionProblem) -> None:
        super().__init__(problem.sentence)
        self.problem = problem


class Projector:
    """Projects terms over `declarations`, which must not change. Everything it makes is kept and shared."""

    def __init__(self, declarations: Declarations) -> None:
        self.declarations = declarations
        self._shapes: dict[object, Shape] = {
            primitive: Shape(primitive.value, schema) for primitive, schema in _PRIMITIVE_SCHEMAS.items()
        }
        self._text = self._shapes[Primitive.TEXT]
        self._roots: dict[int, RootSchema | ProjectionProblem] = {}
        self._left = SIZE_LIMIT  # characters of keys that the root at hand may still come to

    def project(self, term: Term, generic: Sequence[str] = ()) -> RootSchema | ProjectionProblem:
        """The complete schema of `term`, whose Params of the owner `tool` are named by `generic`."""
        self._left = SIZE_LIMIT
        try:
            environment = tuple(self._parameter(name) for name in generic)
            shape = self._shape(term, TOOL_OWNER, environment)
            known = self._roots.get(id(shape))
            if known is None:
                known = self._roots[id(shape)] = self._root(shape)
        except _Stop as stop:
            return stop.problem
        return known

    def key(self, term: Term, generic: Sequence[str] = ()) -> str | ProjectionProblem:
        """How a key writes `term`: the key in `$defs` of a named type with its arguments."""
        self._left = SIZE_LIMIT
        try:
            return self._shape(term, TOOL_OWNER, tuple(self._parameter(name) for name in generic)).key
        except _Stop as stop:
            return stop.problem

    def _root(self, shape: Shape) -> RootSchema | ProjectionProblem:
        try:
            if shape.schema is None:
                _no_encoding(shape, "here")
            reached: dict[str, NamedShape] = {}
            ahead = list(reversed(shape.types))
            size = shape.size
            while ahead:
                type_ = ahead.pop()
                known = reached.get(type_.key)
                if known is type_:
                    continue
                if known is not None:
                    _stop(
                        ProjectionFault.SAME_KEY,
                        f"Two different types are both called `{shown(type_.key)}`. Rename one of them.",
                    )
                if type_.body is None:
                    self._make_body(type_)
                reached[type_.key] = type_
                size += type_.body_size
                if size > SIZE_LIMIT or len(reached) > TYPES_LIMIT:
                    _too_large()
                ahead.extend(reversed(type_.body_types))
        except _Stop as stop:
            return stop.problem
        assert shape.schema is not None
        return RootSchema(shape.schema, tuple(reached.values()))

    def _parameter(self, name: str) -> Shape:
        key = ("parameter", name)
        shape = self._shapes.get(key)
        if shape is None:
            shape = self._shapes[key] = Shape(name, {"$param": name})
        return shape

    def _shape(self, term: Term, owner: str, environment: tuple[Shape, ...], depth: int = 0) -> Shape:
        """The type that `term` is where `environment` holds the arguments of `owner`."""
        kind = type(term)
        if kind is Primitive:
            return self._shapes[term]
        if isinstance(term, Param):
            if term.owner != owner or not 0 <= term.index < len(environment):
                _stop(
                    ProjectionFault.REFERENCE,
                    f"There is no type parameter {term.index} of `{shown(term.owner)}` here.",
                )
            return environment[term.index]
        if isinstance(term, Named) and not term.args:
            return self._named(term.declaration, ())
        if depth > _TERM_DEPTH_LIMIT:
            _stop(ProjectionFault.TOO_LARGE, f"A type is nested more than {_TERM_DEPTH_LIMIT} deep.")
        parts = tuple([self._shape(part, owner, environment, depth + 1) for part in inner_terms(term)])
        if isinstance(term, Named):
            return self._named(term.declaration, parts)
        key = (kind, *parts)
        shape = self._shapes.get(key)
        if shape is None:
            shape = self._shapes[key] = self._compound(term, parts)
            if shape.depth > DEPTH_LIMIT:
                _stop(ProjectionFault.TOO_LARGE, f"A schema is nested more than {DEPTH_LIMIT} deep.")
        return shape

    def _named(self, declaration: str, arguments: tuple[Shape, ...]) -> Shape:
        interned = ("named", declaration, *arguments)
        shape = self._shapes.get(interned)
        if shape is None:
            template = self.declarations.get(declaration)
            if template is None:
                _stop(ProjectionFault.REFERENCE, f"There is no declaration `{shown(declaration)}`.")
            if len(arguments) != len(template.generic):
                _stop(
                    ProjectionFault.REFERENCE,
                    f"`{shown(template.name)}` has {len(template.generic)} type parameters, and "
                    f"{len(arguments)} arguments are given.",
                )
            if sum([len(argument.key) + 1 for argument in arguments]) > KEY_LIMIT:
                _stop(
                    ProjectionFault.TOO_LARGE,
                    f"The arguments of `{shown(template.name)}` take more than {KEY_LIMIT} characters.",
                )
            self._left -= len(template.identity)
            if self._left < 0:
                _too_large()
            key = declaration_key(template.identity, template.lexical_ordinal, [argument.key for argument in arguments])
            shape = self._shapes[interned] = NamedShape(declaration, template, key, arguments)
        return shape

    def _compound(self, term: Term, parts: tuple[Shape, ...]) -> Shape:
        keys = [part.key for part in parts]
        if sum(map(len, keys)) > KEY_LIMIT:
            _stop(ProjectionFault.TOO_LARGE, f"A type takes more than {KEY_LIMIT} characters to name.")
        if isinstance(term, FunctionOf):
            *params, result = keys
            return Shape(f"fn({','.join(params)})->{result}", None, unencodable="a function")
        if isinstance(term, TaskOf):
            return Shape(f"Task<{keys[0]}>", None, unencodable="a Task")
        key = f"({','.join(keys)})" if isinstance(term, TupleOf) else f"{_NAMES[type(term)]}<{','.join(keys)}>"
        schemas: list[JsonObject] = []
        for part in parts:
            if part.schema is None:
                return Shape(key, None, unencodable=part.unencodable)
            schemas.append(part.schema)
        if isinstance(term, ListOf):
            return Shape(key, {"type": "array", "items": schemas[0]}, parts)
        if isinstance(term, SetOf):
            return Shape(key, {"type": "array", "items": schemas[0], "uniqueItems": True}, parts)
        if isinstance(term, TupleOf):
            return Shape(key, _tuple_schema(schemas), parts, 2)
        if isinstance(term, DictOf):
            if parts[0] is self._text:
                return Shape(key, {"type": "object", "additionalProperties": schemas[1]}, parts)
            return Shape(key, {"type": "array", "items": _tuple_schema(schemas)}, parts, 3)
        option = Shape(key, {"oneOf": [{"const": "None"}, _single("Some", schemas[0])]}, parts, 4)
        option.option_item = parts[0]
        return option

    def _make_body(self, type_: NamedShape) -> None:
        template = type_.template
        used: list[Shape] = []
        body: JsonObject
        if template.kind is Kind.RECORD:
            body = self._record(type_, template.fields, f"`{shown(template.name)}`", used)
        elif template.kind is Kind.ENUM:
            branches = [self._branch(type_, constructor, used) for constructor in template.constructors]
            body = {"oneOf": branches} if branches else {"not": {}}
        else:
            body = {"type": "string"}
        if template.doc:
            body["description"] = template.doc
        type_.body, type_.body_types = body, _types_of(used)
        type_.body_size = 32 + len(type_.key) + _text_size(template) + sum([shape.size for shape in used])

    def _record(self, type_: NamedShape, fields: Sequence[Field], owner: str, used: list[Shape]) -> JsonObject:
        properties: JsonObject = {}
        required: list[str] = []
        for field in fields:
            shape = self._shape(field.type, type_.local_id, type_.arguments)
            if shape.option_item is None:
                required.append(field.name)
            else:
                shape = shape.option_item
            if shape.schema is None:
                _no_encoding(shape, f"in the field `{shown(field.name)}` of {owner}")
            used.append(shape)
            properties[field.name] = {**shape.schema, "description": field.doc} if field.doc else shape.schema
        return {"type": "object", "properties": properties, "required": required}

    def _branch(self, type_: NamedShape, constructor: Constructor, used: list[Shape]) -> JsonObject:
        name = constructor.name
        owner = f"the constructor `{shown(name)}` of `{shown(type_.template.name)}`"
        branch: JsonObject
        if constructor.named is not None:
            branch = _single(name, self._record(type_, constructor.named, owner, used))
        elif constructor.positional is not None:
            schemas: list[JsonObject] = []
            for term in constructor.positional:
                shape = self._shape(term, type_.local_id, type_.arguments)
                if shape.schema is None:
                    _no_encoding(shape, f"in {owner}")
                used.append(shape)
                schemas.append(shape.schema)
            branch = _single(name, schemas[0] if len(schemas) == 1 else _tuple_schema(schemas))
        else:
            branch = {"const": name}
        if constructor.doc:
            branch["description"] = constructor.doc
        return branch


_NAMES: dict[type, str] = {ListOf: "List", SetOf: "Set", OptionOf: "Option", DictOf: "Dict"}


def _types_of(shapes: Sequence[Shape]) -> tuple[NamedShape, ...]:
    return tuple(dict.fromkeys([type_ for shape in shapes for type_ in shape.types]))


def _tuple_schema(schemas: list[JsonObject]) -> JsonObject:
    return {"type": "array", "prefixItems": schemas, "items": False, "minItems": len(schemas)}


def _single(name: str, schema: JsonObject) -> JsonObject:
    return {
        "type": "object",
        "properties": {name: schema},
        "required": [name],
        "additionalProperties": False,
    }


def _no_encoding(shape: Shape, where: str) -> NoReturn:
    _stop(ProjectionFault.NO_ENCODING, f"A value would hold {shape.unencodable} {where}, and that has no encoding.")


def _text_size(template: Template) -> int:
    """The characters of the names and docs in the body of `template`."""
    described: list[Template | Field | Constructor] = [template, *template.fields, *template.constructors]
    for constructor in template.constructors:
        described += constructor.named or ()
    return sum([len(one.name) + len(one.doc or "") for one in described])


def _too_large() -> NoReturn:
    bounds = f"more than {TYPES_LIMIT}, or than {SIZE_LIMIT} characters of schema"
    _stop(ProjectionFault.TOO_LARGE, f"The types that this reaches are too many or too large: {bounds}.")


def _stop(fault: ProjectionFault, sentence: str) -> NoReturn:
    raise _Stop(ProjectionProblem(fault, sentence))
