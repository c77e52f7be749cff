"""An example value of a type, as JSON text: what a person begins with who writes a value by hand.

Required fields alone, the first constructor, `"None"`, empty lists; of a type that holds itself, the first constructor
that comes to an end. What has no value, or only values too large to write, has no template.
"""

from __future__ import annotations

import heapq
from collections.abc import Mapping, Sequence
from typing import Final

from flow_lsp.codecs.inside import Parts, Place
from flow_lsp.codecs.nodes import Node, Nodes, Shape
from flow_lsp.types.components import components
from flow_lsp.values.canonical import canonical_text

MOST_PARTS: Final = 5_000  # objects, arrays and scalars of one template
DEEPEST: Final = 400  # levels of JSON, so that it may stand in a value around it

_SCALARS: Final[Mapping[Shape, str]] = {
    Shape.INT: "0",
    Shape.DECIMAL: "0",
    Shape.BOOL: "false",
    Shape.TEXT: '""',
    Shape.BYTES: '""',
    Shape.DURATION: '"PT0S"',
    Shape.INSTANT: '"2000-01-01T00:00:00Z"',
    Shape.UNIT: "null",
    Shape.JSON: "null",
    Shape.HOST: '""',
    Shape.LIST: "[]",
    Shape.SET: "[]",
    Shape.OPTION: '"None"',
}

_Choice = tuple[Node, ...]
"""The types of what one way of writing a value needs: a constructor's parts, or a record's required fields."""


class Templates:
    """Templates of types over the declarations of `nodes`. What is found out of a type is kept."""

    def __init__(self, nodes: Nodes) -> None:
        self._nodes = nodes
        self._choices: dict[Node, list[_Choice]] = {}
        self._least: dict[Node, tuple[int, int]] = {}  # the parts of the smallest value, and the choice it takes
        self._first: dict[Node, int] = {}  # the choice of the first constructor that comes to an end
        self._texts: dict[Node, str | None] = {}

    def text(self, place: Place) -> str | None:
        """The template of what may stand at `place`, members in declaration order, without white space; None where
        there is none. Linear in the types that it needs."""
        if isinstance(place, Parts):
            return self._of_parts(place)
        if place not in self._texts:
            self._texts[place] = self._of(place)
        return self._texts[place]

    def _of_parts(self, parts: Parts) -> str | None:
        written: list[str] = []
        for member in parts.members:
            if member.optional:
                continue
            text = self.text(member.place)
            if text is None:
                return None
            written.append(f"{canonical_text(member.name)}:{text}" if parts.named else text)
        inner = ",".join(written)
        return f"{{{inner}}}" if parts.named else f"[{inner}]"

    def _of(self, root: Node) -> str | None:
        self._find_out(root)
        if root not in self._least:
            return None
        for choice in (self._first, {node: found[1] for node, found in self._least.items()}):
            if self._fits(root, choice):
                return self._written(root, choice)
        return None

    # -- which choice comes to an end ---------------------------------------------------------------------------

    def _find_out(self, root: Node) -> None:
        """Fills in what is not known yet of `root` and of what it needs."""
        fresh = [root] if root not in self._choices else []
        for node in fresh:
            choices = self._choices[node] = self._choices_of(node)
            for choice in choices:
                for part in choice:
                    if part not in self._choices:
                        self._choices[part] = []
                        fresh.append(part)
        if fresh:
            self._find_least(fresh)
            self._find_first(fresh)

    def _find_least(self, fresh: Sequence[Node]) -> None:
        """The smallest value of each type, the smallest first (Knuth's generalization of Dijkstra's algorithm): what
        is never come to has no value."""
        waiting: dict[Node, list[list[int]]] = {}
        ahead: list[tuple[int, int, int]] = []
        nodes = {node.number: node for node in fresh}
        for node in fresh:
            for index, choice in enumerate(self._choices[node]):
                missing = [part for part in choice if part not in self._least]
                size = 1 + sum(self._least[part][0] for part in choice if part in self._least)
                entry = [len(missing), size, node.number, index]
                for part in missing:
                    waiting.setdefault(part, []).append(entry)
                if not missing:
                    heapq.heappush(ahead, (size, node.number, index))
        while ahead:
            size, number, index = heapq.heappop(ahead)
            node = nodes[number]
            if node in self._least:
                continue
            self._least[node] = min(size, MOST_PARTS + 1), index
            for entry in waiting.get(node, ()):
                entry[0] -= 1
                entry[1] = min(entry[1] + size, MOST_PARTS + 1)
                if not entry[0]:
                    heapq.heappush(ahead, (entry[1], entry[2], entry[3]))

    def _find_first(self, fresh: Sequence[Node]) -> None:
        """For each type the first choice that has a value and does not lead back to it; where all do, the smallest."""

        def needed(node: Node) -> list[Node]:
            return [part for choice in self._choices[node] for part in choice]

        cycles = {node: number for number, cycle in enumerate(components(fresh, needed)) for node in cycle}
        for node in fresh:
            if node not in self._least:
                continue
            own = cycles.get(node, -1)
            self._first[node] = next(
                (
                    index
                    for index, choice in enumerate(self._choices[node])
                    if all(part in self._least and (own < 0 or cycles.get(part, -1) != own) for part in choice)
                ),
                self._least[node][1],
            )

    def _choices_of(self, node: Node) -> list[_Choice]:
        match node.shape:
            case Shape.NEVER | Shape.UNCODED:
                return []
            case Shape.TUPLE:
                return [node.parts]
            case Shape.RECORD:
                return [tuple([field for _, field in self._nodes.fields(node) if field.shape is not Shape.OPTION])]
            case Shape.ENUM:
                return [
                    tuple([part for part in payload.parts if payload.names is None or part.shape is not Shape.OPTION])
                    for payload in self._nodes.payloads(node)
                ]
            case _:
                return [()]

    # -- writing ------------------------------------------------------------------------------------------------

    def _fits(self, root: Node, chosen: Mapping[Node, int]) -> bool:
        """Whether the value that these choices make is small enough to be written."""
        known: dict[Node, tuple[int, int]] = {}  # how many parts, how many levels
        ahead = [root]
        while ahead:
            node = ahead[-1]
            parts = self._choices[node][chosen[node]]
            unknown = [part for part in parts if part not in known]
            if unknown and node not in known:
                ahead.extend(unknown)
                continue
            ahead.pop()
            size = 1 + sum(known[part][0] for part in parts)
            levels = 2 + max((known[part][1] for part in parts), default=0)
            if size > MOST_PARTS or levels > DEEPEST:
                return False
            known[node] = size, levels
        return True

    def _written(self, root: Node, chosen: Mapping[Node, int]) -> str:
        text: list[str] = []
        ahead: list[Node | str] = [root]
        while ahead:
            node = ahead.pop()
            if isinstance(node, str):
                text.append(node)
                continue
            pieces = self._pieces(node, chosen[node])
            ahead.extend(reversed(pieces))
        return "".join(text)

    def _pieces(self, node: Node, choice: int) -> list[Node | str]:
        """The value of `node` as text, with nodes where theirs stand."""
        scalar = _SCALARS.get(node.shape)
        if scalar is not None:
            return [scalar]
        match node.shape:
            case Shape.DICT:
                return ["{}" if node.parts[0].shape is Shape.TEXT else "[]"]
            case Shape.TUPLE:
                return _array(node.parts)
            case Shape.RECORD:
                return _object(self._nodes.fields(node))
            case _:
                payload = self._nodes.payloads(node)[choice]
        name = canonical_text(payload.name)
        if not payload.has_payload:
            return [name]
        inner: list[Node | str]
        if payload.names is not None:
            inner = _object(tuple(zip(payload.names, payload.parts, strict=True)))
        else:
            inner = list(payload.parts) if len(payload.parts) == 1 else _array(payload.parts)
        return [f"{{{name}:", *inner, "}"]


def _array(parts: Sequence[Node]) -> list[Node | str]:
    pieces: list[Node | str] = ["["]
    for place, part in enumerate(parts):
        pieces += [",", part] if place else [part]
    return [*pieces, "]"]


def _object(members: Sequence[tuple[str, Node]]) -> list[Node | str]:
    pieces: list[Node | str] = ["{"]
    for name, node in members:
        if node.shape is not Shape.OPTION:
            pieces += [f"{',' if len(pieces) > 1 else ''}{canonical_text(name)}:", node]
    return [*pieces, "}"]
