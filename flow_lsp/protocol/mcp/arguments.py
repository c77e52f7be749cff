"""A call's arguments as an MCP tool takes them (decisions 11)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from flow_lsp.codecs.refusals import RefusalKind, ValueRefused, refuse_type
from flow_lsp.findings.model import shown
from flow_lsp.types.terms import OptionOf, Parameter
from flow_lsp.values.canonical import canonical_text
from flow_lsp.values.strict_json import Json


def arguments_text(params: Sequence[Parameter], values: Mapping[str, Json]) -> str:
    """The canonical text of the arguments object of a tools/call.

    `values` are the call's `args`: one canonical value for each of `params` by its name, an Option being "None" or
    {"Some": value}; what names no parameter is ignored. An Option that is None is left out, and Some is passed as
    its value. That the values are ones of their types is not checked again; raises ValueRefused where one is
    missing, or an Option is neither None nor Some.
    """
    arguments: dict[str, Json] = {}
    for param in params:
        if param.name not in values:
            raise ValueRefused(RefusalKind.MISSING, f"The argument `{shown(param.name)}` is missing.")
        value = values[param.name]
        if not isinstance(param.type, OptionOf):
            arguments[param.name] = value
        elif isinstance(value, dict) and value.keys() == {"Some"}:
            arguments[param.name] = value["Some"]
        elif value != "None":
            try:
                refuse_type(value, '"None" or an object with the one member Some is expected for Option')
            except ValueRefused as refused:
                refused.inside(param.name)
                raise
    return canonical_text(arguments)
