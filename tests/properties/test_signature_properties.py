"""Laws of schemas, fingerprints, shapes and differences."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from referencing import Registry, Resource
from referencing.jsonschema import DRAFT202012
from strategies.flow_workspaces import FOLDER, FileMap, check_all
from strategies.json_strategies import json_values, mutated
from strategies.type_strategies import type_specs

from flow_lsp.signature.difference import DIFFERENCES_LIMIT, differences
from flow_lsp.signature.readable import readable_declaration
from flow_lsp.signature.signature import Signature, SignatureProblem, served_fingerprint, signature_of
from flow_lsp.source.listing import tools_listing
from flow_lsp.types.shapes import (
    ShapeProblem,
    spec_from_json,
    spec_to_json,
    template_from_json,
    term_from_json,
)
from flow_lsp.types.terms import Constructor, Field, Kind, ListOf, OptionOf, Parameter, Primitive, Template, TypeSpec
from flow_lsp.values.canonical import canonical_text
from flow_lsp.values.strict_json import Json, read_json


def signed(spec: TypeSpec) -> Signature:
    made = signature_of(spec)
    assert isinstance(made, Signature), made.sentence
    return made


@given(type_specs())
@settings(max_examples=60, deadline=None)
def test_a_listing_has_the_declarations_own_fingerprint(spec: TypeSpec) -> None:
    made = signed(spec)
    assert served_fingerprint(made.served) == made.fingerprint
    assert served_fingerprint(read_json(canonical_text(made.served))) == made.fingerprint
    assert canonical_text(read_json(made.canonical)) == made.canonical


@given(type_specs())
@settings(max_examples=60, deadline=None)
def test_docs_and_versions_do_not_move_it(spec: TypeSpec) -> None:
    def undocumented(fields: tuple[Field, ...]) -> tuple[Field, ...]:
        return tuple(replace(field, doc=None) for field in fields)

    def constructor(old: Constructor) -> Constructor:
        return replace(old, doc=None, named=None if old.named is None else undocumented(old.named))

    plain = {
        local_id: replace(
            template,
            doc=None,
            identity=template.identity.replace("@1.2.0/", "@2.0.0-rc/"),
            fields=undocumented(template.fields),
            constructors=tuple(map(constructor, template.constructors)),
        )
        for local_id, template in spec.declarations.items()
    }
    other = signed(replace(spec, declarations=plain))
    assert other.fingerprint == signed(spec).fingerprint
    assert differences(signed(spec).served, other.served) == ()
    assert '"description":"A doc' not in canonical_text(other.served)


@given(type_specs())
@settings(max_examples=60, deadline=None)
def test_schemas_are_valid_and_every_reference_resolves(spec: TypeSpec) -> None:
    served = signed(spec).served
    for root in (*(schema for _, schema in served["params"]), served["ok"], served["err"]):
        Draft202012Validator.check_schema(_with_empty_tuples_allowed(root))
        resource: Resource[Any] = Resource(root, DRAFT202012)
        resolver = Registry().with_resource("urn:root", resource).resolver("urn:root")
        met = set()
        for ref in _references(root):
            met.add(ref)
            assert resolver.lookup(ref).contents in root["$defs"].values()
        assert len(root.get("$defs", {})) == len(met), "exactly the named types that are reached"


def _with_empty_tuples_allowed(schema: Any) -> Any:
    """The meta-schema wants no empty prefixItems, which a payload of no parts has."""
    if isinstance(schema, dict):
        return {
            name: _with_empty_tuples_allowed(value) for name, value in schema.items() if name != "prefixItems" or value
        }
    return [_with_empty_tuples_allowed(item) for item in schema] if isinstance(schema, list) else schema


def _references(schema: Any) -> list[str]:
    if isinstance(schema, list):
        return [ref for item in schema for ref in _references(item)]
    if not isinstance(schema, dict):
        return []
    found = [schema["$ref"]] if isinstance(schema.get("$ref"), str) else []
    return found + [ref for value in schema.values() for ref in _references(value)]


@given(type_specs())
@settings(max_examples=60, deadline=None)
def test_shapes_are_read_back(spec: TypeSpec) -> None:
    written = spec_to_json(spec)
    again = spec_from_json(read_json(canonical_text(written)))
    assert isinstance(again, TypeSpec)
    assert spec_to_json(again) == written
    assert signed(again) == signed(spec)


@given(type_specs().flatmap(lambda spec: mutated(spec_to_json(spec))) | json_values())
@settings(max_examples=60, deadline=None)
def test_a_changed_description_gives_a_problem_or_a_spec(value: Json) -> None:
    for reader in (spec_from_json, template_from_json, term_from_json):
        found = reader(value)
        if isinstance(found, ShapeProblem):
            assert found.sentence.endswith(".")
            _lookup(value, found.pointer)
        elif isinstance(found, TypeSpec):
            assert isinstance(signature_of(found), Signature | SignatureProblem)


def _lookup(value: Any, pointer: str) -> None:
    for step in pointer.split("/")[1:]:
        step = step.replace("~1", "/").replace("~0", "~")
        value = value[int(step)] if isinstance(value, list) else value[step]


def agree(here: Any, there: Any) -> None:
    found = differences(here, there)
    one, other = served_fingerprint(here), served_fingerprint(there)
    equal = isinstance(one, str) and one == other
    assert (not found) is equal
    assert len(found) <= DIFFERENCES_LIMIT
    for difference in found:
        assert difference.sentence.isprintable()
        assert not difference.sentence.endswith(".")
        assert len(difference.sentence) < 1200


@given(type_specs(), type_specs())
@settings(max_examples=60, deadline=None)
def test_two_signatures_differ_in_words_exactly_where_they_differ(one: TypeSpec, other: TypeSpec) -> None:
    agree(signed(one).served, signed(other).served)


@given(st.data(), type_specs())
@settings(max_examples=60, deadline=None)
def test_a_changed_spec_differs_in_words_exactly_where_it_differs(data: st.DataObject, spec: TypeSpec) -> None:
    changed = spec_from_json(data.draw(mutated(spec_to_json(spec), 1)))
    made = signature_of(changed) if isinstance(changed, TypeSpec) else None
    if isinstance(made, Signature):
        agree(signed(spec).served, made.served)
        agree(made.served, signed(spec).served)


@given(st.data(), type_specs())
@settings(max_examples=60, deadline=None)
def test_a_hostile_listing_differs_in_words_exactly_where_it_differs(data: st.DataObject, spec: TypeSpec) -> None:
    made = signed(spec)
    listed = data.draw(mutated(made.served, 3))
    agree(made.served, listed)
    assert readable_declaration("find", listed)


@given(type_specs(), st.data())
@settings(max_examples=150, deadline=None)
def test_each_listed_change_moves_it(spec: TypeSpec, data: st.DataObject) -> None:
    """The changes that "Identity and fingerprints" lists, each where `spec` has what it needs."""
    added = Parameter("added", Primitive.BYTES)
    changes = {"parameter added": replace(spec, params=(*spec.params, added))}
    if spec.params:
        first, *others = spec.params
        changes["parameter removed"] = replace(spec, params=tuple(others))
        changes["parameter renamed"] = replace(spec, params=(replace(first, name="renamed"), *others))
        changes["parameter retyped"] = replace(spec, params=(replace(first, type=ListOf(first.type)), *others))
        if others:
            changes["parameters reordered"] = replace(spec, params=(*others, first))
    changes["success type"] = replace(spec, ok=ListOf(spec.ok))
    changes["error type"] = replace(spec, err=ListOf(spec.err))
    changes["type parameter added"] = replace(spec, generic=(*spec.generic, "Added"))
    if spec.generic:
        changes["type parameter renamed"] = replace(spec, generic=("Renamed", *spec.generic[1:]))
    name = data.draw(st.sampled_from(sorted(changes)))
    assert signed(changes[name]).fingerprint != signed(spec).fingerprint, name


def _with_field(template: Template, field: Field) -> Template:
    return replace(template, fields=(*template.fields, field))


def _reshaped(template: Template) -> dict[str, Template]:
    """`template` in other shapes."""
    if template.kind is Kind.RECORD:
        made = {
            "field added": _with_field(template, Field("added", Primitive.BYTES)),
            "Option field added": _with_field(template, Field("added", OptionOf(Primitive.BYTES))),
        }
        for index, field in enumerate(template.fields):
            before, behind = template.fields[:index], template.fields[index + 1 :]
            made["field removed"] = replace(template, fields=before + behind)
            made["field renamed"] = replace(template, fields=(*before, replace(field, name="renamed"), *behind))
            made["field retyped"] = replace(
                template, fields=(*before, replace(field, type=ListOf(field.type)), *behind)
            )
        return made
    if template.kind is not Kind.ENUM:
        return {"host made record": replace(template, kind=Kind.RECORD)}
    made = {"constructor added": replace(template, constructors=(*template.constructors, Constructor("Added")))}
    for index, constructor in enumerate(template.constructors):
        before, behind = template.constructors[:index], template.constructors[index + 1 :]

        def at_place(
            *between: Constructor,
            before: tuple[Constructor, ...] = before,
            behind: tuple[Constructor, ...] = behind,
        ) -> Template:
            return replace(template, constructors=(*before, *between, *behind))

        made["constructor removed"] = at_place()
        made["constructor renamed"] = at_place(replace(constructor, name="Renamed"))
        part = (*(constructor.positional or ()), Primitive.BYTES, Primitive.BYTES)
        made["payload changed"] = at_place(Constructor(constructor.name, positional=part))
        if behind and constructor.name != behind[0].name:
            made["constructors reordered"] = replace(template, constructors=(*before, *behind, constructor))
    return made


@given(type_specs(), st.data())
@settings(max_examples=150, deadline=None)
def test_a_reached_type_that_changes_its_shape_moves_it(spec: TypeSpec, data: st.DataObject) -> None:
    if not spec.declarations:
        return
    local_id = data.draw(st.sampled_from(sorted(spec.declarations)))
    template = spec.declarations[local_id]
    before = signed(spec)
    changed = data.draw(st.sampled_from(sorted(_reshaped(template).items(), key=lambda item: item[0])))[1]
    after = signed(replace(spec, declarations={**spec.declarations, local_id: changed}))
    # What only an argument of a type without such a value names stands in no schema.
    roots = (*(schema for _, schema in before.served["params"]), before.served["ok"], before.served["err"])
    bases = {key.partition("<")[0].partition("#")[0] for root in roots for key in root.get("$defs", {})}
    assert (after.fingerprint != before.fingerprint) is (template.identity in bases)


DECLARED = (
    ("record Page<T> {", ("items: List<T>", "next: Option<Page<T>>"), "}"),
    ("enum Problem {", ("Offline", "Slow(Duration)", "Refused { code: Int, reason: Text }"), "}"),
    ("@tool fn find<T>(", ("wanted: Page<T>", "limit: Int"), ") -> Result<List<Page<T>>, Problem>"),
)
gaps = st.sampled_from(["", "\n", "\n\n    ", " // said\n", "\n/* said */ ", "\r\n\t", "\n/// Said.\n"])
commas = st.sampled_from([", ", ",\n", "\n", " , /* said */ ", ",  // said\n  ", "\n\n\n"])


@given(st.data())
@settings(max_examples=60, deadline=None)
def test_formatting_and_comments_do_not_move_it(data: st.DataObject) -> None:
    def fingerprint(text: str) -> str:
        (tool,) = tools_listing(check_all(FileMap({"a.flow": text}, {})), FOLDER)["tools"]
        return str(tool["fingerprint"])

    plain, laid_out = "", ""
    for head, members, tail in DECLARED:
        plain += f"{head}{', '.join(members)}{tail}\n"
        inside = data.draw(gaps) + data.draw(commas).join(members) + data.draw(st.sampled_from(["", ",", ",\n"]))
        laid_out += data.draw(gaps) + head.replace(" ", data.draw(st.sampled_from([" ", "  ", " /* said */ "])))
        laid_out += inside + data.draw(st.sampled_from(["", "\n", " // said\n"])) + tail + "\n"
    assert fingerprint(laid_out) == fingerprint(plain)
