"""Python source, written for one type at a time: what the functions of members and compounds have in common.

The source holds names of our own and constants alone; what a declaration is called stands in it only as a
string literal that `repr` made.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from flow_lsp.codecs.nodes import Node, Shape

ABSENT: Final = object()  # a field that is not there
SMALL_INT: Final = 10**18


@dataclass(frozen=True, slots=True)
class Representation:
    """How a record, or one constructor of an enum, is made and taken apart in Python.

    `attributes` are the names of what is in it, in declaration order; None for tuples of our own (see data). A
    constructor without payload is `type()` and has no attributes.
    """

    type: type[Any]
    attributes: tuple[str, ...] | None = None

    def __post_init__(self) -> None:
        for name in self.attributes or ():
            if not (name.isascii() and name.isidentifier()) and not name.isidentifier():
                raise ValueError(f"{name!r} is no name of a Python attribute.")


Representations = Mapping[str, Representation | tuple[Representation, ...]]
"""By local id: a record's, or those of an enum's constructors in declaration order."""


class Source:
    """The lines of one function, and the constants it names."""

    def __init__(self, namespace: dict[str, Any]) -> None:
        self._namespace = namespace
        self.lines: list[str] = []
        self._indent = 0

    def line(self, *lines: str) -> None:
        """Adds `lines` at the present depth."""
        self.lines += ["    " * self._indent + line for line in lines]

    def block(self, head: str) -> _Block:
        """Adds `head`; what follows inside `with` stands below it."""
        self.line(head)
        return _Block(self)

    def shift(self, by: int) -> None:
        self._indent += by

    def constant(self, value: object) -> str:
        """The name under which the function finds `value`."""
        name = f"c{len(self._namespace)}"
        self._namespace[name] = value
        return name

    def define(self, name: str) -> Callable[[Any], Any]:
        """The function `name` that the lines define."""
        code = compile("\n".join(self.lines), f"<codec {name}>", "exec")
        exec(code, self._namespace)  # noqa: S102 - see the module's first lines
        made: Callable[[Any], Any] = self._namespace[name]
        return made


class _Block:
    def __init__(self, source: Source) -> None:
        self._source = source

    def __enter__(self) -> None:
        self._source.shift(1)

    def __exit__(self, *_: object) -> None:
        self._source.shift(-1)


def tuple_of(names: Iterable[str]) -> str:
    """The tuple of `names`, as an expression or as a target."""
    return f"({''.join(f'{name}, ' for name in names)})"


def format_text(parts: Iterable[tuple[str, bool]]) -> str:
    """An f-string of `parts`: each a literal text, or, where True stands beside it, a variable's name."""
    text = "".join(f"{{{part}}}" if is_name else part.replace("{", "{{").replace("}", "}}") for part, is_name in parts)
    return f"f{text!r}"


def choose(source: Source, variable: str, count: int, body: Callable[[int], None], first: int = 0) -> None:
    """Writes `body(i)` for each i, run where `variable` is i: few comparisons, however many there are."""
    if count == 1:
        body(first)
        return
    half = count // 2
    with source.block(f"if {variable} < {first + half}:"):
        choose(source, variable, half, body, first)
    with source.block("else:"):
        choose(source, variable, count - half, body, first + half)


def decode_member(source: Source, node: Node, name: str, step: str) -> None:
    """Decodes the variable `name` in place. Where that may refuse, `step` (an expression) is noted first."""
    call = f"step = {step}; {name} = d{node.number}({name})"
    match node.shape:
        case Shape.TEXT | Shape.HOST:
            source.line(f"if type({name}) is not str: {call}")
        case Shape.INT:
            source.line(f"if type({name}) is not int: {call}")
        case Shape.DECIMAL:  # a zero may have a sign or places
            source.line(f"if type({name}) is not Decimal or not {name}: {call}")
        case Shape.BOOL:
            source.line(f"if {name} is not True and {name} is not False: {call}")
        case Shape.UNIT:
            source.line(f"if {name} is not None: {call}")
        case _:
            source.line(call)


def encode_member(source: Source, node: Node, name: str, text: str, step: str) -> None:
    """Sets the variable `text` to what the variable `name` is written as."""
    call = f"step = {step}; {text} = e{node.number}({name})"
    match node.shape:
        case Shape.TEXT | Shape.HOST:
            source.line(f"if type({name}) is str: {text} = quote({name})", f"else: {call}")
        case Shape.INT:  # an f-string writes it
            source.line(
                f"if type({name}) is int and {-SMALL_INT} < {name} < {SMALL_INT}: {text} = {name}", f"else: {call}"
            )
        case Shape.BOOL:
            source.line(f"if {name} is True: {text} = 'true'", f"elif {name} is False: {text} = 'false'")
            source.line(f"else: {call}")
        case _:
            source.line(call)


def order_key(node: Node, name: str) -> str:
    """An expression that Python compares as Flow compares the value of `name`."""
    return name if node.own_order else f"k{node.number}({name})"
