"""What is wrong with a document of arguments, as far as its text and the types tell; and what it calls."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import Any

from flow_lsp.analysis.call_form import ARGS, TYPES, Arguments, BoundTypes, CallForm, TypeFault
from flow_lsp.codecs.arguments import present
from flow_lsp.codecs.every_refusal import Steps, Unused, every_refusal, unused_members
from flow_lsp.codecs.inside import Place
from flow_lsp.codecs.refusals import RefusalKind, ValueRefused, json_kind
from flow_lsp.findings import call_rules
from flow_lsp.findings.model import Finding, Rule, shown
from flow_lsp.text.distance import nearest_name
from flow_lsp.text.spans import Span
from flow_lsp.types.shapes import pointer_token
from flow_lsp.values.places import Found, places_of
from flow_lsp.values.strict_json import Json, JsonFault, JsonRefused, read_json

MOST_OF_ONE = 20  # faults of one argument
MOST = 200  # findings of one document
_WORD = re.compile(r'"[^"\n\\]{0,200}"|[\w.+-]{1,80}')
LARGE = (
    100_000  # characters of a document of whose arguments only the first fault each is looked for, and nothing unused
)
LARGEST = 16 * 1024 * 1024  # characters of a document that is looked at: no call carries more bytes
TOO_LARGE = "The arguments have more than 16 MiB, which no call carries."


@dataclass(frozen=True, slots=True)
class CallText:
    """What a document calls with: the arguments as JSON, and what its type parameters stand for."""

    args: Json
    bound: BoundTypes


def call_text(form: CallForm, text: str) -> CallText | str:
    """What the document `text` calls with; a sentence where it cannot be known. The values are not checked."""
    if len(text) > LARGEST:
        return TOO_LARGE
    try:
        value = read_json(text, form.limits, 1 if form.is_generic else 0)
    except JsonRefused as refused:
        return f"The arguments are no JSON: {refused.sentence}"
    if not form.is_generic:
        return CallText(value, BoundTypes((), {}))
    bound = form.bound(form.types_in(text))
    if not isinstance(bound, BoundTypes):
        return bound[0].sentence
    if not isinstance(value, dict) or ARGS not in value:
        return f"The arguments are missing: they stand in the member `{ARGS}`."
    return CallText(value[ARGS], bound)


def check_call_text(form: CallForm, text: str) -> list[Finding]:
    """The findings of the document `text`, in its order. Linear in it, for so many faults as are given."""
    if len(text) > LARGEST:
        return [call_rules.CALL_TOOL.at(Span(0, 1), reason_text=TOO_LARGE)]
    try:
        value = read_json(text, form.limits, 1 if form.is_generic else 0)
    except JsonRefused as refused:
        # A byte order mark is counted in bytes, and stands at the beginning; all else in code points.
        start = 0 if refused.kind is JsonFault.UTF8 else refused.offset
        return [call_rules.ARGUMENTS_JSON.at(_word_at(text, start), reason_text=refused.sentence)]
    noted = list(islice(_Checker(form, text).notes(value), MOST))
    places = places_of(text, [pointer_of(note.steps) for note in noted])
    found = [note.at(place) for note, place in zip(noted, places, strict=True)]
    return sorted(found, key=lambda finding: (finding.span.start, finding.span.end))


@dataclass(frozen=True, slots=True)
class _Note:
    """A finding without its place yet: what it is, once it is known where the value at `steps` stands."""

    steps: Steps
    at: Callable[[Found], Finding]


class _Checker:
    """Checks one text that is JSON."""

    def __init__(self, form: CallForm, text: str) -> None:
        self._form = form
        self._text = text
        self._most = MOST_OF_ONE if len(text) <= LARGE else 1

    def notes(self, value: Json) -> Iterator[_Note]:
        """What is wrong with `value`, which is changed; worked out one by one."""
        if not self._form.is_generic:
            yield from self._of_arguments(self._form.arguments({}), value, ())
            return
        if not isinstance(value, dict):
            sentence = f"An object with the members `{TYPES}` and `{ARGS}` is expected, and this is {json_kind(value)}."
            yield _argument((), sentence)
            return
        yield from self._unused(Unused((), name, "this document", "member", (TYPES, ARGS)) for name in _others(value))
        types = self._form.types_in(self._text)
        bound = self._form.bound(types)
        if not isinstance(bound, BoundTypes):
            for fault in bound:
                yield self._of_type(fault, value)
        named = value.get(TYPES)
        if isinstance(named, dict):
            generic = self._form.spec.generic
            others = (name for name in named if name not in generic)
            tool = shown(self._form.name)
            yield from self._unused(Unused((TYPES,), name, tool, "type parameter", generic) for name in others)
        if ARGS in value:
            yield from self._of_arguments(self._form.arguments(types), value[ARGS], (ARGS,))
        else:
            yield _argument((), f"The member `{ARGS}` is missing.", opening=True)

    def _of_arguments(self, arguments: Arguments, value: Json, steps: Steps) -> Iterator[_Note]:
        codecs = arguments.codecs
        optional = frozenset(name for name, codec in codecs.items() if codec.node.left_out)
        try:
            present(value, [member.name for member in arguments.place.members], optional)
        except ValueRefused as refused:
            yield _argument(steps, refused.sentence, opening=refused.kind is RefusalKind.MISSING)
        if not isinstance(value, dict):
            return
        if len(self._text) <= LARGE:
            yield from self._unused(unused_members(arguments.nodes, arguments.place, value, MOST), steps)
        for member in arguments.place.members:
            if member.name in value and member.name in codecs:
                yield from self._of_one(
                    arguments, member.place, codecs[member.name].decode, value[member.name], (*steps, member.name)
                )

    def _of_one(
        self, arguments: Arguments, place: Place, decode: Callable[[Json], Any], value: Json, steps: Steps
    ) -> Iterator[_Note]:
        refusals = every_refusal(arguments.nodes, arguments.templates, place, decode, value, self._most)
        for refused in refusals:
            opening = refused.kind is RefusalKind.MISSING
            yield _argument((*steps, *refused.steps), refused.sentence, opening=opening)

    def _of_type(self, fault: TypeFault, value: dict[str, Json]) -> _Note:
        named = value.get(TYPES)
        if not isinstance(named, dict) or fault.name not in named:
            return _note(call_rules.TYPE_ARGUMENT, (TYPES,) if TYPES in value else (), fault.sentence, opening=True)
        is_text = isinstance(named[fault.name], str)

        def at(place: Found) -> Finding:
            span = place.value
            inner = Span(span.start + 1, max(span.start + 1, span.end - 1))
            if fault.span is not None and "\\" not in self._text[span.start : span.end]:
                # An empty place at the end is shown at the closing quote.
                start = min(inner.start + fault.span.start, inner.end)
                inner = Span(start, max(min(inner.start + fault.span.end, inner.end), start + 1))
            found = inner if is_text and inner.start < inner.end else span
            return call_rules.TYPE_ARGUMENT.at(found, reason_text=fault.sentence)

        return _Note((TYPES, fault.name), at)

    def _unused(self, found: Iterable[Unused], before: Steps = ()) -> Iterator[_Note]:
        for one in found:
            yield _Note((*before, *one.steps, one.name), partial(_unused_at, one))


def _unused_at(one: Unused, place: Found) -> Finding:
    near = nearest_name(one.name, one.known)
    hint = f" Is `{shown(near)}` meant?" if near else ""
    span = place.key or place.value
    return call_rules.UNUSED_ARGUMENT.at(span, name=one.name, owner_text=one.owner, word=one.word, hint_text=hint)


def _argument(steps: Steps, sentence: str, *, opening: bool = False) -> _Note:
    return _note(call_rules.ARGUMENT, steps, sentence, opening=opening)


def _note(rule: Rule, steps: Steps, sentence: str, *, opening: bool) -> _Note:
    """A finding at the value of `steps`; at its `opening` bracket alone where all of it would be too much to mark for
    what is not there."""

    def at(place: Found) -> Finding:
        start = place.value.start
        return rule.at(Span(start, start + 1) if opening else place.value, reason_text=sentence)

    return _Note(steps, at)


def pointer_of(steps: Steps) -> str:
    """Keys and places as a JSON Pointer."""
    return "".join(pointer_token(str(step)) for step in steps)


def _others(value: dict[str, Json]) -> Iterator[str]:
    return (name for name in value if name not in (TYPES, ARGS))


def _word_at(text: str, start: int) -> Span:
    """The string or word at `start`, or its one character; at the end of the text, the place itself."""
    found = _WORD.match(text, start)
    return Span(start, max(found.end() if found else start, min(start + 1, len(text))))
