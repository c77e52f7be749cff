"""What may stand inside a value of a type: by the keys and places that lead there (decisions 1)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from flow_lsp.codecs.nodes import Node, Nodes, Payload, Shape
from flow_lsp.findings.model import shown


@dataclass(frozen=True, slots=True)
class Member:
    """A named or numbered part. `optional` where it may be left out: an Option's item, in a field."""

    name: str
    place: Place
    optional: bool = False
    doc: str | None = None


@dataclass(frozen=True, slots=True)
class Parts:
    """Values that stand together in an object (`named`) or an array and make no value of a type of their own: the
    parts of a payload, a pair of a Dict, the arguments of a call. `name` and `word`, what a member is, are for
    sentences."""

    name: str
    members: tuple[Member, ...]
    named: bool = True
    word: str = "part"


Place: TypeAlias = Node | Parts
"""What may stand somewhere: a value of a type, or parts."""


def members(nodes: Nodes, place: Place) -> Sequence[Member]:
    """What an object that stands at `place` may have as its members, but the keys of a Dict; none where no object
    may stand there, or any."""
    if isinstance(place, Parts):
        return place.members if place.named else ()
    match place.shape:
        case Shape.RECORD:
            assert place.template is not None
            docs = [field.doc for field in place.template.fields]
            return [_field(name, node, doc) for (name, node), doc in zip(nodes.fields(place), docs, strict=True)]
        case Shape.OPTION:
            return [Member("Some", place.parts[0])]
        case Shape.ENUM:
            return [
                Member(payload.name, _payload(place, index, payload), False, _doc(place, index))
                for index, payload in enumerate(nodes.payloads(place))
                if payload.has_payload
            ]
        case _:
            return ()


def bare_constructors(nodes: Nodes, node: Node) -> Sequence[tuple[str, str | None]]:
    """The constructors of `node` that are written as a string alone, each with its doc comment."""
    if node.shape is Shape.OPTION:
        return [("None", None)]
    if node.shape is not Shape.ENUM:
        return ()
    found = enumerate(nodes.payloads(node))
    return [(payload.name, _doc(node, index)) for index, payload in found if not payload.has_payload]


def inside(nodes: Nodes, place: Place, step: str | int) -> Member | None:
    """What may stand at `step`, a key of an object or a place of an array, of what stands at `place`."""
    if isinstance(step, str):
        if isinstance(place, Node) and place.shape is Shape.JSON:
            return Member(step, place)
        if isinstance(place, Node) and place.shape is Shape.DICT:
            return Member(step, place.parts[1]) if place.parts[0].shape is Shape.TEXT else None
        return next((member for member in members(nodes, place) if member.name == step), None)
    if isinstance(place, Parts):
        return place.members[step] if not place.named and 0 <= step < len(place.members) else None
    match place.shape:
        case Shape.JSON:
            return Member(str(step), place)
        case Shape.LIST | Shape.SET:
            return Member(str(step), place.parts[0])
        case Shape.TUPLE if 0 <= step < len(place.parts):
            return Member(str(step), place.parts[step])
        case Shape.DICT if place.parts[0].shape is not Shape.TEXT:
            pair = Parts("a pair of the Dict", (Member("key", place.parts[0]), Member("value", place.parts[1])), False)
            return Member(str(step), pair)
        case _:
            return None


def inside_all(nodes: Nodes, place: Place, steps: Sequence[str | int]) -> Member | None:
    """What may stand at the end of `steps`; None where they lead nowhere, or nothing may stand there."""
    found: Member | None = Member("", place)
    for step in steps:
        if found is None:
            return None
        found = inside(nodes, found.place, step)
    return found


def _field(name: str, node: Node, doc: str | None) -> Member:
    """A field of a record or a named part: an Option's is left out, or its item stands there."""
    return Member(name, node.parts[0], True, doc) if node.shape is Shape.OPTION else Member(name, node, False, doc)


def _payload(node: Node, index: int, payload: Payload) -> Place:
    name = f"{shown(node.name)}.{shown(payload.name)}"
    if payload.names is None:
        if len(payload.parts) == 1:
            return payload.parts[0]
        return Parts(name, tuple([Member(str(place), part) for place, part in enumerate(payload.parts)]), False)
    assert node.template is not None
    named = node.template.constructors[index].named or ()
    docs = [part.doc for part in named]
    parts = zip(payload.names, payload.parts, docs, strict=True)
    return Parts(name, tuple([_field(each, part, doc) for each, part, doc in parts]))


def _doc(node: Node, index: int) -> str | None:
    assert node.template is not None
    return node.template.constructors[index].doc
