"""Types as codecs see them: interned, one node for one type, with type parameters replaced by their arguments.

A template's body is read with its arguments' nodes at hand; no term is substituted, and nothing is read before a
value needs it. So a type that holds itself, or doubles, costs no more than what of it is used.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import TYPE_CHECKING, Final

from flow_lsp.findings.model import shown
from flow_lsp.types.terms import (
    TOOL_OWNER,
    Constructor,
    Declarations,
    DictOf,
    FunctionOf,
    Kind,
    ListOf,
    Named,
    OptionOf,
    Param,
    Primitive,
    SetOf,
    TaskOf,
    Template,
    Term,
    TupleOf,
)

if TYPE_CHECKING:
    from flow_lsp.codecs.carriers import CarriedType


class Shape(Enum):
    """How the values of a type are written."""

    INT = auto()
    DECIMAL = auto()
    BOOL = auto()
    TEXT = auto()
    BYTES = auto()
    DURATION = auto()
    INSTANT = auto()
    UNIT = auto()
    NEVER = auto()
    JSON = auto()
    LIST = auto()
    SET = auto()
    OPTION = auto()
    DICT = auto()
    TUPLE = auto()
    RECORD = auto()
    ENUM = auto()
    HOST = auto()
    CARRIER = auto()  # a Tool's type parameter: a value of a type that another table describes
    UNCODED = auto()  # a function, a task or a type that is no data


_PRIMITIVES: Final = {
    Primitive.INT: Shape.INT,
    Primitive.DECIMAL: Shape.DECIMAL,
    Primitive.BOOL: Shape.BOOL,
    Primitive.TEXT: Shape.TEXT,
    Primitive.BYTES: Shape.BYTES,
    Primitive.DURATION: Shape.DURATION,
    Primitive.INSTANT: Shape.INSTANT,
    Primitive.UNIT: Shape.UNIT,
    Primitive.NEVER: Shape.NEVER,
    Primitive.JSON_VALUE: Shape.JSON,
}
_NAMED_SHAPES: Final = {Kind.RECORD: Shape.RECORD, Kind.ENUM: Shape.ENUM, Kind.HOST: Shape.HOST}
_OWN_ORDER: Final = frozenset(
    {Shape.INT, Shape.DECIMAL, Shape.BOOL, Shape.TEXT, Shape.BYTES, Shape.DURATION, Shape.INSTANT}
)


@dataclass(eq=False, slots=True)
class Node:
    """One type. `parts` are the nodes inside it, for a named type those of its arguments.

    `number` tells the nodes of one table apart, `name` is for sentences. `wrapped` holds for an Option whose
    values are Some objects. `own_order` holds where Python compares the values as Flow does. `carried` is what a
    CARRIER stands for.
    """

    number: int
    shape: Shape
    name: str
    parts: tuple[Node, ...] = ()
    wrapped: bool = False
    own_order: bool = False
    local_id: str = ""
    template: Template | None = None
    carried: CarriedType | None = None
    _fields: tuple[tuple[str, Node], ...] | None = field(default=None, repr=False)
    _payloads: tuple[Payload, ...] | None = field(default=None, repr=False)

    @property
    def written(self) -> Node:
        """The node by which values are written: of a CARRIER, that of the other table."""
        return self if self.carried is None else self.carried.codec.node

    @property
    def left_out(self) -> bool:
        """Whether it is an Option, whose None a field leaves out ("Option in a record field")."""
        return self.written.shape is Shape.OPTION


@dataclass(frozen=True, slots=True)
class Payload:
    """An enum's constructor. `names` are those of named parts; None for positional ones and for none."""

    name: str
    has_payload: bool
    parts: tuple[Node, ...]
    names: tuple[str, ...] | None


class Nodes:
    """The nodes of types over `declarations`, which are valid ones (see `descriptions`)."""

    def __init__(self, declarations: Declarations) -> None:
        self.declarations = declarations
        self._known: dict[object, Node] = {}
        self.all: list[Node] = []

    def node(self, term: Term, owner: str = TOOL_OWNER, environment: Sequence[Node] = ()) -> Node:
        """The node of `term`, where `environment` holds the arguments of `owner`; recurs once per level of it.

        Raises ValueError where a name, a parameter or a number of arguments is not the declarations'.
        """
        match term:
            case Primitive():
                shape = _PRIMITIVES[term]
                return self._made(term, shape, term.value, own_order=shape in _OWN_ORDER)
            case Param(of, index):
                if of != owner or not 0 <= index < len(environment):
                    raise ValueError(f"There is no type parameter {index} of `{shown(of)}` here.")
                return environment[index]
            case Named(declaration, args):
                return self._named(declaration, tuple([self.node(arg, owner, environment) for arg in args]))
            case OptionOf(item):
                wrapped = isinstance(item, Param | OptionOf) or item in (Primitive.UNIT, Primitive.JSON_VALUE)
                inner = self.node(item, owner, environment)
                return self._made((OptionOf, inner, wrapped), Shape.OPTION, "Option", (inner,), wrapped)
            case ListOf(item):
                inner = self.node(item, owner, environment)
                return self._made((ListOf, inner), Shape.LIST, "List", (inner,), own_order=inner.own_order)
            case SetOf(item):
                inner = self.node(item, owner, environment)
                return self._made((SetOf, inner), Shape.SET, "Set", (inner,))
            case DictOf(key, value):
                pair = (self.node(key, owner, environment), self.node(value, owner, environment))
                return self._made((DictOf, *pair), Shape.DICT, "Dict", pair)
            case TupleOf(items):
                parts = tuple([self.node(item, owner, environment) for item in items])
                ordered = all(part.own_order for part in parts)
                return self._made((TupleOf, *parts), Shape.TUPLE, "Tuple", parts, own_order=ordered)
            case FunctionOf() | TaskOf():
                # One node for all functions, and one for all tasks: no value is ever made of them.
                name = "a function" if isinstance(term, FunctionOf) else "a Task"
                return self._made(type(term), Shape.UNCODED, name)

    def carrier(self, carried: CarriedType) -> Node:
        """The node of a type parameter that stands for `carried`."""
        found = self._made(carried, Shape.CARRIER, carried.name)
        found.carried = carried
        return found

    def fields(self, node: Node) -> tuple[tuple[str, Node], ...]:
        """The fields of a record in declaration order."""
        if node._fields is None:
            assert node.template is not None
            node._fields = tuple(
                [(each.name, self.node(each.type, node.local_id, node.parts)) for each in node.template.fields]
            )
        return node._fields

    def payloads(self, node: Node) -> tuple[Payload, ...]:
        """The constructors of an enum in declaration order."""
        if node._payloads is None:
            assert node.template is not None
            node._payloads = tuple([self._payload(node, each) for each in node.template.constructors])
        return node._payloads

    def nesting(self, node: Node) -> int | None:
        """How many levels of JSON a value can have at most; None where that has no bound, or is not worth finding."""
        return _Nesting(self).of(node, 0)

    def _payload(self, node: Node, constructor: Constructor) -> Payload:
        if constructor.named is not None:
            types = [part.type for part in constructor.named]
            names = tuple([part.name for part in constructor.named])
        else:
            types, names = list(constructor.positional or ()), None
        parts = tuple([self.node(term, node.local_id, node.parts) for term in types])
        return Payload(constructor.name, names is not None or constructor.positional is not None, parts, names)

    def _named(self, declaration: str, arguments: tuple[Node, ...]) -> Node:
        known = self._known.get((declaration, arguments))
        if known is not None:
            return known
        template = self.declarations.get(declaration)
        if template is None:
            raise ValueError(f"There is no declaration `{shown(declaration)}`.")
        if len(arguments) != len(template.generic):
            raise ValueError(
                f"`{shown(template.name)}` has {len(template.generic)} type parameters, and {len(arguments)} "
                "arguments are given."
            )
        shape = _NAMED_SHAPES.get(template.kind, Shape.UNCODED)
        name = template.name if shape is not Shape.UNCODED else f"`{shown(template.name)}`, which is no data,"
        made = self._made((declaration, arguments), shape, name, arguments)
        made.local_id, made.template = declaration, template
        return made

    def _made(
        self,
        key: object,
        shape: Shape,
        name: str,
        parts: tuple[Node, ...] = (),
        wrapped: bool = False,
        own_order: bool = False,
    ) -> Node:
        known = self._known.get(key)
        if known is None:
            known = Node(len(self.all), shape, name, parts, wrapped, own_order)
            self._known[key] = known
            self.all.append(known)
        return known


class _Nesting:
    """Finds the nesting of types, each once; gives up on what recurs or is very large."""

    def __init__(self, nodes: Nodes) -> None:
        self._nodes = nodes
        self._known: dict[Node, int | None] = {}

    def of(self, node: Node, depth: int) -> int | None:
        if node in self._known:
            return self._known[node]
        if node.shape is Shape.JSON or depth > _DEEPEST_TYPE or len(self._known) > _MOST_TYPES:
            return None
        if node.carried is not None:
            return node.carried.codec.nesting
        self._known[node] = None  # what comes back to it while it is looked at recurs
        levels = 0
        for own, part in self._inside(node):
            inner = self.of(part, depth + 1)
            if inner is None:
                return None
            levels = max(levels, own + inner)
        self._known[node] = levels
        return levels

    def _inside(self, node: Node) -> list[tuple[int, Node]]:
        """What values of `node` hold, each with the levels of JSON around it; a level counts as one of Unit."""
        here = _UNIT
        match node.shape:
            case Shape.RECORD:
                return [(1, here), *[(1, part) for _, part in self._nodes.fields(node)]]
            case Shape.ENUM:
                parts = [part for payload in self._nodes.payloads(node) for part in payload.parts]
                return [(2, here), *[(2, part) for part in parts]]
            case Shape.DICT:
                return [(2, here), *[(2, part) for part in node.parts]]
            case Shape.LIST | Shape.SET | Shape.TUPLE | Shape.OPTION:
                return [(1, here), *[(1, part) for part in node.parts]]
            case _:
                return []


_UNIT: Final = Node(-1, Shape.UNIT, "Unit")
_DEEPEST_TYPE: Final = 100
_MOST_TYPES: Final = 2_000
