"""Markdown made from text that nobody has checked: nothing in it can leave the place it was put in."""

from __future__ import annotations

import re

# What begins or ends markup anywhere, and what does so only at the start of a line. An escape that is not
# needed is left out, for some editors show the backslash.
_ANYWHERE = re.compile(r"[\\`*\[\]~|]|(?<![^\W_])_|_(?![^\W_])")
_AT_START = re.compile(r"^([^\S\n]*+)(#|>|[-+=](?=[-+=\s]|$)|(?:\d{1,9})(?=[.)]))", re.MULTILINE)


def escaped(text: str) -> str:
    """`text` as plain words: no markup of Markdown or HTML in it takes effect, line breaks stay."""
    safe = text.replace("&", "&amp;").replace("<", "&lt;")
    safe = _ANYWHERE.sub(r"\\\g<0>", safe)
    safe = _AT_START.sub(_escaped_start, safe)
    return safe.replace("\n", "  \n")


def _escaped_start(found: re.Match[str]) -> str:
    mark = found[2]
    return f"{found[1]}{mark}\\" if mark[0].isdigit() else f"{found[1]}\\{mark}"


def prose(sentence: str) -> str:
    """A sentence of ours, in which names stand in backticks: those as code, the rest as plain words.

    A name that holds a backtick itself shifts which parts are code, and none can do more than that.
    """
    parts = sentence.split("`")
    if len(parts) % 2 == 0:
        return escaped(sentence)
    return "".join(
        escaped(part) if index % 2 == 0 else code(part) if part.strip() else escaped(f"`{part}`")
        for index, part in enumerate(parts)
    )


def code(text: str) -> str:
    """`text` as a code span on one line, delimited by more backticks than it holds."""
    line = " ".join(text.split("\n"))
    fence = "`" * (_longest_run(line) + 1)
    pad = " " if line.startswith("`") or line.endswith("`") else ""
    return f"{fence}{pad}{line}{pad}{fence}"


def block(language: str, text: str) -> str:
    """`text` as a fenced code block that nothing in it can close."""
    fence = "`" * max(3, _longest_run(text) + 1)
    return f"{fence}{language}\n{text}\n{fence}"


def _longest_run(text: str) -> int:
    return max(map(len, re.findall(r"`+", text)), default=0)
