"""What would be typed at a place of a `.flow` file, whatever stands around it (decisions 8).

Only the words and marks from the start of the item up to the place are looked at, so that text which does not parse
yet, or no more, says as much as text that does.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from enum import StrEnum

from flow_lsp.source.model import SourceFile
from flow_lsp.source.token_stream import Token, tokens
from flow_lsp.source.tokens import block_end, is_doc, read_name
from flow_lsp.text.spans import Span

LONGEST = 200  # characters of a word that is completed
_WORD_BEFORE = re.compile(r"(?:[A-Za-z0-9_]|[^\x00-\x7f\s])*\Z")
_WORD_AFTER = re.compile(r"(?:[A-Za-z0-9_]|[^\x00-\x7f\s])*+")
_PATH = re.compile(r"[^\S\n]*+(?P<path>[^\s{}<>()\",;]*)\Z")
_NAMES = re.compile(r"[^\S\n]*+(?P<path>[^\s{}<>()\",;]*?)\.(?P<names>\{[^}]*)?\Z")
_BEHIND = re.compile(r"[^\S\n]*+[^\s{}<>()\",;]+[^\S\n]+\Z")


class PlaceKind(StrEnum):
    """What would be typed."""

    TOP = "top"  # the keyword of a declaration, or `@tool`
    ATTRIBUTE = "attribute"  # what stands behind `@`
    TYPE = "type"
    ARROW = "arrow"  # what stands behind a function's parameters
    IMPORT_PATH = "import-path"
    IMPORT_NAMES = "import-names"  # what stands behind an import's path and a point
    IMPORT_AS = "import-as"  # what stands behind an import's path and a space
    DOC = "doc"  # the text of a doc comment that has none


@dataclass(frozen=True, slots=True)
class ArgumentList:
    """The `<` behind the type `owner`, with the place of that name, and which of its arguments the place is in."""

    owner: str
    owner_span: Span
    index: int


@dataclass(frozen=True, slots=True)
class TypingPlace:
    """What would be typed. `span` is the part of the word before the place, `word` all of it.

    Of a TYPE, `module` is the name before its point, and `is_result` holds where a function's result stands.
    `arguments` are the lists of type arguments that are open, the innermost last, and `parameters` the item's type
    parameters; also where nothing can be completed. Of an import, `path` is its path so far, and `names` what its
    braces hold; None without a brace. `before` are the words of the declaration that stand before a TOP place, and
    `tool` says that `@tool` does.
    """

    kind: PlaceKind | None
    span: Span
    word: Span
    index: int = -1
    module: str | None = None
    is_result: bool = False
    arguments: tuple[ArgumentList, ...] = ()
    parameters: tuple[str, ...] = ()
    path: str = ""
    names: tuple[str, ...] | None = None
    before: frozenset[str] = frozenset()
    tool: bool = False


def typing_place(source: SourceFile, offset: int) -> TypingPlace:
    """What would be typed at `offset`, in code points; one outside the text is taken to its nearer end."""
    text = source.text
    offset = min(max(offset, source.lead), len(text))
    before = _WORD_BEFORE.search(text, max(offset - LONGEST, source.lead), offset)
    after = _WORD_AFTER.match(text, offset, min(offset + LONGEST, len(text)))
    assert before is not None
    assert after is not None
    word_start = before.start()
    index = source.item_at(word_start)
    reading = Reading(text, source.starts[index] if index >= 0 else source.lead, word_start)
    return reading.place(Span(word_start, offset), Span(word_start, after.end()), index)


@dataclass(slots=True)
class _Frame:
    """An open bracket, or, the first of all, the item itself. `expect` says what comes next."""

    kind: str  # item, generic, fields, constructors, parts, types, arguments, other
    expect: str
    closing: str = ""
    index: int = 0
    owner: str = ""
    owner_span: Span = field(default=Span(0, 0))
    last: str = ""  # the name of the type that was just read
    last_start: int = -1
    type_start: int = -1
    start: int = -1  # of its bracket


_LINES_SEPARATE = frozenset(("fields", "constructors", "parts"))
_CLOSING = {"(": ")", "{": "}", "[": "]", "<": ">"}


class Reading:
    """The text of an item from `start` up to `limit`, as far as it says what comes next."""

    def __init__(self, text: str, start: int, limit: int) -> None:
        self._text = text
        self._limit = limit
        self._frames = [_Frame("item", "start")]
        self._keyword = ""
        self._keyword_end = -1
        self._before: set[str] = set()
        self._tool = False
        self._parameters: list[str] = []
        self._line_first = True
        self._at = start
        self._comment: Token | None = None  # the one that the place is in
        self.last: Token | None = None
        """The last token before the limit that is no line end and no comment."""
        for token in tokens(text, start, limit):
            self._comment = None
            if token.kind == "comment":
                if token.end == limit and not self._is_closed(token):
                    self._comment = token
                continue
            self._take(token)
            if token.kind != "line":
                self.last = token
            self._line_first = token.kind == "line"

    def _is_closed(self, token: Token) -> bool:
        """Whether a comment ends before the limit, or at it with nothing of it behind."""
        opening = self._text[token.start : token.start + 2]
        return opening == "/*" and block_end(self._text, token.start, self._limit) >= 0

    @property
    def type_start(self) -> int:
        """Where the type begins that ends at the limit; -1 where none does."""
        frame = self._frames[-1]
        return frame.type_start if frame.expect == "after-type" else -1

    @property
    def expects(self) -> str:
        """What comes next: `type`, `colon`, `params-done` and so on, by the names of the states below."""
        return self._frames[-1].expect

    @property
    def in_members(self) -> bool:
        """Whether the place is among fields, constructors, parts or types, where `,` may stand."""
        return self._frames[-1].kind not in ("item", "other", "generic")

    @property
    def open(self) -> list[tuple[int, str]]:
        """Where each bracket that is open stands, and the mark that would close it, the innermost first."""
        return [(frame.start, frame.closing) for frame in reversed(self._frames[1:])]

    def place(self, span: Span, word: Span, index: int) -> TypingPlace:
        """What would be typed at the end of `span`, whose start is the limit."""
        frame = self._frames[-1]
        found = TypingPlace(
            None,
            span,
            word,
            index,
            arguments=tuple(
                ArgumentList(one.owner, one.owner_span, one.index) for one in self._frames if one.kind == "arguments"
            ),
            parameters=tuple(self._parameters),
            before=frozenset(self._before),
            tool=self._tool,
        )
        if self._comment is not None:
            return self._in_comment(found, self._comment)
        if self.last is not None and self.last.kind == "string" and self.last.end == span.start and self._open_string():
            return found
        if self._keyword == "import" and frame.kind == "item" and (rest := self._in_import(found)) is not None:
            return rest
        at_column_0 = self._line_first and (span.start == 0 or self._text[span.start - 1] in "\n\ufeff")
        kind: PlaceKind | None = None
        if frame.expect in ("type", "member"):
            kind = PlaceKind.TYPE
            module = frame.last if frame.expect == "member" else None
            is_result = frame.kind == "item" and frame.expect == "type"
            return _with(found, kind, module=module, is_result=is_result)
        if frame.kind == "item":
            if frame.expect in ("attribute", "attribute-more"):
                kind = PlaceKind.ATTRIBUTE if frame.expect == "attribute" else None
            elif frame.expect in ("start", "attribute-rest"):
                kind = PlaceKind.TOP
            elif self._line_first:
                return _with(found, PlaceKind.TOP, before=frozenset(), tool=False)
            elif frame.expect == "params-done":
                kind = PlaceKind.ARROW
        elif at_column_0:
            return _with(found, PlaceKind.TOP, before=frozenset(), tool=False)
        return _with(found, kind)

    def _open_string(self) -> bool:
        assert self.last is not None
        return self._limit == self.last.end and not (
            self.last.end - self.last.start > 1 and self._text[self.last.end - 1] == '"'
        )

    def _in_comment(self, found: TypingPlace, comment: Token) -> TypingPlace:
        text, end = self._text, found.span.end
        if is_doc(text, comment.start, len(text)) and not text[comment.start + 3 : found.word.end].strip():
            line_end = text.find("\n", end)
            if not text[end : line_end if line_end >= 0 else len(text)].strip():
                return _with(found, PlaceKind.DOC)
        return found

    def _in_import(self, found: TypingPlace) -> TypingPlace | None:
        text = self._text[self._keyword_end : found.span.start]
        if "\n" in text and "{" not in text:
            return None
        to_place = self._text[self._keyword_end : found.span.end]
        names = _NAMES.match(to_place[: len(to_place) - (found.span.end - found.span.start)])
        if names is not None and (path := names["path"]) and not path.endswith((".", "/")):
            inner = names["names"]
            given = None if inner is None else tuple(re.findall(r"[^\s,{]+", inner))
            return _with(found, PlaceKind.IMPORT_NAMES, path=path, names=given)
        path_match = _PATH.match(to_place)
        if path_match is not None and to_place[:1].isspace():
            start = self._keyword_end + path_match.start("path")
            span = Span(start, found.span.end)
            word = Span(start, found.word.end)
            return TypingPlace(PlaceKind.IMPORT_PATH, span, word, found.index, path=path_match["path"])
        if _BEHIND.match(text):
            return _with(found, PlaceKind.IMPORT_AS)
        return found

    # -- token by token -------------------------------------------------------------------------------------

    def _take(self, token: Token) -> None:
        self._at = token.start
        frame = self._frames[-1]
        if self._keyword == "import" and frame.kind == "item":
            return
        kind = token.kind
        if frame.kind == "other":
            if kind in "([{" and len(kind) == 1:
                self._push("other", "", _CLOSING[kind])
            elif kind in (")", "]", "}"):
                self._close(kind)
            return
        if kind in (")", "]", "}", ">") and not (kind == ">" and frame.closing != ">"):
            self._close(kind)
        elif frame.expect == "type":
            self._type(frame, token)
        elif frame.expect == "member" and kind in ("name", "keyword"):
            frame.last, frame.expect = f"{frame.last}.{self._name(token)}", "after-type"
        elif frame.expect == "fn-open" and kind == "(":
            frame.expect = "fn-arrow"
            self._push("types", "type", ")")
        elif frame.expect == "fn-arrow" and kind == "->":
            frame.expect = "type"
        elif frame.expect == "after-type" and kind == "." and frame.last and "." not in frame.last:
            frame.expect = "member"
        elif frame.expect == "after-type" and kind == "<" and frame.last:
            self._push("arguments", "type", ">", frame.last, Span(frame.last_start, token.start))
            frame.last = ""
        else:
            self._structure(frame, token)

    def _type(self, frame: _Frame, token: Token) -> None:
        kind = token.kind
        if frame.type_start < 0 and kind != "line":
            frame.type_start = token.start
        if kind == "name":
            frame.last, frame.last_start, frame.expect = self._name(token), token.start, "after-type"
        elif kind == "(":
            frame.last, frame.expect = "", "after-type"
            self._push("types", "type", ")")
        elif kind == "keyword" and self._text[token.start : token.end] == "fn":
            frame.last, frame.expect = "", "fn-open"
        else:
            if kind != "line":
                frame.expect = "unknown"
            self._structure(frame, token)

    def _structure(self, frame: _Frame, token: Token) -> None:
        kind = token.kind
        match frame.kind:
            case "item":
                self._item(frame, token)
            case "generic":
                if kind == "name":
                    self._parameters.append(self._name(token))
            case "types" | "arguments" if kind == ",":
                self._next(frame, "type")
            case "parts" if kind == "," or (kind == "line" and frame.expect != "type"):
                self._next(frame, "type")
            case "fields" | "constructors" if kind in (",", "line"):
                self._next(frame, "name")
            case "fields":
                self._field(frame, token)
            case "constructors":
                self._constructor(frame, token)
        if kind in ("(", "[", "{") and self._frames[-1] is frame and frame.kind != "item":
            self._push("other", "", _CLOSING[kind])

    def _field(self, frame: _Frame, token: Token) -> None:
        if frame.expect in ("name", "after-type") and token.kind in ("name", "keyword"):
            frame.expect, frame.type_start = "colon", -1
        elif frame.expect == "colon" and token.kind == ":":
            frame.expect = "type"
        elif frame.expect == "name" and token.kind == "@":
            frame.expect = "field-attribute"
        elif frame.expect == "field-attribute":
            frame.expect = "name" if token.kind in ("name", "keyword") else "unknown"
        elif token.kind not in ("(", "[", "{"):
            frame.expect = "unknown"

    def _constructor(self, frame: _Frame, token: Token) -> None:
        if frame.expect == "name" and token.kind == "name":
            frame.expect = "payload"
        elif frame.expect == "payload" and token.kind == "(":
            frame.expect = "after"
            self._push("parts", "type", ")")
        elif frame.expect == "payload" and token.kind == "{":
            frame.expect = "after"
            self._push("fields", "name", "}")

    def _item(self, frame: _Frame, token: Token) -> None:
        kind = token.kind
        word = self._text[token.start : token.end] if kind in ("name", "keyword") else ""
        if frame.expect in ("start", "attribute-rest") and kind == "@":
            frame.expect = "attribute"
        elif frame.expect in ("attribute", "attribute-more") and word:
            self._tool = (self._tool or word == "tool") if frame.expect == "attribute" else self._tool
            frame.expect = "attribute-rest"
        elif frame.expect == "attribute-rest" and kind == ".":
            frame.expect = "attribute-more"
        elif frame.expect == "attribute-rest" and kind in ("line", "("):
            frame.expect = "start"
        elif frame.expect in ("start", "attribute-rest") and kind == "keyword":
            self._before.add(word)
            frame.expect = "start"
            if word not in ("pub", "opaque"):
                self._keyword, self._keyword_end, frame.expect = word, token.end, "name"
        elif frame.expect == "start" and kind == "line":
            pass
        elif frame.expect == "name" and kind == "name":
            frame.expect = "after-name"
        elif frame.expect == "after-name" and kind == "<":
            self._push("generic", "", ">")
            return
        elif frame.expect == "after-name" and kind == "{" and self._keyword in ("record", "enum"):
            frame.expect = "done"
            self._push("fields" if self._keyword == "record" else "constructors", "name", "}")
            return
        elif frame.expect == "after-name" and kind == "(" and self._keyword == "fn":
            frame.expect = "params-done"
            self._push("fields", "name", ")")
            return
        elif frame.expect == "params-done" and kind == "->":
            frame.expect = "type"
        elif kind != "line" or frame.expect == "after-type":
            frame.expect = "done"
        if kind in ("(", "[", "{"):
            self._push("other", "", _CLOSING[kind])

    def _next(self, frame: _Frame, expect: str) -> None:
        if expect == "type" or frame.expect != "name":
            frame.index += 1
        frame.expect, frame.last, frame.type_start = expect, "", -1

    def _push(self, kind: str, expect: str, closing: str, owner: str = "", owner_span: Span = Span(0, 0)) -> None:  # noqa: B008
        self._frames.append(_Frame(kind, expect, closing, 0, owner, owner_span, start=self._at))

    def _close(self, mark: str) -> None:
        """Closes the innermost bracket that `mark` is of, and what was left open in it."""
        for depth in range(len(self._frames) - 1, 0, -1):
            if self._frames[depth].closing == mark:
                del self._frames[depth:]
                return

    def _name(self, token: Token) -> str:
        word = self._text[token.start : token.end]
        return read_name(word) or word


def _with(place: TypingPlace, kind: PlaceKind | None, **changes: object) -> TypingPlace:
    return replace(place, kind=kind, **changes)  # type: ignore[arg-type]
