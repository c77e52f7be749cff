"""What is wrong with a document of arguments, as far as its text and the types tell; and what it calls."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from flow_lsp.analysis.call_form import ARGS, TYPES, Arguments, BoundTypes, CallForm, TypeFault
from flow_lsp.codecs.arguments import present
from flow_lsp.codecs.every_refusal import Refused, Steps, Unused, every_refusal, unused_members
from flow_lsp.codecs.inside import Place
from flow_lsp.codecs.refusals import RefusalKind, ValueRefused, json_kind
from flow_lsp.findings import call_rules
from flow_lsp.findings.model import Finding, shown
from flow_lsp.text.distance import nearest_name
from flow_lsp.text.spans import Span
from flow_lsp.types.shapes import pointer_token
from flow_lsp.values.places import key_place_of, place_of
from flow_lsp.values.strict_json import Json, JsonFault, JsonRefused, read_json

MOST_OF_ONE = 20  # faults of one argument
MOST = 200  # findings of one document
_WORD = re.compile(r'"[^"\n\\]{0,200}"|[\w.+-]{1,80}')
LARGE = 100_000  # characters of a document of whose arguments only the first fault each is looked for


@dataclass(frozen=True, slots=True)
class CallText:
    """What a document calls with: the arguments as JSON, and what its type parameters stand for."""

    args: Json
    bound: BoundTypes


def call_text(form: CallForm, text: str) -> CallText | str:
    """What the document `text` calls with; a sentence where it cannot be known. The values are not checked."""
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
    try:
        value = read_json(text, form.limits, 1 if form.is_generic else 0)
    except JsonRefused as refused:
        # A byte order mark is counted in bytes, and stands at the beginning; all else in code points.
        start = 0 if refused.kind is JsonFault.UTF8 else refused.offset
        return [call_rules.ARGUMENTS_JSON.at(_word_at(text, start), reason_text=refused.sentence)]
    checker = _Checker(form, text)
    found = list(checker.findings(value))[:MOST]
    return sorted(found, key=lambda finding: (finding.span.start, finding.span.end))


class _Checker:
    """Checks one text that is JSON."""

    def __init__(self, form: CallForm, text: str) -> None:
        self._form = form
        self._text = text
        self._most = MOST_OF_ONE if len(text) <= LARGE else 1

    def findings(self, value: Json) -> Iterator[Finding]:
        if not self._form.is_generic:
            yield from self._of_arguments(self._form.arguments({}), value, ())
            return
        if not isinstance(value, dict):
            sentence = f"An object with the members `{TYPES}` and `{ARGS}` is expected, and this is {json_kind(value)}."
            yield call_rules.ARGUMENT.at(self._place(()), reason_text=sentence)
            return
        yield from self._unused([Unused((), name, "this document", "member", (TYPES, ARGS)) for name in _others(value)])
        types = self._form.types_in(self._text)
        bound = self._form.bound(types)
        if not isinstance(bound, BoundTypes):
            for fault in bound:
                yield self._of_type(fault, value)
        named = value.get(TYPES)
        if isinstance(named, dict):
            generic = self._form.spec.generic
            others = [name for name in named if name not in generic]
            tool = shown(self._form.name)
            yield from self._unused([Unused((TYPES,), name, tool, "type parameter", generic) for name in others])
        if ARGS in value:
            yield from self._of_arguments(self._form.arguments(types), value[ARGS], (ARGS,))
        else:
            yield call_rules.ARGUMENT.at(self._opening(()), reason_text=f"The member `{ARGS}` is missing.")

    def _of_arguments(self, arguments: Arguments, value: Json, steps: Steps) -> Iterator[Finding]:
        codecs = arguments.codecs
        try:
            present(value, [member.name for member in arguments.place.members])
        except ValueRefused as refused:
            span = self._opening(steps) if refused.kind is RefusalKind.MISSING else self._place(steps)
            yield call_rules.ARGUMENT.at(span, reason_text=refused.sentence)
        if not isinstance(value, dict):
            return
        yield from self._unused(unused_members(arguments.nodes, arguments.place, value, MOST), steps)
        for member in arguments.place.members:
            if member.name in value and member.name in codecs:
                yield from self._of_one(
                    arguments, member.place, codecs[member.name].decode, value[member.name], (*steps, member.name)
                )

    def _of_one(
        self, arguments: Arguments, place: Place, decode: Callable[[Json], Any], value: Json, steps: Steps
    ) -> Iterator[Finding]:
        refusals = every_refusal(arguments.nodes, arguments.templates, place, decode, value, self._most)
        for refused in refusals:
            yield call_rules.ARGUMENT.at(self._span_of(refused, steps), reason_text=refused.sentence)

    def _span_of(self, refused: Refused, steps: Steps) -> Span:
        where = (*steps, *refused.steps)
        return self._opening(where) if refused.kind is RefusalKind.MISSING else self._place(where)

    def _of_type(self, fault: TypeFault, value: dict[str, Json]) -> Finding:
        named = value.get(TYPES)
        if isinstance(named, dict) and fault.name in named:
            span = self._place((TYPES, fault.name))
            inner = Span(span.start + 1, max(span.start + 1, span.end - 1))
            if fault.span is not None and "\\" not in self._text[span.start : span.end]:
                # An empty place at the end is shown at the closing quote.
                start = min(inner.start + fault.span.start, inner.end)
                inner = Span(start, max(min(inner.start + fault.span.end, inner.end), start + 1))
            found = inner if isinstance(named[fault.name], str) and inner.start < inner.end else span
        else:
            found = self._opening((TYPES,) if TYPES in value else ())
        return call_rules.TYPE_ARGUMENT.at(found, reason_text=fault.sentence)

    def _unused(self, found: Sequence[Unused], before: Steps = ()) -> Iterator[Finding]:
        for one in found:
            near = nearest_name(one.name, one.known)
            hint = f" Is `{shown(near)}` meant?" if near else ""
            span = key_place_of(self._text, pointer_of((*before, *one.steps, one.name)))
            yield call_rules.UNUSED_ARGUMENT.at(
                span, name=one.name, owner_text=one.owner, word=one.word, hint_text=hint
            )

    def _place(self, steps: Steps) -> Span:
        return place_of(self._text, pointer_of(steps))

    def _opening(self, steps: Steps) -> Span:
        """The bracket of the object at `steps`: all of it would be too much to mark for what is not there."""
        start = self._place(steps).start
        return Span(start, start + 1)


def pointer_of(steps: Steps) -> str:
    """Keys and places as a JSON Pointer."""
    return "".join(pointer_token(str(step)) for step in steps)


def _others(value: dict[str, Json]) -> list[str]:
    return [name for name in value if name not in (TYPES, ARGS)]


def _word_at(text: str, start: int) -> Span:
    """The string or word at `start`, or its one character; at the end of the text, the place itself."""
    found = _WORD.match(text, start)
    return Span(start, max(found.end() if found else start, min(start + 1, len(text))))
