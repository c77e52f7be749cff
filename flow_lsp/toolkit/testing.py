"""Running a Tool in process, for authors' tests: Python values in, the outcome that a host would get out.

Everything between is what happens in a served process: arguments are written and read again, views are made and judged,
and the reply is written and decoded at the declared types. So a test sees a wrong return type, an error that was not
declared, and a result past the limits as a program would.

    outcome = call_tool_sync(PROGRAM, Weather(), "current", {"place": Place(Decimal(52), Decimal(4))})
    assert isinstance(outcome, Ok) and outcome.value.sky == SkyClear()
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache, partial
from inspect import isawaitable
from typing import Any, TypeAlias

from flow_lsp.codecs.arguments import ArgumentsCodec
from flow_lsp.codecs.codec import Codec, Codecs
from flow_lsp.descriptions.calls import call_view
from flow_lsp.descriptions.problems import DescriptionProblem
from flow_lsp.protocol.call_outcomes import (
    BadReply,
    CallOutcome,
    Failed,
    NotRun,
    Ok,
    SentOutcome,
    Unknown,
    read_outcome,
)
from flow_lsp.protocol.lines import TooLong, call_line
from flow_lsp.protocol.messages import Notification, read_message
from flow_lsp.protocol.serving import CallReceived, CallRefused, ServingConnection
from flow_lsp.toolkit.calls import is_async
from flow_lsp.toolkit.context import CallContext, enter
from flow_lsp.toolkit.functions import tool_functions
from flow_lsp.toolkit.outcomes import outcome_of
from flow_lsp.toolkit.program import Program
from flow_lsp.toolkit.served import GUARD, PreparedCall, ServedTools, describe_listing
from flow_lsp.types.shapes import ShapeProblem, call_view_to_json, term_from_json
from flow_lsp.types.terms import CallView, Primitive, Term, TypeSpec
from flow_lsp.values.canonical import canonical_text
from flow_lsp.values.strict_json import Json

__all__ = ["BadReply", "CallOutcome", "Failed", "NotRun", "Ok", "Unknown", "call_tool", "call_tool_sync"]

Bound: TypeAlias = "Term | Json"
"""What a test binds to a type parameter: a primitive's name, a term, or the JSON of one."""


async def call_tool(
    program: Program,
    tools: object,
    name: str,
    arguments: Mapping[str, Any],
    *,
    types: Mapping[str, Bound] | None = None,
    run: str = "test",
    call: str = "1",
    cancelled: threading.Event | None = None,
    answered_before: bool = False,
) -> CallOutcome:
    """What a call of the function or Tool `name` comes to: Ok and Failed have the decoded Python value as `value` and
    its canonical text as `text`, the others a `reason`.

    `arguments` are by the function's own names. `types` are bound to a generic Tool's type parameters, over the
    program's declarations; where a parameter's type stands, plain values of that type are given and returned, and no
    Carriers. `cancelled` is what `current_call().cancelled` is. Raises TypeError or ValueError for a test that calls
    what there is not, and ValueRefused for an argument that is no value of its type.
    """
    served = _served(program)
    identity = _identity(program, name)
    functions = tool_functions({identity: program.methods[identity]}, tools)
    if isinstance(functions, str):
        raise TypeError(functions)
    spec = served.spec(identity)
    view = _view(served, spec, types or {})
    codec = _codecs(served, view, builds_opaque=True)
    args = ArgumentsCodec([(param.name, codec(param.type)) for param in spec.params])
    text = args.encode(_by_wire_names(program.methods[identity], spec, arguments))
    texts = _view_texts(spec, view)
    line = call_line(run, call, identity, text, texts[0], texts[1])
    if isinstance(line, TooLong):
        return NotRun(line.reason)
    connection = ServingConnection(describe_listing(program))
    event = connection.receive(line)[0]
    if isinstance(event, CallRefused):
        return NotRun(event.reason)
    assert isinstance(event, CallReceived)
    prepared = served.prepare(event)
    if isinstance(prepared, NotRun):
        outcome: SentOutcome = prepared
    else:
        event_set = cancelled or threading.Event()
        context = CallContext(run, call, identity, event_set, answered_before, prepared.types)
        outcome = await _ran(functions[identity], prepared, context)
    reply = read_message(connection.reply(run, call, outcome))
    assert isinstance(reply, Notification)
    assert isinstance(reply.params, dict)
    codec = _codecs(served, view, builds_opaque=False)
    return read_outcome(reply.params["outcome"], codec(spec.ok), codec(spec.err))


def call_tool_sync(
    program: Program, tools: object, name: str, arguments: Mapping[str, Any], **more: Any
) -> CallOutcome:
    """The same for tests that are not async themselves."""
    return asyncio.run(call_tool(program, tools, name, arguments, **more))


async def _ran(function: Any, prepared: PreparedCall, context: CallContext) -> SentOutcome:
    """The outcome of `function`, which runs as a served process runs it."""
    running = asyncio.ensure_future(_run(function, prepared, context))
    try:
        await asyncio.wait({running})
    except asyncio.CancelledError:
        running.cancel()
        raise
    return running.result()


async def _run(function: Any, prepared: PreparedCall, context: CallContext) -> SentOutcome:
    enter(context)
    try:
        called = partial(function, **prepared.arguments)
        value = called() if is_async(function) else await asyncio.to_thread(called)
        if isawaitable(value):
            value = await value
    except BaseException as error:
        return outcome_of(prepared, context.cancelled, error)
    return prepared.returned(value)


def _codecs(served: ServedTools, view: CallView, builds_opaque: bool) -> Callable[[Term], Codec]:
    """What gives the codecs of a host, for the Tool's own types: so that an Option of a type parameter is a Some here
    as it is for the function."""
    codecs = Codecs(view.declarations, representations=served.representations, builds_opaque=builds_opaque, guard=GUARD)
    bound = [codecs.codec(binding.type) for binding in view.bindings]
    return lambda term: codecs.codec(term, bound)


@lru_cache(maxsize=8)
def _served(program: Program) -> ServedTools:
    return ServedTools(program)


def _identity(program: Program, name: str) -> str:
    if name in program.methods:
        return name
    found = [identity for identity, (method, _) in program.methods.items() if method == name]
    if len(found) != 1:
        known = ", ".join(method for method, _ in program.methods.values())
        raise ValueError(f"The program has no function {name!r}; it has {known}.")
    return found[0]


def _view(served: ServedTools, spec: TypeSpec, types: Mapping[str, Bound]) -> CallView:
    unknown = [name for name in types if name not in spec.generic]
    missing = [name for name in spec.generic if name not in types]
    if unknown or missing:
        parameters = ", ".join(spec.generic) or "none"
        raise ValueError(f"`types` binds each type parameter of the Tool, of which there are: {parameters}.")
    if not spec.generic:
        return CallView((), spec.params, spec.ok, spec.err, spec.declarations)
    made = call_view(spec, [_term(types[name]) for name in spec.generic], served.types)
    if isinstance(made, DescriptionProblem):
        raise ValueError(made.sentence)
    return made[0]


def _view_texts(spec: TypeSpec, view: CallView) -> Sequence[str | None]:
    """The texts of `schema` and `types` of a generic call."""
    if not spec.generic:
        return (None, None)
    from flow_lsp.descriptions.view import success_schema

    schema = success_schema(view)
    assert not isinstance(schema, DescriptionProblem)
    return canonical_text(schema), canonical_text(call_view_to_json(view))


def _term(bound: Bound) -> Term:
    if not isinstance(bound, str | dict) or isinstance(bound, Primitive):
        return bound  # type: ignore[return-value]
    term = term_from_json(bound)
    if isinstance(term, ShapeProblem):
        raise ValueError(term.sentence)
    return term


def _by_wire_names(method: tuple[str, tuple[str, ...]], spec: TypeSpec, arguments: Mapping[str, Any]) -> dict[str, Any]:
    function, names = method
    unknown = [name for name in arguments if name not in names]
    missing = [name for name in names if name not in arguments]
    if unknown or missing:
        what = f"takes no argument {unknown[0]!r}" if unknown else f"needs the argument {missing[0]!r}"
        raise TypeError(f"{function} {what}; it takes {', '.join(names) or 'none'}.")
    return {param.name: arguments[name] for param, name in zip(spec.params, names, strict=True)}
