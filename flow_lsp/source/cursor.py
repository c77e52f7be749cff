"""A place in an item's text that moves from token to token, and the refusal that ends its reading."""

from __future__ import annotations

import re

from flow_lsp.findings import source_rules as rules
from flow_lsp.findings.model import Finding, shown
from flow_lsp.source.tokens import (
    COLON,
    KEYWORDS,
    LONE_SURROGATE,
    SPACE,
    STRING,
    WORD,
    block_end,
    doc_text,
    identifier_pieces,
    is_doc,
    read_name,
)
from flow_lsp.text.spans import Span

TOKEN = re.compile(
    rf"""{SPACE}*+(?:
    (?P<word>{WORD})
    |(?P<mark>[{{}}()\[\]<>,.:@]|->)
    |(?P<line>\n(?:{SPACE}*+\n)*+)
    |(?P<comment>//[^\n]*+)
    |(?P<block>/\*)
    |(?P<string>{STRING})
    |(?P<other>[^\s])
    )""",
    re.VERBOSE,
)
CLOSING = frozenset((")", "}", "]", ">"))


class Refusal(Exception):  # noqa: N818 - no error of the program: it ends the reading of one item
    """An item does not parse. Caught where the item's reading begins."""

    def __init__(self, finding: Finding) -> None:
        super().__init__(finding)
        self.finding = finding


class Cursor:
    """The token at hand: `kind` is `name`, `keyword`, `line`, `string`, `other`, `end` or the mark itself.

    `previous_start` and `previous_end` are those of the last token passed that is no line end.
    Offsets are those of the whole text; spans given out count from the item's start.
    """

    __slots__ = (
        "_docs", "_pieces", "base", "end", "kind", "limit", "mentions", "previous_end", "previous_start",
        "problems", "start", "text",
    )  # fmt: skip

    def __init__(self, text: str, base: int, position: int, limit: int) -> None:
        self.text = text
        self.base = base
        self.limit = limit
        self.kind = ""
        self.start = self.end = self.previous_start = self.previous_end = position
        self.mentions: set[str] = set()
        self.problems: list[Finding] = []
        self._docs: list[tuple[int, int]] = []
        self._pieces: list[tuple[int, bool]] = []
        self.advance()

    def advance(self) -> None:
        """Goes on to the next token; comments are passed over and doc comments kept."""
        if self.kind != "line":
            self.previous_start, self.previous_end = self.start, self.end
        position = self.end
        text, limit = self.text, self.limit
        while True:
            if self._pieces:
                self._next_piece()
                return
            match = TOKEN.match(text, position, limit)
            if match is None:
                self.kind, self.start, self.end = "end", limit, limit
                return
            family = match.lastgroup
            assert family is not None
            start, position = match.span(family)
            if family == "comment":
                if is_doc(text, start, position):
                    self._docs.append((start, position))
                continue
            if family == "block":
                closed = block_end(text, start, limit)
                position = closed if closed >= 0 else limit
                continue
            self.start, self.end = start, position
            if family == "word":
                self._word(text[start:position])
            else:
                self.kind = text[start:position] if family == "mark" else family
            return

    def _word(self, word: str) -> None:
        if word.isascii():
            if word in KEYWORDS:
                self.kind = "name" if COLON.match(self.text, self.end, self.limit) else "keyword"
            else:
                self.kind = "other" if word[0].isdigit() else "name"
        elif word.isidentifier():
            self.kind = "name"
        else:
            self._pieces = [(self.start + end, valid) for end, valid in identifier_pieces(word)]
            self._pieces.reverse()
            self.end = self.start
            self._next_piece()

    def _next_piece(self) -> None:
        self.start = self.end
        self.end, valid = self._pieces.pop()
        self.kind = "name" if valid else "other"

    # -- what stands here -----------------------------------------------------------------------------

    @property
    def spelling(self) -> str:
        """The token's text."""
        return self.text[self.start : self.end]

    def name(self) -> str:
        """The token as a name, in NFC. Only for kind `name`."""
        found = read_name(self.spelling)
        assert found is not None
        return found

    def span(self) -> Span:
        """Where the token stands."""
        return Span(self.start - self.base, self.end - self.base)

    def span_from(self, start: int) -> Span:
        """From the offset `start` to the end of the last token passed."""
        return Span(start - self.base, self.previous_end - self.base)

    def skip_lines(self) -> bool:
        """Passes line ends; whether there were any."""
        found = self.kind == "line"
        while self.kind == "line":
            self.advance()
        return found

    def take_docs(self) -> str | None:
        """The doc comments between the last token and this one, as one text."""
        if not self._docs:
            return None
        places = [place for place in self._docs if place[0] >= self.previous_end]
        self._docs.clear()
        return self.read_docs(places)

    def read_docs(self, places: list[tuple[int, int]]) -> str | None:
        """The text of the doc comments at `places`; half a surrogate pair in them is reported."""
        for start, end in places:
            broken = LONE_SURROGATE.search(self.text, start, end)
            if broken is not None:
                self.problems.append(self.problem(SURROGATE, broken.start(), broken.end()))
        return doc_text([self.text[start:end] for start, end in places]) if places else None

    # -- refusing -------------------------------------------------------------------------------------

    def problem(self, problem_text: str, start: int, end: int) -> Finding:
        """A syntax finding over the offsets `start` to `end`."""
        return rules.SYNTAX.at(Span(start - self.base, end - self.base), problem_text=problem_text)

    def expected(self, what: str) -> Refusal:
        """A refusal because `what` does not stand here: at this token, or behind the last where something
        lacks."""
        if self.kind == "other" and LONE_SURROGATE.search(self.text, self.start, self.end):
            return Refusal(self.problem(SURROGATE, self.start, self.end))
        if self.kind in ("line", "end") or self.kind in CLOSING:
            start, end = self.previous_start, self.previous_end
        else:
            start, end = self.start, self.end
        return Refusal(self.problem(f"Expected {what}{self._instead()}.", start, max(end, start)))

    def _instead(self) -> str:
        if self.kind == "end":
            return ", and the declaration ends here"
        if self.kind == "line":
            return ", and the line ends here"
        if self.kind == "keyword":
            return f", and the keyword `{self.spelling}` stands here"
        if self.kind in CLOSING:
            return f" before `{self.kind}`"
        return f", and `{quoted(self.spelling)}` stands here"


SURROGATE = (
    "Half a character stands here (a lone surrogate), which no file can hold. Remove it, or type the character anew."
)


def quoted(spelling: str) -> str:
    """A piece of source as a sentence may repeat it."""
    return shown(spelling).replace("`", "'")
