"""`flow-lsp typespec check`: is this a valid TypeSpec, and is that a call of its Tool?"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import TypeVar

from flow_lsp.cli.json_input import STANDARD_INPUT, read_input, say_text_refused, say_value_refused
from flow_lsp.cli.terminal import write
from flow_lsp.cli.usage import UsageError
from flow_lsp.descriptions.problems import DescriptionProblem, DescriptionRule
from flow_lsp.descriptions.spec import read_spec
from flow_lsp.descriptions.view import MISSING, check_view
from flow_lsp.types.terms import CallView, TypeSpec
from flow_lsp.values.strict_json import Json, JsonRefused, read_json

Described = TypeVar("Described", TypeSpec, CallView)


def run(options: argparse.Namespace) -> int:
    """Prints `valid`; the exit status is 1 where the TypeSpec, or the call's view of its types, is not."""
    if options.file == options.view == STANDARD_INPUT:
        raise UsageError("standard input is read only once; name a file for the TypeSpec or for the view.")
    spec = _described(options.file, read_spec)
    if spec is None:
        return 1
    if options.view is not None and _described(options.view, lambda value: _view(spec, value)) is None:
        return 1
    write("valid")
    return 0


def _view(spec: TypeSpec, value: Json) -> CallView | DescriptionProblem:
    """The types of the call of which `value` holds the members `types` and `schema`, beside any others."""
    if not isinstance(value, dict):
        return DescriptionProblem(
            DescriptionRule.SHAPE, "", "A call's `types` and `schema` are expected here, and this is no object."
        )
    return check_view(spec, value.get("types", MISSING), value.get("schema", MISSING))


def _described(path: str, judge: Callable[[Json], Described | DescriptionProblem]) -> Described | None:
    """What `judge` makes of the JSON text at `path`; None where it has a problem, which is said."""
    data = read_input(path)
    try:
        value = read_json(data)
    except JsonRefused as refused:
        say_text_refused(path, data, refused)
        return None
    found = judge(value)
    if isinstance(found, DescriptionProblem):
        say_value_refused(path, data.decode("utf-8"), found.pointer, str(found.rule), found.sentence)
        return None
    return found
