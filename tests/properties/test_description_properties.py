"""Laws of type descriptions: what is read is what was written, and only what counts decides."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from hypothesis import assume, given, settings
from hypothesis import strategies as st
from strategies.json_strategies import json_values, mutated
from strategies.type_strategies import PARAMETERS, closed_spec, declarations, docs, draw_term, terms, type_specs

from flow_lsp.descriptions.calls import call_view
from flow_lsp.descriptions.listing import ListingSpecs, read_listing
from flow_lsp.descriptions.problems import DescriptionProblem, DescriptionRule
from flow_lsp.descriptions.spec import read_declarations, read_spec, validated
from flow_lsp.descriptions.substitution import instantiated
from flow_lsp.descriptions.view import MISSING, check_view
from flow_lsp.types.renaming import renamed_template, renamed_term
from flow_lsp.types.shapes import call_view_to_json, declarations_to_json, spec_from_json, spec_to_json
from flow_lsp.types.terms import (
    TOOL_OWNER,
    Binding,
    CallView,
    Constructor,
    Declarations,
    Field,
    Kind,
    Named,
    OptionOf,
    Param,
    Parameter,
    Primitive,
    SetOf,
    Template,
    Term,
    TypeSpec,
)
from flow_lsp.values.canonical import canonical_text
from flow_lsp.values.strict_json import Json, read_json

few = settings(max_examples=60, deadline=None)
more = settings(max_examples=150, deadline=None)


def told(problem: DescriptionProblem, value: Any) -> None:
    """A problem has a place in `value` and a sentence; a schema's may be of what is missing there."""
    assert problem.sentence.endswith(".")
    assert problem.sentence.isprintable()
    steps = problem.pointer.split("/")[1:]
    for place, step in enumerate(steps):
        step = step.replace("~1", "/").replace("~0", "~")
        if problem.rule is DescriptionRule.SCHEMA and isinstance(value, dict) and step not in value:
            assert place == len(steps) - 1
            return
        value = value[int(step)] if isinstance(value, list) else value[step]


# -- TypeSpecs -----------------------------------------------------------------------------------------


@given(type_specs())
@few
def test_what_is_valid_is_read_as_it_was_written(spec: TypeSpec) -> None:
    written = read_json(canonical_text(spec_to_json(spec)))
    read = read_spec(written)
    assert read == spec, read
    assert validated(spec) is None
    assert canonical_text(spec_to_json(spec)) == canonical_text(written)
    assert read_declarations(declarations_to_json(spec.declarations)) == spec.declarations


@given(st.lists(type_specs(), max_size=3))
@few
def test_a_listing_of_valid_tools_gives_their_specs(specs: list[TypeSpec]) -> None:
    specs = [
        renamed(spec, {name: f"{number}{name}" for name in spec.declarations}) for number, spec in enumerate(specs)
    ]
    types: dict[str, Any] = {}
    for spec in specs:
        types |= declarations_to_json(spec.declarations)
    entries = [{**spec_to_json(spec), "name": "f", "doc": None} for spec in specs]
    for entry in entries:
        del entry["declarations"]
    found = read_listing({"tools": entries, "types": types})
    assert isinstance(found, ListingSpecs), found
    assert list(found.specs) == specs


@given(type_specs().flatmap(lambda spec: mutated(spec_to_json(spec), 3)) | json_values())
@more
def test_whatever_is_read_is_valid_or_told(value: Json) -> None:
    read = read_spec(value)
    if isinstance(read, DescriptionProblem):
        told(read, value)
    else:
        assert canonical_text(spec_to_json(read)) == canonical_text(value)
    joined = spec_from_json(value)
    if isinstance(joined, TypeSpec):
        assert validated(joined) == (read if isinstance(read, DescriptionProblem) else None)
    for other in (read_declarations(value), read_listing(value)):
        if isinstance(other, DescriptionProblem):
            told(other, value)


@given(type_specs().flatmap(lambda spec: mutated({"tools": [entry_of(spec)], "types": types_of(spec)}, 3)))
@few
def test_whatever_a_listing_holds_is_valid_or_told(value: Json) -> None:
    read = read_listing(value)
    if isinstance(read, DescriptionProblem):
        told(read, value)
    else:
        assert all(validated(spec) is None for spec in read.specs)


def entry_of(spec: TypeSpec) -> dict[str, Any]:
    """A listing's entry of `spec`."""
    written = spec_to_json(spec)
    del written["declarations"]
    return {**written, "name": "f", "tool": "k.f"}


def types_of(spec: TypeSpec) -> dict[str, Any]:
    """A listing's types."""
    return declarations_to_json(spec.declarations)


def wild(ids: list[str]) -> st.SearchStrategy[Term]:
    """Terms that keep the rules of single terms now and then."""
    return st.recursive(
        st.sampled_from([Primitive.INT, Primitive.TEXT, Primitive.JSON_VALUE])
        | st.builds(Named, st.sampled_from([*ids, *ids, "missing"]))
        | st.builds(Param, st.sampled_from([*ids, TOOL_OWNER]), st.integers(0, 1)),
        lambda inner: (
            st.builds(SetOf, inner)
            | st.builds(OptionOf, inner)
            | st.builds(Named, st.sampled_from(ids), st.lists(inner, max_size=2).map(tuple))
        ),
        max_leaves=3,
    )


@st.composite
def doubtful_specs(draw: st.DrawFn) -> TypeSpec:
    """A TypeSpec by its shape, valid by everything else or not."""
    spec = draw(type_specs())
    declared = dict(spec.declarations)
    for local_id in draw(st.sets(st.sampled_from(list(declared)), max_size=2)) if declared else ():
        template, term = declared[local_id], draw(wild(list(declared)))
        changed = (*template.fields, Field(draw(st.sampled_from(["id", "added"])), term))
        declared[local_id] = draw(
            st.sampled_from(
                [
                    replace(template, kind=Kind.RECORD, fields=changed, constructors=()),
                    replace(template, lexical_ordinal=1, identity="k.Same"),
                    replace(template, generic=("T",)),
                ]
            )
        )
    ok = draw(st.just(spec.ok) | wild(list(declared))) if declared else spec.ok
    return TypeSpec(spec.generic, spec.params, ok, spec.err, declared)


@given(st.data(), doubtful_specs())
@more
def test_local_ids_docs_and_the_order_of_declarations_decide_nothing(data: st.DataObject, spec: TypeSpec) -> None:
    before = validated(spec)
    names = {local_id: f"renamed {number}" for number, local_id in enumerate(spec.declarations)}
    other = validated(redocumented(renamed(spec, names), data.draw(docs)))
    assert (other and other.rule) == (before and before.rule)
    order = data.draw(st.permutations(list(spec.declarations)))
    turned = replace(spec, declarations={local_id: spec.declarations[local_id] for local_id in order})
    assert (validated(turned) is None) == (before is None)


def renamed(spec: TypeSpec, names: Mapping[str, str]) -> TypeSpec:
    """`spec` with other local ids."""
    return TypeSpec(
        spec.generic,
        tuple(Parameter(param.name, renamed_term(param.type, names)) for param in spec.params),
        renamed_term(spec.ok, names),
        renamed_term(spec.err, names),
        renamed_map(spec.declarations, names),
    )


def renamed_map(given_map: Declarations, names: Mapping[str, str]) -> dict[str, Template]:
    """A declarations map with other local ids."""
    return {
        names.get(local_id, local_id): renamed_template(template, names) for local_id, template in given_map.items()
    }


def redocumented(spec: TypeSpec, doc: str | None) -> TypeSpec:
    """`spec` with that doc everywhere."""
    return replace(
        spec, declarations={local_id: with_doc(template, doc) for local_id, template in spec.declarations.items()}
    )


def with_doc(template: Template, doc: str | None) -> Template:
    """`template` with that doc everywhere."""

    def fields(old: tuple[Field, ...]) -> tuple[Field, ...]:
        return tuple(replace(field, doc=doc) for field in old)

    def constructor(old: Constructor) -> Constructor:
        return replace(old, doc=doc, named=None if old.named is None else fields(old.named))

    return replace(
        template, doc=doc, fields=fields(template.fields), constructors=tuple(map(constructor, template.constructors))
    )


# -- calls ---------------------------------------------------------------------------------------------


@st.composite
def generic_specs(draw: st.DrawFn) -> TypeSpec:
    """The TypeSpec of a generic Tool whose roots use its type parameters."""
    templates = draw(declarations())
    heads = [(local_id, len(template.generic)) for local_id, template in templates.items()]
    generic = PARAMETERS[: draw(st.integers(1, 2))]
    own = [Param(TOOL_OWNER, index) for index in range(len(generic))]
    names = draw(st.lists(st.sampled_from("xyz"), max_size=3, unique=True))
    params = tuple([Parameter(name, draw_term(draw, heads, own)) for name in names])
    return closed_spec(generic, params, draw_term(draw, heads, own), draw_term(draw, heads, own), templates)


@st.composite
def callers(draw: st.DrawFn, count: int) -> tuple[list[Term], dict[str, Template]]:
    """Concrete types over declarations of the caller's own, whose local ids are those that a TypeSpec has too."""
    templates = draw(declarations())
    heads = [(local_id, len(template.generic)) for local_id, template in templates.items()]
    return [draw_term(draw, heads, ()) for _ in range(count)], templates


def apart(templates: Mapping[str, Template]) -> dict[str, Template]:
    """`templates` under identities that no Tool has."""
    return {local_id: replace(one, identity=f"app/{one.identity}") for local_id, one in templates.items()}


@st.composite
def calls(draw: st.DrawFn) -> tuple[TypeSpec, CallView, Any]:
    """A generic Tool and a call of it."""
    spec = draw(generic_specs())
    bindings, own = draw(callers(len(spec.generic)))
    made = call_view(spec, bindings, apart(own))
    assert not isinstance(made, DescriptionProblem), made
    return spec, *made


@given(calls())
@more
def test_what_a_caller_sends_is_accepted(call: tuple[TypeSpec, CallView, Any]) -> None:
    spec, view, schema = call
    sent = read_json(canonical_text({"types": call_view_to_json(view), "schema": schema}))
    assert isinstance(sent, dict)
    assert check_view(spec, sent["types"], sent["schema"]) == view
    assert view.params == tuple(Parameter(one.name, view.params[at].type) for at, one in enumerate(spec.params))
    assert [binding.name for binding in view.bindings] == list(spec.generic)


@given(st.data(), generic_specs())
@more
def test_a_caller_that_shares_identities_is_accepted_or_told(data: st.DataObject, spec: TypeSpec) -> None:
    bindings, own = data.draw(callers(len(spec.generic)))
    made = call_view(spec, bindings, own)
    if isinstance(made, DescriptionProblem):
        assert made.rule in (DescriptionRule.CONFLICT, DescriptionRule.MISMATCH)
        assert made.sentence.endswith(".")
    else:
        assert check_view(spec, call_view_to_json(made[0]), made[1]) == made[0]


@given(st.data(), generic_specs())
@few
def test_a_caller_that_declares_the_tools_own_types_sends_those(data: st.DataObject, spec: TypeSpec) -> None:
    names = {local_id: f"mine {local_id}" for local_id in spec.declarations}
    own = renamed_map(spec.declarations, names)
    heads = [(local_id, len(template.generic)) for local_id, template in own.items()]
    bindings = [data.draw(terms(heads)) for _ in spec.generic]
    made = call_view(spec, bindings, own)
    assert not isinstance(made, DescriptionProblem), made
    assert made[0].declarations.keys() <= own.keys()
    roots = instantiated(renamed(spec, names), bindings)
    assert (made[0].params, made[0].ok, made[0].err) == (roots.params, roots.ok, roots.err)


@given(st.data(), calls())
@more
def test_whatever_is_sent_is_accepted_or_told(data: st.DataObject, call: tuple[TypeSpec, CallView, Any]) -> None:
    spec, view, schema = call
    sent = data.draw(mutated({"types": call_view_to_json(view), "schema": schema}, 3) | json_values())
    assume(isinstance(sent, dict))
    types, given_schema = sent.get("types", MISSING), sent.get("schema", MISSING)
    found = check_view(spec, types, given_schema)
    if isinstance(found, DescriptionProblem):
        told(found, {name: sent[name] for name in ("types", "schema") if name in sent})
        return
    # What is accepted is what that caller would be told to send, up to the ids of the Tool's declarations.
    made = call_view(spec, [binding.type for binding in found.bindings], found.declarations)
    assert not isinstance(made, DescriptionProblem), made
    assert made[0] == replace(found, declarations={name: found.declarations[name] for name in made[0].declarations})
    assert made[0].declarations.keys() == found.declarations.keys()
    assert check_view(spec, types, made[1]) == found


@given(st.data(), calls())
@few
def test_a_callers_ids_docs_and_order_decide_nothing(data: st.DataObject, call: tuple[TypeSpec, CallView, Any]) -> None:
    spec, view, schema = call
    order = data.draw(st.permutations(list(view.declarations)))
    names = {local_id: f"other {number}" for number, local_id in enumerate(order)}
    doc = data.draw(docs)
    other = CallView(
        tuple(Binding(one.name, renamed_term(one.type, names)) for one in view.bindings),
        tuple(Parameter(one.name, renamed_term(one.type, names)) for one in view.params),
        renamed_term(view.ok, names),
        renamed_term(view.err, names),
        {names[local_id]: with_doc(renamed_template(view.declarations[local_id], names), doc) for local_id in order},
    )
    assert check_view(spec, call_view_to_json(other), schema) == other


@given(st.data(), calls())
@few
def test_another_binding_is_another_call(data: st.DataObject, call: tuple[TypeSpec, CallView, Any]) -> None:
    spec, view, schema = call
    index = data.draw(st.integers(0, len(view.bindings) - 1))
    bound = view.bindings[index]
    other = data.draw(terms())
    assume(other != bound.type)
    turned = (*view.bindings[:index], replace(bound, type=other), *view.bindings[index + 1 :])
    found = check_view(spec, call_view_to_json(replace(view, bindings=turned)), schema)
    used = any(holds(term, index) for term in (*(param.type for param in spec.params), spec.ok, spec.err))
    if used:
        assert isinstance(found, DescriptionProblem)
        assert found.rule is DescriptionRule.MISMATCH


def holds(term: Any, index: int) -> bool:
    """Whether the Tool's type parameter of that index stands in `term`."""
    if isinstance(term, Param):
        return term.owner == TOOL_OWNER and term.index == index
    if isinstance(term, Named):
        return any(holds(arg, index) for arg in term.args)
    parts = [getattr(term, name) for name in getattr(term, "__slots__", ()) if hasattr(term, name)]
    return any(holds(part, index) for part in parts if not isinstance(part, tuple)) or any(
        holds(item, index) for part in parts if isinstance(part, tuple) for item in part
    )
