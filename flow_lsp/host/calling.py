"""One call of a declared Tool, made ready: arguments checked and written, codecs of what comes back, views.

Realizes "The Tool process protocol" (call) and "Type descriptions" (a generic call carries both views). What is
made here is plain data and asks nobody; who sends it is the implementation's matter.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, TypeAlias

from flow_lsp.codecs.arguments import ArgumentsCodec
from flow_lsp.codecs.codec import Codec, Codecs
from flow_lsp.codecs.refusals import ValueRefused
from flow_lsp.descriptions.calls import call_view
from flow_lsp.descriptions.problems import DescriptionProblem
from flow_lsp.signature.signature import Signature
from flow_lsp.types.shapes import call_view_to_json
from flow_lsp.types.terms import Declarations, Parameter, Term, TypeSpec
from flow_lsp.values.canonical import canonical_text
from flow_lsp.values.limits import DEFAULT_LIMITS, Limits
from flow_lsp.values.strict_json import Json


@dataclass(frozen=True, eq=False)
class CallableTool:
    """A declared Tool: what a call of it needs to know. `spec` is valid and `signature` its own."""

    identity: str
    name: str
    spec: TypeSpec
    signature: Signature
    limits: Limits = field(default=DEFAULT_LIMITS)

    @cached_property
    def types(self) -> CallTypes:
        """The types of a call that binds nothing; only for a Tool that is not generic."""
        return call_types(self.spec.params, self.spec.ok, self.spec.err, self.spec.declarations, self.limits)


@dataclass(frozen=True, slots=True, eq=False)
class CallTypes:
    """The concrete types of one kind of call, as codecs: arguments are encoded, replies decoded.

    `schema` and `types` are the canonical texts of a generic call's views; None for another.
    """

    parameters: tuple[Parameter, ...]
    arguments: ArgumentsCodec
    ok: Codec
    err: Codec
    schema: str | None = None
    types: str | None = None


@dataclass(slots=True, eq=False)  # not frozen, which would take three times as long to make for each call
class Call:
    """A call as it goes out. `values` are the arguments by name, `args` their canonical text."""

    run: str
    call: str
    tool: CallableTool
    types: CallTypes
    values: Mapping[str, Any]
    args: str

    @property
    def pair(self) -> tuple[str, str]:
        """What it is known by."""
        return self.run, self.call


@dataclass(frozen=True, slots=True)
class CallRefused:
    """Why there is no such call. `pointer` leads into the arguments; None where they are not what is wrong."""

    sentence: str
    pointer: str | None = None


Prepared: TypeAlias = Call | CallRefused


def call_types(
    params: Sequence[Parameter],
    ok: Term,
    err: Term,
    declarations: Declarations,
    limits: Limits = DEFAULT_LIMITS,
    views: tuple[str, str] | None = None,
) -> CallTypes:
    """The codecs of concrete roots. Arguments may hold opaque values, replies may not ("Decoding")."""
    sent = Codecs(declarations, limits=limits)
    received = Codecs(declarations, limits=limits, builds_opaque=False)
    arguments = ArgumentsCodec([(param.name, sent.codec(param.type)) for param in params])
    schema, types = views or (None, None)
    return CallTypes(tuple(params), arguments, received.codec(ok), received.codec(err), schema, types)


def generic_types(tool: CallableTool, bindings: Sequence[Term], declarations: Declarations) -> CallTypes | CallRefused:
    """The types of a call of a generic Tool that puts `bindings`, over the caller's `declarations`, for its type
    parameters."""
    made = call_view(tool.spec, bindings, declarations)
    if isinstance(made, DescriptionProblem):
        return CallRefused(made.sentence)
    view, schema = made
    texts = canonical_text(schema), canonical_text(call_view_to_json(view))
    return call_types(view.params, view.ok, view.err, view.declarations, tool.limits, texts)


def prepare_json(run: str, call: str, tool: CallableTool, types: CallTypes, args: Json) -> Prepared:
    """The call with the arguments that the JSON value `args` holds, checked at their types."""
    try:
        values = types.arguments.decode(args)
        return Call(run, call, tool, types, values, types.arguments.encode(values))
    except ValueRefused as refused:
        return CallRefused(refused.sentence, refused.pointer)


def prepare_values(run: str, call: str, tool: CallableTool, types: CallTypes, values: Mapping[str, Any]) -> Prepared:
    """The call with the Python values `values` as its arguments, by name."""
    unknown = types.arguments.unknown(values)
    if unknown:
        names = ", ".join(name for name, _ in types.arguments.parameters) or "none"
        return CallRefused(f"The Tool {tool.name} has no parameter {unknown[0]!r}; it has {names}.")
    try:
        return Call(run, call, tool, types, values, types.arguments.encode(values))
    except ValueRefused as refused:
        return CallRefused(refused.sentence, refused.pointer)
