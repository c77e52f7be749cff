"""json.Value: any JSON, passed through untouched, its numbers inside Decimal's limits (decisions 1 and 4)."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from typing import Any

from flow_lsp.codecs.refusals import RefusalKind, ValueRefused, refuse_type
from flow_lsp.values.canonical import canonical_text
from flow_lsp.values.limits import Limits
from flow_lsp.values.numbers import HugeNumber, NumberFault, as_decimal

_PLAIN = frozenset({str, bool, type(None)})
_CONTAINERS = frozenset({dict, list})
_TEXT = frozenset({str})
_BELOW = 10**600  # an int or Decimal up to this is inside any limits worth a name
_FEWEST = 1_000  # the limits for which that holds


def json_codec(limits: Limits) -> tuple[Callable[[Any], Any], Callable[[Any], str]]:
    """The functions that decode and encode a json.Value, one linear walk each."""
    easy = min(limits.decimal_digits, limits.decimal_places) >= _FEWEST

    def number_fits(value: Any) -> bool:
        if easy and type(value) is int and -_BELOW < value < _BELOW:
            return True
        return not isinstance(as_decimal(value, limits), NumberFault)

    def decode(value: Any) -> Any:
        kind = type(value)
        if kind in _PLAIN:
            return value
        if kind not in _CONTAINERS:
            return value if number_fits(value) else _refuse_number((), limits)
        work = [value]
        while work:
            container = work.pop()
            for item in container.values() if type(container) is dict else container:
                kind = type(item)
                if kind in _PLAIN:
                    continue
                if kind in _CONTAINERS:
                    work.append(item)
                elif (kind is HugeNumber or kind is int or kind is Decimal) and not number_fits(item):
                    _refuse_number(_steps_to(value, item), limits)
        return value

    def encode(value: Any) -> str:
        if not _is_plain(value, number_fits, limits.nesting):
            _check_python(value, number_fits, limits)
        return canonical_text(value)

    return decode, encode


def _refuse_number(steps: tuple[str | int, ...], limits: Limits) -> Any:
    raise ValueRefused(
        RefusalKind.LIMIT,
        f"A number of a json.Value has at most {limits.decimal_digits} significant digits, none further than "
        f"{limits.decimal_places} places from the point; this has more.",
        *steps,
    )


def _steps_to(root: Any, wanted: object) -> tuple[str | int, ...]:
    """The keys and places that lead from `root` to the object `wanted`."""
    work: list[tuple[Any, tuple[Any, ...] | None]] = [(root, None)]
    while work:
        value, way = work.pop()
        if value is wanted:
            steps: list[str | int] = []
            while way is not None:
                step, way = way
                steps.append(step)
            return tuple(reversed(steps))
        if type(value) is dict:
            work += [(item, (key, way)) for key, item in value.items()]
        elif type(value) is list:
            work += [(item, (place, way)) for place, item in enumerate(value)]
    return ()


def _is_plain(root: Any, number_fits: Callable[[Any], bool], most: int) -> bool:
    """Whether `root` is made of Python's own types alone, its numbers and its depth inside the limits."""
    level: list[Any] = [root] if type(root) in _CONTAINERS else []
    if not level and type(root) not in _PLAIN:
        return False
    for _ in range(most):
        deeper: list[Any] = []
        for container in level:
            items: Any = container
            if type(container) is dict:
                if not set(map(type, container)) <= _TEXT:
                    return False
                items = container.values()
            if set(map(type, items)) <= _PLAIN:
                continue
            for item in items:
                kind = type(item)
                if kind in _CONTAINERS:
                    deeper.append(item)
                elif kind not in _PLAIN and not ((kind is int or kind is Decimal) and _finite_fits(item, number_fits)):
                    return False
        if not deeper:
            return True
        level = deeper
    return False


def _finite_fits(number: int | Decimal, number_fits: Callable[[Any], bool]) -> bool:
    return (type(number) is int or number.is_finite()) and number_fits(number)  # type: ignore[union-attr]


def _check_python(root: Any, number_fits: Callable[[Any], bool], limits: Limits) -> None:
    """Refuses what is no JSON value: a float, a number past the limits, a key that is no str, a cycle."""
    level: list[tuple[Any, tuple[Any, ...] | None]] = [(root, None)]
    for _ in range(limits.nesting + 1):
        deeper: list[tuple[Any, tuple[Any, ...] | None]] = []
        for value, way in level:
            if value is None or isinstance(value, str | bool):
                continue
            if isinstance(value, dict):
                for key, item in value.items():
                    if not isinstance(key, str):
                        _refuse_at(way, lambda: refuse_type(key, "a str is expected for each key of a json.Value"))  # noqa: B023
                    deeper.append((item, (key, way)))
            elif isinstance(value, list | tuple):
                deeper += [(item, (place, way)) for place, item in enumerate(value)]
            elif not isinstance(value, int | Decimal) or (isinstance(value, Decimal) and not value.is_finite()):
                what = (
                    "a finite number" if isinstance(value, Decimal) else "None, bool, int, Decimal, str, list or dict"
                )
                _refuse_at(way, lambda: refuse_type(value, f"{what} is expected in a json.Value"))  # noqa: B023
            elif not number_fits(value):
                _refuse_at(way, lambda: _refuse_number((), limits))
        if not deeper:
            return
        level = deeper
    raise ValueRefused(RefusalKind.LIMIT, f"A value is nested at most {limits.nesting} levels deep.")


def _refuse_at(way: tuple[Any, ...] | None, refuse: Callable[[], Any]) -> None:
    try:
        refuse()
    except ValueRefused as refused:
        while way is not None:
            step, way = way
            refused.inside(step)
        raise
