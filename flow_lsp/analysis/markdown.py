"""Markdown made from text that nobody has checked: nothing in it can leave the place it was put in."""

from __future__ import annotations

import re

# What begins or ends markup anywhere, and what does so only at the start of a line. An escape that is not
# needed is left out, for some editors show the backslash.
_ANYWHERE = re.compile(r"[\\`*\[\]~|]|(?<![^\W_])_|_(?![^\W_])")
_AT_START = re.compile(r"^([^\S\n]*+)(#|>|[-+=](?=[-+=\s]|$)|(?:\d{1,9})(?=[.)]))", re.MULTILINE)

_FENCE = re.compile(r"(`{3,})\w*$")
_CODE = re.compile(r"(?<![\\`])(`+)(?!`)(.*?)(?<!`)\1(?!`)")
_STRONG = re.compile(r"\*\*([^*]+)\*\*")
_ESCAPE = re.compile(r"\\([^A-Za-z0-9\s])")


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


def plain(text: str) -> str:
    """Markdown that the functions above made, for who shows plain text alone: the same words without marks."""
    lines = []
    fence = ""
    for line in text.split("\n"):
        mark = _FENCE.match(line)
        if mark is not None and (not fence or line == fence):
            fence = "" if fence else mark[1]
        else:
            lines.append(line if fence else _plain_line(line))
    return "\n".join(lines)


def _plain_line(line: str) -> str:
    parts = []
    end = 0
    for found in _CODE.finditer(line):
        parts.append(_plain_words(line[end : found.start()]))
        parts.append(found[2].removeprefix(" ").removesuffix(" ") if "`" in found[2] else found[2])
        end = found.end()
    parts.append(_plain_words(line[end:]))
    return "".join(parts).removesuffix("  ")


def _plain_words(words: str) -> str:
    unmarked = _STRONG.sub(r"\1", words)
    return _ESCAPE.sub(r"\1", unmarked).replace("&lt;", "<").replace("&amp;", "&")


def _longest_run(text: str) -> int:
    return max(map(len, re.findall(r"`+", text)), default=0)
