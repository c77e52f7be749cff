"""The functions of records and enums (decisions 1 and 3): what has members of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import islice
from typing import Any, NoReturn

from flow_lsp.codecs.data import EnumValue, RecordValue
from flow_lsp.codecs.nodes import Node, Payload
from flow_lsp.codecs.refusals import RefusalKind, ValueRefused, refuse_type
from flow_lsp.codecs.writing import (
    Representation,
    Source,
    choose,
    decode_member,
    encode_member,
    format_text,
    order_key,
    tuple_of,
)
from flow_lsp.findings.model import shown
from flow_lsp.text.distance import nearest_name
from flow_lsp.values.canonical import canonical_text

Members = Sequence[tuple[str, Node]]


# -- records ------------------------------------------------------------------------------------------------------


def record_decoder(source: Source, name: str, node: Node, members: Members, made: Representation) -> None:
    """From an object; unknown members are ignored."""
    label = f"the record {shown(node.name)}"
    with source.block(f"def {name}(v):"):
        source.line(f"if type(v) is not dict: refuse_type(v, {f'an object is expected for {label}'!r})")
        with source.block("try:"):
            _decode_named(source, members)
        needed = source.constant(_required(members))
        source.line(f"except KeyError: refuse_missing(v, {needed}, {label!r})")
        with source.block("except ValueRefused as refused:"):
            source.line("refused.inside(step)", "raise")
        source.line(f"return {_making(source, made, len(members))}")


def record_encoder(source: Source, name: str, node: Node, members: Members, made: Representation) -> None:
    """To an object, its keys by code point."""
    with source.block(f"def {name}(v):"):
        expected = f"a value of the record {shown(node.name)} is expected"
        kind = source.constant(made.type)
        source.line(f"if type(v) is not {kind}: v = accept(v, {kind}, {expected!r})")
        with source.block("try:"):
            _take_apart(source, made, len(members))
            source.line(f"return {_encode_named(source, members, '')}")
        with source.block("except ValueRefused as refused:"):
            source.line("refused.inside(step)", "raise")


def record_key(source: Source, name: str, members: Members, made: Representation) -> None:
    """Field by field in declaration order."""
    with source.block(f"def {name}(v):"):
        _take_apart(source, made, len(members))
        source.line(f"return {tuple_of(order_key(node, f'f{place}') for place, (_, node) in enumerate(members))}")


def _decode_named(source: Source, members: Members) -> None:
    """Sets f0, f1, … to the decoded members of the object `v`; an Option's may be left out."""
    source.line("step = None")
    for place, (member, node) in enumerate(members):
        variable = f"f{place}"
        if not node.left_out:
            source.line(f"{variable} = v[{member!r}]")
            decode_member(source, node, variable, repr(member))
            continue
        if node.carried is not None:
            source.line(f"step = {member!r}; {variable} = fd{node.number}(v.get({member!r}, ABSENT))")
            continue
        source.line(f"{variable} = v.get({member!r}, ABSENT)", f"if {variable} is ABSENT: {variable} = None")
        with source.block("else:"):
            decode_member(source, node.parts[0], variable, repr(member))
            if node.wrapped:
                source.line(f"{variable} = Some({variable})")


def _encode_named(source: Source, members: Members, before: str, after: str = "") -> str:
    """Sets t0, t1, … from f0, f1, …; gives the expression of the object with `before` and `after` around it."""
    source.line("step = None")
    ordered = sorted(range(len(members)), key=lambda place: members[place][0])
    first_required = next((at for at, place in enumerate(ordered) if not members[place][1].left_out), None)
    parts: list[tuple[str, bool]] = [(before + "{", False)]
    for at, place in enumerate(ordered):
        member, node = members[place]
        value, text, step = f"f{place}", f"t{place}", repr(member)
        key = f"{canonical_text(member)}:"
        if not node.left_out:
            encode_member(source, node, value, text, step)
            parts += [(key if at == first_required else f",{key}", False), (text, True)]
            continue
        # A comma goes with each Option: behind those that come before the first required member, before the others.
        leads = first_required is not None and at < first_required
        if node.carried is not None:
            source.line(f"step = {step}; {value} = fe{node.number}({value})")
        source.line(f"if {value} is None: {text} = ''")
        with source.block("else:"):
            if node.carried is not None:
                source.line(f"{text} = {value}")
            else:
                if node.wrapped:
                    source.line(f"if type({value}) is not Some: step = {step}; refuse_some({value})")
                    source.line(f"{value} = {value}.value")
                encode_member(source, node.parts[0], value, text, step)
            written = [(key, False), (text, True)]
            source.line(f"{text} = {format_text([*written, (',', False)] if leads else [(',', False), *written])}")
        parts.append((text, True))
    if first_required is None and members:  # nothing but Options: the first comma is one too many
        source.line(f"inner = {format_text(parts[1:])}")
        source.line("inner = inner[1:]")
        parts = [parts[0], ("inner", True)]
    return format_text([*parts, ("}" + after, False)])


def _required(members: Members) -> tuple[str, ...]:
    return tuple([member for member, node in members if not node.left_out])


def _making(source: Source, made: Representation, count: int) -> str:
    variables = [f"f{place}" for place in range(count)]
    kind = source.constant(made.type)
    if made.attributes is None:
        return f"tuple_new({kind}, {tuple_of(variables)})"
    return f"{kind}({', '.join(variables)})"


def _take_apart(source: Source, made: Representation, count: int) -> None:
    """Sets f0, f1, … to what is in `v`."""
    if made.attributes is None:
        source.line(f"{tuple_of(f'f{place}' for place in range(count))} = v" if count else "pass")
        return
    source.line("pass", *[f"f{place} = v.{name}" for place, name in enumerate(made.attributes)])


# -- enums --------------------------------------------------------------------------------------------------------


def enum_decoder(
    source: Source, name: str, node: Node, payloads: Sequence[Payload], made: Sequence[Representation]
) -> None:
    """From a string for a constructor without payload, else from an object with one property."""
    label = f"the enum {shown(node.name)}"
    bare = {
        payload.name: _bare_value(form) for payload, form in zip(payloads, made, strict=True) if not payload.has_payload
    }
    loaded = [(payload, form) for payload, form in zip(payloads, made, strict=True) if payload.has_payload]
    everything = source.constant(tuple([(payload.name, payload.has_payload) for payload in payloads]))
    known = source.constant(bare)
    places = source.constant({payload.name: place for place, (payload, _) in enumerate(loaded)})
    with source.block(f"def {name}(v):"):
        with source.block("if type(v) is str:"):
            source.line(f"found = {known}.get(v)", "if found is not None: return found")
            source.line(f"refuse_constructor(v, True, {label!r}, {everything})")
        source.line(f"if type(v) is not dict: refuse_type(v, {f'a string or an object is expected for {label}'!r})")
        source.line(f"if len(v) != 1: refuse_properties(v, {label!r})", "((name, v),) = v.items()")
        source.line(f"place = {places}.get(name, -1)")
        source.line(f"if place < 0: refuse_constructor(name, False, {label!r}, {everything})")
        if not loaded:
            return
        source.line("step = None")
        with source.block("try:"):
            choose(source, "place", len(loaded), lambda at: _decode_payload(source, node, *loaded[at]))
        labels = source.constant([(_required_parts(each), _constructor_label(node, each)) for each, _ in loaded])
        source.line(f"except KeyError: refuse_missing(v, *{labels}[place], name)")
        with source.block("except ValueRefused as refused:"):
            source.line("if step is not None: refused.inside(step)", "refused.inside(name)", "raise")


def _decode_payload(source: Source, node: Node, payload: Payload, made: Representation) -> None:
    parts, label = payload.parts, _constructor_label(node, payload)
    if payload.names is not None:
        source.line(f"if type(v) is not dict: refuse_type(v, {f'an object is expected for the parts of {label}'!r})")
        _decode_named(source, tuple(zip(payload.names, parts, strict=True)))
    elif len(parts) == 1:
        source.line("f0 = v")
        decode_member(source, parts[0], "f0", "None")
    else:
        source.line(f"if type(v) is not list: refuse_type(v, {f'an array is expected for the parts of {label}'!r})")
        _decode_places(source, parts, label)
    source.line(f"return {_making(source, made, len(parts))}")


def _decode_places(source: Source, parts: Sequence[Node], label: str) -> None:
    """Sets f0, f1, … to the decoded items of the array `v`."""
    source.line(f"if len(v) != {len(parts)}: refuse_length(v, {len(parts)}, {label!r})")
    source.line(f"{tuple_of(f'f{place}' for place in range(len(parts)))} = v" if parts else "pass")
    for place, part in enumerate(parts):
        decode_member(source, part, f"f{place}", str(place))


def enum_encoder(
    source: Source, name: str, node: Node, payloads: Sequence[Payload], made: Sequence[Representation]
) -> None:
    """To a string or to an object with one property."""
    loaded = [(payload, form) for payload, form in zip(payloads, made, strict=True) if payload.has_payload]
    numbers = {id(payload): place for place, (payload, _) in enumerate(loaded)}
    known: dict[type[Any], object] = {
        form.type: numbers.get(id(payload), canonical_text(payload.name))
        for payload, form in zip(payloads, made, strict=True)
    }
    expected = f"a value of the enum {shown(node.name)} is expected"
    with source.block(f"def {name}(v):"):
        source.line(f"found = {source.constant(known)}.get(type(v))", "if type(found) is str: return found")
        source.line(f"if found is None: refuse_type(v, {expected!r})")
        if not loaded:
            return
        source.line("step = None")
        with source.block("try:"):
            choose(source, "found", len(loaded), lambda at: _encode_payload(source, *loaded[at]))
        names = source.constant([payload.name for payload, _ in loaded])
        with source.block("except ValueRefused as refused:"):
            source.line("if step is not None: refused.inside(step)", f"refused.inside({names}[found])", "raise")


def _encode_payload(source: Source, payload: Payload, made: Representation) -> None:
    parts, before = payload.parts, f"{{{canonical_text(payload.name)}:"
    _take_apart(source, made, len(parts))
    if payload.names is not None:
        text = _encode_named(source, tuple(zip(payload.names, parts, strict=True)), before, "}")
    elif len(parts) == 1:
        encode_member(source, parts[0], "f0", "t0", "None")
        text = format_text([(before, False), ("t0", True), ("}", False)])
    else:
        written = encode_places(source, parts)
        text = format_text([(before, False), *written, ("}", False)])
    source.line(f"return {text}")


def encode_places(source: Source, parts: Sequence[Node]) -> list[tuple[str, bool]]:
    """Sets t0, t1, … from f0, f1, …; gives the parts of an f-string that writes the array of them."""
    written: list[tuple[str, bool]] = [("[", False)]
    for place, part in enumerate(parts):
        encode_member(source, part, f"f{place}", f"t{place}", str(place))
        written += [(",", False)] * (place > 0) + [(f"t{place}", True)]
    return [*written, ("]", False)]


def enum_key(source: Source, name: str, payloads: Sequence[Payload], made: Sequence[Representation]) -> None:
    """By constructor in declaration order, then part by part."""
    loaded = [
        (place, payload, form)
        for place, (payload, form) in enumerate(zip(payloads, made, strict=True))
        if payload.has_payload
    ]
    numbers = {form.type: number for number, (_, _, form) in enumerate(loaded)}
    bare = {
        form.type: (place,)
        for place, (payload, form) in enumerate(zip(payloads, made, strict=True))
        if not payload.has_payload
    }

    def body(at: int) -> None:
        place, payload, form = loaded[at]
        _take_apart(source, form, len(payload.parts))
        parts = [order_key(part, f"f{number}") for number, part in enumerate(payload.parts)]
        source.line(f"return {tuple_of([str(place), *parts])}")

    with source.block(f"def {name}(v):"):
        source.line(f"found = {source.constant(numbers)}.get(type(v))")
        source.line(f"if found is None: return {source.constant(bare)}[type(v)]")
        if loaded:
            choose(source, "found", len(loaded), body)


def _bare_value(made: Representation) -> object:
    return made.type()


def _required_parts(payload: Payload) -> tuple[str, ...]:
    return () if payload.names is None else _required(tuple(zip(payload.names, payload.parts, strict=True)))


def _constructor_label(node: Node, payload: Payload) -> str:
    return f"{shown(node.name)}.{shown(payload.name)}"


# -- what the written functions call ------------------------------------------------------------------------------


def accept(value: Any, kind: type[Any], expected: str) -> Any:
    """`value`, where its class is one below `kind`; else refuses it."""
    if not isinstance(value, kind):
        refuse_type(value, expected)
    return value


def refuse_missing(value: Mapping[str, object], required: Iterable[str], what: str, *steps: str) -> NoReturn:
    """Refuses an object that lacks one of the `required` members of `what`."""
    missing = [name for name in required if name not in value]
    word = "field" if what.startswith("the record") else "part"
    more = f" and {len(missing) - 1} more" if len(missing) > 1 else ""
    known = frozenset(required)
    near = nearest_name(missing[0], [name for name in islice(value, _COMPARED) if name not in known])
    hint = f" It has `{shown(near)}`. Is that meant?" if near else ""
    raise ValueRefused(
        RefusalKind.MISSING, f"{what[0].upper()}{what[1:]} needs its {word} `{shown(missing[0])}`{more}.{hint}", *steps
    ) from None


_COMPARED = 100  # names among which a misspelt one is looked for


def refuse_properties(value: Mapping[str, object], label: str) -> NoReturn:
    """Refuses an object that has no or several properties where a constructor is expected."""
    raise ValueRefused(
        RefusalKind.CONSTRUCTOR,
        f"A constructor of {label} with a payload is an object of exactly one property, and this has {len(value)}.",
    )


def refuse_constructor(name: str, bare: bool, label: str, constructors: Sequence[tuple[str, bool]]) -> NoReturn:
    """Refuses a constructor that is not there, or that has a payload where none may be, or the reverse."""
    from flow_lsp.text.distance import nearest_name

    names = [each for each, _ in constructors]
    if name not in names:
        near = nearest_name(name, names)
        few = ", ".join(f"`{shown(each)}`" for each in names[:8])
        hint = f" Is `{shown(near)}` meant?" if near else f" It has {few}{' and more' if len(names) > 8 else ''}."
        sentence = f"{label[0].upper()}{label[1:]} has no constructor `{shown(name)}`.{hint if names else ''}"
    elif bare:
        sentence = f"The constructor `{shown(name)}` has a payload, so it is written as an object of that one property."
    else:
        sentence = f"The constructor `{shown(name)}` has no payload, so it is written as a string."
    raise ValueRefused(RefusalKind.CONSTRUCTOR, sentence)


def refuse_length(value: Sequence[object], wanted: int, label: str) -> NoReturn:
    """Refuses an array of another length."""
    raise ValueRefused(
        RefusalKind.LENGTH, f"{label[0].upper()}{label[1:]} has exactly {wanted} parts, and this has {len(value)}."
    )


def refuse_some(value: object) -> NoReturn:
    """Refuses an Option's value that is not wrapped."""
    refuse_type(value, "a Some, or None, is expected for this Option")


HELPERS: Mapping[str, Callable[..., Any]] = {
    "accept": accept,
    "refuse_missing": refuse_missing,
    "refuse_properties": refuse_properties,
    "refuse_constructor": refuse_constructor,
    "refuse_length": refuse_length,
    "refuse_some": refuse_some,
}


def no_representation(value: object) -> bool:
    """Whether `value` is one of ours, which no function may take for a plain tuple."""
    return isinstance(value, RecordValue | EnumValue)
