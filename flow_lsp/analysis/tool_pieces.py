"""Flow types in pieces: text, and names that lead to the declaration that they mean."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from flow_lsp.types.terms import (
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

MOST_PIECES = 2_000  # of one type
_ONE_ITEM = {ListOf: "List", SetOf: "Set", OptionOf: "Option", TaskOf: "Task"}


@dataclass(frozen=True, slots=True)
class Piece:
    """Some text of a line. `to` is the id of the section that it leads to."""

    text: str
    to: str | None = None


Line: TypeAlias = tuple[Piece, ...]


def joined_lines(lines: Iterable[Line]) -> tuple[Line, ...]:
    """The lines with neighbouring pieces that lead nowhere as one."""
    return tuple(map(_joined, lines))


def _joined(line: Line) -> Line:
    pieces: list[Piece] = []
    for piece in line:
        if piece.to is None and pieces and pieces[-1].to is None:
            pieces[-1] = Piece(pieces[-1].text + piece.text)
        else:
            pieces.append(piece)
    return tuple(pieces)


def line_text(line: Line) -> str:
    """A line without what its pieces lead to."""
    return "".join(piece.text for piece in line)


class TypeWriter:
    """Writes types over `declarations`, and notes which of these are mentioned, in order: the first `most` of them."""

    def __init__(self, declarations: Mapping[str, Template], most: int) -> None:
        self._declarations = declarations
        self._most = most
        self._known: dict[str, str] = {}  # section ids by local id
        self._built_in: dict[str, None] = {}
        self.mentioned: list[str] = []
        """The local ids, each once."""
        counts: dict[str, int] = {}
        for template in declarations.values():
            counts[template.name] = counts.get(template.name, 0) + 1
        self._several = {name for name, count in counts.items() if count > 1}

    def name(self, local_id: str) -> str:
        """What the type is called: where several have its name, by its identity."""
        template = self._declarations[local_id]
        return template.identity if template.name in self._several else template.name

    def section_id(self, local_id: str) -> str:
        """The id of the section of a type that was mentioned."""
        return self._known[local_id]

    def take_built_in(self) -> list[str]:
        """The names of the built-in types that were written since the last time."""
        found = list(self._built_in)
        self._built_in.clear()
        return found

    def term(self, term: Term, generic: Sequence[str]) -> list[Piece]:
        """`term` as Flow writes it, over the type parameters `generic`; cut with `…` where it is very long."""
        pieces: list[Piece] = []
        text: list[str] = []
        ahead: list[Term | str] = [term]
        count = 0
        while ahead:
            current = ahead.pop()
            count += 1
            if count > MOST_PIECES:
                text.append("…")
                break
            if isinstance(current, Primitive):
                self._built_in[str(current)] = None
                text.append(str(current))
            elif isinstance(current, str):
                text.append(current)
            elif isinstance(current, Param):
                text.append(generic[current.index])
            elif isinstance(current, Named):
                if text:
                    pieces.append(Piece("".join(text)))
                    text = []
                pieces.append(Piece(self.name(current.declaration), self._mention(current.declaration)))
                if current.args:
                    ahead += reversed(_listed("<", current.args, ">"))
            else:
                ahead += reversed(self._compound(current))
        if text:
            pieces.append(Piece("".join(text)))
        return pieces

    def _compound(self, term: Term) -> list[Term | str]:
        if isinstance(term, TupleOf):
            return _listed("(", term.items, ")")
        if isinstance(term, FunctionOf):
            return [*_listed("fn(", term.params, ") -> "), term.result]
        if isinstance(term, DictOf):
            self._built_in["Dict"] = None
            return _listed("Dict<", (term.key, term.value), ">")
        assert isinstance(term, ListOf | SetOf | OptionOf | TaskOf)
        name = _ONE_ITEM[type(term)]
        self._built_in[name] = None
        return _listed(f"{name}<", (term.item,), ">")

    def _mention(self, local_id: str) -> str | None:
        """The id of the section of the type; None for one too many."""
        known = self._known.get(local_id)
        if known is None and len(self.mentioned) < self._most:
            template = self._declarations[local_id]
            ordinal = f"#{template.lexical_ordinal}" if template.lexical_ordinal > 1 else ""
            known = self._known[local_id] = f"type-{template.identity}{ordinal}"
            self.mentioned.append(local_id)
        return known


def _listed(opening: str, terms: Sequence[Term], closing: str) -> list[Term | str]:
    found: list[Term | str] = [opening]
    for index, term in enumerate(terms):
        if index:
            found.append(", ")
        found.append(term)
    return [*found, closing]
