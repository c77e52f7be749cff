"""Laws of generated programs that run: what a function hands back is what the caller gave, whatever the types."""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any

from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from strategies.generic_strategies import BOXES
from strategies.type_strategies import PARAMETERS, closed_spec, declarations, ordered_terms, terms
from strategies.value_strategies import Drawing, Uninhabited

from flow_lsp.codecs.codec import Codecs
from flow_lsp.codecs.nodes import Nodes
from flow_lsp.generating.generate import Generated, generate
from flow_lsp.signature.signature import Signature, signature_of
from flow_lsp.toolkit.served import ServedTools
from flow_lsp.toolkit.testing import Ok, call_tool_sync
from flow_lsp.types.shapes import declarations_to_json, term_to_json
from flow_lsp.types.terms import TOOL_OWNER, DictOf, Named, OptionOf, Param, Parameter, Primitive, SetOf, Term, TypeSpec

ORDERED = ordered_terms
TEMPLATES = declarations(2)


class Echo:
    """Hands its argument back."""

    def echo(self, value: Any) -> Any:
        return value


def module_of(spec: TypeSpec) -> ModuleType | None:
    """The generated module of a program with the one Tool `spec`; None where it has no fingerprint, or no values that
    may cross."""
    signature = signature_of(spec)
    if not isinstance(signature, Signature):
        return None
    entry = {
        "tool": "tools.echo",
        "name": "echo",
        "doc": None,
        "fingerprint": signature.fingerprint,
        "generic": list(spec.generic),
        "params": [{"name": "value", "type": term_to_json(spec.params[0].type), "doc": None}],
        "ok": term_to_json(spec.ok),
        "err": "Never",
        "file": "tools.flow",
        "line": 1,
    }
    types = declarations_to_json(spec.declarations)
    made = generate({"data": "0.1", "tools": [entry], "types": types, "problems": []})  # type: ignore[dict-item]
    if not isinstance(made, Generated):
        return None
    module = sys.modules["echoing"] = ModuleType("echoing")  # where dataclasses look for it
    exec(compile(made.module, "echoing.py", "exec"), module.__dict__)
    return module


@st.composite
def echoes(draw: st.DrawFn) -> tuple[TypeSpec, dict[str, Term]]:
    """A Tool whose success type is that of its parameter, and what a call binds."""
    templates = {**draw(TEMPLATES), **BOXES}
    heads = [(local_id, len(template.generic)) for local_id, template in templates.items()]
    generic = PARAMETERS[: draw(st.integers(0, 2))]
    parameters = [Param(TOOL_OWNER, index) for index in range(len(generic))]
    root: st.SearchStrategy[Term] = terms(heads, parameters)
    if parameters:
        one = st.sampled_from(parameters)
        boxed = st.builds(Named, st.sampled_from(["box", "pick"]), one.map(lambda each: (each,)))
        root |= boxed | one.map(SetOf) | st.builds(DictOf, one, one | boxed) | one.map(OptionOf)
    term = draw(root)
    spec = closed_spec(generic, (Parameter("value", term),), term, Primitive.NEVER, templates)
    known = [Named(local_id) for local_id, template in spec.declarations.items() if not template.generic]
    binding = ORDERED | ORDERED.map(OptionOf) | (st.sampled_from(known) if known else ORDERED)
    return spec, {name: draw(binding) for name in generic}


@settings(
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large], deadline=None
)
@given(echoes(), st.data())
def test_what_is_handed_back_is_what_was_given(echo: tuple[TypeSpec, dict[str, Term]], data: st.DataObject) -> None:
    spec, bindings = echo
    module = module_of(spec)
    assume(module is not None)
    assert module is not None
    program = module.PROGRAM
    representations = ServedTools(program).representations
    codecs = Codecs(spec.declarations, representations=representations)
    bound = [codecs.codec(bindings[name]) for name in spec.generic]
    codec = codecs.codec(spec.ok, bound)
    nodes = Nodes(spec.declarations)
    node = nodes.node(spec.ok, TOOL_OWNER, [nodes.node(bindings[name]) for name in spec.generic])
    try:
        value = data.draw(st.composite(lambda draw: Drawing(draw, codecs, nodes).value(node))())
    except (Uninhabited, RecursionError):
        assume(False)
    names = program.methods["tools.echo"][1]
    try:
        outcome = call_tool_sync(program, Echo(), "echo", {names[0]: value}, types=bindings)
    except ValueError as refused:  # a binding that has no order, for one
        assume("order" not in str(refused) and "instances" not in str(refused))
        raise
    assert isinstance(outcome, Ok), outcome
    assert outcome.text == codec.encode(value)
    assert codec.encode(outcome.value) == outcome.text
