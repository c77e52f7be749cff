"""What an author of a Tool's implementation in Python uses: `from flow_lsp.toolkit import Instant, ToolFailed, ...`.

One stable door to what stands in several packages (docs/toolkit.md). Each name is imported when it is first asked for:
a process that serves Tools is started anew for many runs, and answers describe before most of this is needed. It needs
no third-party package.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from flow_lsp.codecs.carriers import Carrier
    from flow_lsp.codecs.data import Some, ValueDict, ValueSet
    from flow_lsp.codecs.refusals import ValueRefused
    from flow_lsp.toolkit import testing
    from flow_lsp.toolkit.context import CallContext, current_call
    from flow_lsp.toolkit.failures import ToolFailed, ToolNotRun
    from flow_lsp.toolkit.narrowing import (
        from_datetime,
        from_timedelta,
        to_datetime,
        to_float,
        to_int32,
        to_int64,
        to_timedelta,
    )
    from flow_lsp.toolkit.program import Program, serve
    from flow_lsp.values.durations import Duration
    from flow_lsp.values.instants import Instant
    from flow_lsp.values.strict_json import Json as JsonValue
    from flow_lsp.values.strict_json import JsonRefused

__all__ = [
    "CallContext",
    "Carrier",
    "Duration",
    "Instant",
    "JsonRefused",
    "JsonValue",
    "Program",
    "Some",
    "ToolFailed",
    "ToolNotRun",
    "ValueDict",
    "ValueRefused",
    "ValueSet",
    "current_call",
    "from_datetime",
    "from_timedelta",
    "serve",
    "testing",
    "to_datetime",
    "to_float",
    "to_int32",
    "to_int64",
    "to_timedelta",
]

_HOMES = {
    "CallContext": "flow_lsp.toolkit.context",
    "Carrier": "flow_lsp.codecs.carriers",
    "Duration": "flow_lsp.values.durations",
    "Instant": "flow_lsp.values.instants",
    "JsonRefused": "flow_lsp.values.strict_json",
    "JsonValue": "flow_lsp.values.strict_json",
    "Program": "flow_lsp.toolkit.program",
    "Some": "flow_lsp.codecs.data",
    "ToolFailed": "flow_lsp.toolkit.failures",
    "ToolNotRun": "flow_lsp.toolkit.failures",
    "ValueDict": "flow_lsp.codecs.data",
    "ValueRefused": "flow_lsp.codecs.refusals",
    "ValueSet": "flow_lsp.codecs.data",
    "current_call": "flow_lsp.toolkit.context",
    "from_datetime": "flow_lsp.toolkit.narrowing",
    "from_timedelta": "flow_lsp.toolkit.narrowing",
    "serve": "flow_lsp.toolkit.program",
    "to_datetime": "flow_lsp.toolkit.narrowing",
    "to_float": "flow_lsp.toolkit.narrowing",
    "to_int32": "flow_lsp.toolkit.narrowing",
    "to_int64": "flow_lsp.toolkit.narrowing",
    "to_timedelta": "flow_lsp.toolkit.narrowing",
}


def __getattr__(name: str) -> Any:
    """The public name `name`, from where it stands; it is a plain attribute of this module from then on."""
    found: Any
    if name == "testing":
        found = import_module("flow_lsp.toolkit.testing")
    elif name in _HOMES:
        found = getattr(import_module(_HOMES[name]), "Json" if name == "JsonValue" else name)
    else:
        raise AttributeError(f"module 'flow_lsp.toolkit' has no attribute {name!r}")
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
