"""TOML's keys and values, read from a place on. What is wrong inside a string or an inline table is noted
and read past; what cannot be read on from raises Unreadable."""

from __future__ import annotations

import re

from flow_lsp.manifest.definitions import Node, add_value
from flow_lsp.manifest.toml_scalars import BARE, SPACED_TIME, is_date, scalar
from flow_lsp.manifest.toml_strings import multi_line, one_line, stray_control
from flow_lsp.manifest.toml_syntax import DEEPEST, Key, Statement, SyntaxProblem, Unreadable, Value, ValueKind

_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")
_BLANKS = re.compile(r"[ \t]*")
_IN_ARRAY = re.compile(r"(?:[ \t]++|\r?\n|#[^\x00-\x08\x0a-\x1f\x7f]*+(?=\r?\n|\Z))*+")
_LINE_REST = re.compile(r"[^\n]*")
_RUN = re.compile(r"[^\s,\[\]{}=#]+|.")


def blanks_end(text: str, at: int) -> int:
    """Where the spaces and tabs at `at` end."""
    found = _BLANKS.match(text, at)
    assert found is not None
    return found.end()


def line_content_end(text: str, at: int) -> int:
    """The end of the line of `at` without white space at its end, but not before `at`."""
    found = _LINE_REST.match(text, at)
    assert found is not None
    return at + len(found[0].rstrip(" \t\r"))


def place(text: str, at: int) -> tuple[int, int]:
    """A range that can be seen: the word at `at`, or where the line ends there, the letter before."""
    if at < len(text) and text[at] not in "\r\n":
        found = _RUN.match(text, at)
        assert found is not None
        return at, found.end()
    start = at
    while start > 0 and text[start - 1] in " \t":
        start -= 1
    return (start - 1, start) if start > 0 and text[start - 1] not in "\r\n" else (at, at)


def unreadable(text: str, at: int, sentence: str) -> Unreadable:
    """That nothing can be read on from `at`, shown at the word there. A lone carriage return is said as
    such."""
    if text.startswith("\r", at) and not text.startswith("\r\n", at):
        return Unreadable(*stray_control(text, at))
    start, end = place(text, at)
    stop = Unreadable(start, end, sentence)
    stop.at = at
    return stop


def read_key(text: str, at: int, problems: list[SyntaxProblem]) -> tuple[Key, int]:
    """A key, dotted or not, and the offset behind it and the blanks that follow."""
    names: list[str] = []
    places: list[tuple[int, int]] = []
    while True:
        letter = text[at : at + 1]
        if letter in ("'", '"') and letter:
            name, end, problem = one_line(text, at)
            if problem is not None:
                problems.append(problem)
        else:
            found = _BARE_KEY.match(text, at)
            if found is None:
                raise unreadable(text, at, "A key is expected here: a name, or a text in quotes.")
            name, end = found[0], found.end()
        names.append(name)
        places.append((at, end))
        at = blanks_end(text, end)
        if not text.startswith(".", at):
            return Key(tuple(names), tuple(places)), at
        if len(names) == DEEPEST:
            raise Unreadable(places[0][0], end, f"This key has more than {DEEPEST} parts.")
        at = blanks_end(text, at + 1)


def read_statement(text: str, at: int, depth: int, problems: list[SyntaxProblem]) -> tuple[Statement, int]:
    """`key = value` inside an inline table, and the offset behind it."""
    key, end = read_key(text, at, problems)
    value, end = read_value(text, after_equals(text, key, end), depth, problems)
    return Statement(key, value), end


def after_equals(text: str, key: Key, at: int) -> int:
    """Where the value of `key` is to start, the `=` being expected at `at`."""
    if text.startswith("=", at):
        return blanks_end(text, at + 1)
    if text[at : at + 1] not in ("", "\r", "\n", "#", " ", "\t", '"', "'") and at == key.places[-1][1]:
        raise unreadable(text, at, f"`{text[at]}` cannot stand in a key without quotes. Write the key in quotes.")
    stop = Unreadable(key.places[0][0], key.places[-1][1], "This key has no `=` and value behind it.")
    stop.at = at
    raise stop


def read_value(text: str, at: int, depth: int, problems: list[SyntaxProblem]) -> tuple[Value, int]:
    """A value that `depth` others stand around, and the offset behind it."""
    letter = text[at : at + 1]
    if letter == '"' or letter == "'":
        read = multi_line if text.startswith(letter * 3, at) else one_line
        content, end, problem = read(text, at)
        if problem is not None:
            problems.append(problem)
        return Value(ValueKind.STRING, at, end, content), end
    if letter == "[" or letter == "{":
        if depth == DEEPEST:
            raise Unreadable(at, at + 1, f"Values are nested more than {DEEPEST} deep here.")
        return (_array if letter == "[" else _inline_table)(text, at, depth, problems)
    found = BARE.match(text, at)
    if found is None:
        if letter in ("", "\r", "\n", "#", ",", "]", "}"):
            raise unreadable(text, at, "A value is missing here.")
        raise unreadable(text, at, "No value begins like this. A string needs quotes around it.")
    run, end = found[0], found.end()
    if is_date(run):
        spaced = SPACED_TIME.match(text, end)
        if spaced is not None:
            run += spaced[0]
            end = spaced.end()
    read_as = scalar(run)
    if isinstance(read_as, str):
        raise Unreadable(at, end if depth else _words_end(text, end), read_as)
    return Value(read_as[0], at, end, read_as[1]), end


def _words_end(text: str, at: int) -> int:
    """Where what was perhaps meant as one text without quotes ends: at a comment, or with the line."""
    end = line_content_end(text, at)
    comment = text.find("#", at, end)
    return at + len(text[at:comment].rstrip(" \t")) if comment >= 0 else end


def _array(text: str, start: int, depth: int, problems: list[SyntaxProblem]) -> tuple[Value, int]:
    items: list[Value] = []
    try:
        at = _array_gap(text, start + 1)
        while not text.startswith("]", at) and at < len(text):
            item, at = read_value(text, at, depth + 1, problems)
            items.append(item)
            at = _array_gap(text, at)
            if text.startswith(",", at):
                at = _array_gap(text, at + 1)
            elif not text.startswith("]", at) and at < len(text):
                raise unreadable(text, at, "A comma or the closing `]` of the array is missing before this.")
        if at == len(text):
            stop = Unreadable(start, start + 1, UNCLOSED_ARRAY)
            stop.at = at
            raise stop
    except Unreadable as stop:
        stop.opened = start
        raise
    return Value(ValueKind.ARRAY, start, at + 1, tuple(items)), at + 1


UNCLOSED_ARRAY = "The array that starts here is not closed. Add `]` where it ends."


def _array_gap(text: str, at: int) -> int:
    """Where white space, new lines and comments inside an array end."""
    found = _IN_ARRAY.match(text, at)
    assert found is not None
    end = found.end()
    if text.startswith("#", end):
        raise Unreadable(*comment_problem(text, end))
    return end


def comment_problem(text: str, at: int) -> SyntaxProblem:
    """The control character that the comment at `at` holds."""
    while (text[at] >= " " and text[at] != "\x7f") or text[at] == "\t":
        at += 1
    return stray_control(text, at)


def _inline_table(text: str, start: int, depth: int, problems: list[SyntaxProblem]) -> tuple[Value, int]:
    statements: list[Statement] = []
    defined = Node()
    dotted: list[Node] = []
    at = blanks_end(text, start + 1)
    while not text.startswith("}", at) or statements:
        if statements and text.startswith("}", at):
            raise unreadable(text, at, "No comma may stand before the closing `}` of an inline table.")
        if text[at : at + 1] in ("", "\r", "\n"):
            raise _broken_table(text, start, at)
        statement, at = read_statement(text, at, depth + 1, problems)
        if not add_value(defined, statement.key, statement.value, dotted):
            problems.append(twice(statement.key))
        statements.append(statement)
        at = blanks_end(text, at)
        if text.startswith("}", at):
            break
        if not text.startswith(",", at):
            if text[at : at + 1] in ("", "\r", "\n", "#"):
                raise _broken_table(text, start, at)
            raise unreadable(text, at, "A comma or the closing `}` of the inline table is missing before this.")
        at = blanks_end(text, at + 1)
    return Value(ValueKind.TABLE, start, at + 1, tuple(statements)), at + 1


def _broken_table(text: str, start: int, at: int) -> Unreadable:
    """An inline table that its line ends before it does."""
    sentence = "This inline table does not end on its line. Add `}`, or write a [table] with a line for each key."
    stop = Unreadable(start, line_content_end(text, start), sentence)
    stop.at = at
    return stop


def twice(key: Key) -> SyntaxProblem:
    """That `key` cannot be defined where it stands."""
    return SyntaxProblem(
        key.places[0][0], key.places[-1][1], "This key is defined already. Remove one of the two definitions."
    )
