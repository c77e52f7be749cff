"""`flow-lsp call`: one call of a declared Tool, made as a program would make it; the outcome as JSON."""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections.abc import Mapping
from contextlib import suppress

from flow_lsp.analysis.source_places import declarations_of
from flow_lsp.binding.model import CommandKey
from flow_lsp.cli.consent import Consent
from flow_lsp.cli.implementations import ended_by_signal
from flow_lsp.cli.json_input import read_input, say_text_refused, say_value_refused
from flow_lsp.cli.schemas import split_target
from flow_lsp.cli.terminal import complain, printable, write
from flow_lsp.cli.usage import UsageError
from flow_lsp.cli.workspace import Workspace, open_file
from flow_lsp.findings.model import shown
from flow_lsp.host.calling import Call, CallableTool, CallRefused, CallTypes, generic_types, prepare_json
from flow_lsp.host.host import binding_of, callable_tool
from flow_lsp.host.pool import Pool
from flow_lsp.host.process_host import ProcessLimits
from flow_lsp.host.process_life import ENDED_BY_HOST, LifeLimits
from flow_lsp.host.run import RunRefused
from flow_lsp.protocol.call_outcomes import BadReply, CallOutcome, Failed, NotRun, Ok, Unknown, outcome_text
from flow_lsp.source.type_text import TypeProblem, read_type_text
from flow_lsp.text.distance import nearest_name
from flow_lsp.types.terms import Declarations, Term
from flow_lsp.values.strict_json import JsonRefused, read_json

STATUS: Mapping[type[object], int] = {Ok: 0, Failed: 3, NotRun: 4, Unknown: 5, BadReply: 6}


def run(options: argparse.Namespace) -> int:
    """Prints the outcome; the exit status says which it is: 0 Ok, 3 Failed, 4 NotRun, 5 Unknown, 6 BadReply."""
    path, name = split_target(options.target)
    if name is None:
        raise UsageError("name the Tool as FILE:NAME, such as search.flow:find.")
    opened, key = open_file(path, options, options.override)
    tool = _tool(opened, key, path, name)
    types = _types(opened, key, tool, options.type)
    call = _call(options, tool, types)
    outcome = call if isinstance(call, NotRun) else _outcome(opened, key, tool, call, options)
    write(outcome_text(outcome))
    return STATUS[type(outcome)]


def _tool(opened: Workspace, key: str, path: str, name: str) -> CallableTool:
    tools = {tool.declared.name: tool for tool in opened.tools_of(key)}
    if name not in tools:
        near = nearest_name(name, list(tools))
        hint = f" Is {shown(near)} meant?" if near else f" It has {', '.join(map(shown, tools))}." if tools else ""
        raise UsageError(f"{shown(path)} declares no Tool {shown(name)}.{hint}")
    made = callable_tool(tools[name])
    if isinstance(made, str):
        raise UsageError(made)
    return made


# -- what is called -------------------------------------------------------------------------------------------


def _types(opened: Workspace, key: str, tool: CallableTool, given: list[str]) -> CallTypes:
    bindings: dict[str, str] = {}
    for text in given:
        name, equals, term = text.partition("=")
        if not equals or name not in tool.spec.generic or name in bindings:
            raise UsageError(f"--type {shown(text)}: {_generic_hint(tool)}")
        bindings[name] = term
    missing = [name for name in tool.spec.generic if name not in bindings]
    if missing:
        raise UsageError(f"{shown(tool.name)} is generic: {_generic_hint(tool)}")
    if not bindings:
        return tool.types
    declarations: Declarations = {**declarations_of(opened.analysis, opened.project.snapshot(), key)}
    terms: list[Term] = []
    for name in tool.spec.generic:
        found = read_type_text(bindings[name], declarations)
        if isinstance(found, TypeProblem):
            raise UsageError(f"--type {shown(name)}={shown(bindings[name])}: {found.sentence}")
        terms.append(found.term)
        declarations = found.declarations
    made = generic_types(tool, terms, declarations)
    if isinstance(made, CallRefused):
        raise UsageError(f"the types of this call cannot be used: {made.sentence}")
    return made


def _generic_hint(tool: CallableTool) -> str:
    if not tool.spec.generic:
        return f"{shown(tool.name)} is not generic."
    each = " ".join(f"--type {name}=TYPE" for name in tool.spec.generic)
    return f"give {each}, each once."


def _call(options: argparse.Namespace, tool: CallableTool, types: CallTypes) -> Call | NotRun:
    """The call with the arguments of --args, which are said to be wrong before anything is started."""
    source = options.args
    name = "--args"
    if source == "-" or source.startswith("@"):
        name = source.removeprefix("@")
        data = read_input(name)
    else:
        data = source.encode("utf-8", "surrogatepass")
    try:
        args = read_json(data, tool.limits)
    except JsonRefused as refused:
        say_text_refused(name, data, refused)
        return NotRun(f"The arguments are no JSON: {refused.sentence}")
    if isinstance(args, dict):
        for unknown in types.arguments.unknown(args):
            complain(f"the argument {shown(unknown)} is not used: {shown(tool.name)} has no such parameter.")
    run_id, call_id = options.run or "flow-lsp", options.call or "1"
    call = prepare_json(run_id, call_id, tool, types, args)
    if isinstance(call, CallRefused):
        say_value_refused(name, data.decode("utf-8"), call.pointer or "", "arguments", call.sentence)
        at = f" (at {call.pointer})" if call.pointer else ""
        return NotRun(f"{call.sentence.rstrip('.')}{at}.")
    return call


# -- calling it -----------------------------------------------------------------------------------------------


def _outcome(opened: Workspace, key: str, tool: CallableTool, call: Call, options: argparse.Namespace) -> CallOutcome:
    (declared,) = [each.declared for each in opened.tools_of(key) if each.declared.name == tool.name]
    binding = binding_of(opened.project.snapshot(), key, declared)
    settings = opened.project.settings
    consent = Consent(settings.trust)
    log: list[str] = []

    def refuses(command: CommandKey) -> str | None:
        return consent.refusal(command, f"to answer the call of {tool.name}")

    def note(_: CommandKey, sentence: str) -> None:
        if options.verbose:
            print(f"  {printable(sentence)}", file=sys.stderr, flush=True)
        else:
            log.append(sentence)

    async def called() -> CallOutcome:
        limits = ProcessLimits(LifeLimits(describe=settings.describe_timeout))
        pool = Pool(limits=limits, log=note, refuses=refuses)
        try:
            started = await pool.start_run([(tool, binding)], call.run)
            if isinstance(started, RunRefused):
                return NotRun(started.problems[0].reason)
            task = asyncio.ensure_future(started.send(call))
            done, _ = await asyncio.wait([task], timeout=options.wait)
            if not done:
                started.cancel(call)
            return await task
        finally:
            await pool.close()

    with ended_by_signal():
        outcome = asyncio.run(called())
    if isinstance(outcome, NotRun | Unknown | BadReply):
        with suppress(OSError):
            for sentence in [each for each in log if not _is_told(each, outcome)][-10:]:
                print(f"  {printable(sentence)}", file=sys.stderr)
    return outcome


def _is_told(sentence: str, outcome: NotRun | Unknown | BadReply) -> bool:
    """Whether a sentence of the log says nothing beside the outcome: how the process ended, which the outcome says too
    where it matters."""
    return sentence == f"The process {ENDED_BY_HOST}" or sentence in outcome.reason
