"""Where items begin and end: everything is skipped by balanced brackets until the next item (decisions 8).

An item keyword or `@` that is the first thing on its line starts an item where no bracket is open, and in
column 0 even where one is. The doc comments in front belong to it. What is found depends on the text from
the start of the item alone, which is what lets an edit read again only the items it touches.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from flow_lsp.source.tokens import (
    COLON,
    ITEM_KEYWORDS,
    PREFIX_KEYWORDS,
    SPACE,
    STARTING_KEYWORDS,
    STRING,
    WORD,
    block_end,
    is_doc,
)
from flow_lsp.text.spans import Span

_FAMILIES = rf"""
    (?P<line>\n(?:{SPACE}*+\n)*+)
    |(?P<comment>//[^\n]*+)
    |(?P<block>/\*)
    |(?P<string>{STRING})
    |(?P<open>[({{\[])
    |(?P<close>[)}}\]])
"""
# At the start of a line and before an item's keyword each word counts.
_CLOSELY = re.compile(rf"{SPACE}*+(?:{_FAMILIES}|(?P<at>@)|(?P<dot>\.)|(?P<word>{WORD})|(?P<other>[^\s]))", re.VERBOSE)
# Elsewhere nothing does but brackets, comments, strings and line ends.
_SKIPPING = re.compile(rf"{_FAMILIES}|(?P<other>[^\n\"/(){{}}\[\]]++|/)", re.VERBOSE)


@dataclass(slots=True)
class Border:
    """One item's extent, in offsets of the whole text, and what stands before its keyword."""

    start: int
    end: int
    first: int = -1  # where its first attribute or word stands; -1 where it has none
    keyword: str | None = None
    keyword_end: int = -1
    docs: tuple[Span, ...] = ()
    attribute: Span | None = None  # the `@tool`
    opaque: Span | None = None
    open_comment: Span | None = None  # a block comment that runs to the end of the file


def read_border(text: str, start: int) -> Border:
    """The item that starts at `start`, which is where the one before ends, or where the file's content
    starts."""
    border = Border(start, len(text))
    docs: list[Span] = []
    position = start
    end = len(text)
    depth = 0
    line_first = True  # nothing but white space and comments has stood on this line
    prefix = True  # no keyword yet: attributes, `pub` and `opaque` may still come
    attribute = -1  # where the attribute that is being read begins
    attribute_name: str | None = None  # its name so far; empty where one must follow
    doc_start = -1  # the first doc comment since anything that counts
    while position < end:
        closely = line_first or (prefix and depth == 0)
        match = (_CLOSELY if closely else _SKIPPING).match(text, position)
        if match is None:  # white space to the end
            break
        family = match.lastgroup
        assert family is not None
        place = match.start(family)
        position = match.end()
        if family == "line":
            line_first = True
            if depth == 0:
                attribute = -1
            continue
        if family == "comment":
            if is_doc(text, place, position):
                if doc_start < 0:
                    doc_start = place
                if prefix and depth == 0:
                    docs.append(Span(place, position))
            continue
        if family == "block":
            position = block_end(text, place, end)
            if position < 0:
                border.open_comment = Span(place, place + 2)
                break
            line_first = line_first or "\n" in text[place:position]
            continue
        word = match.group(family) if family == "word" else ""
        starts = line_first and (family == "at" or (word in STARTING_KEYWORDS and not COLON.match(text, position)))
        if starts and (depth == 0 or text[place - 1] == "\n") and not (prefix and depth == 0):
            border.end = place if doc_start < 0 else doc_start
            break
        line_first = False
        doc_start = -1
        if family == "open":
            depth += 1
            if prefix and depth == 1 and (attribute < 0 or not attribute_name):
                prefix = False
            continue
        if family == "close":
            depth = max(0, depth - 1)
            if depth == 0:
                attribute = -1
            continue
        if not prefix or depth:
            continue
        if border.first < 0:
            border.first = place
        # Before the keyword: attributes, `pub`, `opaque`, and then the keyword itself.
        if family == "at":
            attribute, attribute_name = place, ""
        elif family == "word" and attribute >= 0 and not attribute_name:
            if attribute_name == "" and word == "tool" and border.attribute is None:
                border.attribute = Span(attribute, position)
            attribute_name = word
        elif family == "dot" and attribute >= 0 and attribute_name:
            if border.attribute is not None and border.attribute.start == attribute:
                border.attribute = None
            attribute_name = None
        elif word in PREFIX_KEYWORDS and not COLON.match(text, position):
            attribute = -1
            if word == "opaque":
                border.opaque = Span(place, position)
        else:
            prefix = False
            if word in ITEM_KEYWORDS and not COLON.match(text, position):
                border.keyword, border.keyword_end = word, position
    border.docs = tuple(docs)
    return border
