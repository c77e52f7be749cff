"""A served signature read back: which Flow types its schemas stand for (the tables of decisions 5 reversed).

Tolerant: what is in no Flow form is kept as compact JSON, and nothing here raises. Some types encode alike
and so have one schema: an array of pairs is read as a Dict where its keys can have an order and as a List of
tuples elsewhere, and a constructor with one tuple as one with several parts.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

from flow_lsp.schema.keys import referenced_key
from flow_lsp.values.canonical import canonical_text
from flow_lsp.values.strict_json import Json

DEPTH_LIMIT = 100  # types inside each other; what stands deeper is kept as JSON

_PRIMITIVES: tuple[tuple[str, Json], ...] = (
    ("Int", {"type": "integer"}),
    ("Decimal", {"type": "number"}),
    ("Text", {"type": "string"}),
    ("Bool", {"type": "boolean"}),
    ("Bytes", {"type": "string", "contentEncoding": "base64"}),
    ("Instant", {"type": "string", "format": "date-time"}),
    ("Duration", {"type": "string", "format": "duration"}),
    ("Unit", {"type": "null"}),
    ("Never", {"not": {}}),
    ("json.Value", {}),
)


class FormKind(StrEnum):
    """What a Form is; the compounds go by their Flow names."""

    PRIMITIVE = "primitive"
    TYPE = "type"
    PARAMETER = "parameter"
    JSON = "json"
    LIST = "List"
    SET = "Set"
    OPTION = "Option"
    DICT = "Dict"
    TUPLE = "Tuple"


@dataclass(frozen=True, slots=True)
class Form:
    """A type as a schema shows it. `name` is a primitive's name, a named type's key, a parameter's name, or
    the canonical text of what is no Flow form; compounds have `items`."""

    kind: FormKind
    name: str = ""
    items: tuple[Form, ...] = ()


@dataclass(frozen=True, slots=True)
class FieldForm:
    """A field; one that is not required is an Option of `form` in Flow."""

    name: str
    form: Form
    required: bool
    doc: str | None = None

    @property
    def type(self) -> Form:
        """Its type in Flow."""
        return self.form if self.required else Form(FormKind.OPTION, items=(self.form,))


@dataclass(frozen=True, slots=True)
class RecordForm:
    """Fields in the order listed; `required` is the order of those that are, which counts."""

    fields: tuple[FieldForm, ...]
    required: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ConstructorForm:
    """A constructor, without payload where both are None."""

    name: str
    positional: tuple[Form, ...] | None = None
    named: RecordForm | None = None
    doc: str | None = None


@dataclass(frozen=True, slots=True)
class EnumForm:
    """Constructors in declaration order."""

    constructors: tuple[ConstructorForm, ...]


@dataclass(frozen=True, slots=True)
class HostForm:
    """A host type: its token is a string."""


@dataclass(frozen=True, slots=True)
class UnknownForm:
    """A body in no Flow form, as canonical text."""

    text: str


Body: TypeAlias = RecordForm | EnumForm | HostForm | UnknownForm


@dataclass(frozen=True)
class SignatureForm:
    """A signature, its `$defs` joined: the first entry under a key counts. `docs` are those of `bodies`."""

    generic: tuple[str, ...]
    params: tuple[tuple[str, Form], ...]
    ok: Form
    err: Form
    bodies: Mapping[str, Body]
    docs: Mapping[str, str]


def read_signature(signature: Mapping[str, Json]) -> SignatureForm:
    """`signature`, which has the members and member types of one, read back."""
    params, generic = signature["params"], signature["generic"]
    assert isinstance(params, list)
    assert isinstance(generic, list)
    bodies: dict[str, Body] = {}
    docs: dict[str, str] = {}
    roots = []
    for schema in (
        *(pair[1] for pair in params if isinstance(pair, list)),
        signature["ok"],
        signature["err"],
    ):
        defs = schema.get("$defs") if isinstance(schema, dict) else None
        for key, body in defs.items() if isinstance(defs, dict) else ():
            if key not in bodies:
                bodies[key] = read_body(body)
                doc = _doc(body)
                if doc:
                    docs[key] = doc
        roots.append(
            read_form({name: value for name, value in schema.items() if name != "$defs"})
            if isinstance(schema, dict) and isinstance(defs, dict)
            else read_form(schema)
        )
    *forms, ok, err = roots
    names = [str(pair[0]) for pair in params if isinstance(pair, list)]
    return SignatureForm(tuple(map(str, generic)), tuple(zip(names, forms, strict=True)), ok, err, bodies, docs)


def read_form(schema: Json, depth: int = 0) -> Form:
    """The type whose schema at a use `schema` is."""
    form = _form(schema, depth) if isinstance(schema, dict) and depth < DEPTH_LIMIT else None
    return form or Form(FormKind.JSON, canonical_text(schema))


def read_body(schema: Json) -> Body:
    """The declaration whose entry in `$defs` is `schema`."""
    if isinstance(schema, dict):
        bare = _bare(schema)
        if bare == {"type": "string"}:
            return HostForm()
        if bare == {"not": {}}:
            return EnumForm(())
        record = _record(bare)
        if record is not None:
            return record
        if bare.keys() == {"oneOf"} and isinstance(bare["oneOf"], list):
            constructors = [_constructor(branch) for branch in bare["oneOf"]]
            if constructors and all(constructors):
                return EnumForm(tuple(found for found in constructors if found is not None))
    return UnknownForm(canonical_text(schema))


_RUN = re.compile(r"[^<>,()]+")
_ARGUMENT = re.compile(r"(?<=[<,(>])[^<>,()]+")


def short_key(key: str) -> str:
    """`key` as a person reads it: without the files that its types are declared in. `Page<Hit>`."""
    if "." not in key:
        return key
    return _RUN.sub(
        lambda run: run.group() if run.group() == "json.Value" else run.group().rpartition(".")[2], key
    ).replace(",", ", ")


def key_base(key: str) -> str:
    """`key` without arguments: identity and ordinal."""
    return key.partition("<")[0]


def renamed_key(key: str, names: Mapping[str, str]) -> str:
    """`key` with type parameters among its arguments called as `names` says."""
    return _ARGUMENT.sub(lambda run: names.get(run.group(), run.group()), key) if "<" in key else key


def _bare(schema: dict[str, Json]) -> dict[str, Json]:
    if "description" not in schema:
        return schema
    return {name: value for name, value in schema.items() if name != "description"}


def _doc(schema: Json) -> str | None:
    doc = schema.get("description") if isinstance(schema, dict) else None
    return doc if isinstance(doc, str) else None


def _form(schema: dict[str, Json], depth: int) -> Form | None:
    bare = _bare(schema)
    for name, primitive in _PRIMITIVES:
        if bare == primitive:
            return Form(FormKind.PRIMITIVE, name)
    if bare.keys() == {"$ref"}:
        ref = bare["$ref"]
        key = referenced_key(ref) if isinstance(ref, str) else None
        return None if key is None else Form(FormKind.TYPE, key)
    if bare.keys() == {"$param"} and isinstance(bare["$param"], str):
        return Form(FormKind.PARAMETER, bare["$param"])
    if bare.get("type") == "array":
        return _array(bare, depth)
    if bare.keys() == {"type", "additionalProperties"} and bare["type"] == "object":
        value = bare["additionalProperties"]
        if isinstance(value, dict):
            return Form(FormKind.DICT, items=(Form(FormKind.PRIMITIVE, "Text"), read_form(value, depth + 1)))
    if bare.keys() == {"oneOf"}:
        return _option(bare["oneOf"], depth)
    return None


def _array(bare: dict[str, Json], depth: int) -> Form | None:
    parts = _tuple_parts(bare, depth)
    if parts is not None:
        return Form(FormKind.TUPLE, items=parts) if len(parts) > 1 else None
    if not isinstance(bare.get("items"), dict):
        return None
    if bare.keys() == {"type", "items"}:
        item = read_form(bare["items"], depth + 1)
        if item.kind is FormKind.TUPLE and len(item.items) == 2 and _may_be_key(item.items[0]):
            return Form(FormKind.DICT, items=item.items)
        return Form(FormKind.LIST, items=(item,))
    if bare.keys() == {"type", "items", "uniqueItems"} and bare["uniqueItems"] is True:
        return Form(FormKind.SET, items=(read_form(bare["items"], depth + 1),))
    return None


def _may_be_key(form: Form) -> bool:
    """Whether `form` can be the key of a Dict that is written as pairs."""
    if form.kind is FormKind.PRIMITIVE:
        return form.name not in ("Text", "json.Value")
    return form.kind is not FormKind.JSON


def _tuple_parts(bare: dict[str, Json], depth: int) -> tuple[Form, ...] | None:
    parts, least = bare.get("prefixItems"), bare.get("minItems")
    if (
        bare.keys() != {"type", "prefixItems", "items", "minItems"}
        or bare["type"] != "array"
        or bare["items"] is not False
        or not isinstance(parts, list)
        or isinstance(least, bool)
        or least != len(parts)
    ):
        return None
    return tuple(read_form(part, depth + 1) for part in parts)


def _option(branches: Json, depth: int) -> Form | None:
    if not isinstance(branches, list) or len(branches) != 2 or branches[0] != {"const": "None"}:
        return None
    some = _single(branches[1]) if isinstance(branches[1], dict) else None
    if some is None or some[0] != "Some" or "description" in branches[1]:  # type: ignore[operator]
        return None
    return Form(FormKind.OPTION, items=(read_form(some[1], depth + 1),))


def _single(branch: dict[str, Json]) -> tuple[str, Json] | None:
    """The name and payload of the object with a single property that `branch` describes."""
    bare = _bare(branch)
    if (
        bare.keys() != {"type", "properties", "required", "additionalProperties"}
        or bare["type"] != "object"
        or bare["additionalProperties"] is not False
    ):
        return None
    properties = bare["properties"]
    if not isinstance(properties, dict) or len(properties) != 1 or bare["required"] != list(properties):
        return None
    return next(iter(properties.items()))


def _record(bare: dict[str, Json]) -> RecordForm | None:
    if bare.keys() != {"type", "properties", "required"} or bare["type"] != "object":
        return None
    properties, required = bare["properties"], bare["required"]
    if not isinstance(properties, dict) or not isinstance(required, list):
        return None
    names = [name for name in required if isinstance(name, str) and name in properties]
    needed = set(names)
    if len(names) != len(required) or len(needed) != len(names):
        return None
    fields = tuple(
        FieldForm(name, read_form(schema), name in needed, _doc(schema)) for name, schema in properties.items()
    )
    return RecordForm(fields, tuple(names))


def _constructor(branch: Json) -> ConstructorForm | None:
    if not isinstance(branch, dict):
        return None
    doc, bare = _doc(branch), _bare(branch)
    if bare.keys() == {"const"}:
        return ConstructorForm(bare["const"], doc=doc) if isinstance(bare["const"], str) else None
    single = _single(bare)
    if single is None:
        return None
    name, payload = single
    if isinstance(payload, dict):
        record = _record(payload)
        if record is not None:
            return ConstructorForm(name, named=record, doc=doc)
        parts = _tuple_parts(payload, 0)
        if parts is not None:
            return ConstructorForm(name, positional=parts, doc=doc)
    return ConstructorForm(name, positional=(read_form(payload),), doc=doc)
