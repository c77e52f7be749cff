"""One segment of a TOML text: a header with the statements below it, up to the line of the next header.

A scan never gives up. After a statement that cannot be read it goes on:

- at the next line, where the statement stood on one line;
- where it ran over lines, at the first line below its start that looks like a header or, after an array,
  like a statement; for an array or string that nobody closed swallows what was never meant to be in it;
- a multi-line string without any end gives up only the lines up to the next header.

Going back like this reads text twice. It is bounded: within the text that was read ahead, a scan goes back
at most GO_BACK times, so all of it stays linear. Lines that are neither statement nor header are said once
for a run of them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from flow_lsp.manifest.toml_syntax import Header, Key, Statement, SyntaxProblem, Unreadable, Value, ValueKind
from flow_lsp.manifest.toml_values import (
    UNCLOSED_ARRAY,
    after_equals,
    blanks_end,
    comment_problem,
    line_content_end,
    read_key,
    read_value,
    unreadable,
)

GO_BACK = 8
BOM = "\ufeff"

_COMMENT = r"(?:#[^\x00-\x08\x0a-\x1f\x7f]*+)?"
_END = rf"[ \t]*+{_COMMENT}(?:\r?\n|\Z)"
_BLANK_LINES = re.compile(rf"(?:[ \t]*+{_COMMENT}\r?\n)*+")
_LINE_END = re.compile(_END)
# The forms that nearly all lines of a manifest have; everything else takes the longer way to the same result.
_USUAL_HEADER = re.compile(r'[ \t]*+\[tools\."([^"\\\x00-\x1f\x7f]*+)"\]()' + _END)
_USUAL_STATEMENT = re.compile(r'[ \t]*+([A-Za-z0-9_-]++)[ \t]*+=[ \t]*+"([^"\\\x00-\x1f\x7f]*+)"()' + _END)
_HALF_CHARACTER = re.compile("[\ud800-\udfff]")

_PART = r"""(?:[A-Za-z0-9_-]++|"(?:[^"\\\r\n]|\\.)*+"|'[^'\r\n]*+')"""
_DOTTED = rf"{_PART}(?:[ \t]*+\.[ \t]*+{_PART})*+"
_HEADER_LINE = rf"\[\[?[ \t]*+{_DOTTED}[ \t]*+\]\]?[ \t]*+(?:#.*+)?\r?$"
_HEADER_AHEAD = re.compile(rf"^[ \t]*+{_HEADER_LINE}", re.MULTILINE)
_ANY_AHEAD = re.compile(rf"^[ \t]*+(?:{_HEADER_LINE}|{_DOTTED}[ \t]*+=)", re.MULTILINE)
_HOPELESS_HEADER = re.compile(r"""[ \t]*+\[(?!\[?[ \t]*+[A-Za-z0-9_"'-])""")


@dataclass(frozen=True, slots=True)
class ScannedSegment:
    """What one segment holds. Offsets are absolute.

    `header` is None for the first segment of a text alone. `fresh` says that the scan did not depend on
    anything before `start`. `endless` is where a multi-line string starts that has no end in the whole
    text, or -1.
    """

    start: int
    end: int
    header: Header | None
    statements: tuple[Statement, ...]
    problems: tuple[SyntaxProblem, ...]
    fresh: bool
    endless: int


class Scanner:
    """Scans the segments of one text, in order, from any start of a line that a fresh segment begins at."""

    __slots__ = ("_ahead", "_ascii", "_endless", "_problems", "_text", "_went_back")

    def __init__(self, text: str) -> None:
        self._text = text
        self._ahead = 0  # how far text was read that is read again
        self._went_back = 0
        self._problems: list[SyntaxProblem] = []
        self._endless = -1
        self._ascii = text.isascii()

    def is_fresh(self, at: int) -> bool:
        """Whether a segment at `at` would depend on nothing that was read before."""
        return self._ahead <= at

    def segment(self, start: int, first: bool) -> ScannedSegment:
        """The segment at `start`. `first` says that it is the text's first, which has no header."""
        text = self._text
        fresh = self._ahead <= start
        self._problems = []
        self._endless = -1
        header: Header | None = None
        at = start
        if first:
            if text.startswith(BOM):
                at += len(BOM)
        else:
            header, at = self._header(start)
        statements: list[Statement] = []
        hopeless = header is not None and header.key is None and _HOPELESS_HEADER.match(text, start) is not None
        noise_end = at if hopeless else -1  # where the last line that is no statement ended
        length = len(text)
        while True:
            blank = _BLANK_LINES.match(text, at)
            assert blank is not None
            at = blank.end()
            usual = _USUAL_STATEMENT.match(text, at)
            if usual is not None:
                statements.append(
                    Statement(
                        Key((usual[1],), (usual.span(1),)),
                        Value(ValueKind.STRING, usual.start(2) - 1, usual.start(3), usual[2]),
                    )
                )
                at = usual.end()
                continue
            letter_at = blanks_end(text, at)
            if letter_at == length:
                at = length
                break
            letter = text[letter_at]
            if letter == "[":
                if not (hopeless and not statements and noise_end == at):
                    break
                if _HOPELESS_HEADER.match(text, at) is None:
                    self._ahead = max(self._ahead, self._next_line(at))  # what it is took more than its bracket
                    break
                at = noise_end = self._next_line(at)
            elif letter == "#":
                comment_end = _LINE_END.match(text, letter_at)
                if comment_end is None:
                    self._problems.append(comment_problem(text, letter_at))
                    at = self._next_line(letter_at)
                else:
                    at = comment_end.end()
            elif letter.isascii() and (letter.isalnum() or letter in "_-\"'"):
                statement, at = self._statement(letter_at)
                if statement is not None:
                    statements.append(statement)
            else:
                if noise_end != at:
                    self._problems.append(self._noise(letter_at))
                at = noise_end = self._next_line(letter_at)
        half = None if self._ascii else _HALF_CHARACTER.search(text, start, at)
        if half is not None:
            sentence = "This is half a character (a lone surrogate), which no UTF-8 file can hold. Remove it."
            self._problems.append(SyntaxProblem(half.start(), half.end(), sentence))
        return ScannedSegment(start, at, header, tuple(statements), tuple(self._problems), fresh, self._endless)

    def _next_line(self, at: int) -> int:
        end = self._text.find("\n", at)
        return len(self._text) if end < 0 else end + 1

    def _noise(self, at: int) -> SyntaxProblem:
        text = self._text
        if text[at] == "\r":
            return unreadable(text, at, "").problem
        if text[at] == "=":
            return SyntaxProblem(at, at + 1, "A key is missing before this `=`.")
        end = line_content_end(text, at)
        return SyntaxProblem(at, end, "This line is no `key = value`, no [table] and no comment.")

    def _header(self, start: int) -> tuple[Header, int]:
        text = self._text
        usual = _USUAL_HEADER.match(text, start)
        if usual is not None:
            name_start, name_end = usual.span(1)
            opening = name_start - 8
            key = Key(("tools", usual[1]), ((opening + 1, opening + 6), (name_start - 1, name_end + 1)))
            return Header(key, False, opening, usual.start(2)), usual.end()
        opening = blanks_end(text, start)
        array = text.startswith("[[", opening)
        brackets = 2 if array else 1
        try:
            key, at = read_key(text, blanks_end(text, opening + brackets), self._problems)
        except Unreadable as stop:
            self._problems.append(stop.problem)
            return Header(None, array, opening, line_content_end(text, opening)), self._next_line(opening)
        if text.startswith("]" * brackets, at):
            end = at + brackets
            line_end = _LINE_END.match(text, end)
            if line_end is not None:
                return Header(key, array, opening, end), line_end.end()
            self._behind(end, "Only a comment may stand behind a header on its line.")
            return Header(key, array, opening, end), self._next_line(end)
        end = line_content_end(text, opening)
        rest = text[at : at + 1]
        if rest in ("", "\r", "\n", "#", "]"):
            # What was meant is plain: go on as if the brackets were there.
            shown_end = key.places[-1][1]
            sentence = f"This header does not end. Add `{']' * (brackets - (rest == ']'))}`."
            self._problems.append(SyntaxProblem(opening, shown_end, sentence))
            return Header(key, False, opening, shown_end), self._next_line(at)
        if at == key.places[-1][1]:
            sentence = f"`{rest}` cannot stand in a key without quotes. Write the key in quotes."
        else:
            sentence = "The closing `]` of the header is missing before this."
        self._problems.append(unreadable(text, at, sentence).problem)
        return Header(None, array, opening, end), self._next_line(at)

    def _behind(self, at: int, sentence: str) -> None:
        """Notes what is wrong behind a complete header or value that ends at `at`."""
        text = self._text
        at = blanks_end(text, at)
        if text.startswith("#", at):
            self._problems.append(comment_problem(text, at))
        elif text.startswith("\r", at):
            self._problems.append(unreadable(text, at, sentence).problem)
        else:
            self._problems.append(SyntaxProblem(at, line_content_end(text, at), sentence))

    def _statement(self, start: int) -> tuple[Statement | None, int]:
        text = self._text
        key: Key | None = None
        problems = self._problems
        before = len(problems)
        try:
            read, at = read_key(text, start, problems)
            at = after_equals(text, read, at)
            key = read  # a key counts from its `=` on: before, it may not be what was meant
            value, end = read_value(text, at, 0, problems)
        except Unreadable as stop:
            return self._unread(start, key, stop, before)
        line_end = _LINE_END.match(text, end)
        if line_end is not None:
            # A value with a mistake inside it is not what was meant; nothing more is said of it.
            return Statement(key, value if len(problems) == before else None), line_end.end()
        swallows = value.kind is ValueKind.STRING and "\n" in text[value.start : end]
        resume = self._go_back(start, blanks_end(text, end)) if swallows else -1
        if resume < 0:
            self._behind(end, "Only a comment may stand behind a value on its line.")
            return Statement(key, None), self._next_line(end)
        del problems[before:]
        quotes = text[value.start : value.start + 3]
        sentence = f"The string that starts here does not end where it seems meant to. Add {quotes} there."
        problems.append(SyntaxProblem(value.start, line_content_end(text, value.start), sentence))
        return Statement(key, None), resume

    def _unread(self, start: int, key: Key | None, stop: Unreadable, before: int) -> tuple[Statement | None, int]:
        """Notes why the statement at `start` could not be read, and says where to go on."""
        text = self._text
        problem = stop.problem
        if stop.endless:
            self._endless = stop.at
            ahead = _HEADER_AHEAD.search(text, self._next_line(stop.at))
            resume = len(text) if ahead is None else ahead.start()
            if ahead is not None:  # whether this is a header took its whole line to say
                self._ahead = max(self._ahead, ahead.end() + 1)
        else:
            resume = -1
            if "\n" in text[start : stop.at]:
                resume = self._go_back(start, stop.at)
                if resume >= 0 and stop.opened >= 0:
                    del self._problems[before:]
                    problem = SyntaxProblem(stop.opened, stop.opened + 1, UNCLOSED_ARRAY)
            if resume < 0:
                resume = self._next_line(stop.at)
        self._problems.append(problem)
        return (None if key is None else Statement(key, None)), resume

    def _go_back(self, start: int, failed_at: int) -> int:
        """The line to go on at after the statement at `start`, which ran over lines and failed at
        `failed_at`;
        -1 where none below its first looks like a header or statement."""
        text = self._text
        if start >= self._ahead:
            self._went_back = 0
        if self._went_back == GO_BACK:
            return -1
        stop = text.find("\n", failed_at)
        stop = len(text) if stop < 0 else stop
        with_strings = text.find('"""', start, failed_at) >= 0 or text.find("'''", start, failed_at) >= 0
        ahead = (_HEADER_AHEAD if with_strings else _ANY_AHEAD).search(text, self._next_line(start), stop)
        if ahead is None:
            return -1
        self._went_back += 1
        self._ahead = max(self._ahead, stop + 1)
        return ahead.start()
