"""Why a value is refused, and where: one sentence and a JSON Pointer ("Decoding"; decisions 3)."""

from __future__ import annotations

from decimal import Decimal
from enum import StrEnum
from typing import Any, Final, NoReturn

from flow_lsp.findings.model import shown
from flow_lsp.values.numbers import HugeNumber


class RefusalKind(StrEnum):
    """Why a value is refused: the classes of the conformance cases."""

    TYPE = "type"  # another kind of value than the type's
    NUMBER = "number"  # an Int that is not whole
    LIMIT = "limit"  # past a limit of decisions 4
    FORMAT = "format"  # not a text of Bytes, Instant or Duration
    MISSING = "missing"  # a required field is not there
    CONSTRUCTOR = "constructor"  # no such constructor, a payload too many or too few, not exactly one property
    LENGTH = "length"  # a tuple, a pair or several parts of another length
    ORDER = "order"  # a Set or Dict that is not strictly ascending
    NEVER = "never"  # Never has no values
    OPAQUE = "opaque"  # an opaque type where it may not be built
    NO_ENCODING = "no-encoding"  # a function, a task or a type that is no data
    SURROGATE = "surrogate"  # half a character in a text that is to be encoded


class ValueRefused(Exception):  # noqa: N818 - the word of the specification
    """A value is not decoded, or not encoded. `pointer` is a JSON Pointer into it; `sentence` has a full stop."""

    def __init__(self, kind: RefusalKind, sentence: str, *steps: str | int) -> None:
        super().__init__(sentence)
        self.kind: Final = kind
        self.sentence: Final = sentence
        self._steps = list(reversed(steps))  # the innermost first

    def inside(self, step: str | int) -> None:
        """Says that what was refused stands at `step`, a key or a place, of a value around it."""
        self._steps.append(step)

    @property
    def pointer(self) -> str:
        """Where, from the value's root: such as `/items/0`."""
        return "".join(f"/{str(step).replace('~', '~0').replace('/', '~1')}" for step in reversed(self._steps))

    def __str__(self) -> str:
        return f"{self.sentence} (at {self.pointer})" if self._steps else self.sentence


def json_kind(value: Any) -> str:
    """What kind of JSON value, or of Python value, `value` is, with its article."""
    if value is None:
        return "null"
    if value is True or value is False:
        return "true" if value else "false"
    if isinstance(value, str):
        return "a string"
    if isinstance(value, int | Decimal | HugeNumber):
        return "a number"
    if isinstance(value, dict):
        return "an object"
    if type(value) is list:
        return "an array"
    return f"a Python {shown(type(value).__name__)}"


def refuse_type(value: Any, expected: str) -> NoReturn:
    """Refuses `value` for another kind than `expected`, such as `a string is expected for Text`."""
    raise ValueRefused(RefusalKind.TYPE, f"{expected[0].upper()}{expected[1:]}, and this is {json_kind(value)}.")


def refuse_order(index: int, what: str, *steps: int) -> NoReturn:
    """Refuses the `what`, an item or a key, at `index`, since it is not above the one before it."""
    raise ValueRefused(
        RefusalKind.ORDER,
        f"This {what} does not come after the one before it; {what}s stand in strictly ascending order of their "
        "values, each once.",
        index,
        *steps,
    )
