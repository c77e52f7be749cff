"""TOML's rules on what may be defined twice.

A tree of what the text has defined so far:

- a header opens a table; the tables above it come into being with it and may be given later, once;
- a dotted key opens tables that only further dotted keys of the same header's statements may add to;
- a value, inline tables and arrays included, is closed for good;
- each [[header]] begins a new item of its array, and what stands below it starts afresh.
"""

from __future__ import annotations

from enum import Enum

from flow_lsp.manifest.toml_syntax import Header, Key, Statement, Value


class NodeKind(Enum):
    """What a name stands for."""

    TABLE = 1
    ARRAY = 2
    VALUE = 3


class Node:
    """A name's table (`children`), array of tables (`items`, the last one open), or value.

    `closed` says of a table that its own header, or dotted keys under an earlier header, have defined it.
    """

    __slots__ = ("children", "closed", "items", "kind", "value")

    def __init__(self, kind: NodeKind = NodeKind.TABLE, value: Value | None = None) -> None:
        self.kind = kind
        self.children: dict[str, Node] = {}
        self.closed = False
        self.items: list[Node] = []
        self.value = value


def add_value(table: Node, key: Key, value: Value | None, dotted: list[Node]) -> bool:
    """Defines `key` in `table`; False where that is not allowed. The tables that a dotted key opens are
    added to `dotted`: they are closed when the next header comes."""
    for name in key.names[:-1]:
        node = table.children.get(name)
        if node is None:
            node = table.children[name] = Node()
        elif node.kind is not NodeKind.TABLE or node.closed:
            return False
        dotted.append(node)
        table = node
    if key.names[-1] in table.children:
        return False
    table.children[key.names[-1]] = Node(NodeKind.VALUE, value)
    return True


class Definitions:
    """What headers and statements, added in the order of the text, define. `root` is the whole document."""

    __slots__ = ("_dotted", "_open", "root")

    def __init__(self) -> None:
        self.root = Node()
        self._open: Node = self.root
        self._dotted: list[Node] = []

    def add_header(self, header: Header) -> bool:
        """Opens the header's table; False where it may not be. What follows a refused or unreadable header
        goes nowhere, so that one mistake is said once."""
        for opened in self._dotted:
            opened.closed = True
        self._dotted = []
        self._open = Node()
        if header.key is None:
            return True
        table = self.root
        *above, last = header.key.names
        for name in above:
            inner = self._inside(table, name)
            if inner is None:
                return False
            table = inner
        node: Node | None = table.children.get(last)
        if header.array:
            if node is None:
                node = table.children[last] = Node(NodeKind.ARRAY)
            if node.kind is not NodeKind.ARRAY:
                return False
            node.items.append(self._open)
            return True
        if node is None:
            node = table.children[last] = Node()
        if node.kind is not NodeKind.TABLE or node.closed:
            return False
        node.closed = True
        self._open = node
        return True

    def add_statement(self, statement: Statement) -> bool:
        """Defines the statement's key under the header that is open; False where that is not allowed."""
        return add_value(self._open, statement.key, statement.value, self._dotted)

    @staticmethod
    def _inside(table: Node, name: str) -> Node | None:
        node = table.children.get(name)
        if node is None:
            node = table.children[name] = Node()
        if node.kind is NodeKind.ARRAY:
            return node.items[-1]
        return node if node.kind is NodeKind.TABLE else None
