"""`flow-lsp value check`: is this JSON text a value of that type, and what is its canonical text?"""

from __future__ import annotations

import argparse

from flow_lsp.cli.json_input import (
    STANDARD_INPUT,
    read_input,
    read_json_input,
    refusal_lines,
    say_text_refused,
    say_value_refused,
    shown_pointer,
)
from flow_lsp.cli.terminal import write
from flow_lsp.cli.usage import UsageError
from flow_lsp.codecs.codec import Codecs
from flow_lsp.codecs.refusals import ValueRefused
from flow_lsp.descriptions.listing import read_listing
from flow_lsp.descriptions.problems import DescriptionProblem
from flow_lsp.descriptions.spec import read_declarations, validated
from flow_lsp.findings.model import shown
from flow_lsp.source.type_text import TypeProblem, read_type_text
from flow_lsp.text.spans import Span
from flow_lsp.types.facts import member_facts, template_facts
from flow_lsp.types.reach import reachable
from flow_lsp.types.shapes import ShapeProblem, term_from_json
from flow_lsp.types.terms import Declarations, Primitive, Term, TypeSpec
from flow_lsp.values.strict_json import JsonRefused, read_json

_GIVE_DECLARATIONS = "Give its declarations: `flow-lsp tools > listing.json`, then `--types listing.json`."


def run(options: argparse.Namespace) -> int:
    """Prints the canonical text; the exit status is 1 where what standard input holds is no value of the type."""
    declarations = {} if options.types is None else _declarations(options.types)
    term, declarations = _type(options.type, declarations)
    codec = Codecs(declarations, builds_opaque=not options.reply).codec(term)
    data = read_input(STANDARD_INPUT)
    try:
        text = codec.encode(codec.read(data))
    except JsonRefused as refused:
        say_text_refused(STANDARD_INPUT, data, refused)
        return 1
    except ValueRefused as refused:
        say_value_refused(STANDARD_INPUT, data.decode("utf-8"), refused.pointer, str(refused.kind), refused.sentence)
        return 1
    write(text)
    return 0


def _declarations(path: str) -> Declarations:
    """The declarations that the file at `path` holds: a listing's `types`, or a map of them by itself."""
    _, value = read_json_input(path)
    if isinstance(value, dict) and isinstance(value.get("tools"), list) and "types" in value:
        listing = read_listing(value)
        if not isinstance(listing, DescriptionProblem):
            return listing.types
        problem, what = listing, "listing"
    else:
        found = read_declarations(value)
        if not isinstance(found, DescriptionProblem):
            return found
        problem, what = found, "declarations map"
    raise UsageError(
        f"{shown(path)} holds no valid {what}: {problem.rule}: {problem.sentence} (at {shown_pointer(problem.pointer)})"
    )


def _type(text: str, declarations: Declarations) -> tuple[Term, Declarations]:
    """The type that --type says, in JSON or as source writes it, and the declarations it is over."""
    if text.lstrip().startswith(("{", '"')):
        term = _json_type(text)
    else:
        found = read_type_text(text, declarations)
        if isinstance(found, TypeProblem):
            remedy = f" {_GIVE_DECLARATIONS}" if found.needs_declarations else ""
            raise _no_type(text, found.span, found.sentence + remedy)
        term, declarations = found.term, found.declarations
    problem = validated(_spec(term, declarations))
    if problem is not None:
        raise UsageError(f"--type {shown(text)} is no type that can be used: {problem.rule}: {problem.sentence}")
    return term, declarations


def _json_type(text: str) -> Term:
    try:
        value = read_json(text)
    except JsonRefused as refused:
        raise _no_type(text, Span(refused.offset, refused.offset + 1), refused.sentence) from refused
    term = term_from_json(value)
    if isinstance(term, ShapeProblem):
        raise UsageError(f"--type is no type: {term.sentence} (at {shown_pointer(term.pointer)})")
    return term


def _no_type(text: str, span: Span, sentence: str) -> UsageError:
    lines = refusal_lines("--type", text, span, "type", sentence, colour=False)
    return UsageError("\n".join(lines))


def _spec(term: Term, declarations: Declarations) -> TypeSpec:
    """A TypeSpec that gives `term`, over what of `declarations` it reaches: its rules are the type's."""
    reached = reachable(
        member_facts("", term).references,
        lambda local_id: template_facts(declarations[local_id]).references if local_id in declarations else (),
    )
    kept = {local_id: declarations[local_id] for local_id in reached if local_id in declarations}
    return TypeSpec((), (), term, Primitive.NEVER, kept)
