"""What stands at a place of a document of arguments, whose text need not be complete: hovers and completions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum, auto

from flow_lsp.analysis.call_form import ARGS, TYPES, Arguments, CallForm
from flow_lsp.analysis.manifest_places import HoverText
from flow_lsp.analysis.markdown import block, code, escaped, prose
from flow_lsp.analysis.type_words import declaration_of, form_text, type_text
from flow_lsp.codecs.inside import Member, Parts, Place, bare_constructors, inside_all, members
from flow_lsp.codecs.nodes import Node, Shape
from flow_lsp.findings.model import shown
from flow_lsp.source.targets import BUILT_IN, TargetKind
from flow_lsp.text.spans import Span
from flow_lsp.values.canonical import canonical_text
from flow_lsp.values.cursor import JsonCursor, Role, cursor_at
from flow_lsp.values.layout import laid_out

MOST_COMPLETIONS = 500
LABEL_WIDTH = 60
LARGEST = 4 * 1024 * 1024  # characters of a document in which anything is said of a place
_ONE_LINE = 10**9
_EXAMPLES = {
    Shape.BOOL: ("true", "false"),
    Shape.INSTANT: ('"2024-01-31T12:30:00Z"',),
    Shape.DURATION: ('"PT90S"', '"P1DT2H30M"'),
}


class CallCompletionKind(Enum):
    """What a completion is, for the sign that an editor shows beside it."""

    MEMBER = auto()
    CONSTRUCTOR = auto()
    VALUE = auto()
    TYPE = auto()


@dataclass(frozen=True, slots=True)
class CallCompletion:
    """One thing that may be typed: shown as `label`, found by `written`, put as `text` in place of `span`."""

    label: str
    text: str
    span: Span
    kind: CallCompletionKind
    detail: str = ""
    doc: str | None = None
    written: str = ""


def call_hover(form: CallForm, text: str, offset: int) -> HoverText | None:
    """What belongs at `offset` of the document `text`: its type, what JSON is accepted, what the docs say."""
    if len(text) > LARGEST:
        return None
    cursor = cursor_at(text, offset)
    if cursor.role is Role.NOTHING or cursor.span.start == cursor.span.end:
        return None
    steps = (*cursor.steps, cursor.written) if cursor.role is Role.KEY else cursor.steps
    if form.is_generic:
        if steps[:1] == (TYPES,):
            return HoverText(_type_hover(form, steps), cursor.span)
        if steps[:1] != (ARGS,):
            return None
        steps = steps[1:]
    arguments = form.arguments(form.types_in(text))
    found = inside_all(arguments.nodes, arguments.place, steps)
    if found is None or not steps:
        return None
    return HoverText(_hover(arguments, found, steps[-1]), cursor.span)


def call_completions(form: CallForm, text: str, offset: int) -> Sequence[CallCompletion]:
    """What may be typed at `offset` of the document `text`."""
    if len(text) > LARGEST:
        return ()
    cursor = cursor_at(text, offset)
    if cursor.role is Role.NOTHING or cursor.occupied:
        return ()
    found = _completions(form, text, cursor)
    return [item for item, _ in zip(found, range(MOST_COMPLETIONS), strict=False)]


# -- hovers -------------------------------------------------------------------------------------------------------


def _hover(arguments: Arguments, member: Member, step: str | int) -> str:
    place = member.place
    name = f"{step}: " if isinstance(step, str) else ""
    parts = [block("flow", f"{shown(name)}{type_text(place)}")]
    if member.doc:
        parts.append(escaped(member.doc))
    form = prose(form_text(arguments.nodes, place))
    parts.append(f"{form} It may be left out." if member.optional else form)
    if isinstance(place, Node) and place.template is not None:
        if place.template.doc:
            parts.append(escaped(place.template.doc))
        declaration = declaration_of(arguments.nodes, place)
        if declaration:
            parts.append(block("flow", declaration))
    return "\n\n".join(parts)


def _type_hover(form: CallForm, steps: Sequence[str | int]) -> str:
    how = escaped("as Flow writes it, such as `Int`, `List<Text>` or the name of a declared type.").replace("\\`", "`")
    if len(steps) < 2:
        return f"The type that each type parameter of {code(form.name)} stands for, {how}"
    return f"The type that {code(str(steps[1]))} stands for, {how}"


# -- completions --------------------------------------------------------------------------------------------------


def _completions(form: CallForm, text: str, cursor: JsonCursor) -> Iterable[CallCompletion]:
    steps = cursor.steps
    if cursor.role is Role.VALUE and not steps:
        fresh, name = form.fresh().rstrip("\n"), f"arguments of {form.name}"
        return [CallCompletion(name, fresh, cursor.span, CallCompletionKind.VALUE, written=fresh)]
    if form.is_generic:
        if steps[:1] == (TYPES,):
            return _in_types(form, cursor)
        if steps[:1] != (ARGS,):
            both = [_empty_member(TYPES), _empty_member(ARGS)]
            return _keys(cursor, None, both) if cursor.role is Role.KEY and not steps else ()
        steps = steps[1:]
    arguments = form.arguments(form.types_in(text))
    found = inside_all(arguments.nodes, arguments.place, steps)
    if found is None:
        return ()
    if cursor.role is Role.VALUE:
        return _values(arguments, found.place, cursor)
    if cursor.keys and isinstance(found.place, Node) and found.place.shape is not Shape.RECORD:
        return ()  # a constructor's object has one property
    return _keys(cursor, arguments, members(arguments.nodes, found.place))


def _in_types(form: CallForm, cursor: JsonCursor) -> Iterator[CallCompletion]:
    if cursor.role is Role.KEY and len(cursor.steps) == 1:
        yield from _keys(cursor, None, [Member(name, Parts("", ())) for name in form.spec.generic])
    elif cursor.role is Role.VALUE and len(cursor.steps) == 2:
        built_in = [name for name, target in BUILT_IN.items() if target.kind is TargetKind.PRIMITIVE]
        compounds = ["List<Text>", "Set<Text>", "Dict<Text, Int>", "Option<Text>", "json.Value"]
        for name in dict.fromkeys([*form.names_in_view(), *built_in, *compounds]):
            text = canonical_text(name)
            yield CallCompletion(name, text, cursor.span, CallCompletionKind.TYPE, written=text)


def _empty_member(name: str) -> Member:
    return Member(name, Parts(name, ()))


def _keys(cursor: JsonCursor, arguments: Arguments | None, offered: Sequence[Member]) -> Iterator[CallCompletion]:
    """The members that are not there yet, those first that must be."""
    for member in sorted(offered, key=lambda member: member.optional):
        if member.name in cursor.keys:
            continue
        key = canonical_text(member.name)
        text, detail = key, ""
        if arguments is not None:
            detail = type_text(member.place) + (" (may be left out)" if member.optional else "")
        if not cursor.has_colon:
            value = _one_line(arguments.templates.text(member.place)) if arguments is not None else None
            if arguments is None:
                value = "{}" if not cursor.steps else '""'
            text = f"{key}: {value or 'null'}{',' if cursor.wants_comma else ''}"
        yield CallCompletion(member.name, text, cursor.span, CallCompletionKind.MEMBER, detail, member.doc, key)


def _values(arguments: Arguments, place: Place, cursor: JsonCursor) -> Iterator[CallCompletion]:
    detail = type_text(place)
    comma = "," if cursor.wants_comma else ""

    def item(text: str, kind: CallCompletionKind, doc: str | None = None, name: str | None = None) -> CallCompletion:
        label = name or (text if len(text) <= LABEL_WIDTH else f"{text[: LABEL_WIDTH - 1]}…")
        written = text if name is None else canonical_text(name)
        return CallCompletion(label, text + comma, cursor.span, kind, detail, doc, written)

    if isinstance(place, Node):
        for name, doc in bare_constructors(arguments.nodes, place):
            yield item(canonical_text(name), CallCompletionKind.CONSTRUCTOR, doc, name)
        if place.shape in (Shape.ENUM, Shape.OPTION):
            for member in members(arguments.nodes, place):
                value = _one_line(arguments.templates.text(member.place))
                if value is not None:
                    text = f"{{{canonical_text(member.name)}: {value}}}"
                    yield item(text, CallCompletionKind.CONSTRUCTOR, member.doc, member.name)
            return
        if place.shape in _EXAMPLES:
            yield from (item(text, CallCompletionKind.VALUE) for text in _EXAMPLES[place.shape])
            return
    for text in _template_texts(arguments, place):
        yield item(text, CallCompletionKind.VALUE)


def _template_texts(arguments: Arguments, place: Place) -> Iterator[str]:
    """The template of `place`; of a List, Set or Dict also one with an item."""
    text = _one_line(arguments.templates.text(place))
    if text is None:
        return
    yield text
    if not isinstance(place, Node):
        return
    parts = [_one_line(arguments.templates.text(part)) for part in place.parts]
    if None in parts:
        return
    if place.shape in (Shape.LIST, Shape.SET):
        yield f"[{parts[0]}]"
    elif place.shape is Shape.DICT:
        yield f'{{"": {parts[1]}}}' if place.parts[0].shape is Shape.TEXT else f"[[{parts[0]}, {parts[1]}]]"


def _one_line(text: str | None) -> str | None:
    return None if text is None else laid_out(text, _ONE_LINE)
