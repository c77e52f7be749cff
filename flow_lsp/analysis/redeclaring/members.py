"""Edits of the members between two brackets: fields, constructors, parameters.

What stays is left as it stands, with its doc comments and the comments beside it; what is new is written as its
neighbours are. Where the order is another, all members are written anew, each as it stood.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TypeAlias

from flow_lsp.analysis.edits import TextEdit, applied
from flow_lsp.source.token_stream import tokens
from flow_lsp.text.spans import Span

INDENT = "    "


@dataclass(frozen=True, slots=True)
class Member:
    """A member as it stands: from its name to its end."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Kept:
    """The member at `index` of those that stand there, with edits inside it."""

    index: int
    edits: tuple[TextEdit, ...] = ()


@dataclass(frozen=True, slots=True)
class Fresh:
    """A member to be written, and the lines of its doc comment."""

    text: str
    doc: tuple[str, ...] = ()


Wanted: TypeAlias = Kept | Fresh


@dataclass(frozen=True, slots=True)
class Brackets:
    """What stands between two brackets of `text`: `inner` is all of it. `padding` stands inside those on one line."""

    text: str
    inner: Span
    members: Sequence[Member] = field(default_factory=tuple)
    padding: str = " "
    line_end: str = "\n"


def member_edits(brackets: Brackets, wanted: Sequence[Wanted], *, anew: bool = False) -> list[TextEdit]:
    """The edits that leave exactly the members `wanted`, in that order. `anew`: all are written again."""
    kept = [one.index for one in wanted if isinstance(one, Kept)]
    editor = _Editor(brackets)
    if anew or not kept or any(one >= other for one, other in pairwise(kept)):
        if not anew and not wanted and not brackets.members:
            return []
        return editor.rewritten(wanted)
    return editor.in_place(wanted, set(kept))


class _Editor:
    def __init__(self, brackets: Brackets) -> None:
        self._text = brackets.text
        self._inner = brackets.inner
        self._members = brackets.members
        self._padding = brackets.padding
        self._line_end = brackets.line_end
        ends = [brackets.inner.start, *(member.end for member in brackets.members)]
        self._leads = [self._lead(end, member.start) for end, member in zip(ends, brackets.members, strict=False)]
        self._commas = [self._comma(index) for index in range(len(brackets.members))]
        several = self._commas[:-1] if len(self._commas) > 1 else self._commas
        self._uses_commas = any(several) or not several or not self._own_line(0)

    def _lead(self, before: int, start: int) -> int:
        """Where the member begins whose name stands at `start`: with its comments and attributes, but for a comment
        that ends the line of what stands before."""
        after_line = False
        lead = start
        for token in tokens(self._text, before, start):
            if token.kind == "line":
                after_line = True
            elif token.kind == "comment" and not after_line and self._text.startswith("//", token.start):
                continue
            elif token.kind != "," and lead == start:
                lead = token.start
        return lead

    def _comma(self, index: int) -> bool:
        return self._behind(index) > self._members[index].end

    def _behind(self, index: int) -> int:
        """Behind the member and the comma that follows it on its line."""
        end = self._members[index].end
        limit = self._members[index + 1].start if index + 1 < len(self._members) else self._inner.end
        for token in tokens(self._text, end, limit):
            if token.kind == ",":
                return token.end
            if token.kind != "comment" or not self._text.startswith("/*", token.start):
                break
        return end

    def _line_after(self, place: int) -> int | None:
        """The end of the line of `place`, where nothing but a comment stands in between; None where more does."""
        for token in tokens(self._text, place, self._inner.end):
            if token.kind == "line":
                end = token.start
                return end - (self._text[end - 1] == "\r")
            if token.kind != "comment" or "\n" in self._text[token.start : token.end]:
                return None
        return None

    def _line_start(self, place: int) -> int:
        return self._text.rfind("\n", 0, place) + 1

    def _own_line(self, index: int) -> bool:
        if not self._members:
            return False
        start = self._line_start(self._leads[index])
        return start > self._inner.start and not self._text[start : self._leads[index]].strip()

    def _indent(self) -> str:
        for index in range(len(self._members)):
            if self._own_line(index):
                return self._text[self._line_start(self._leads[index]) : self._leads[index]]
        return self._outer_indent() + INDENT

    def _outer_indent(self) -> str:
        start = self._line_start(self._inner.start)
        line = self._text[start : self._inner.start].lstrip("\ufeff")
        return line[: len(line) - len(line.lstrip(" \t"))]

    # -- in place -------------------------------------------------------------------------------------------------

    def in_place(self, wanted: Sequence[Wanted], kept: set[int]) -> list[TextEdit]:
        """The edits where what stays stays in its order."""
        edits: list[TextEdit] = []
        for one in wanted:
            edits += one.edits if isinstance(one, Kept) else ()
        edits += self._removals(kept)
        anchor = -1
        fresh: list[Fresh] = []
        for one in wanted:
            if isinstance(one, Kept):
                edits += self._insertions(anchor, fresh, one.index)
                anchor, fresh = one.index, []
            else:
                fresh.append(one)
        return edits + self._insertions(anchor, fresh, None)

    def _removals(self, kept: set[int]) -> list[TextEdit]:
        edits: list[TextEdit] = []
        last = max(kept)
        gone = [index for index in range(len(self._members)) if index not in kept]
        tail = [index for index in gone if index > last]
        if tail and not all(self._whole_lines(index) for index in tail):
            edits.append(TextEdit(Span(self._members[last].end, self._members[-1].end), ""))
            gone = [index for index in gone if index < last]
        for index in gone:
            lines = self._whole_lines(index)
            edits.append(TextEdit(lines or Span(self._leads[index], self._leads[index + 1]), ""))
        return edits

    def _whole_lines(self, index: int) -> Span | None:
        """The lines of the member, where nothing else stands on them."""
        end = self._line_after(self._behind(index))
        if end is None or not self._own_line(index):
            return None
        return Span(self._line_start(self._leads[index]), self._text.index("\n", end) + 1)

    def _insertions(self, anchor: int, fresh: Sequence[Fresh], following: int | None) -> list[TextEdit]:
        if not fresh:
            return []
        if anchor < 0:
            assert following is not None
            if self._own_line(following):
                start = self._line_start(self._leads[following])
                return [_at(start, "".join(line + self._line_end for one in fresh for line in self._lines(one, True)))]
            return [_at(self._leads[following], "".join(f"{one.text}, " for one in fresh))]
        line = self._line_after(self._behind(anchor))
        if line is None or not self._own_line(anchor):
            return [_at(self._members[anchor].end, "".join(f", {one.text}" for one in fresh))]
        edits: list[TextEdit] = []
        is_last = anchor == len(self._members) - 1
        if self._uses_commas and not self._commas[anchor]:
            edits.append(_at(self._members[anchor].end, ","))
        bare = is_last and not self._commas[anchor]  # no comma stands behind the last member here
        lines: list[str] = []
        for number, one in enumerate(fresh):
            ends = self._uses_commas and not (bare and number == len(fresh) - 1)
            lines += self._lines(one, ends)
        return [*edits, _at(line, "".join(self._line_end + text for text in lines))]

    def _lines(self, one: Fresh, comma: bool) -> list[str]:
        indent = self._indent()
        text = one.text.replace("\n", f"{self._line_end}{indent}")
        comma = comma and self._uses_commas
        return [*(indent + doc for doc in one.doc), f"{indent}{text}{',' if comma else ''}"]

    # -- anew -----------------------------------------------------------------------------------------------------

    def rewritten(self, wanted: Sequence[Wanted]) -> list[TextEdit]:
        """One edit that writes all members again."""
        inner = self._text[slice(*self._inner)]
        many_lines = "\n" in inner if self._members else sum(len(_text(one)) + 2 for one in wanted) > 60
        many_lines = many_lines or any(isinstance(one, Fresh) and "\n" in one.text for one in wanted)
        if not wanted:
            return [TextEdit(self._inner, "")] if inner.strip() else []
        if not many_lines:
            text = ", ".join(self._as_it_stands(one) for one in wanted)
            return [TextEdit(self._inner, f"{self._padding}{text}{self._padding}")]
        indent, lines = self._indent(), []
        for one in wanted:
            if isinstance(one, Fresh):
                lines += self._lines(one, True)
            else:
                lines.append(f"{indent}{self._as_it_stands(one)},{self._beside(one.index)}")
        lines += [indent + comment for comment in self._comments_behind()]
        body = "".join(line + self._line_end for line in lines)
        return [TextEdit(self._inner, f"{self._line_end}{body}{self._outer_indent()}")]

    def _comments_behind(self) -> list[str]:
        """The comments on lines of their own behind the last member."""
        if not self._members:
            place = self._inner.start
        else:
            behind = self._behind(len(self._members) - 1)
            place = self._line_after(behind) or behind
        found = tokens(self._text, place, self._inner.end)
        return [self._text[token.start : token.end].rstrip() for token in found if token.kind == "comment"]

    def _as_it_stands(self, one: Wanted) -> str:
        if isinstance(one, Fresh):
            return one.text
        start, end = self._leads[one.index], self._members[one.index].end
        edits = [TextEdit(edit.span.shifted(-start), edit.text) for edit in one.edits]
        return applied(self._text[start:end], edits)

    def _beside(self, index: int) -> str:
        """The comment that ends the member's line."""
        place = self._behind(index)
        end = self._line_after(place)
        return self._text[place:end].rstrip() if end is not None else ""


def _text(one: Wanted) -> str:
    return one.text if isinstance(one, Fresh) else ""


def _at(place: int, text: str) -> TextEdit:
    return TextEdit(Span(place, place), text)
