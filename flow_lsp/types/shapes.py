"""Terms, templates and type specs as JSON, both ways ("Type descriptions").

The shapes are exact: a missing, additional or wrong member is a problem, told with its JSON Pointer. What
only the whole graph shows (references, arity, reach, recursion) is not judged here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from typing import Any, NoReturn, TypeAlias, TypeVar

from flow_lsp.findings.model import shown
from flow_lsp.types.terms import (
    Binding,
    CallView,
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
    Parameter,
    Primitive,
    SetOf,
    TaskOf,
    Template,
    Term,
    TupleOf,
    TypeSpec,
)
from flow_lsp.values.strict_json import Json, JsonObject

TERM_NESTING = 128  # terms inside each other; the reader of source has the same bound

_ONE_ITEM: dict[str, Callable[[Term], Term]] = {
    "List": ListOf,
    "Set": SetOf,
    "Option": OptionOf,
    "Task": TaskOf,
}
_PRIMITIVES = {primitive.value: primitive for primitive in Primitive}
_KINDS = {kind.value: kind for kind in Kind}
_TEMPLATE_MEMBERS = ("name", "identity", "lexical_ordinal", "generic", "opaque", "kind", "doc")
_BODY_MEMBER = {Kind.RECORD: ("fields",), Kind.ENUM: ("constructors",), Kind.HOST: (), Kind.NONDATA: ()}

Read = TypeVar("Read")

# The way to a value: the way to what holds it, and the last step. It becomes a pointer only where something is wrong,
# so that a long local id is not copied for each of its members.
_Path: TypeAlias = "tuple[_Path, str | int] | None"


class ShapeRule(StrEnum):
    """Which rule a shape breaks: the classes of the conformance cases."""

    SHAPE = "shape"  # a member is missing, additional or of the wrong JSON type
    TERM = "term"  # an unknown primitive, compound, kind or payload
    ARITY = "arity"  # a Dict without exactly two parts, a Tuple of fewer than two
    INDEX = "index"  # a Param index that is negative or not whole


@dataclass(frozen=True, slots=True)
class ShapeProblem:
    """Why JSON is no term, template or spec: `pointer` is a JSON Pointer to the value that is wrong."""

    rule: ShapeRule
    pointer: str
    sentence: str


def term_to_json(term: Term) -> Json:
    """`term` as JSON."""
    if isinstance(term, Primitive):
        return term.value
    if isinstance(term, ListOf):
        return {"List": term_to_json(term.item)}
    if isinstance(term, SetOf):
        return {"Set": term_to_json(term.item)}
    if isinstance(term, OptionOf):
        return {"Option": term_to_json(term.item)}
    if isinstance(term, TaskOf):
        return {"Task": term_to_json(term.item)}
    if isinstance(term, DictOf):
        return {"Dict": [term_to_json(term.key), term_to_json(term.value)]}
    if isinstance(term, TupleOf):
        return {"Tuple": [term_to_json(item) for item in term.items]}
    if isinstance(term, FunctionOf):
        params: list[Json] = [term_to_json(param) for param in term.params]
        return {"Function": {"params": params, "result": term_to_json(term.result)}}
    if isinstance(term, Named):
        args: list[Json] = [term_to_json(arg) for arg in term.args]
        return {"Named": {"declaration": term.declaration, "args": args}}
    return {"Param": {"owner": term.owner, "index": term.index}}


def template_to_json(template: Template) -> JsonObject:
    """`template` as JSON, its members in the order of the specification."""
    written: JsonObject = {
        "name": template.name,
        "identity": template.identity,
        "lexical_ordinal": template.lexical_ordinal,
        "generic": list(template.generic),
        "opaque": template.opaque,
        "kind": template.kind.value,
        "doc": template.doc,
    }
    if template.kind is Kind.RECORD:
        written["fields"] = [_field_to_json(field) for field in template.fields]
    elif template.kind is Kind.ENUM:
        written["constructors"] = [_constructor_to_json(constructor) for constructor in template.constructors]
    return written


def spec_to_json(spec: TypeSpec) -> JsonObject:
    """`spec` as JSON. The docs of parameters are no part of it."""
    return {
        "generic": list(spec.generic),
        "params": _named_types_to_json(spec.params),
        "ok": term_to_json(spec.ok),
        "err": term_to_json(spec.err),
        "declarations": declarations_to_json(spec.declarations),
    }


def call_view_to_json(view: CallView) -> JsonObject:
    """`view` as JSON, as the member `types` of a call holds it."""
    return {
        "bindings": _named_types_to_json(view.bindings),
        "params": _named_types_to_json(view.params),
        "ok": term_to_json(view.ok),
        "err": term_to_json(view.err),
        "declarations": declarations_to_json(view.declarations),
    }


def declarations_to_json(declarations: Declarations) -> JsonObject:
    """A declarations map as JSON."""
    return {local_id: template_to_json(template) for local_id, template in declarations.items()}


def term_from_json(value: Json) -> Term | ShapeProblem:
    """The term that `value` writes, nested at most TERM_NESTING deep."""
    return _read(_term, value)


def template_from_json(value: Json) -> Template | ShapeProblem:
    """The template that `value` writes."""
    return _read(_template, value)


def spec_from_json(value: Json) -> TypeSpec | ShapeProblem:
    """The TypeSpec that `value` writes; its shape alone is judged."""
    return _read(_spec, value)


def call_view_from_json(value: Json) -> CallView | ShapeProblem:
    """The view of a generic call that `value` writes; its shape alone is judged."""
    return _read(_call_view, value)


def declarations_from_json(value: Json) -> Declarations | ShapeProblem:
    """The declarations map that `value` writes; its shape alone is judged."""
    return _read(_declarations, value)


def pointer_token(name: str) -> str:
    """`name` as one step of a JSON Pointer, its `/` included."""
    return "/" + name.replace("~", "~0").replace("/", "~1")


def _named_types_to_json(several: Sequence[Parameter | Binding]) -> list[JsonObject]:
    return [{"name": one.name, "type": term_to_json(one.type)} for one in several]


def _field_to_json(field: Field) -> JsonObject:
    return {"name": field.name, "type": term_to_json(field.type), "doc": field.doc}


def _constructor_to_json(constructor: Constructor) -> JsonObject:
    payload: JsonObject | None = None
    if constructor.positional is not None:
        payload = {"positional": [term_to_json(term) for term in constructor.positional]}
    elif constructor.named is not None:
        payload = {"named": [_field_to_json(field) for field in constructor.named]}
    return {"name": constructor.name, "doc": constructor.doc, "payload": payload}


class _Stop(Exception):  # noqa: N818 - how reading ends early; it never leaves this module
    def __init__(self, problem: ShapeProblem) -> None:
        super().__init__(problem.sentence)
        self.problem = problem


def _read(reader: Callable[[Json, _Path], Read], value: Json) -> Read | ShapeProblem:
    try:
        return reader(value, None)
    except _Stop as stop:
        return stop.problem


def _stop(at: _Path, sentence: str, rule: ShapeRule = ShapeRule.SHAPE) -> NoReturn:
    steps: list[str] = []
    while at is not None:
        at, step = at
        steps.append(pointer_token(str(step)))
    raise _Stop(ShapeProblem(rule, "".join(reversed(steps)), sentence))


def _spec(value: Json, at: _Path) -> TypeSpec:
    members = _object(value, at, ("generic", "params", "ok", "err", "declarations"), "a TypeSpec")
    return TypeSpec(
        _names(members["generic"], (at, "generic")),
        tuple(_each(members["params"], (at, "params"), _parameter)),
        _term(members["ok"], (at, "ok")),
        _term(members["err"], (at, "err")),
        _declarations(members["declarations"], (at, "declarations")),
    )


def _call_view(value: Json, at: _Path) -> CallView:
    members = _object(value, at, ("bindings", "params", "ok", "err", "declarations"), "a call's view of its types")
    return CallView(
        tuple(_each(members["bindings"], (at, "bindings"), _binding)),
        tuple(_each(members["params"], (at, "params"), _parameter)),
        _term(members["ok"], (at, "ok")),
        _term(members["err"], (at, "err")),
        _declarations(members["declarations"], (at, "declarations")),
    )


def _declarations(value: Json, at: _Path) -> Declarations:
    if not isinstance(value, dict):
        _stop(at, "The declarations are no object.")
    return {local_id: _template(template, (at, local_id)) for local_id, template in value.items()}


def _parameter(value: Json, at: _Path) -> Parameter:
    members = _object(value, at, ("name", "type"), "a parameter")
    return Parameter(_string(members, "name", at), _term(members["type"], (at, "type")))


def _binding(value: Json, at: _Path) -> Binding:
    members = _object(value, at, ("name", "type"), "a binding")
    return Binding(_string(members, "name", at), _term(members["type"], (at, "type")))


def _template(value: Json, at: _Path) -> Template:
    if not isinstance(value, dict):
        _stop(at, "A template is expected here, and this is no object.")
    kind = value.get("kind")
    if isinstance(kind, str) and kind not in _KINDS:
        _stop((at, "kind"), f"`{shown(kind)}` is no kind of declaration.", ShapeRule.TERM)
    body = _BODY_MEMBER[_KINDS[kind]] if isinstance(kind, str) else ()
    members = _object(value, at, _TEMPLATE_MEMBERS + body, "a template")
    ordinal = _whole(members["lexical_ordinal"])
    if ordinal is None or ordinal < 1:
        _stop((at, "lexical_ordinal"), "A lexical_ordinal is a positive whole number.")
    if not isinstance(members["opaque"], bool):
        _stop((at, "opaque"), "`opaque` is true or false.")
    return Template(
        name=_string(members, "name", at),
        identity=_string(members, "identity", at),
        lexical_ordinal=ordinal,
        generic=_names(members["generic"], (at, "generic")),
        opaque=members["opaque"],
        kind=_KINDS[_string(members, "kind", at)],
        doc=_doc(members, at),
        fields=tuple(_each(members.get("fields", []), (at, "fields"), _field)),
        constructors=tuple(_each(members.get("constructors", []), (at, "constructors"), _constructor)),
    )


def _field(value: Json, at: _Path) -> Field:
    members = _object(value, at, ("name", "type", "doc"), "a field")
    return Field(_string(members, "name", at), _term(members["type"], (at, "type")), _doc(members, at))


def _constructor(value: Json, at: _Path) -> Constructor:
    members = _object(value, at, ("name", "doc", "payload"), "a constructor")
    name, doc, payload = _string(members, "name", at), _doc(members, at), members["payload"]
    if payload is None:
        return Constructor(name, doc)
    where = (at, "payload")
    if not isinstance(payload, dict) or len(payload) != 1:
        _stop(where, "A payload is null or an object of one member, `positional` or `named`.")
    if "positional" in payload:
        return Constructor(name, doc, positional=tuple(_each(payload["positional"], (where, "positional"), _term)))
    if "named" in payload:
        return Constructor(name, doc, named=tuple(_each(payload["named"], (where, "named"), _field)))
    _stop(where, f"`{shown(next(iter(payload)))}` is no kind of payload.", ShapeRule.TERM)


def _term(value: Json, at: _Path, depth: int = 1) -> Term:
    if isinstance(value, str):
        primitive = _PRIMITIVES.get(value)
        if primitive is None:
            _stop(at, f"`{shown(value)}` is no primitive type.", ShapeRule.TERM)
        return primitive
    if not isinstance(value, dict) or len(value) != 1:
        _stop(at, "A term is a string or an object of one member.")
    if depth > TERM_NESTING:
        _stop(at, f"This type is nested more than {TERM_NESTING} deep.")
    ((tag, content),) = value.items()
    where = (at, tag)
    if tag in _ONE_ITEM:
        return _ONE_ITEM[tag](_term(content, where, depth + 1))
    if tag == "Dict":
        parts = _terms(content, where, depth)
        if len(parts) != 2:
            _stop(where, "A Dict has exactly two parts: its keys' type and its values'.", ShapeRule.ARITY)
        return DictOf(*parts)
    if tag == "Tuple":
        parts = _terms(content, where, depth)
        if len(parts) < 2:
            _stop(where, "A Tuple has at least two parts.", ShapeRule.ARITY)
        return TupleOf(parts)
    if tag == "Function":
        members = _object(content, where, ("params", "result"), "a Function")
        return FunctionOf(
            _terms(members["params"], (where, "params"), depth),
            _term(members["result"], (where, "result"), depth + 1),
        )
    if tag == "Named":
        members = _object(content, where, ("declaration", "args"), "a Named term")
        return Named(_string(members, "declaration", where), _terms(members["args"], (where, "args"), depth))
    if tag == "Param":
        members = _object(content, where, ("owner", "index"), "a Param")
        return Param(_string(members, "owner", where), _index(members["index"], (where, "index")))
    return _stop(at, f"`{shown(tag)}` is no kind of type.", ShapeRule.TERM)


def _terms(value: Json, at: _Path, depth: int) -> tuple[Term, ...]:
    return tuple(_each(value, at, lambda item, where: _term(item, where, depth + 1)))


def _index(value: Json, at: _Path) -> int:
    index = _whole(value)
    if index is None and (isinstance(value, bool) or not isinstance(value, int | Decimal)):
        _stop(at, "An index is a whole number.")
    if index is None or index < 0:
        _stop(at, "An index is a whole number of 0 or more.", ShapeRule.INDEX)
    return index


def _each(value: Json, at: _Path, reader: Callable[[Json, _Path], Read]) -> list[Read]:
    if not isinstance(value, list):
        _stop(at, "An array is expected here.")
    return [reader(item, (at, index)) for index, item in enumerate(value)]


def _names(value: Json, at: _Path) -> tuple[str, ...]:
    return tuple(_each(value, at, _name))


def _name(value: Json, at: _Path) -> str:
    if not isinstance(value, str):
        _stop(at, "A name is expected here, and this is no string.")
    return value


def _string(members: dict[str, Any], name: str, at: _Path) -> str:
    value = members[name]
    if not isinstance(value, str):
        _stop((at, name), f"`{name}` is a string.")
    return value


def _doc(members: dict[str, Any], at: _Path) -> str | None:
    doc = members["doc"]
    if doc is not None and not isinstance(doc, str):
        _stop((at, "doc"), "`doc` is a string or null.")
    return doc


def _object(value: Json, at: _Path, members: tuple[str, ...], what: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        _stop(at, f"{what[0].upper()}{what[1:]} is expected here, and this is no object.")
    for name in members:
        if name not in value:
            _stop(at, f"{what[0].upper()}{what[1:]} needs the member `{name}`.")
    if len(value) > len(members):
        extra = next(name for name in value if name not in members)
        _stop(at, f"{what[0].upper()}{what[1:]} has no member `{shown(extra)}`.")
    return value


def _whole(value: Json) -> int | None:
    """`value` as an int, by value and not by spelling; None where it is no whole number."""
    if isinstance(value, bool) or not isinstance(value, int | Decimal):
        return None
    whole = int(value)
    return whole if whole == value else None
