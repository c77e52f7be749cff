"""Fixes of declarations that parse: a Tool's result and body, types without an order or an end, type parameters."""

from __future__ import annotations

from collections.abc import Iterator

from flow_lsp.analysis.edits import TextEdit
from flow_lsp.analysis.fixes.model import Fix, FixContext
from flow_lsp.analysis.fixes.source_files import FoundAt, closing_of, found_at, inserting, line_span, replacing
from flow_lsp.findings.model import Finding, shown
from flow_lsp.source.model import ImportSyntax, NamedType, ToolSyntax, TypeSyntax
from flow_lsp.source.targets import TargetKind
from flow_lsp.source.type_parts import inner_types, member_types, named_types
from flow_lsp.text.spans import Span


def result(context: FixContext, finding: Finding) -> Iterator[Fix]:
    """`result`: wrap what a Tool gives in a Result without an error, or give it one."""
    place = found_at(context, finding)
    syntax = place.item.syntax if place is not None else None
    if place is None or not isinstance(syntax, ToolSyntax):
        return
    target = place.checked.file.scope.look_up("Result")
    if target is None or target.kind is not TargetKind.RESULT:
        return  # the file calls something else so
    if syntax.result is None:
        end = place.placed(place.item.extent).end
        if not place.text.startswith((":", "=>"), end + len(place.text[end:]) - len(place.text[end:].lstrip(" \t"))):
            edit = inserting(end, " -> Result<Unit, Never>")
            yield Fix("Add ` -> Result<Unit, Never>`", place.change(edit), finding, preferred=True)
        return
    span = place.placed(syntax.result.span)
    edits = (inserting(span.start, "Result<"), inserting(span.end, ", Never>"))
    yield Fix("Wrap the result in `Result<…, Never>`", place.change(*edits), finding, preferred=True)


def body(context: FixContext, finding: Finding) -> Iterator[Fix]:
    """`body`: remove the body, or `@tool`."""
    place = found_at(context, finding)
    syntax = place.item.syntax if place is not None else None
    if place is None or not isinstance(syntax, ToolSyntax) or syntax.body is None:
        return
    opening = place.placed(syntax.body).start
    closed = closing_of(place.text, opening, place.start + place.item.size)
    if closed > 0:
        start = place.placed(place.item.extent).end
        if place.text[start:opening].strip():
            start = opening  # a comment stands between
        yield Fix("Remove the body", place.change(replacing(Span(start, closed), "")), finding)
    yield from without_attribute(place, finding)


def without_attribute(place: FoundAt, finding: Finding) -> Iterator[Fix]:
    """The fix that removes `@tool`."""
    if place.item.attribute is not None:
        span = place.placed(place.item.attribute)
        alone = line_span(place.text, span)
        if alone == span:
            rest = place.text[span.end :]
            alone = Span(span.start, span.end + len(rest) - len(rest.lstrip(" \t")))
        yield Fix("Remove `@tool`", place.change(replacing(alone, "")), finding)


def _member(place: FoundAt, span: Span) -> TypeSyntax | None:
    return next((one for one in member_types(place.item) if place.placed(one.span) == span), None)


def endless(context: FixContext, finding: Finding) -> Iterator[Fix]:
    """`endless-value`: make the field an Option or a List."""
    place = found_at(context, finding)
    if place is None or _member(place, finding.span) is None:
        return
    for word in ("Option", "List"):
        edits = (inserting(finding.span.start, f"{word}<"), inserting(finding.span.end, ">"))
        title = f"Make it {'an Option' if word == 'Option' else 'a List'}"
        yield Fix(title, place.change(*edits), finding, preferred=word == "Option")


def no_order(context: FixContext, finding: Finding) -> Iterator[Fix]:
    """`no-order`: a List in place of the Set, or of pairs in place of the Dict, where it is plain which."""
    place = found_at(context, finding)
    member = _member(place, finding.span) if place is not None else None
    if place is None or member is None:
        return
    is_set = "Set" in finding.arguments["place_text"]
    wanted = TargetKind.SET if is_set else TargetKind.DICT
    scope = place.checked.file.scope
    among = [
        one
        for one in inner_types(member)
        if isinstance(one, NamedType) and (target := scope.look_up(one.spelling)) is not None and target.kind is wanted
    ]
    if not is_set:
        among = [
            one for one in among if one.arguments and place.text[slice(*place.placed(one.arguments[0].span))] != "Text"
        ]
    if len(among) != 1:
        return
    edits = [replacing(place.placed(among[0].name_span), "List")]
    if not is_set:
        outer = place.placed(among[0].span)
        opening = place.text.index("<", place.placed(among[0].name_span).end)
        edits += [inserting(opening + 1, "("), inserting(outer.end - 1, ")")]
    title = "Use a List instead" if is_set else "Use a List of pairs instead"
    yield Fix(title, place.change(*edits), finding, preferred=True)


def parameter_name(context: FixContext, finding: Finding) -> Iterator[Fix]:
    """`parameter-name`: another name for the type parameter, wherever the declaration uses it."""
    place = found_at(context, finding)
    syntax = place.item.syntax if place is not None else None
    if place is None or syntax is None or isinstance(syntax, ImportSyntax):
        return
    name = finding.arguments["name"]
    taken = {parameter.name for parameter in syntax.generic} | place.item.mentions
    free = next((letter for letter in "TUVWXYZABCDEFGHIJKLMNOPQRS" if letter not in taken), None)
    if free is None:
        return
    edits: list[TextEdit] = [replacing(finding.span, free)]
    edits += [
        replacing(place.placed(used.name_span), free)
        for used in named_types(place.item)
        if used.module is None and used.name == name
    ]
    yield Fix(f"Call it `{shown(free)}`", place.change(*edits), finding, preferred=True)
