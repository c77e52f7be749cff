"""Laws of documents of arguments: templates decode, faults have places of their own, cursors agree with places."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterable
from decimal import Decimal
from typing import Any

from hypothesis import assume, given, settings
from hypothesis import strategies as st
from strategies.json_strategies import texts
from strategies.type_strategies import type_specs
from strategies.value_strategies import nearly, typed, valued, values_of

from flow_lsp.analysis.call_documents import call_text, check_call_text
from flow_lsp.analysis.call_form import CallForm
from flow_lsp.analysis.call_places import call_completions, call_hover
from flow_lsp.codecs.codec import Codecs
from flow_lsp.codecs.every_refusal import every_refusal, unused_members
from flow_lsp.codecs.nodes import Nodes
from flow_lsp.codecs.refusals import ValueRefused
from flow_lsp.codecs.template import Templates
from flow_lsp.types.shapes import pointer_token
from flow_lsp.types.terms import TupleOf
from flow_lsp.values.cursor import Role, cursor_at
from flow_lsp.values.layout import laid_out
from flow_lsp.values.places import place_of, places_of
from flow_lsp.values.strict_json import read_json

MOST = 40


@settings(max_examples=300, deadline=None)
@given(valued())
def test_every_type_that_has_a_value_has_a_template_that_decodes(made: Any) -> None:
    declarations, term, codec, _ = made
    nodes = Nodes(declarations)
    text = Templates(nodes).text(nodes.node(term))
    assert text is not None
    codec.read(text)
    codec.read(laid_out(text))


@settings(max_examples=300, deadline=None)
@given(typed())
def test_a_type_without_values_has_no_template(made: Any) -> None:
    declarations, term, codec = made
    nodes = Nodes(declarations)
    text = Templates(nodes).text(nodes.node(term))
    if text is not None:
        codec.read(text)


@settings(max_examples=300, deadline=None)
@given(nearly())
def test_the_first_fault_is_the_decoders_and_each_is_told_once(made: Any) -> None:
    declarations, term, codec, value = made
    nodes = Nodes(declarations)
    found = every_refusal(nodes, Templates(nodes), nodes.node(term), codec.decode, copy.deepcopy(value), MOST)
    refused = None
    try:
        codec.decode(value)
    except ValueRefused as error:
        refused = error
    assert (refused is None) == (found == [])
    if refused is not None:
        assert found[0].sentence == refused.sentence
        assert _pointer(found[0].steps) == refused.pointer
    assert len({(each.kind, each.steps) for each in found}) == len(found)


@settings(max_examples=150, deadline=None)
@given(st.data(), nearly(), nearly())
def test_what_is_wrong_side_by_side_is_all_found(data: st.DataObject, one: Any, other: Any) -> None:
    """The faults of a pair are those of its halves: the first half's must have been put right for the second's."""
    declarations, term, codec, value = one
    _, _, _, changed = other
    nodes = Nodes(declarations)
    templates = Templates(nodes)
    assume(templates.text(nodes.node(term)) is not None)
    second = data.draw(st.just(changed) | values_of(declarations, term, codec).map(lambda made: _json(codec, made)))

    def faults(of: Any, place: Any, decode: Any) -> list[Any]:
        return every_refusal(nodes, templates, place, decode, copy.deepcopy(of), MOST)

    halves = [faults(half, nodes.node(term), codec.decode) for half in (value, second)]
    assume(all(len(half) < MOST // 2 for half in halves))
    pair = TupleOf((term, term))
    both = faults([value, second], nodes.node(pair), Codecs(declarations).codec(pair).decode)
    wanted = [(0, each) for each in halves[0]] + [(1, each) for each in halves[1]]
    assert {(each.sentence, each.steps) for each in both} == {
        (each.sentence, (half, *each.steps)) for half, each in wanted
    }


@settings(max_examples=200, deadline=None)
@given(valued())
def test_a_value_as_it_is_encoded_has_no_unused_member(made: Any) -> None:
    declarations, term, codec, value = made
    nodes = Nodes(declarations)
    assert unused_members(nodes, nodes.node(term), _json(codec, value), MOST) == []


def _json(codec: Any, value: Any) -> Any:
    return json.loads(codec.encode(value), parse_int=read_json, parse_float=Decimal)


plain = st.recursive(
    st.none() | st.booleans() | st.integers() | texts,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=4),
    max_leaves=12,
)
layouts = st.sampled_from([{"indent": 2}, {"separators": (" ,\t", "\r\n: ")}, {"ensure_ascii": False}])


@settings(max_examples=200, deadline=None)
@given(st.data(), plain, layouts)
def test_a_cursor_in_a_value_has_its_steps_and_its_place(
    data: st.DataObject, value: Any, layout: dict[str, Any]
) -> None:
    text = "\n " + json.dumps(value, **layout) + " "
    steps: list[str | int] = []
    while isinstance(value, dict | list) and value:
        step = data.draw(st.sampled_from(list(value) if isinstance(value, dict) else list(range(len(value)))))
        if isinstance(value, dict):
            (found,) = places_of(text, [_pointer([*steps, step])])
            key = found.key
            assert key is not None
            cursor = cursor_at(text, data.draw(st.integers(key.start, key.end)))
            assert (cursor.role, cursor.steps, cursor.written) == (Role.KEY, tuple(steps), step)
            assert (cursor.span, cursor.has_colon, cursor.keys) == (key, True, frozenset(value) - {step})
        value = value[step]
        steps.append(step)
    span = place_of(text, _pointer(steps))
    cursor = cursor_at(text, span.start if isinstance(value, dict | list) else data.draw(st.integers(*span)))
    assert (cursor.role, cursor.steps) == (Role.VALUE, tuple(steps))
    if isinstance(value, dict | list):
        assert cursor.occupied
    else:
        assert cursor.span == span


def _pointer(steps: Iterable[str | int]) -> str:
    return "".join(pointer_token(str(step)) for step in steps)


broken = st.text('{}[]",:\\ ae01\n', max_size=30)


@settings(max_examples=300, deadline=None)
@given(broken, st.integers(-2, 40))
def test_any_text_has_a_cursor_whose_span_is_in_it(text: str, offset: int) -> None:
    cursor = cursor_at(text, offset)
    assert 0 <= cursor.span.start <= cursor.span.end <= len(text)
    inside = max(0, min(offset, len(text)))
    assert cursor.span.start <= inside <= cursor.span.end or cursor.occupied


@settings(max_examples=150, deadline=None)
@given(st.data(), type_specs())
def test_a_fresh_document_has_no_finding_but_for_what_only_a_person_can_give(data: st.DataObject, spec: Any) -> None:
    form = CallForm("tool", spec, {}, lambda: spec.declarations)
    text = form.fresh()
    types = dict.fromkeys(spec.generic, "Text")
    found = check_call_text(form, text)
    nodes = Nodes(spec.declarations)
    templates = Templates(nodes)
    if not spec.generic:
        hopeless = [param for param in spec.params if templates.text(nodes.node(param.type)) is None]
        assert {finding.rule.code for finding in found} <= ({"argument"} if hopeless else set())
        assert form.carried(text) == text
        assert not isinstance(call_text(form, text), str)
    else:
        assert {"type-argument"} <= {finding.rule.code for finding in found}
        form.arguments(types)
    for finding in found:
        assert 0 <= finding.span.start <= finding.span.end <= len(text)
    offset = data.draw(st.integers(0, len(text)))
    call_hover(form, text, offset)
    call_completions(form, text, offset)


@settings(max_examples=150, deadline=None)
@given(st.data(), type_specs())
def test_any_text_as_a_document_is_answered(data: st.DataObject, spec: Any) -> None:
    form = CallForm("tool", spec, {}, lambda: spec.declarations)
    fresh = form.fresh()
    start, end = sorted(data.draw(st.tuples(st.integers(0, len(fresh)), st.integers(0, len(fresh)))))
    text = fresh[:start] + data.draw(broken | st.sampled_from(["Int", '"Int"', "null", '{"a": 1}'])) + fresh[end:]
    for finding in check_call_text(form, text):
        assert 0 <= finding.span.start <= finding.span.end <= len(text)
        assert finding.message.endswith((".", "?"))
    call_text(form, text)
    form.carried(text)
    offset = data.draw(st.integers(0, len(text)))
    call_hover(form, text, offset)
    for item in call_completions(form, text, offset):
        assert item.span.start <= item.span.end <= len(text)
