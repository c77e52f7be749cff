"""Laws of generated Python: it imports, is typed, says what its listing says, and holds every value of its types."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from unicodedata import normalize

import pytest
from hypothesis import HealthCheck, Phase, assume, given, settings
from hypothesis import strategies as st
from strategies.program_strategies import programs, renamed
from strategies.type_strategies import closed_spec, declarations, terms
from strategies.value_strategies import Drawing, Uninhabited
from support.generated import (
    checked_by_mypy,
    checked_by_ruff,
    generated,
    imported,
    listing_of,
    representations,
)

from flow_lsp.codecs.codec import Codecs
from flow_lsp.codecs.nodes import Nodes
from flow_lsp.descriptions.listing import ListingSpecs, read_listing
from flow_lsp.generating.generate import Generated, GenerationRefused, generate
from flow_lsp.generating.naming import ToolNames, module_names
from flow_lsp.generating.program import ProgramTypes, read_program
from flow_lsp.signature.signature import Signature, signature_of
from flow_lsp.types.terms import Declarations, Kind, Named, Parameter, Primitive, Template, Term, TypeSpec
from flow_lsp.values.strict_json import read_json

slow = settings(deadline=None, suppress_health_check=list(HealthCheck))
CHECKED = 120  # programs that mypy and ruff see, all in one run of each


@slow
@given(programs())
def test_every_program_is_a_module_that_imports_and_is_made_the_same_again(tools: dict[str, TypeSpec]) -> None:
    listing = listing_of(tools)
    made = generated(listing)
    assert made.module == generated(listing).module
    compile(made.main(), "main.py", "exec")
    program = imported(made.module).PROGRAM
    described = read_json(program.describe)
    assert isinstance(described, list)
    assert [(entry["tool"], entry["fingerprint"]) for entry in described if isinstance(entry, dict)] == [
        (entry["tool"], entry["fingerprint"]) for entry in listing["tools"]
    ]
    kept, whole = read_listing(read_json(program.listing)), read_listing(listing)
    assert isinstance(kept, ListingSpecs)
    assert isinstance(whole, ListingSpecs)
    assert list(map(fingerprint, kept.specs)) == list(map(fingerprint, whole.specs))


def fingerprint(spec: TypeSpec) -> str:
    """What the types of a Tool come to, whatever is said of them."""
    found = signature_of(spec)
    assert isinstance(found, Signature)
    return found.fingerprint


def test_random_programs_under_hard_names_pass_mypy_strict_and_ruff(tmp_path: Path) -> None:
    texts: dict[str, str] = {}

    @settings(slow, max_examples=CHECKED, phases=[Phase.generate], database=None)
    @given(programs())
    def gather(tools: dict[str, TypeSpec]) -> None:
        made = generate(listing_of(tools), f"program_{len(texts) // 2}")
        assert isinstance(made, Generated)
        texts[made.name] = made.module
        texts[f"main_{len(texts) // 2}"] = made.main()

    gather()
    assert checked_by_mypy(tmp_path, texts) == ""
    assert checked_by_ruff(tmp_path, texts) == ""


@st.composite
def typed_programs(draw: st.DrawFn) -> tuple[Declarations, Term, dict[str, TypeSpec]]:
    """Declarations under hard names, a concrete type over them, and a program of one Tool that takes it."""
    templates = {local_id: draw(renamed(template, local_id)) for local_id, template in draw(declarations()).items()}
    term = draw(terms([(local_id, len(template.generic)) for local_id, template in templates.items()]))
    spec = closed_spec((), (Parameter("value", term),), Primitive.UNIT, Primitive.NEVER, templates)
    return spec.declarations, term, {"a.take": spec}


@slow
@given(st.data(), typed_programs())
def test_values_of_generated_classes_are_those_of_the_boundary(
    data: st.DataObject, program: tuple[Declarations, Term, dict[str, TypeSpec]]
) -> None:
    types, term, tools = program
    module = imported(generated(listing_of(tools)).module)
    own, plain = Codecs(types, representations=representations(module, types)), Codecs(types)
    nodes = Nodes(types)
    try:
        value: Any = Drawing(data.draw, own, nodes).value(nodes.node(term))
    except (Uninhabited, RecursionError):
        assume(False)
    text = own.codec(term).encode(value)
    assert plain.codec(term).encode(plain.codec(term).read(text)) == text
    back = own.codec(term).read(text)
    assert own.codec(term).encode(back) == text
    assert type(back) is type(value)


@slow
@given(programs(), st.randoms())
def test_names_are_valid_apart_and_depend_on_no_order(tools: dict[str, TypeSpec], random: Any) -> None:
    listing = listing_of(tools)
    program = read_program(listing)
    assert isinstance(program, ProgramTypes)
    names = module_names(program)
    of_module = [*names.types.values(), *names.variables.values(), *filter(None, [own.failure for own in names.tools])]
    of_module += [name for several in names.constructors.values() for name in several]
    assert len(set(of_module)) == len(of_module)
    methods = [own.method for own in names.tools]
    assert len(set(methods)) == len(methods)
    for name in (*of_module, *methods, *(name for own in names.tools for name in own.parameters)):
        assert name.isidentifier()
        assert normalize("NFKC", name) == name
        assert not name.startswith("_")
    entries, types = list(listing["tools"]), list(listing["types"].items())
    random.shuffle(entries)
    random.shuffle(types)
    turned = read_program({**listing, "tools": entries, "types": dict(types)})
    assert isinstance(turned, ProgramTypes)
    again = module_names(turned)
    assert again.types == names.types
    assert again.constructors == names.constructors
    assert again.variables == names.variables
    assert dict(zip([tool.identity for tool in turned.tools], again.tools, strict=True)) == dict(
        zip([tool.identity for tool in program.tools], names.tools, strict=True)
    )


@slow
@given(programs(), st.sampled_from([Primitive.NEVER, Primitive.TEXT]))
def test_another_tool_with_a_type_renames_nothing_that_it_does_not_collide_with(
    tools: dict[str, TypeSpec], err: Primitive
) -> None:
    template = Template("Zebra", "z/zoo.Zebra", 1, ("Stripe",), False, Kind.RECORD)
    other = TypeSpec((), (), Named("zebra", (Primitive.INT,)), err, {"zebra": template})
    program, both = read_program(listing_of(tools)), read_program(listing_of({**tools, "z/zoo.graze": other}))
    assert isinstance(program, ProgramTypes)
    assert isinstance(both, ProgramTypes)
    before, after = module_names(program), module_names(both)
    assert after.types == {**before.types, "zebra": "Zebra"}
    assert after.constructors == before.constructors
    assert after.variables == {**before.variables, "Stripe": "Stripe"}
    assert after.tools == (*before.tools, ToolNames("graze", (), None if err is Primitive.NEVER else "GrazeFailed"))


@slow
@given(programs(), st.data())
def test_a_listing_with_something_taken_from_it_is_refused_or_generated_and_never_raises(
    tools: dict[str, TypeSpec], data: st.DataObject
) -> None:
    listing = listing_of(tools)
    place: Any = listing
    while isinstance(place, dict | list) and place:
        keys = list(place) if isinstance(place, dict) else list(range(len(place)))
        key = data.draw(st.sampled_from(keys))
        if not isinstance(place[key], dict | list) or data.draw(st.booleans()):
            place[key] = data.draw(st.sampled_from([None, 1, "", "Int", [], {}, True, "tool", -1]))
            break
        place = place[key]
    found = generate(listing)
    if isinstance(found, GenerationRefused):
        assert found.reasons
        assert all(reason.endswith((".", ")", "?")) for reason in found.reasons)
    else:
        compile(found.module, "flow_tools.py", "exec")


@pytest.mark.parametrize("name", ["flow_tools", "t"])
def test_the_stub_imports_the_module_by_its_name(name: str) -> None:
    spec = TypeSpec((), (), Primitive.INT, Primitive.TEXT, {})
    made = generate(listing_of({"a.find": spec}), name)
    assert isinstance(made, Generated)
    assert f"from {name} import FindFailed, serve\n" in made.main()
