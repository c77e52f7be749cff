"""Values as Python literals, in ASCII: what is generated says the same under any encoding."""

from __future__ import annotations

from collections.abc import Sequence

from flow_lsp.generating.docs import INDENT, WIDTH


def string(text: str) -> str:
    """The literal of `text`, in double quotes where that takes no escape."""
    if text.isascii() and text.isprintable() and '"' not in text and "\\" not in text:
        return f'"{text}"'
    escaped = text.encode("unicode_escape", "surrogatepass").decode("ascii")
    if '"' not in escaped:
        return f'"{escaped}"'
    return "'" + escaped.replace("'", "\\'") + "'"


def strings(names: Sequence[str]) -> str:
    """The tuple of the literals of `names`."""
    return names_tuple([string(name) for name in names])


def names_tuple(items: Sequence[str]) -> str:
    """The tuple of expressions."""
    return f"({items[0]},)" if len(items) == 1 else f"({', '.join(items)})"


def member(key: str, items: Sequence[str], indent: str) -> list[str]:
    """The lines of a dict's member that holds the tuple of the expressions `items`."""
    line = f"{indent}{string(key)}: {names_tuple(items)},"
    if len(line) <= WIDTH or not items:
        return [line]
    return [f"{indent}{string(key)}: (", *(f"{indent}{INDENT}{item}," for item in items), f"{indent}),"]


def joined_strings(pieces: Sequence[str], indent: str) -> list[str]:
    """The lines of literals, one for each of `pieces`, that Python joins to one."""
    return [f"{indent}{string(piece)}" for piece in pieces]
