"""The declarations of a program as Python: classes, unions, tokens, and what is said of them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from flow_lsp.findings.model import shown
from flow_lsp.generating.annotations import Annotations
from flow_lsp.generating.docs import INDENT, WIDTH, comment, docstring, member_docs
from flow_lsp.generating.literals import string
from flow_lsp.generating.naming import ModuleNames, member_names
from flow_lsp.types.terms import Constructor, Field, Kind, OptionOf, Template, Term

_NAME: Final = re.compile(r"\w+")
_LONGEST_CHAIN: Final = 100  # types joined by `|`, each of which Python reads one level deeper
_PLACES: Final = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth")


@dataclass(frozen=True, slots=True)
class Declared:
    """The text of one declaration, and what Program says of it: its class or classes, as one expression for each, and
    the attributes where their names are not those of the wire.

    `classes` is None for what has none, a name for a record, and a sequence for an enum; `attributes` alike.
    """

    lines: list[str]
    classes: str | tuple[str, ...] | None = None
    attributes: tuple[str, ...] | tuple[tuple[str, ...], ...] | None = None


def declared(local_id: str, template: Template, names: ModuleNames, annotations: Annotations) -> Declared:
    """The Python text of `template`, without blank lines around it."""
    name = names.types[local_id]
    match template.kind:
        case Kind.RECORD:
            lines, attributes = _dataclass(
                name, template.generic, [template.doc or ""], template.fields, annotations, f"The record {name}."
            )
            wire = tuple([field.name for field in template.fields])
            return Declared(lines, name, None if attributes == wire else attributes)
        case Kind.ENUM:
            return _enum(name, template, names.constructors[local_id], annotations)
        case Kind.HOST:
            annotations.used.update(("NewType", "str"))
            doc = docstring([template.doc or ""])
            return Declared([f"{name} = NewType({string(name)}, str)", *doc])
        case Kind.NONDATA:
            doc = docstring(
                [template.doc or f"{_shown(template.name)}, which is no data: no value of it crosses."], INDENT
            )
            return Declared([f"class {name}:", *doc])


def _enum(name: str, template: Template, classes: tuple[str, ...], annotations: Annotations) -> Declared:
    blocks: list[list[str]] = []
    attributes: list[tuple[str, ...]] = []
    plain = True
    for constructor, made in zip(template.constructors, classes, strict=True):
        fields = _payload(constructor)
        label = f"{_shown(template.name)}.{_shown(constructor.name)}"
        doc = constructor.doc or ("" if fields else label)
        lines, own = _dataclass(made, template.generic, [doc], fields, annotations, label)
        plain &= constructor.positional in (None, ()) and own == tuple([field.name for field in fields])
        blocks.append(lines)
        attributes.append(own)
    blocks.append([*_union(name, template, classes, annotations), *docstring([template.doc or ""])])
    lines = [line for block in blocks for line in (*block, "", "")][:-2]
    return Declared(lines, classes, None if plain else tuple(attributes))


def _payload(constructor: Constructor) -> Sequence[Field]:
    """The parts of a payload. Positional ones, which Flow does not name, are called by their places."""
    if constructor.named is not None:
        return constructor.named
    parts = constructor.positional or ()
    if len(parts) == 1:
        return [Field("value", parts[0])]
    return [
        Field(_PLACES[place] if place < len(_PLACES) else f"part_{place + 1}", term) for place, term in enumerate(parts)
    ]


def _union(name: str, template: Template, classes: Sequence[str], annotations: Annotations) -> list[str]:
    annotations.used.add("TypeAlias")
    if not classes:
        annotations.used.add("Never")
        return [f"{name}: TypeAlias = Never"]
    arguments = f"[{', '.join(annotations.variables(template.generic))}]" if template.generic else ""
    parts = [f"{made}{arguments}" for made in classes]
    line = f"{name}: TypeAlias = {' | '.join(parts)}"
    if len(line) <= WIDTH or len(parts) == 1:
        return [line]
    if len(parts) > _LONGEST_CHAIN:
        annotations.used.add("Union")
        return [f"{name}: TypeAlias = Union[", *(f"{INDENT}{part}," for part in parts), "]"]
    return [f"{name}: TypeAlias = (", f"{INDENT}{parts[0]}", *(f"{INDENT}| {part}" for part in parts[1:]), ")"]


def _dataclass(
    name: str,
    generic: Sequence[str],
    docs: list[str],
    fields: Sequence[Field],
    annotations: Annotations,
    instead: str,
) -> tuple[list[str], tuple[str, ...]]:
    """The lines of a class, and its attributes. `instead` is said of one that would be empty."""
    annotations.used.add("dataclass")
    variables = annotations.variables(generic) if generic else []
    types = [annotations.of_member(field.type, variables) for field in fields]
    attributes = member_names([field.name for field in fields], set(_NAME.findall(" ".join(types))))
    if variables:
        # Without slots: of a frozen class that has them, Python 3.11 does not make `Page[int](...)`.
        annotations.used.add("Generic")
        lines = ["@dataclass(frozen=True)", f"class {name}(Generic[{', '.join(variables)}]):"]
    else:
        lines = ["@dataclass(frozen=True, slots=True)", f"class {name}:"]
    if any(field.doc for field in fields):
        docs = [*docs, member_docs([(name, field.doc) for name, field in zip(attributes, fields, strict=True)])]
    doc = docstring(docs, INDENT)
    if not doc and not fields:
        doc = docstring([instead], INDENT)
    lines += doc
    if fields:
        lines += [""] * bool(doc)
        lines += _members(fields, attributes, types)
    return lines, attributes


def _members(fields: Sequence[Field], attributes: Sequence[str], types: Sequence[str]) -> list[str]:
    """The lines of the members. Those that may be left out, and behind which all may, have a default."""
    last = max([place for place, field in enumerate(fields) if not _may_lack(field.type)], default=-1)
    lines: list[str] = []
    for place, (field, attribute, annotation) in enumerate(zip(fields, attributes, types, strict=True)):
        line = f"{INDENT}{attribute}: {annotation}{' = None' if place > last else ''}"
        lines.append(line if attribute == field.name else f"{line}  # in Flow: {_shown(field.name)}")
    return lines


def _may_lack(term: Term) -> bool:
    return term.__class__ is OptionOf


def _shown(name: str) -> str:
    return comment(shown(name)) if name else '""'
