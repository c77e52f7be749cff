"""Codecs: what users call to decode, encode and order the values of one type."""

from __future__ import annotations

import re
from array import array
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from decimal import Decimal
from itertools import accumulate
from sys import getrecursionlimit, setrecursionlimit
from typing import Any, Final

from flow_lsp.codecs import compounds, members, scalars
from flow_lsp.codecs.carriers import CarriedType
from flow_lsp.codecs.carrying import carrier_functions
from flow_lsp.codecs.data import Some, constructor_class, record_class
from flow_lsp.codecs.json_values import json_codec
from flow_lsp.codecs.nodes import Node, Nodes, Payload, Shape
from flow_lsp.codecs.refusals import RefusalKind, ValueRefused, refuse_type
from flow_lsp.codecs.writing import ABSENT, Representation, Representations, Source
from flow_lsp.findings.model import shown
from flow_lsp.types.terms import TOOL_OWNER, Declarations, Term
from flow_lsp.values.limits import DEFAULT_LIMITS, Limits
from flow_lsp.values.strict_json import Json, read_json

_STRING = re.compile(r'"(?:[^"\\]++|\\.)*+"')
_NO_BRACKETS: Final = bytes(set(range(256)) - set(b"[]{}"))
_STEPS: Final = bytes.maketrans(b"[{]}", b"\x01\x01\xff\xff")  # one level in, and one out, as signed bytes
_ROOM: Final = 1_500  # Python calls: more than the deepest value allowed needs
_NO_REPRESENTATIONS: Representations = {}
_UNGUARDED: Final = nullcontext()


class Codec:
    """Decodes, encodes and orders the values of one type. `name` is the type's, for sentences."""

    __slots__ = ("_codecs", "_decoder", "_encoder", "_may_be_deep", "node")

    def __init__(self, codecs: Codecs, node: Node) -> None:
        self._codecs = codecs
        self.node: Final = node
        self._may_be_deep: bool | None = None  # not known yet
        self._decoder, self._encoder = f"d{node.number}", f"e{node.number}"

    @property
    def name(self) -> str:
        """The type's name without its arguments."""
        return self.node.name

    def part(self, place: int) -> Codec:
        """The codec of the type at that place among those inside a compound type."""
        return Codec(self._codecs, self.node.parts[place])

    @property
    def nesting(self) -> int | None:
        """How many levels of JSON a value can have at most; None where that has no bound."""
        return self._codecs.nesting(self.node)

    def read(self, data: bytes | str) -> Any:
        """The value that the JSON text `data` writes; raises JsonRefused or ValueRefused, nothing else."""
        return self.decode(read_json(data, self._codecs.limits))

    def decode(self, value: Json) -> Any:
        """The Python value (see `data`) that `value`, as read_json gives it, stands for ("Decoding").

        Raises ValueRefused, nothing else. Linear in `value`, which is not changed; a json.Value is part of it.
        """
        return self._run(self._decoder, value)

    def encode(self, value: object) -> str:
        """The canonical text of a Python value ("The canonical form"); raises ValueRefused, nothing else.

        Sets and dicts may be any of Python's; they are written in the order of their type.
        """
        limits = self._codecs.limits
        try:
            text: str = self._run(self._encoder, value)
        except RecursionError:
            raise ValueRefused(RefusalKind.LIMIT, _too_deep(limits)) from None
        if self._is_too_deep(text, limits.nesting):
            raise ValueRefused(RefusalKind.LIMIT, _too_deep(limits))
        if not text.isascii():
            _check_characters(text)
        return text

    def order_key(self, value: object) -> Any:
        """A key that Python compares as Flow compares `value`, a value of this type (decisions 2).

        Raises TypeError for types without an order.
        """
        return self._run(f"k{self.node.number}", value)

    def _is_too_deep(self, text: str, most: int) -> bool:
        if self._may_be_deep is None:
            levels = self.nesting
            self._may_be_deep = levels is None or levels > most
        return self._may_be_deep and text.count("[") + text.count("{") > most and _depth(text) > most

    def _run(self, name: str, value: Any) -> Any:
        function = self._codecs.function(name)
        try:
            return function(value)
        except RecursionError:
            with self._codecs.guard, _more_room():
                return function(value)


class Codecs:
    """The codecs of types over `declarations`, which must be valid ones and must not change.

    `builds_opaque` says whether decoding may build opaque types: not for a Tool's reply, json.decode, a run's input
    or fork arguments ("Decoding"). `representations` are Python classes to use for some of the declarations. Each
    codec's functions are written when they are first called, so that large maps cost what is used of them. Several
    threads may use them where `guard` is a lock that one thread may take twice, the same for all tables.
    """

    def __init__(
        self,
        declarations: Declarations,
        *,
        limits: Limits = DEFAULT_LIMITS,
        builds_opaque: bool = True,
        representations: Representations = _NO_REPRESENTATIONS,
        guard: AbstractContextManager[Any] = _UNGUARDED,
    ) -> None:
        self.limits: Final = limits
        self.guard: Final = guard
        self._nodes = Nodes(declarations)
        self._representations = representations
        self._builds_opaque = builds_opaque
        self._scalars = _scalars(limits)
        self._namespace: dict[str, Any] = {
            **members.HELPERS,
            **compounds.HELPERS,
            "ABSENT": ABSENT,
            "Decimal": Decimal,
            "Mapping": Mapping,
            "Some": Some,
            "ValueRefused": ValueRefused,
            "refuse_type": refuse_type,
            "tuple_new": tuple.__new__,
        }
        self._prepared = 0

    def codec(self, term: Term, arguments: Sequence[Codec] = ()) -> Codec:
        """The codec of `term`, where `arguments` stand for a Tool's own type parameters.

        Raises ValueError where `term` names what the declarations do not have.
        """
        with self.guard:
            return Codec(self, self._nodes.node(term, TOOL_OWNER, [argument.node for argument in arguments]))

    def carrier(self, name: str, codec: Codec, key: Hashable) -> Codec:
        """The codec of the Tool's type parameter `name`, to be an argument of `codec`: its values are Carriers of those
        of `codec`, which is of another table. `key` is equal for equal types alone.
        """
        with self.guard:
            return Codec(self, self._nodes.carrier(CarriedType(name, codec, key)))

    def representation(self, local_id: str) -> Representation | tuple[Representation, ...]:
        """How the values of a record, or of each constructor of an enum, look in Python."""
        found = self._representations.get(local_id)
        return found if found is not None else _own_representation(self._nodes, local_id)

    def nesting(self, node: Node) -> int | None:
        """How many levels of JSON a value of `node` can have at most; None where that has no bound."""
        with self.guard:
            return self._nodes.nesting(node)

    def function(self, name: str) -> Callable[[Any], Any]:
        """The function of the node whose number follows: `d` decodes, `e` encodes, `k` gives a key for the order."""
        if name not in self._namespace:
            with self.guard:
                self._prepare()
        found: Callable[[Any], Any] = self._namespace[name]
        return found

    def _prepare(self) -> None:
        """Gives each new node its functions: those of scalars, and for the others what writes them when called."""
        while self._prepared < len(self._nodes.all):
            node = self._nodes.all[self._prepared]
            self._prepared += 1
            fixed = self._scalars.get(node.shape)
            if node.carried is not None:
                functions = carrier_functions(node.carried)
                self._namespace.update({f"{prefix}{node.number}": each for prefix, each in functions.items()})
                continue
            if node.shape is Shape.UNCODED:
                fixed = (_refuse_uncoded(node), _refuse_uncoded(node))
            for prefix in ("d", "e", "k"):
                name = f"{prefix}{node.number}"
                if fixed is not None and prefix != "k":
                    self._namespace[name] = fixed["de".index(prefix)]
                else:
                    self._namespace[name] = self._later(prefix, node, name)

    def _later(self, prefix: str, node: Node, name: str) -> Callable[[Any], Any]:
        def write_and_call(value: Any) -> Any:
            with self.guard:
                made: Callable[[Any], Any] = self._namespace[name]
                if made is write_and_call:  # else another thread was here
                    made = self._namespace[name] = self._write(prefix, node, name)
            return made(value)

        return write_and_call

    def _write(self, prefix: str, node: Node, name: str) -> Callable[[Any], Any]:
        if prefix == "k" and node.template is None and node.shape not in _COMPOUND:
            return _scalar_key(node)
        if prefix == "d" and node.template is not None and node.template.opaque and not self._builds_opaque:
            return _refuse_opaque(node)
        source = Source(self._namespace)
        if node.shape is Shape.RECORD:
            self._write_record(source, prefix, node, name)
        elif node.shape is Shape.ENUM:
            self._write_enum(source, prefix, node, name)
        elif prefix == "k" and node.shape in _COMPOUND:
            compounds.compound_key(source, name, node)
        elif node.shape in _COMPOUND:
            _COMPOUND[node.shape]["de".index(prefix)](source, name, node)
        else:
            return _scalar_key(node)
        self._prepare()
        return source.define(name)

    def _write_record(self, source: Source, prefix: str, node: Node, name: str) -> None:
        fields = self._nodes.fields(node)
        made = self.representation(node.local_id)
        assert isinstance(made, Representation)
        if prefix == "d":
            members.record_decoder(source, name, node, fields, made)
        elif prefix == "e":
            members.record_encoder(source, name, node, fields, made)
        else:
            members.record_key(source, name, fields, made)

    def _write_enum(self, source: Source, prefix: str, node: Node, name: str) -> None:
        payloads: Sequence[Payload] = self._nodes.payloads(node)
        made = self.representation(node.local_id)
        assert isinstance(made, tuple)
        if prefix == "d":
            members.enum_decoder(source, name, node, payloads, made)
        elif prefix == "e":
            members.enum_encoder(source, name, node, payloads, made)
        else:
            members.enum_key(source, name, payloads, made)


Writer = Callable[[Source, str, Node], None]
_COMPOUND: Mapping[Shape, tuple[Writer, Writer]] = {
    Shape.LIST: (compounds.list_decoder, compounds.list_encoder),
    Shape.SET: (compounds.set_decoder, compounds.set_encoder),
    Shape.DICT: (compounds.dict_decoder, compounds.dict_encoder),
    Shape.TUPLE: (compounds.tuple_decoder, compounds.tuple_encoder),
    Shape.OPTION: (compounds.option_decoder, compounds.option_encoder),
}


def _scalars(limits: Limits) -> dict[Shape, tuple[scalars.Decode, scalars.Encode]]:
    within = scalars.scalars_within(limits)
    return {
        Shape.INT: within["int"],
        Shape.DECIMAL: within["decimal"],
        Shape.BOOL: (scalars.decode_bool, scalars.encode_bool),
        Shape.TEXT: (scalars.decode_text, scalars.encode_text),
        Shape.BYTES: (scalars.decode_bytes, scalars.encode_bytes),
        Shape.DURATION: within["duration"],
        Shape.INSTANT: within["instant"],
        Shape.UNIT: (scalars.decode_unit, scalars.encode_unit),
        Shape.NEVER: (scalars.refuse_never, scalars.refuse_never),
        Shape.JSON: json_codec(limits),
        Shape.HOST: (scalars.decode_token, scalars.encode_token),
    }


def _own_representation(nodes: Nodes, local_id: str) -> Representation | tuple[Representation, ...]:
    template = nodes.declarations[local_id]
    name, identity, ordinal = template.name, template.identity, template.lexical_ordinal
    if not template.constructors and template.kind == "record":
        names = tuple([field.name for field in template.fields])
        return Representation(record_class(name, identity, ordinal, names))
    return tuple(
        [
            Representation(
                constructor_class(
                    name,
                    identity,
                    ordinal,
                    each.name,
                    index,
                    len(each.positional or ()) if each.named is None else tuple([part.name for part in each.named]),
                )
            )
            for index, each in enumerate(template.constructors)
        ]
    )


def _scalar_key(node: Node) -> Callable[[Any], Any]:
    if node.own_order:
        return lambda value: value
    if node.shape is Shape.UNIT or node.shape is Shape.NEVER:
        return lambda _: 0

    def refuse(_: Any) -> Any:
        raise TypeError(f"Values of {node.name} have no order.")

    return refuse


def _refuse_opaque(node: Node) -> Callable[[Any], Any]:
    def refuse(_: Any) -> Any:
        raise ValueRefused(
            RefusalKind.OPAQUE,
            f"The type {shown(node.name)} is opaque, so no value of it is built from a reply or input.",
        )

    return refuse


def _refuse_uncoded(node: Node) -> Callable[[Any], Any]:
    def refuse(_: Any) -> Any:
        raise ValueRefused(RefusalKind.NO_ENCODING, f"Nothing can cross here: {node.name} has no encoding.")

    return refuse


@contextmanager
def _more_room() -> Iterator[None]:
    """Lets Python's calls go deeper: a value within the limits must not fail for what calls us being deep."""
    before = getrecursionlimit()
    setrecursionlimit(before + _ROOM)
    try:
        yield
    finally:
        setrecursionlimit(before)


def _depth(text: str) -> int:
    """How deep the JSON text `text` is nested."""
    steps = _STRING.sub("", text).encode("ascii", "replace").translate(_STEPS, _NO_BRACKETS)
    return max(accumulate(array("b", steps)), default=0)


def _too_deep(limits: Limits) -> str:
    return f"A value is nested at most {limits.nesting} levels deep."


def _check_characters(text: str) -> None:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as error:
        code = ord(text[error.start])
        raise ValueRefused(
            RefusalKind.SURROGATE,
            f"A text holds half a character, the lone surrogate U+{code:04X}, which no UTF-8 can write.",
            *_steps_to_half(text),
        ) from None


def _steps_to_half(text: str) -> tuple[str | int, ...]:
    """The keys and places that lead to the first string of the JSON text `text` that holds a lone surrogate."""
    import json

    work: list[tuple[Any, tuple[str | int, ...]]] = [(json.loads(text, parse_int=str, parse_float=str), ())]
    while work:
        value, steps = work.pop()
        if isinstance(value, str) and not _is_whole(value):
            return steps
        if isinstance(value, dict):
            for key in value:
                if not _is_whole(key):
                    return steps
            work += [(item, (*steps, key)) for key, item in reversed(value.items())]
        elif isinstance(value, list):
            work += [(item, (*steps, place)) for place, item in reversed(list(enumerate(value)))]
    return ()


def _is_whole(text: str) -> bool:
    return text.isascii() or not re.search("[\ud800-\udfff]", text)
