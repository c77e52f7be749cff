"""The functions of lists, sets, dicts, tuples and Options (decisions 1 to 3).

None of them takes more than one Python call for each level of JSON, so that the deepest value that is allowed
fits on Python's stack.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from itertools import islice
from operator import ge, itemgetter, length_hint
from typing import Any

from flow_lsp.codecs.data import EnumValue, RecordValue, ValueDict, ValueSet
from flow_lsp.codecs.members import encode_places
from flow_lsp.codecs.nodes import Node, Shape
from flow_lsp.codecs.refusals import RefusalKind, ValueRefused, refuse_order, refuse_type
from flow_lsp.codecs.scalars import quote
from flow_lsp.codecs.writing import SMALL_INT, Source, decode_member, format_text, order_key, tuple_of
from flow_lsp.findings.model import shown

_STRINGS = frozenset({str})
_INTS = frozenset({int})
_BOOLS = frozenset({bool})
_ALIKE = {Shape.TEXT: _STRINGS, Shape.HOST: _STRINGS, Shape.INT: _INTS, Shape.BOOL: _BOOLS}


def list_decoder(source: Source, name: str, node: Node) -> None:
    """From an array."""
    (item,) = node.parts
    with source.block(f"def {name}(v):"):
        source.line("if type(v) is not list: refuse_type(v, 'an array is expected for a List')")
        _decode_items(source, item, "return tuple(v)", "return tuple(map({function}, items))")


def list_encoder(source: Source, name: str, node: Node) -> None:
    """To an array."""
    (item,) = node.parts
    with source.block(f"def {name}(v):"):
        source.line("if type(v) is not tuple: v = sequence(v, 'a List')")
        if item.shape in (Shape.TEXT, Shape.HOST):
            source.line(
                f"if set(map(type, v)) == {source.constant(_STRINGS)}: return '[' + ','.join(map(quote, v)) + ']'"
            )
        elif item.shape is Shape.INT:
            source.line(
                f"if set(map(type, v)) == {source.constant(_INTS)} and {-SMALL_INT} < min(v) and max(v) < {SMALL_INT}: "
                "return '[' + ','.join(map(str, v)) + ']'"
            )
        _encode_items(source, "v", f"return '[' + ','.join(map(e{item.number}, items)) + ']'")


def set_decoder(source: Source, name: str, node: Node) -> None:
    """From an array, strictly ascending by value."""
    (item,) = node.parts
    with source.block(f"def {name}(v):"):
        source.line("if type(v) is not list: refuse_type(v, 'an array is expected for a Set')")
        _decode_items(source, item, "found = tuple(v)", "found = tuple(map({function}, items))")
        key = "found" if item.own_order else f"list(map(k{item.number}, found))"
        source.line(f"check_ascending({key}, 'item')", "return set_of(found)")


def set_encoder(source: Source, name: str, node: Node) -> None:
    """To an array in ascending order, whatever the order of the set."""
    (item,) = node.parts
    with source.block(f"def {name}(v):"):
        source.line("v = set_items(v)")
        _encode_items(source, "v", f"texts = list(map(e{item.number}, items))")
        key = "v" if item.own_order else f"list(map(k{item.number}, v))"
        source.line(f"return '[' + ','.join(in_order({key}, texts, 'item')) + ']'")


def dict_decoder(source: Source, name: str, node: Node) -> None:
    """From an object where the keys are Text, else from an array of pairs, the keys strictly ascending by value."""
    key, value = node.parts
    with source.block(f"def {name}(v):"):
        if key.written.shape is Shape.TEXT:
            source.line("if type(v) is not dict: refuse_type(v, 'an object is expected for a Dict with Text keys')")
            source.line("keys = sorted(v)", "items = iter(keys)")
            made = "keys" if key.carried is None else f"map(d{key.number}, keys)"
            with source.block("try:"):
                source.line(f"return dict_of(dict(zip({made}, map(d{value.number}, map(v.__getitem__, items)))))")
            with source.block("except ValueRefused as refused:"):
                source.line("refused.inside(keys[len(keys) - length_hint(items) - 1])", "raise")
            return
        source.line("if type(v) is not list: refuse_type(v, 'an array of pairs is expected for this Dict')")
        source.line("keys = []", "values = []")
        with source.block("try:"), source.block("for pair in v:"):
            source.line("step = None")
            source.line("if type(pair) is not list: refuse_type(pair, 'a pair, an array of two, is expected')")
            source.line("if len(pair) != 2: refuse_length(pair, 2, 'a pair of a Dict')")
            source.line("f0, f1 = pair")
            decode_member(source, key, "f0", "0")
            decode_member(source, value, "f1", "1")
            source.line("keys.append(f0)", "values.append(f1)")
        with source.block("except ValueRefused as refused:"):
            source.line("if step is not None: refused.inside(step)", "refused.inside(len(keys))", "raise")
        source.line(
            f"check_ascending({'keys' if key.own_order else f'list(map(k{key.number}, keys))'}, 'key', 0)",
            "return dict_of(dict(zip(keys, values)))",
        )


def dict_encoder(source: Source, name: str, node: Node) -> None:
    """To an object or to an array of pairs in ascending order, whatever the order of the dict."""
    key, value = node.parts
    with source.block(f"def {name}(v):"):
        source.line("if not isinstance(v, Mapping): refuse_type(v, 'a mapping is expected for a Dict')")
        if key.written.shape is Shape.TEXT:
            if key.carried is not None:
                source.line(f"v = carried_keys(v, e{key.number}, k{key.number})")
            source.line("keys = text_keys(v)", "items = iter(keys)")
            with source.block("try:"):
                source.line(f"texts = map(e{value.number}, map(v.__getitem__, items))")
                source.line("return '{' + ','.join(map('%s:%s'.__mod__, zip(map(quote, keys), texts))) + '}'")
            with source.block("except ValueRefused as refused:"):
                source.line("refused.inside(keys[len(keys) - length_hint(items) - 1])", "raise")
            return
        source.line("keys = list(v)", "texts = []", "step = 0")
        with source.block("try:"), source.block("for f0 in keys:"):
            source.line("step = 0", f"t0 = e{key.number}(f0)", "step = 1", f"t1 = e{value.number}(v[f0])")
            source.line("texts.append(f'[{t0},{t1}]')")
        with source.block("except ValueRefused as refused:"):
            source.line("refused.inside(step)", "refused.inside(len(texts))", "raise")
        order = "keys" if key.own_order else f"list(map(k{key.number}, keys))"
        source.line(f"return '[' + ','.join(in_order({order}, texts, 'key')) + ']'")


def tuple_decoder(source: Source, name: str, node: Node) -> None:
    """From an array of exactly that length."""
    count = len(node.parts)
    names = [f"f{place}" for place in range(count)]
    with source.block(f"def {name}(v):"):
        source.line("if type(v) is not list: refuse_type(v, 'an array is expected for a Tuple')")
        source.line(f"if len(v) != {count}: refuse_length(v, {count}, 'this Tuple')")
        source.line(f"{tuple_of(names)} = v")
        with source.block("try:"):
            for place, part in enumerate(node.parts):
                decode_member(source, part, f"f{place}", str(place))
        _add_step(source)
        source.line(f"return {tuple_of(names)}")


def tuple_encoder(source: Source, name: str, node: Node) -> None:
    """To an array."""
    count = len(node.parts)
    with source.block(f"def {name}(v):"):
        source.line(f"if type(v) is not tuple or len(v) != {count}: v = parts_of(v, {count})")
        source.line(f"{tuple_of(f'f{place}' for place in range(count))} = v")
        with source.block("try:"):
            source.line(f"return {format_text(encode_places(source, node.parts))}")
        _add_step(source)


def option_decoder(source: Source, name: str, node: Node) -> None:
    """From `"None"` or an object with the one property `Some`."""
    (item,) = node.parts
    with source.block(f"def {name}(v):"):
        source.line("if type(v) is str and v == 'None': return None")
        source.line("if type(v) is not dict or len(v) != 1 or 'Some' not in v: refuse_option(v)")
        source.line("f0 = v['Some']")
        with source.block("try:"):
            decode_member(source, item, "f0", "'Some'")
        _add_step(source)
        source.line("return Some(f0)" if node.wrapped else "return f0")


def option_encoder(source: Source, name: str, node: Node) -> None:
    """To `"None"` or an object with the one property `Some`."""
    (item,) = node.parts
    with source.block(f"def {name}(v):"):
        source.line("if v is None: return '\"None\"'")
        if node.wrapped:
            source.line("if type(v) is not Some: refuse_some(v)", "v = v.value")
        with source.block("try:"):
            source.line("return '{\"Some\":' + " + f"e{item.number}(v) + '}}'")
        with source.block("except ValueRefused as refused:"):
            source.line("refused.inside('Some')", "raise")


def compound_key(source: Source, name: str, node: Node) -> None:
    """None first; position by position, the shorter first; sets and dicts as their ascending sequences."""
    with source.block(f"def {name}(v):"):
        match node.shape, node.parts:
            case Shape.OPTION, (item,):
                source.line("if v is None: return (0,)")
                source.line(f"return (1, {order_key(item, 'v.value' if node.wrapped else 'v')})")
            case Shape.LIST, (item,):
                source.line("return tuple(v)" if item.own_order else f"return tuple(map(k{item.number}, v))")
            case Shape.SET, (item,):
                source.line(f"return tuple(sorted({'v' if item.own_order else f'map(k{item.number}, v)'}))")
            case Shape.DICT, (key, value):
                pair = f"({order_key(key, 'key')}, {order_key(value, 'value')})"
                source.line(f"return tuple(sorted([{pair} for key, value in v.items()], key=first))")
            case _, parts:
                source.line(f"{tuple_of(f'f{place}' for place in range(len(parts)))} = v")
                source.line(f"return {tuple_of(order_key(part, f'f{place}') for place, part in enumerate(parts))}")


def _decode_items(source: Source, item: Node, alike: str, each: str) -> None:
    """Decodes the items of the array `v`; `alike` is done where all are as they should be already."""
    kinds = _ALIKE.get(item.shape)
    if kinds is not None:
        with source.block(f"if set(map(type, v)) == {source.constant(kinds)}:"):
            source.line(alike)
        source.line("else:")
        source.shift(1)
    source.line("items = iter(v)")
    with source.block("try:"):
        source.line(each.format(function=f"d{item.number}"))
    with source.block("except ValueRefused as refused:"):
        source.line("refused.inside(len(v) - length_hint(items) - 1)", "raise")
    if kinds is not None:
        source.shift(-1)


def _encode_items(source: Source, items: str, each: str) -> None:
    source.line(f"items = iter({items})")
    with source.block("try:"):
        source.line(each)
    with source.block("except ValueRefused as refused:"):
        source.line(f"refused.inside(len({items}) - length_hint(items) - 1)", "raise")


def _add_step(source: Source) -> None:
    with source.block("except ValueRefused as refused:"):
        source.line("refused.inside(step)", "raise")


# -- what the written functions call ------------------------------------------------------------------------------


def check_ascending(keys: Sequence[Any], what: str, *steps: int) -> None:
    """Refuses the first of `keys` that is not above the one before it."""
    if any(map(ge, keys, islice(keys, 1, None))):
        place = next(place for place in range(1, len(keys)) if keys[place - 1] >= keys[place])
        refuse_order(place, what, *steps)


def in_order(keys: Sequence[Any], texts: Sequence[str], what: str) -> Iterable[str]:
    """`texts` in the ascending order of their `keys`; refuses two equal ones."""
    places = sorted(range(len(keys)), key=keys.__getitem__)
    for before, after in zip(places, islice(places, 1, None), strict=False):
        if keys[before] == keys[after]:
            raise ValueRefused(RefusalKind.ORDER, f"This {what} is there twice.", after)
    return map(texts.__getitem__, places)


def sequence(value: Any, what: str) -> Sequence[Any]:
    """`value`, where it is a plain sequence; else refuses it."""
    if isinstance(value, str | bytes | RecordValue | EnumValue) or not isinstance(value, Sequence):
        refuse_type(value, f"a tuple or list is expected for {what}")
    return value


def parts_of(value: Any, count: int) -> Sequence[Any]:
    """The parts of a Tuple's value; refuses what has another number of them."""
    parts = sequence(value, "a Tuple")
    if len(parts) != count:
        raise ValueRefused(RefusalKind.LENGTH, f"This Tuple has exactly {count} parts, and this has {len(parts)}.")
    return parts


def set_items(value: Any) -> list[Any]:
    """The items of a set; refuses what is none."""
    if not isinstance(value, Set):
        refuse_type(value, "a set is expected for a Set")
    return list(value)


def text_keys(value: Mapping[Any, Any]) -> list[str]:
    """The keys of a mapping with Text keys, by code point."""
    for key in value:
        if not isinstance(key, str):
            refuse_type(key, "a str is expected for each key of a Dict with Text keys")
    return sorted(value)


def carried_keys(
    value: Mapping[Any, Any], check: Callable[[Any], str], text: Callable[[Any], str]
) -> Mapping[str, Any]:
    """A mapping whose keys carry Text, as one whose keys are texts."""
    for key in value:
        check(key)
    return {text(key): item for key, item in value.items()}


def refuse_option(value: Any) -> None:
    """Refuses what is neither `"None"` nor an object with the one property `Some`."""
    form = '`"None"` or an object of the one property `Some`'
    if type(value) is str or type(value) is dict:
        found = f"`{shown(value)}`" if type(value) is str else f"an object of {len(value)} properties"
        if type(value) is dict and len(value) == 1:
            found = f"the property `{shown(next(iter(value)))}`"
        raise ValueRefused(RefusalKind.CONSTRUCTOR, f"An Option is {form}, and this is {found}.")
    refuse_type(value, f"{form} is expected for an Option")


HELPERS: Mapping[str, Callable[..., Any]] = {
    "carried_keys": carried_keys,
    "check_ascending": check_ascending,
    "dict_of": ValueDict.of_fresh,
    "first": itemgetter(0),
    "in_order": in_order,
    "length_hint": length_hint,
    "parts_of": parts_of,
    "quote": quote,
    "refuse_option": refuse_option,
    "sequence": sequence,
    "set_items": set_items,
    "set_of": ValueSet.of_distinct,
    "text_keys": text_keys,
}
