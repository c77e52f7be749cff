"""Carriers: values of a Tool's type parameter, which its implementation passes on without knowing their type.

Realizes "A generic Tool's values of a type parameter reach the author as JSON" ("Toolkits"). What a Carrier is equal
to, and where it stands in an order, its concrete type decides, which each call describes anew; never its JSON
(decisions 2). Carriers of two types are never equal, and two types are one where their descriptions are.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, TypeVar, final

if TYPE_CHECKING:
    from flow_lsp.codecs.codec import Codec
    from flow_lsp.values.strict_json import Json

Type = TypeVar("Type")
_SHOWN = 80  # characters of a text that stand in a repr


@dataclass(frozen=True, slots=True, eq=False)
class CarriedType:
    """What a call binds a type parameter to. `name` is the parameter's, `key` is equal for equal types alone."""

    name: str
    codec: Codec
    key: Hashable

    def is_same(self, other: CarriedType) -> bool:
        """Whether both are one type."""
        return self is other or self.key == other.key


@final
class Carrier(Generic[Type]):
    """One value of the type parameter `Type`. It cannot be changed or made by hand: it comes with a call's arguments,
    or from `current_call().types.carrier`."""

    __slots__ = ("_carried", "_text", "_value")

    def __init__(self, carried: CarriedType, value: object) -> None:
        """Of codecs alone: `value` is one that `carried.codec` decoded."""
        self._carried = carried
        self._value = value
        self._text: str | None = None

    @property
    def text(self) -> str:
        """Its canonical JSON text, which says all there is to know of the value."""
        if self._text is None:
            self._text = self._carried.codec.encode(self._value)
        return self._text

    @property
    def json(self) -> Json:
        """The JSON value of `text`, made anew, with exact numbers: dict, list, str, int, Decimal, bool or None."""
        from flow_lsp.values.strict_json import read_json

        return read_json(self.text)

    def __eq__(self, other: object) -> bool:
        # Equal values have one canonical text and different ones different texts.
        return isinstance(other, Carrier) and self._carried.is_same(other._carried) and self.text == other.text

    def __hash__(self) -> int:
        return hash((Carrier, self.text))

    def __lt__(self, other: Carrier[Type]) -> bool:
        """By the order of their type; raises TypeError for a type without one."""
        return self._compared(other, lambda mine, theirs: bool(mine < theirs))

    def __le__(self, other: Carrier[Type]) -> bool:
        return self._compared(other, lambda mine, theirs: bool(mine <= theirs))

    def __gt__(self, other: Carrier[Type]) -> bool:
        return self._compared(other, lambda mine, theirs: bool(mine > theirs))

    def __ge__(self, other: Carrier[Type]) -> bool:
        return self._compared(other, lambda mine, theirs: bool(mine >= theirs))

    def __repr__(self) -> str:
        text = self.text
        return f"Carrier({text if len(text) <= _SHOWN else text[: _SHOWN - 1] + '…'})"

    def __copy__(self) -> Carrier[Type]:
        return self

    def __deepcopy__(self, _: object) -> Carrier[Type]:
        return self

    def __reduce__(self) -> Any:
        raise TypeError("A Carrier belongs to its call and cannot be pickled; its text can.")

    def _compared(self, other: object, compare: Callable[[Any, Any], bool]) -> bool:
        if not isinstance(other, Carrier) or not self._carried.is_same(other._carried):
            return NotImplemented  # type: ignore[no-any-return] # and so does each that calls this
        key = self._carried.codec.order_key
        return compare(key(self._value), key(other._value))


def carried_type(carrier: Carrier[Any]) -> CarriedType:
    """The type of `carrier`."""
    return carrier._carried


def carried_value(carrier: Carrier[Any]) -> Any:
    """The value of `carrier`, as the codec of its type decodes it."""
    return carrier._value
