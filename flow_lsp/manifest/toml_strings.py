"""TOML's four kinds of strings.

Every function takes the text and the offset of the opening quote, and returns the string, the offset behind
it, and the first thing that is wrong inside it or None. A string without an end raises Unreadable.
"""

from __future__ import annotations

import re

from flow_lsp.manifest.toml_syntax import SyntaxProblem, Unreadable

_BASIC = re.compile(r'"(?:[^"\\\r\n]++|\r(?!\n)|\\(?:[^\r\n]|\r(?!\n)))*+"')
_LITERAL = re.compile(r"'[^'\n]*'")
# Where a search for the end of a multi-line basic string stops: a run of escapes, or the end.
_BASIC_STOP = re.compile(r'(?:\\[\s\S])++|"""')
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]|\r(?!\n)")
_LINE_REST = re.compile(r"[^\r\n]*")

# An escape, or a backslash that begins none. Line ends are LF here: they are normalized before.
_ESCAPE = re.compile(r'\\(?:(["\\bfnrt])|u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|([ \t]*\n[ \t\n]*)|([\s\S]?))')
_ESCAPE_WITH_CR = re.compile(
    r'\\(?:(["\\bfnrt])|u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|([ \t]*\r?\n(?:[ \t\n]|\r\n)*)|([\s\S]?))'
)
_SHORT = {'"': '"', "\\": "\\", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}

Read = tuple[str, int, SyntaxProblem | None]


def one_line(text: str, start: int) -> Read:
    """A basic or literal string on one line, as its quote says."""
    quote = text[start]
    found = (_BASIC if quote == '"' else _LITERAL).match(text, start)
    if found is None:
        rest = _LINE_REST.match(text, start)
        assert rest is not None
        end = start + len(rest[0].rstrip(" \t"))
        raise Unreadable(start, end, f"This string does not end on its line. Add a {quote} where it ends.")
    end = found.end()
    content = text[start + 1 : end - 1]
    problem = control_problem(text, start + 1, end - 1)
    if quote == '"' and "\\" in content:
        content, bad = _unescaped(content, start + 1, multi_line=False)
        problem = problem or bad
    return content, end, problem


def multi_line(text: str, start: int) -> Read:
    """A multi-line basic or literal string, as its quotes say."""
    quote = text[start]
    closing = quote * 3
    end = text.find(closing, start + 3) if quote == "'" else _basic_end(text, start + 3)
    if end < 0:
        rest = _LINE_REST.match(text, start)
        assert rest is not None
        sentence = f"The string that starts here does not end. Add {closing} where it ends."
        raise Unreadable(start, start + len(rest[0].rstrip(" \t")), sentence, endless=True)
    for _ in range(2):  # one or two quotes may stand before the closing ones
        if text.startswith(quote, end + 3):
            end += 1
    first = start + 3
    if text.startswith("\n", first):
        first += 1
    elif text.startswith("\r\n", first):
        first += 2
    problem = control_problem(text, first, end)
    content = text[first:end]
    if quote == '"' and "\\" in content:
        content, bad = _unescaped(content, first, multi_line=True)
        return content, end + 3, problem or bad
    return content.replace("\r\n", "\n"), end + 3, problem


def is_endless(text: str, start: int) -> bool:
    """Whether the multi-line string that starts at `start` has no end in the text."""
    return (text.find("'''", start + 3) if text[start] == "'" else _basic_end(text, start + 3)) < 0


def control_problem(text: str, start: int, end: int) -> SyntaxProblem | None:
    """The first control character from `start` to `end` that may not stand there, new lines and tabs
    aside."""
    found = _CONTROL.search(text, start, end)
    return None if found is None else stray_control(text, found.start())


def stray_control(text: str, at: int) -> SyntaxProblem:
    """What is said of the control character at `at`."""
    if text[at] == "\r":
        sentence = "A carriage return alone ends no line in TOML. Use LF or CRLF."
    else:
        sentence = f"The control character U+{ord(text[at]):04X} cannot stand here. Remove it or write an escape."
    return SyntaxProblem(at, at + 1, sentence)


def _basic_end(text: str, start: int) -> int:
    """Where the quotes that end the multi-line basic string stand, or -1."""
    while True:
        found = _BASIC_STOP.search(text, start)
        if found is None:
            return -1
        if found[0] == '"""':
            return found.start()
        start = found.end()


def _unescaped(content: str, start: int, multi_line: bool) -> tuple[str, SyntaxProblem | None]:
    """`content`, whose first letter stands at `start`, with its escapes read; and the first bad one."""
    bad: list[tuple[int, int]] = []

    def replacement(found: re.Match[str]) -> str:
        short, four, eight, joined, _ = found.groups()
        if short is not None:
            return _SHORT[short]
        code = four or eight
        if code is not None:
            number = int(code, 16)
            if number < 0xD800 or 0xDFFF < number < 0x110000:
                return chr(number)
        elif joined is not None and multi_line:
            return ""
        bad.append((found.start(), found.end()))
        return ""

    if "\r" in content:
        for found in _ESCAPE_WITH_CR.finditer(content):
            replacement(found)
        places = bad[:1]
        result = _ESCAPE.sub(replacement, content.replace("\r\n", "\n"))
    else:
        result = _ESCAPE.sub(replacement, content)
        places = bad[:1]
    if not places:
        return result, None
    first, end = places[0]
    escape = content[first:end]
    if escape[1:2] in ("u", "U") and len(escape) > 2:
        sentence = f"{escape} is no character: escapes name Unicode scalar values, no surrogates."
    elif escape[1:2] in ("u", "U"):
        sentence = "This escape is unfinished: \\u takes four hexadecimal digits, \\U takes eight."
    else:
        sentence = "This is no escape. Write \\\\ for a backslash, or put the text in single quotes."
    return result, SyntaxProblem(start + first, start + max(end, first + 1), sentence)
