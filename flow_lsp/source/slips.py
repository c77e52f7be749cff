"""Words that are one slip away from `@tool`, `record` or `enum`, where nothing else can be meant.

All that is not owned is skipped (decisions 8), so a declaration with a mistyped word would vanish without a sign.
Bodies and other code may hold anything: only what stands outside of brackets, in column 0, and goes on as a
declaration does, counts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from flow_lsp.findings import source_rules as rules
from flow_lsp.findings.model import Finding
from flow_lsp.source.lexemes import lexemes
from flow_lsp.source.tokens import ITEM_KEYWORDS, SPACE, WORD
from flow_lsp.text.distance import nearest_name
from flow_lsp.text.spans import Span

_ATTRIBUTE = re.compile(rf"@{SPACE}*+(?P<name>{WORD})(?!{SPACE}*+[.(])")
_NAME = rf"[A-Z]\w*+{SPACE}*+(?:<[^{{}}()\n]{{0,200}}>{SPACE}*+)?"
_HEAD = rf"(?:(?:pub|opaque){SPACE}++)*+(?P<word>[A-Za-z]++){SPACE}++{_NAME}\{{"
_FIRST = re.compile(_HEAD)
_LATER = re.compile(rf"\n{_HEAD}")
_DECLARING = ("record", "enum")


def slip_of_tool(text: str, start: int, end: int) -> Span | None:
    """The attribute of `text` between two offsets, those of what stands before a `fn`, that is nearly `@tool`."""
    lexeme_starts = (lexeme.start for lexeme in lexemes(text, start, end) if lexeme.kind == "at")
    for place in lexeme_starts:
        found = _ATTRIBUTE.match(text, place, end)
        if found is not None and nearest_name(found["name"], ("tool",)) is not None:
            return Span(*found.span())
    return None


def slips_of_keywords(text: str, first: int, end: int) -> Iterator[Span]:
    """The words of one item, from its first word to its end, that are nearly `record` or `enum` before `Name {`."""
    found = [*filter(None, [_FIRST.match(text, first, end)]), *_LATER.finditer(text, first, end)]
    places = {each.start("word"): each.end("word") for each in found if _near(each["word"]) is not None}
    if not places:
        return
    depth = 0
    for lexeme in lexemes(text, first, end):
        if lexeme.kind in ("open", "close"):
            depth = max(0, depth + (1 if lexeme.kind == "open" else -1))
        elif depth == 0 and lexeme.start in places:
            yield Span(lexeme.start, places[lexeme.start])


def _near(word: str) -> str | None:
    return None if word in ITEM_KEYWORDS else nearest_name(word, _DECLARING)


def slip(text: str, span: Span) -> Finding:
    """The finding that says what is meant by the word at `span`, which `slip_of_tool` or `slips_of_keywords` gave."""
    word = text[slice(*span)]
    meant = "@tool" if word.startswith("@") else _near(word)
    return rules.MISSPELT.at(span, word=word, meant=meant)
