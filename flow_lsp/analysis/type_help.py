"""What the type arguments are that are being written: the type's parameters, and which of them is next."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from flow_lsp.analysis.built_in_words import ARGUMENT_NAMES, ARGUMENT_WORDS, BUILT_IN_WORDS
from flow_lsp.analysis.snapshot import Snapshot
from flow_lsp.source.declarations import CheckedFile
from flow_lsp.source.model import ImportSyntax
from flow_lsp.source.targets import TargetKind
from flow_lsp.source.unfinished import typing_place
from flow_lsp.text.spans import Span

if TYPE_CHECKING:
    from flow_lsp.analysis.engine import Analysis


@dataclass(frozen=True, slots=True)
class ArgumentHelp:
    """One type parameter: its place in the label, and what is said of it."""

    span: Span
    doc: str = ""


@dataclass(frozen=True, slots=True)
class TypeHelp:
    """The type whose arguments are being written, as `Dict<K, V>`; `active` counts its parameters from 0, and may be
    past them."""

    label: str
    arguments: tuple[ArgumentHelp, ...]
    active: int
    doc: str | None = None


def type_help(analysis: Analysis, snapshot: Snapshot, key: str, offset: int) -> TypeHelp | None:
    """The type in whose arguments `offset` of the source `key` is; None where it is in none, or the type takes none."""
    checked = analysis.checked(snapshot, key)
    place = typing_place(checked.source, offset) if checked is not None else None
    if checked is None or place is None or not place.arguments:
        return None
    inner = place.arguments[-1]
    if inner.owner in place.parameters:
        return None
    found = _parameters(checked, inner.owner)
    if found is None or not found[0]:
        return None
    names, docs, doc = found
    label, arguments = f"{inner.owner}<", []
    for number, (name, about) in enumerate(zip(names, docs, strict=True)):
        label += ", " if number else ""
        arguments.append(ArgumentHelp(Span(len(label), len(label) + len(name)), about))
        label += name
    return TypeHelp(f"{label}>", tuple(arguments), inner.index, doc)


def _parameters(checked: CheckedFile, spelling: str) -> tuple[tuple[str, ...], tuple[str, ...], str | None] | None:
    """The names of the parameters of the type that `spelling` means, what is said of each, and of the type."""
    target = checked.file.scope.look_up(spelling)
    if target is None:
        return None
    if target.kind is not TargetKind.DECLARED:
        names = ARGUMENT_NAMES.get(target.kind, ())
        words = tuple(ARGUMENT_WORDS.get((target.kind, number), "") for number in range(len(names)))
        return names, words, BUILT_IN_WORDS.get(target.kind)
    source = checked.look.source(target.path)
    item = source.items[source.declared[target.name]] if source is not None else None
    if item is None or item.syntax is None or isinstance(item.syntax, ImportSyntax):
        return None
    generic = tuple(parameter.name for parameter in item.syntax.generic)
    return generic, ("",) * len(generic), item.doc
