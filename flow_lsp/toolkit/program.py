"""What a generated module says of the Tools that it was generated from, and the way to serve them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping


class Program:
    """The Tools of one generated module. Made by generated text alone, while a process starts: it stores what it is
    given.

    `describe` is the canonical text of what describe is answered with, `listing` that of the entries and types that it
    was generated from (decisions 9). `classes` are the Python classes by local id: a record's, or those of an enum's
    constructors in declaration order. `attributes` are their names in Python where those are not the wire's. `methods`
    are, by the Tools' identities, the names of the function and of its parameters in declaration order.
    """

    __slots__ = ("attributes", "classes", "describe", "listing", "methods")

    def __init__(
        self,
        *,
        describe: str,
        listing: str,
        classes: Mapping[str, type[Any] | tuple[type[Any], ...]],
        attributes: Mapping[str, tuple[str, ...] | tuple[tuple[str, ...], ...]],
        methods: Mapping[str, tuple[str, tuple[str, ...]]],
    ) -> None:
        self.describe = describe
        self.listing = listing
        self.classes = classes
        self.attributes = attributes
        self.methods = methods

    def serve(self, tools: object) -> None:
        """Answers a host on standard input and output with the functions of `tools`, until the input ends."""
        from flow_lsp.toolkit.starting import serve_program

        serve_program(self, tools)


def serve(program: Program, tools: object) -> None:
    """The same as `program.serve(tools)`."""
    program.serve(tools)
