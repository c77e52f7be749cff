"""A word of a command that is being typed in flow.toml, and how what may stand there is written at that place.

Which programs and files there are only the edge can know; it gives them as `WordOffer`s.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from flow_lsp.analysis.moved_commands import quoted_word
from flow_lsp.manifest.command_words import StringContent, placed_words, string_content
from flow_lsp.manifest.model import Manifest, PlaceKind
from flow_lsp.manifest.tables import KINDS, TOOLS
from flow_lsp.manifest.toml_writing import inside_string
from flow_lsp.text.spans import Span

_OPENED = re.compile(r"""(?:^|[{,.])[ \t]*["']?(?:command|mcp)["']?[ \t]*=[ \t]*(\"""|'''|"|')""")
_DOUBLE_QUOTED = re.compile(r'[^"\\$`\x00-\x1f]+')
_BLANK = re.compile(r"\s")


@dataclass(frozen=True, slots=True)
class CommandPlace:
    """Where a word of a command is typed. `before` are the words before it, `typed` what stands of it up to the cursor;
    `span` is all of it in the text, `raw` what is written there up to the cursor, `quote` the string's in TOML."""

    before: tuple[str, ...]
    typed: str
    span: Span
    raw: str
    quote: str
    windows: bool


class WordOffer(NamedTuple):
    """Words that may be written: `name` is what one looks for, `detail` where it comes from. A `partial` one, such as a
    directory, is to be gone on with."""

    name: str
    words: tuple[str, ...]
    detail: str
    partial: bool = False


class WrittenOffer(NamedTuple):
    """An offer as it is put in place of the span; `filter_text` begins as what is written there does."""

    offer: WordOffer
    text: str
    filter_text: str


def command_place(manifest: Manifest, offset: int) -> CommandPlace | None:
    """The word that is typed at `offset`, also in a string that is not finished; None outside of commands."""
    found = _content(manifest, offset)
    if found is None:
        return None
    content = found
    typed_to = bisect_left(content.offsets, offset)
    if typed_to >= len(content.offsets) and offset != content.offsets[-1]:
        return None
    words = placed_words(content.text[:typed_to], manifest.windows)
    if words and words[-1].end == typed_to:
        *earlier, current = words
        start = current.start
        typed, opened = current.text, current.open
    else:
        earlier, start, typed, opened = words, typed_to, "", ""
    end = _word_end(content.text, start, typed_to, opened, manifest.windows)
    span = content.span(start, end)
    raw = manifest.text[span.start : offset]
    return CommandPlace(tuple(word.text for word in earlier), typed, span, raw, content.quote, manifest.windows)


def _word_end(text: str, start: int, typed_to: int, opened: str, windows: bool) -> int:
    for word in placed_words(text, windows):
        if word.start == start and not word.open:
            return max(word.end, typed_to)
    if opened or start < typed_to:  # a quote that nothing closes would swallow the rest
        blank = _BLANK.search(text, typed_to)
        return blank.start() if blank is not None else len(text)
    return typed_to


def _content(manifest: Manifest, offset: int) -> StringContent | None:
    """The string of a command in which `offset` is."""
    text = manifest.text
    place = manifest.at(offset)
    if place is not None and place.kind is PlaceKind.ENTRY_VALUE and place.entry is not None:
        content = string_content(text, place.span.start, place.span.end)
        inside = content is not None and place.span.start + len(content.quote) <= offset <= content.offsets[-1]
        return content if inside and place.entry.name in KINDS else None
    line_start = text.rfind("\n", 0, offset) + 1
    line_end = text.find("\n", offset)
    line_end = len(text) if line_end < 0 else line_end
    segment = manifest.segments[manifest.segment_at(offset)]
    names = segment.header_names
    if not (names[0] == TOOLS if names is not None else TOOLS in text[line_start:offset]):
        return None
    for found in reversed(list(_OPENED.finditer(text[line_start:offset]))):
        start = line_start + found.start(1)
        content = string_content(text, start, line_end - text.endswith("\r", start, line_end))
        closed = found[1] in text[line_start + found.end(1) : offset]
        return content if content is not None and not closed and offset <= content.offsets[-1] else None
    return None


def written_offers(place: CommandPlace, offers: Iterable[WordOffer]) -> Iterator[WrittenOffer]:
    """The offers as they are written at the place; what cannot be written there is left out."""
    opening = place.raw[:1] if place.raw[:1] in ("'", '"') else ""
    for offer in offers:
        text = _written(place, offer)
        if text is not None:
            yield WrittenOffer(offer, text, f"{opening}{offer.name}")


def _written(place: CommandPlace, offer: WordOffer) -> str | None:
    """The words quoted for the command line, and that text escaped for the string."""
    for quoting in (_windows_word,) if place.windows else (quoted_word, _double_quoted):
        words = [quoting(word) for word in offer.words]
        known = [word for word in words if word is not None]
        text = inside_string(" ".join(known), place.quote) if len(known) == len(words) else None
        if text is not None:
            return text
    return None


def _double_quoted(word: str) -> str | None:
    return f'"{word}"' if _DOUBLE_QUOTED.fullmatch(word) else None


def _windows_word(word: str) -> str | None:
    if '"' in word:
        return None
    return f'"{word}"' if not word or _BLANK.search(word) else word
