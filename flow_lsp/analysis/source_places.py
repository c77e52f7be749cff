"""Hovers in `.flow` files: Tools, types where they are declared and where they are used, members, imports."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flow_lsp.analysis.built_in_words import BUILT_IN_WORDS
from flow_lsp.analysis.hover import tool_hover, type_hover
from flow_lsp.analysis.manifest_places import HoverText
from flow_lsp.analysis.markdown import block, code, escaped
from flow_lsp.analysis.snapshot import Snapshot
from flow_lsp.schema.projection import ProjectionProblem, Projector
from flow_lsp.source.declarations import CheckedFile
from flow_lsp.source.elements import Element, ElementKind, Meaning, element_at, meaning_of
from flow_lsp.source.spelling import declaration_text, type_text
from flow_lsp.source.targets import TargetKind
from flow_lsp.types.terms import TOOL_OWNER, Named, Param, Template

if TYPE_CHECKING:
    from flow_lsp.analysis.engine import Analysis


def source_hover(analysis: Analysis, snapshot: Snapshot, key: str, offset: int) -> HoverText | None:
    """What is known of what stands at `offset` of the source `key`."""
    checked = analysis.checked(snapshot, key)
    element = element_at(checked.source, offset) if checked is not None else None
    if checked is None or element is None:
        return None
    if element.kind is ElementKind.TOOL:
        text = _tool_text(analysis, snapshot, key, checked, element)
    elif element.kind in (ElementKind.FIELD, ElementKind.PARAMETER, ElementKind.CONSTRUCTOR):
        text = _member_text(element)
    elif element.kind is ElementKind.TYPE_PARAMETER:
        text = f"{code(element.name)}, a type parameter"
    else:
        meaning = meaning_of(checked, element)
        text = None if meaning is None else _meaning_text(checked, element, meaning)
    return None if text is None else HoverText(text, element.span)


def _tool_text(analysis: Analysis, snapshot: Snapshot, key: str, checked: CheckedFile, element: Element) -> str | None:
    item = checked.source.items[element.index]
    for tool in analysis.tools(snapshot, key):
        if tool.declaration.item is item:
            binding = snapshot.binding_of(key)
            return tool_hover(snapshot, binding, tool.declared, declaration_text(item), item.doc)
    return None


def _member_text(element: Element) -> str:
    line = element.name if element.type is None else f"{element.name}: {type_text(element.type)}"
    parts = [block("flow", line)]
    if element.doc:
        parts.append(escaped(element.doc))
    return "\n\n".join(parts)


def _meaning_text(checked: CheckedFile, element: Element, meaning: Meaning) -> str | None:
    target = meaning.target
    if meaning.item is not None and target is not None:
        note = f"declared in {meaning.path}" if meaning.path != checked.path else ""
        schema = type_schema(checked, target.local_id)
        return type_hover(declaration_text(meaning.item), meaning.doc, schema, note)
    if target is None:
        if element.kind is ElementKind.REFERENCE:
            return f"{code(element.name)}, a type parameter"
        return f"the file {code(meaning.path)}" if meaning.path is not None else None
    name = target.name if target.kind is TargetKind.PRIMITIVE else str(target.kind)
    about = BUILT_IN_WORDS.get(name)
    return None if about is None else f"{code(name)}  \n{escaped(about)}"


def type_schema(checked: CheckedFile, local_id: str) -> object | None:
    """The complete JSON Schema of a declared type as the file sees it, type parameters as `$param`.

    None where it is not known, or has none.
    """
    templates: dict[str, Template] = {}
    ahead = [local_id]
    while ahead:
        current = ahead.pop()
        resolved = checked.look.resolved(current)
        if resolved is None or resolved.template is None:
            return None
        templates[current] = resolved.template
        ahead.extend(reference for reference in resolved.references if reference not in templates)
    generic = templates[local_id].generic
    term = Named(local_id, tuple(Param(TOOL_OWNER, index) for index in range(len(generic))))
    found = Projector(templates).project(term, generic)
    return None if isinstance(found, ProjectionProblem) else found.schema


def declarations_of(analysis: Analysis, snapshot: Snapshot, key: str) -> dict[str, Template]:
    """The declarations of all types that the source `key` declares or reaches, but those with an error."""
    checked = analysis.checked(snapshot, key)
    if checked is None:
        return {}
    found = {local_id: checked.map.usable(local_id) for local_id in checked.map.nodes}
    return {local_id: template for local_id, template in found.items() if template is not None}


def declared_type_schema(analysis: Analysis, snapshot: Snapshot, key: str, name: str) -> object | None:
    """The schema of the type `name` that the source `key` declares or imports; None where there is none."""
    checked = analysis.checked(snapshot, key)
    target = checked.file.scope.look_up(name) if checked is not None else None
    if checked is None or target is None or target.kind is not TargetKind.DECLARED:
        return None
    return type_schema(checked, target.local_id)
