"""The author's functions: one for each Tool, found and looked at before anything is answered."""

from __future__ import annotations

from types import FunctionType, MethodType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

_MOST_NAMED = 20  # problems that are named; more are counted
_HAS_KEYWORDS = 0x08  # CO_VARKEYWORDS, as `inspect` calls it, which takes long to import


def tool_functions(
    methods: Mapping[str, tuple[str, tuple[str, ...]]], tools: object
) -> dict[str, Callable[..., Any]] | str:
    """The function of each Tool by its identity; a sentence where some are missing, or cannot be called as they are.

    Each is called with keyword arguments, one for each of the Tool's parameters.
    """
    if isinstance(tools, type):
        name = shown(tools.__name__)
        return f"An object with the functions of the Tools is expected, and this is the class {name}: give `{name}()`."
    found: dict[str, Callable[..., Any]] = {}
    problems: list[str] = []
    for identity, (name, parameters) in methods.items():
        function = getattr(tools, name, None)
        if function is None:
            problems.append(f"`{shown(name)}` is missing")
        elif not callable(function):
            problems.append(f"`{shown(name)}` is no function")
        else:
            found[identity] = function
            wrong = _wrong_parameters(function, parameters)
            if wrong:
                problems.append(f"`{shown(name)}` {wrong}")
    if not problems:
        return found
    more = f" and {len(problems) - _MOST_NAMED} more" if len(problems) > _MOST_NAMED else ""
    # What is wrong stands near the start: of a log's last line an editor shows little.
    return f"In {shown(type(tools).__name__)}, {', '.join(problems[:_MOST_NAMED])}{more}."


def shown(text: str) -> str:
    """`findings.model.shown`, imported where something is wrong."""
    from flow_lsp.findings.model import shown as cut

    return cut(text)


def _wrong_parameters(function: Callable[..., Any], parameters: Sequence[str]) -> str:
    """Why `function` cannot be called with `parameters` by name, as a predicate; empty where it can."""
    plain = function.__func__ if isinstance(function, MethodType) else function
    if not isinstance(plain, FunctionType) or hasattr(plain, "__wrapped__"):
        return _wrong_by_signature(function, parameters)
    code = plain.__code__
    ordered = code.co_varnames[: code.co_argcount]
    keyword_only = code.co_varnames[code.co_argcount : code.co_argcount + code.co_kwonlyargcount]
    defaults = len(plain.__defaults__ or ())
    bound = isinstance(function, MethodType)
    if bound and not ordered:
        return _wrong_by_signature(function, parameters)  # `self` is among *args
    named = {*ordered[max(code.co_posonlyargcount, bound) :], *keyword_only}
    if not code.co_flags & _HAS_KEYWORDS:
        for parameter in parameters:
            if parameter not in named:
                return f"takes no argument `{shown(parameter)}`"
    needed = [*ordered[bound : len(ordered) - defaults], *keyword_only]
    optional = plain.__kwdefaults__ or {}
    for name in needed:
        if name not in optional and (name not in parameters or name not in named):
            return f"needs an argument `{shown(name)}`, which the Tool does not have by that name"
    return ""


def _wrong_by_signature(function: Callable[..., Any], parameters: Sequence[str]) -> str:
    from inspect import signature

    try:
        signature(function).bind(**dict.fromkeys(parameters))
    except TypeError as error:
        return f"cannot be called with the Tool's parameters ({shown(str(error))})"
    except ValueError:
        pass  # nothing is known of it, so that the call will show
    return ""
