"""What a place in a `.flow` file is: for hovers, and for going to a declaration."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from flow_lsp.source.declarations import CheckedFile
from flow_lsp.source.model import (
    EnumSyntax,
    FunctionType,
    HostSyntax,
    ImportSyntax,
    Item,
    ItemKind,
    NamedType,
    RecordSyntax,
    SourceFile,
    ToolSyntax,
    TypeSyntax,
)
from flow_lsp.source.targets import BUILT_IN, Target, TargetKind
from flow_lsp.text.spans import Span


class ElementKind(StrEnum):
    """What the cursor is on."""

    TOOL = "tool"  # the name of a `@tool` function, or its attribute
    DECLARATION = "declaration"  # the name of a record, enum or host type
    REFERENCE = "reference"  # a name in a type
    TYPE_PARAMETER = "type-parameter"  # where it is declared
    FIELD = "field"
    CONSTRUCTOR = "constructor"
    PARAMETER = "parameter"
    IMPORT_PATH = "import-path"
    IMPORT_NAME = "import-name"  # a name that an import binds


@dataclass(frozen=True, slots=True)
class Element:
    """One thing at a place. `span` is in the file; `name` is as it is looked up; `doc` its own doc comment.

    `type` is the type of a field or parameter.
    """

    kind: ElementKind
    name: str
    span: Span
    index: int  # of the item it stands in
    doc: str | None = None
    type: TypeSyntax | None = None


def element_at(source: SourceFile, offset: int) -> Element | None:
    """The smallest element that `offset` touches, or None. Looks at one item alone."""
    index = source.item_at(offset)
    if index < 0:
        return None
    start = source.starts[index]
    best: Element | None = None
    for element in _elements(source.items[index], index):
        if element.span.holds(offset - start) and (best is None or _length(element) < _length(best)):
            best = element
    if best is None:
        return None
    return Element(best.kind, best.name, best.span.shifted(start), index, best.doc, best.type)


def _length(element: Element) -> int:
    return element.span.end - element.span.start


def _elements(item: Item, index: int) -> Iterator[Element]:
    name = item.name
    if name is not None:
        kind = ElementKind.TOOL if item.kind is ItemKind.TOOL else ElementKind.DECLARATION
        yield Element(kind, name, item.name_span, index, item.doc)
        if item.kind is ItemKind.TOOL and item.attribute is not None:
            yield Element(kind, name, item.attribute, index, item.doc)
    syntax = item.syntax
    if isinstance(syntax, ImportSyntax):
        yield Element(ElementKind.IMPORT_PATH, syntax.path, syntax.path_span, index)
        for bound in syntax.bound:
            yield Element(ElementKind.IMPORT_NAME, bound.name, bound.span, index)
        return
    if syntax is None:
        return
    for parameter in syntax.generic:
        yield Element(ElementKind.TYPE_PARAMETER, parameter.name, parameter.span, index)
    if isinstance(syntax, HostSyntax):
        return
    types: list[TypeSyntax] = []
    if isinstance(syntax, RecordSyntax | ToolSyntax):
        fields = syntax.fields if isinstance(syntax, RecordSyntax) else syntax.params
        kind = ElementKind.FIELD if isinstance(syntax, RecordSyntax) else ElementKind.PARAMETER
        for field in fields:
            yield Element(kind, field.name, field.span, index, field.doc, field.type)
            types.append(field.type)
        if isinstance(syntax, ToolSyntax) and syntax.result is not None:
            types.append(syntax.result)
    if isinstance(syntax, EnumSyntax):
        for constructor in syntax.constructors:
            yield Element(ElementKind.CONSTRUCTOR, constructor.name, constructor.span, index, constructor.doc)
            types += constructor.positional or ()
            for part in constructor.named or ():
                yield Element(ElementKind.FIELD, part.name, part.span, index, part.doc, part.type)
                types.append(part.type)
    for named in _named_types(types):
        yield Element(ElementKind.REFERENCE, named.spelling, named.span_of_name, index)


def _named_types(types: list[TypeSyntax]) -> Iterator[NamedType]:
    while types:
        syntax = types.pop()
        if isinstance(syntax, NamedType):
            yield syntax
            types += syntax.arguments or ()
        elif isinstance(syntax, FunctionType):
            types += (*syntax.params, syntax.result)
        else:
            types += syntax.items


@dataclass(frozen=True, slots=True)
class Meaning:
    """What a name refers to: a declaration in the file at `path`, or, with `path` None, what `target` says.

    `item` and `span` (of the name, in that file) are None where only the file is meant, or nothing can be
    shown.
    """

    target: Target | None
    path: str | None = None
    item: Item | None = None
    span: Span | None = None
    doc: str | None = None


def meaning_of(checked: CheckedFile, element: Element) -> Meaning | None:
    """What `element`, found in the file of `checked`, refers to; None where it refers to nothing that is
    known."""
    item = checked.source.items[element.index]
    if element.kind is ElementKind.REFERENCE:
        generic = () if item.syntax is None or isinstance(item.syntax, ImportSyntax) else item.syntax.generic
        for parameter in generic:
            if parameter.name == element.name:
                place = parameter.span.shifted(checked.source.starts[element.index])
                return Meaning(None, checked.path, None, place)
        target = checked.file.scope.look_up(element.name)
        return None if target is None else _declared(checked, target)
    if element.kind in (ElementKind.DECLARATION, ElementKind.TOOL):
        start = checked.source.starts[element.index]
        target = BUILT_IN.get(element.name)
        if element.kind is ElementKind.DECLARATION:
            target = checked.file.scope.own.get(element.name)
        return Meaning(target, checked.path, item, item.name_span.shifted(start), item.doc)
    if element.kind in (ElementKind.IMPORT_PATH, ElementKind.IMPORT_NAME):
        return _imported(checked, element)
    return None


def _declared(checked: CheckedFile, target: Target) -> Meaning | None:
    if target.kind is not TargetKind.DECLARED:
        return None if target.kind is TargetKind.UNKNOWN else Meaning(target)
    source = checked.look.source(target.path)
    if source is None or target.name not in source.declared:
        return None
    index = source.declared[target.name]
    item = source.items[index]
    return Meaning(target, target.path, item, item.name_span.shifted(source.starts[index]), item.doc)


def _imported(checked: CheckedFile, element: Element) -> Meaning | None:
    for found in checked.file.imports:
        if found.index != element.index:
            continue
        if element.kind is ElementKind.IMPORT_NAME and found.syntax.names is not None:
            target = checked.file.scope.imported.get(element.name)
            return None if target is None else _declared(checked, target)
        return None if found.path is None or found.offers is None else Meaning(None, found.path)
    return None
