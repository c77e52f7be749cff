"""A type in words: as Flow writes it, what JSON is accepted for it, what it declares. Every text is bounded."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from flow_lsp.codecs.inside import Member, Parts, Place, members
from flow_lsp.codecs.nodes import Nodes, Payload, Shape
from flow_lsp.findings.model import shown

TYPE_LIMIT = 160  # characters of one type
MEMBERS_SHOWN = 40

_FORMS = {
    Shape.INT: "A number whose value is whole, such as `12`, `-3` or `1e3`.",
    Shape.DECIMAL: "A number, kept exactly, such as `1.5` or `-2e-3`.",
    Shape.BOOL: "`true` or `false`.",
    Shape.TEXT: "A string.",
    Shape.BYTES: 'A string of base64 with padding, such as `"aGVsbG8="`.',
    Shape.INSTANT: 'A string such as `"2024-01-31T12:30:00Z"`; any offset is accepted and read as UTC.',
    Shape.DURATION: 'A string of fixed units such as `"PT90S"`, `"P1DT2H30M"` or `"PT-5S"`.',
    Shape.UNIT: "`null`.",
    Shape.NEVER: "Nothing: the type has no values.",
    Shape.JSON: "Any JSON.",
    Shape.LIST: "An array.",
    Shape.SET: "An array of different items, strictly ascending in the order of their values.",
    Shape.OPTION: '`"None"`, or an object of the one property `Some`.',
    Shape.RECORD: "An object.",
    Shape.HOST: "A string, the host's own token.",
    Shape.UNCODED: "Nothing: the type has no encoding.",
}


def type_text(place: Place) -> str:
    """The type of `place` as Flow writes it, at most TYPE_LIMIT characters, cut with `…`."""
    parts: list[str] = []
    length = 0
    ahead: list[Place | str] = [place]
    while ahead:
        current = ahead.pop()
        if not isinstance(current, str):
            ahead.extend(reversed(_pieces(current)))
            continue
        parts.append(current)
        length += len(current)
        if length > TYPE_LIMIT:
            return "".join(parts)[: TYPE_LIMIT - 1] + "…"
    return "".join(parts)


def form_text(nodes: Nodes, place: Place) -> str:
    """What JSON is accepted at `place`, in a sentence; names of ours stand in backticks."""
    if isinstance(place, Parts):
        return f"An object with the parts of {place.name}." if place.named else _array_of(len(place.members))
    match place.shape:
        case Shape.TUPLE:
            return _array_of(len(place.parts))
        case Shape.DICT:
            if place.parts[0].shape is Shape.TEXT:
                return "An object, whose keys are the Dict's."
            return "An array of pairs `[key, value]`, the keys strictly ascending in the order of their values."
        case Shape.ENUM:
            loaded = {payload.has_payload for payload in nodes.payloads(place)}
            forms = ["a string, its name"] if False in loaded else []
            forms += ["an object of one property, its name with the payload"] if True in loaded else []
            return f"A constructor: {', or '.join(forms)}." if forms else "Nothing: the type has no values."
        case _:
            return _FORMS[place.shape]


def declaration_of(nodes: Nodes, place: Place) -> str:
    """The record or enum at `place` as Flow declares it, its type parameters replaced; empty for another type."""
    if isinstance(place, Parts) or place.shape not in (Shape.RECORD, Shape.ENUM):
        return ""
    kind = "record" if place.shape is Shape.RECORD else "enum"
    if place.shape is Shape.RECORD:
        found = [f"{shown(member.name)}: {_field_type(member)}" for member in members(nodes, place)[:MEMBERS_SHOWN]]
        count = len(nodes.fields(place))
    else:
        found = [_constructor(payload) for payload in nodes.payloads(place)[:MEMBERS_SHOWN]]
        count = len(nodes.payloads(place))
    if count > MEMBERS_SHOWN:
        found.append(f"// … and {count - MEMBERS_SHOWN} more")
    head = f"{kind} {type_text(place)}"
    return "\n".join([f"{head} {{", *(f"  {line}" for line in found), "}"]) if found else f"{head} {{}}"


def _field_type(member: Member) -> str:
    text = type_text(member.place)
    return f"Option<{text}>" if member.optional else text


def _constructor(payload: Payload) -> str:
    name = shown(payload.name)
    types = [type_text(part) for part in payload.parts[:MEMBERS_SHOWN]]
    if payload.names is not None:
        names = map(shown, payload.names[:MEMBERS_SHOWN])
        return f"{name} {{ {', '.join(f'{each}: {text}' for each, text in zip(names, types, strict=True))} }}"
    return f"{name}({', '.join(types)})" if payload.has_payload else name


def _pieces(place: Place) -> list[Place | str]:
    if isinstance(place, Parts):
        if place.named:
            return [place.name]
        return ["(", *_separated([member.place for member in place.members]), ")"]
    match place.shape:
        case Shape.TUPLE:
            return ["(", *_separated(place.parts), ")"]
        case Shape.UNCODED:
            return [place.name]
        case _:
            arguments = place.parts
    if not arguments:
        return [shown(place.name)]
    return [shown(place.name), "<", *_separated(arguments), ">"]


def _separated(places: Sequence[Place]) -> Iterator[Place | str]:
    for index, place in enumerate(places):
        if index:
            yield ", "
        yield place


def _array_of(count: int) -> str:
    return f"An array of exactly {count}."
