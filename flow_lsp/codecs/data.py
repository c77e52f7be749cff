"""Flow values in Python, where Python has no type of its own for them.

| Flow | Python |
|---|---|
| Int, Decimal, Bool, Text, Bytes | int, Decimal, bool, str, bytes |
| Instant, Duration | values.instants.Instant, values.durations.Duration |
| Unit | None |
| json.Value | what read_json gives, untouched |
| host type | the token, a str |
| List, Tuple | tuple |
| Set, Dict | ValueSet, ValueDict |
| Option<T> | None, or the value; a Some of it where T is a type parameter, Option, Unit or json.Value |
| record | a RecordValue of its record_class |
| enum | an EnumValue of its constructor_class |

All but json.Value are immutable, and hashable where no json.Value is inside. Whether an Option's value is wrapped
goes by its type as declared, before substitution: code over `Box<T>` then reads the same for every T.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Set
from typing import Any, ClassVar, Generic, TypeVar
from weakref import WeakValueDictionary

Item = TypeVar("Item", covariant=True)
Key = TypeVar("Key")
Value = TypeVar("Value", covariant=True)


class Some(Generic[Item]):
    """The Option that holds `value`, where the bare value could be taken for none."""

    __slots__ = ("value",)
    value: Item
    __match_args__ = ("value",)

    def __init__(self, value: Item) -> None:
        object.__setattr__(self, "value", value)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"A Some cannot be changed, so `{name}` cannot be set.")

    def __eq__(self, other: object) -> bool:
        return self.value == other.value if isinstance(other, Some) else NotImplemented

    def __hash__(self) -> int:
        return hash((Some, self.value))

    def __repr__(self) -> str:
        return f"Some({self.value!r})"


class RecordValue(tuple[Any, ...]):
    """A record's value: its fields' values in declaration order. `value["title"]` is one by its name.

    Each declaration has a class of its own, which record_class gives; two values are equal where their classes
    and fields are.
    """

    __slots__ = ()
    name: ClassVar[str] = ""
    identity: ClassVar[str] = ""
    field_names: ClassVar[tuple[str, ...]] = ()

    def __new__(cls, *values: Any, **named: Any) -> RecordValue:
        """One value for each field, by place or by name; raises TypeError where some are missing or unknown."""
        return tuple.__new__(cls, _arranged(cls.name, cls.field_names, values, named))

    def __getitem__(self, name: Any) -> Any:
        """The value of the field `name`; raises KeyError where there is none."""
        if isinstance(name, str):
            try:
                return tuple.__getitem__(self, self.field_names.index(name))
            except ValueError:
                raise KeyError(name) from None
        return tuple.__getitem__(self, name)

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and tuple.__eq__(self, other)

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash((self.identity, tuple.__hash__(self)))

    def __repr__(self) -> str:
        return f"{self.name}({_written(self.field_names, self)})"


class EnumValue(tuple[Any, ...]):
    """An enum's value: the parts of its constructor's payload, in declaration order.

    Each constructor has a class of its own, which constructor_class gives. Named parts can be had by name.
    """

    __slots__ = ()
    name: ClassVar[str] = ""  # the enum's
    identity: ClassVar[str] = ""
    constructor: ClassVar[str] = ""
    place: ClassVar[int] = 0  # among the constructors, in declaration order, from 0
    part_names: ClassVar[tuple[str, ...] | None] = None
    part_count: ClassVar[int] = 0

    def __new__(cls, *parts: Any, **named: Any) -> EnumValue:
        """One value for each part; raises TypeError where some are missing or unknown."""
        names = cls.part_names
        if names is None:
            if named or len(parts) != cls.part_count:
                raise TypeError(f"{cls.name}.{cls.constructor} takes {cls.part_count} parts, without names.")
            return tuple.__new__(cls, parts)
        return tuple.__new__(cls, _arranged(f"{cls.name}.{cls.constructor}", names, parts, named))

    def __getitem__(self, name: Any) -> Any:
        """The part `name`, or the one at that place; raises KeyError or IndexError where there is none."""
        if isinstance(name, str):
            try:
                return tuple.__getitem__(self, (self.part_names or ()).index(name))
            except ValueError:
                raise KeyError(name) from None
        return tuple.__getitem__(self, name)

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and tuple.__eq__(self, other)

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash((self.identity, self.place, tuple.__hash__(self)))

    def __repr__(self) -> str:
        parts = f"({_written(self.part_names or (), self)})" if self else ""
        return f"{self.name}.{self.constructor}{parts}"


class ValueSet(Set[Item]):
    """A Set's value. Decoded ones run in the order of the item's type; codecs order others when they encode."""

    __slots__ = ("_hash", "_items", "_members")

    def __init__(self, items: Iterable[Item] = ()) -> None:
        self._items = tuple(dict.fromkeys(items))
        self._members: frozenset[Item] | None = None

    @classmethod
    def of_distinct(cls, items: tuple[Any, ...]) -> ValueSet[Any]:
        """The set of `items`, no two of which are equal."""
        made = cls.__new__(cls)
        made._items = items
        made._members = None
        return made

    def __iter__(self) -> Iterator[Item]:
        return iter(self._items)

    def __len__(self) -> int:
        return len(self._items)

    def __contains__(self, item: object) -> bool:
        return item in self._member_set()

    def __eq__(self, other: object) -> bool:
        if isinstance(other, ValueSet):
            return self._items == other._items or (
                len(self._items) == len(other._items) and self._member_set() == other._member_set()
            )
        return Set.__eq__(self, other)

    def __hash__(self) -> int:
        return hash(self._member_set())

    def __repr__(self) -> str:
        return f"ValueSet({list(self._items)!r})"

    def _member_set(self) -> frozenset[Item]:
        if self._members is None:
            self._members = frozenset(self._items)
        return self._members


class ValueDict(Mapping[Key, Value]):
    """A Dict's value. Decoded ones run in the order of the keys' type; codecs order others when they encode."""

    __slots__ = ("_found",)

    def __init__(self, pairs: Mapping[Key, Value] | Iterable[tuple[Key, Value]] = ()) -> None:
        self._found: dict[Key, Value] = dict(pairs)

    @classmethod
    def of_fresh(cls, found: dict[Any, Any]) -> ValueDict[Any, Any]:
        """The dict of what `found` holds, which nobody else may change."""
        made = cls.__new__(cls)
        made._found = found
        return made

    def __getitem__(self, key: Key) -> Value:
        return self._found[key]

    def __iter__(self) -> Iterator[Key]:
        return iter(self._found)

    def __len__(self) -> int:
        return len(self._found)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, ValueDict):
            return self._found == other._found
        return Mapping.__eq__(self, other)

    def __hash__(self) -> int:
        return hash(frozenset(self._found.items()))

    def __repr__(self) -> str:
        return f"ValueDict({self._found!r})"


_record_classes: WeakValueDictionary[tuple[Any, ...], type[RecordValue]] = WeakValueDictionary()
_constructor_classes: WeakValueDictionary[tuple[Any, ...], type[EnumValue]] = WeakValueDictionary()


def record_class(name: str, identity: str, ordinal: int, field_names: tuple[str, ...]) -> type[RecordValue]:
    """The class of a record's values: one for all declarations that have these in common."""
    key = (name, identity, ordinal, field_names)
    found = _record_classes.get(key)
    if found is None:
        members = {"__slots__": (), "name": name, "identity": identity, "field_names": field_names}
        found = type("RecordValue", (RecordValue,), members)
        _record_classes[key] = found
    return found


def constructor_class(
    name: str,
    identity: str,
    ordinal: int,
    constructor: str,
    place: int,
    parts: int | tuple[str, ...],
) -> type[EnumValue]:
    """The class of the values of one constructor of an enum. `parts` is how many there are, or their names."""
    key = (name, identity, ordinal, constructor, place, parts)
    found = _constructor_classes.get(key)
    if found is None:
        named = isinstance(parts, tuple)
        members = {
            "__slots__": (),
            "name": name,
            "identity": identity,
            "constructor": constructor,
            "place": place,
            "part_names": parts if named else None,
            "part_count": len(parts) if isinstance(parts, tuple) else parts,
        }
        found = type("EnumValue", (EnumValue,), members)
        _constructor_classes[key] = found
    return found


def _arranged(what: str, names: tuple[str, ...], values: tuple[Any, ...], named: dict[str, Any]) -> Iterable[Any]:
    if not named and len(values) == len(names):
        return values
    given = dict(zip(names, values, strict=False))
    missing = [name for name in names if name not in given and name not in named]
    unknown = [name for name in named if name not in names or name in given]
    if missing or unknown or len(values) > len(names):
        wrong = f"lacks {missing[0]!r}" if missing else f"does not take {unknown[0]!r}" if unknown else "has fewer"
        raise TypeError(f"{what} takes {', '.join(names) or 'nothing'}; it {wrong}.")
    given.update(named)
    return [given[name] for name in names]


def _written(names: tuple[str, ...], values: tuple[Any, ...]) -> str:
    if not names:
        return ", ".join(map(repr, values))
    return ", ".join(f"{name}={value!r}" for name, value in zip(names, values, strict=True))
