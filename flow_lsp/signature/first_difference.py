"""Where two JSON values first differ: what is said where there are no better words."""

from __future__ import annotations

from typing import TypeAlias

from flow_lsp.values.canonical import canonical_text
from flow_lsp.values.strict_json import Json

# A path from the root: its last step, and the path before it.
_Path: TypeAlias = "tuple[_Path, str] | None"


def first_difference(here: Json, there: Json) -> tuple[str, str, str]:
    """The JSON Pointer of the first difference, and the canonical text that stands there on each side,
    "nothing" where nothing does. The pointer is empty where the values are equal."""
    ahead: list[tuple[_Path, Json, Json]] = [(None, here, there)]
    while ahead:
        path, mine, theirs = ahead.pop()
        if isinstance(mine, dict) and isinstance(theirs, dict):
            for name in sorted(mine.keys() | theirs.keys()):
                if name not in mine:
                    return _pointer((path, name)), "nothing", canonical_text(theirs[name])
                if name not in theirs:
                    return _pointer((path, name)), canonical_text(mine[name]), "nothing"
            ahead.extend(((path, name), mine[name], theirs[name]) for name in sorted(mine, reverse=True))
        elif isinstance(mine, list) and isinstance(theirs, list):
            if len(mine) != len(theirs):
                return _pointer(path), canonical_text(mine), canonical_text(theirs)
            ahead.extend(((path, str(index)), mine[index], theirs[index]) for index in reversed(range(len(mine))))
        else:
            texts = canonical_text(mine), canonical_text(theirs)
            if texts[0] != texts[1]:
                return _pointer(path), *texts
    return "", canonical_text(here), canonical_text(there)


def _pointer(path: _Path) -> str:
    steps = []
    while path is not None:
        path, step = path
        steps.append("/" + step.replace("~", "~0").replace("/", "~1"))
    return "".join(reversed(steps))
