"""The words of a command line (decisions 7): quoting and white space only, no shell.

No variables, globs, tildes, comments or operators. On POSIX:

- white space (space, tab, new line, carriage return) parts words;
- `'…'` holds everything as it stands;
- `"…"` holds everything, but that a backslash before `$`, a backtick, `"`, a backslash or a new line quotes
  it (a quoted new line is nothing); before any other character the backslash stands for itself;
- elsewhere a backslash quotes the character behind it (a quoted new line is nothing);
- an unclosed quote and a backslash at the end are errors.

On Windows, as the C runtime splits: spaces and tabs part words, `"…"` groups, backslashes stand for
themselves except before a `"` (2n of them are n and the quote opens or closes; 2n + 1 are n and a `"`), and
`""` inside quotes is a `"`. The first word, the program, knows no backslashes at all.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

# Runs that need no look at their letters one by one.
_PLAIN = re.compile(r"""[^ \t\r\n\\'"]+""")
_WORDS = re.compile(r"[^ \t\r\n]+")
_IN_QUOTES = re.compile(r'[^"\\]+')
_BLANKS = " \t\r\n"


@dataclass(frozen=True, slots=True)
class Words:
    """The words, the program first. There may be none, and a word may be empty."""

    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class WordsProblem:
    """Why a text does not split: the offset of the quote or backslash concerned, and what is wrong there."""

    offset: int
    reason: str


def split_words(text: str, windows: bool = False) -> Words | WordsProblem:
    """The words of `text` as the host of that kind of system splits it."""
    return _split_windows(text) if windows else _split_posix(text)


def _split_posix(text: str) -> Words | WordsProblem:
    if "\\" not in text and '"' not in text and "'" not in text:
        return Words(tuple(_WORDS.findall(text)))
    words: list[str] = []
    word: list[str] | None = None
    offset = 0
    while offset < len(text):
        letter = text[offset]
        if letter in _BLANKS:
            if word is not None:
                words.append("".join(word))
                word = None
            offset += 1
            continue
        if word is None:
            word = []
        if letter == "'":
            end = text.find("'", offset + 1)
            if end < 0:
                return WordsProblem(offset, "the quote ' is not closed")
            word.append(text[offset + 1 : end])
            offset = end + 1
        elif letter == '"':
            closed = _double_quoted(text, offset + 1, word)
            if closed < 0:
                return WordsProblem(offset, 'the quote " is not closed')
            offset = closed
        elif letter == "\\":
            quoted = text[offset + 1 : offset + 2]
            if not quoted:
                return WordsProblem(offset, "the backslash at the end quotes nothing")
            if quoted != "\n":
                word.append(quoted)
            elif not word and (offset == 0 or text[offset - 1] in _BLANKS):
                word = None  # a line joined to the next begins no word of its own
            offset += 2
        else:
            run = _PLAIN.match(text, offset)
            assert run is not None
            word.append(run.group())
            offset = run.end()
    if word is not None:
        words.append("".join(word))
    return Words(tuple(words))


def _double_quoted(text: str, offset: int, word: list[str]) -> int:
    """Adds what stands up to the closing quote to `word`; the offset behind that quote, or -1."""
    while offset < len(text):
        run = _IN_QUOTES.match(text, offset)
        if run is not None:
            word.append(run.group())
            offset = run.end()
            continue
        if text[offset] == '"':
            return offset + 1
        quoted = text[offset + 1 : offset + 2]
        if quoted and quoted in '$`"\\':
            word.append(quoted)
        elif quoted != "\n":
            word.append("\\" + quoted)
        offset += 2
    return -1


def _split_windows(text: str) -> Words | WordsProblem:
    words: list[str] = []
    offset = 0
    length = len(text)
    while offset < length:
        if text[offset] in _BLANKS:
            offset += 1
            continue
        word: list[str] = []
        opened = -1  # where the quote that is open stands
        program = not words
        while offset < length and (opened >= 0 or text[offset] not in _BLANKS):
            letter = text[offset]
            if letter == "\\" and not program:
                end = offset
                while end < length and text[end] == "\\":
                    end += 1
                count = end - offset
                offset = end
                if text[end : end + 1] != '"':
                    word.append("\\" * count)
                    continue
                word.append("\\" * (count // 2))
                if count % 2:
                    word.append('"')
                    offset += 1
            elif letter == '"':
                if opened >= 0 and not program and text[offset + 1 : offset + 2] == '"':
                    word.append('"')
                    offset += 2
                    continue
                opened = offset if opened < 0 else -1
                offset += 1
            else:
                word.append(letter)
                offset += 1
        if opened >= 0:
            return WordsProblem(opened, 'the quote " is not closed')
        words.append("".join(word))
    return Words(tuple(words))
