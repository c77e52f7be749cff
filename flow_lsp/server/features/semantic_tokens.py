"""textDocument/semanticTokens/full, /full/delta and /range, and workspace/semanticTokens/refresh: another file may make
another kind of thing of a name."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from flow_lsp.analysis.navigation.manifest_tokens import ManifestTokens, manifest_tokens, segment_tokens
from flow_lsp.analysis.navigation.tokens import FileTokens, ItemTokens, file_tokens, still_painted, tokens_between
from flow_lsp.files.paths import is_manifest
from flow_lsp.server.features.asked import Asked, asked
from flow_lsp.server.features.manifest_navigation import manifest_of
from flow_lsp.server.parameters import member
from flow_lsp.server.token_pieces import Painted, Piece, Segment, difference, numbers_of, piece, piece_of, segments
from flow_lsp.source.declarations import CheckedFile
from flow_lsp.text.spans import Span

if TYPE_CHECKING:
    from flow_lsp.server.language_server import LanguageServer


@dataclass(frozen=True, slots=True)
class Given:
    """What a client was given of a document, under which number."""

    number: int
    tokens: FileTokens | ManifestTokens
    pieces: list[Piece]
    segments: list[Segment]


@dataclass(slots=True)
class _Shown:
    """What a client was given of one text: all of it, or items of it by their number. `checked` is the check of which
    that is known to hold."""

    revision: int
    checked: CheckedFile
    tokens: FileTokens | None = None
    items: dict[int, ItemTokens] = field(default_factory=dict)

    def holds(self, checked: CheckedFile) -> bool:
        """Whether all is still to be painted so; `checked` is of the same text."""
        if checked is not self.checked:
            # Tokens that are as they were are the same objects.
            if self.tokens is not None and file_tokens(checked, self.tokens).items != self.tokens.items:
                return False
            if not still_painted(checked, self.items):
                return False
            self.checked = checked
        return True


class _Session:
    """What one session's client was given, by the keys of open documents."""

    def __init__(self, server: LanguageServer) -> None:
        self._server = server
        self.given: dict[str, Given] = {}
        self._shown: dict[str, _Shown] = {}

    def drop_closed(self) -> None:
        """Forgets documents that are not open any more."""
        for known in (self.given, self._shown):
            for key in [key for key in known if self._server.documents.with_key(key) is None]:
                del known[key]

    def shown(self, place: Asked, checked: CheckedFile) -> _Shown:
        """What was given of a document's text as it is."""
        found = self._shown.get(place.document.key)
        if found is None or found.revision != place.document.revision:
            found = self._shown[place.document.key] = _Shown(place.document.revision, checked)
        return found

    def look(self) -> None:
        """Has the client ask again where a document that it asked about, and that was not edited since, is to be
        painted otherwise by now. After an edit a client asks by itself."""
        self.drop_closed()
        other = [key for key, shown in self._shown.items() if not self._holds(key, shown)]
        for key in other:
            del self._shown[key]  # it is told of once
        if other:
            self._server.endpoint.request("workspace/semanticTokens/refresh", None)

    def _holds(self, key: str, shown: _Shown) -> bool:
        document = self._server.documents.with_key(key)
        if document is None or document.revision != shown.revision:
            return True
        source = self._server.checker.sync(document)
        checked = self._server.analysis.checked(self._server.project.snapshot(), source) if source else None
        return checked is None or shown.holds(checked)


_SESSIONS: WeakKeyDictionary[LanguageServer, _Session] = WeakKeyDictionary()


def _session(server: LanguageServer) -> _Session:
    found = _SESSIONS.get(server)
    if found is None:
        found = _SESSIONS[server] = _Session(server)
        if server.client.refreshes_tokens:
            server.looks.append(found.look)
    return found


def answer(server: LanguageServer, params: Any) -> dict[str, Any] | None:
    """All tokens of the document."""
    place = asked(server, params)
    given = _give(server, place) if place is not None else None
    return None if given is None else {"resultId": str(given[1].number), "data": numbers_of(given[1].segments)}


def delta_answer(server: LanguageServer, params: Any) -> dict[str, Any] | None:
    """What is other than in the result that the client has; all tokens where that is not the last one given."""
    place = asked(server, params)
    given = _give(server, place) if place is not None else None
    if given is None:
        return None
    before, now = given
    if before is None or member(params, "previousResultId", kind=str) != str(before.number):
        return {"resultId": str(now.number), "data": numbers_of(now.segments)}
    found = difference(before.segments, now.segments)
    edits = [] if found is None else [{"start": found[0], "deleteCount": found[1], "data": found[2]}]
    return {"resultId": str(now.number), "edits": edits}


def range_answer(server: LanguageServer, params: Any) -> dict[str, Any] | None:
    """The tokens that a range of the document touches; only its items are looked at."""
    place = asked(server, params)
    if place is None:
        return None
    if is_manifest(place.key):
        return _in_manifest(server, place, place.span(params))
    checked = server.analysis.checked(place.snapshot, place.key)
    if checked is None:
        return None
    span, source = place.span(params), checked.source
    pieces: list[tuple[Piece, int]] = []
    shown = _session(server).shown(place, checked)
    line = 0
    for index, tokens in tokens_between(checked, *span):
        start, end = source.starts[index], source.starts[index + 1]
        if shown.tokens is None:
            shown.items[index] = tokens
        if not pieces:
            line = place.index.line_of(start)
        pieces.append((_part(server, place, tokens, start, end, span), _column(place, start)))
    return {"data": numbers_of(segments(pieces, line))}


def _in_manifest(server: LanguageServer, place: Asked, span: Span) -> dict[str, Any] | None:
    """The tokens of a manifest that a span touches; only its segments are looked at."""
    manifest = manifest_of(place)
    if manifest is None:
        return None
    first, last = manifest.segment_at(span.start), manifest.segment_at(span.end)
    pieces = []
    for index in range(first, last + 1):
        start = manifest.starts[index]
        end = start + manifest.segments[index].length
        pieces.append((_part(server, place, segment_tokens(manifest, index), start, end, span), 0))
    return {"data": numbers_of(segments(pieces, place.index.line_of(manifest.starts[first])))}


def _part(server: LanguageServer, place: Asked, tokens: Painted, start: int, end: int, span: Span) -> Piece:
    """Those tokens of an item between the offsets that a span touches."""
    wanted = [one for one in tokens.tokens if start + one.start < span.end and start + one.end > span.start]
    return piece_of(wanted, place.text[start:end], place.encoding, server.client.multiline_tokens)


def _give(server: LanguageServer, place: Asked) -> tuple[Given | None, Given] | None:
    """What was given before and what is now."""
    session = _session(server)
    session.drop_closed()
    before = session.given.get(place.document.key)
    painted = (_painted_manifest if is_manifest(place.key) else _painted_source)(server, place, session, before)
    if painted is None:
        return None
    tokens, starts = painted
    pieces = _pieces(server, place, tokens, starts, before)
    at = [(one, _column(place, start)) for one, start in zip(pieces, starts, strict=False)]
    number = before.number + 1 if before is not None else 1
    now = session.given[place.document.key] = Given(number, tokens, pieces, segments(at))
    return before, now


def _painted_source(
    server: LanguageServer, place: Asked, session: _Session, before: Given | None
) -> tuple[FileTokens, Sequence[int]] | None:
    """The tokens of a source, and where its items begin."""
    checked = server.analysis.checked(place.snapshot, place.key)
    if checked is None:
        return None
    earlier = before.tokens if before is not None and isinstance(before.tokens, FileTokens) else None
    tokens = file_tokens(checked, earlier)
    shown = session.shown(place, checked)
    shown.checked, shown.tokens = checked, tokens
    shown.items.clear()
    return tokens, checked.source.starts


def _painted_manifest(
    _: LanguageServer, place: Asked, __: _Session, before: Given | None
) -> tuple[ManifestTokens, Sequence[int]] | None:
    """The tokens of a manifest, and where its segments begin."""
    manifest = manifest_of(place)
    if manifest is None:
        return None
    earlier = before.tokens if before is not None and isinstance(before.tokens, ManifestTokens) else None
    return manifest_tokens(manifest, earlier), manifest.starts


def _pieces(
    server: LanguageServer,
    place: Asked,
    tokens: FileTokens | ManifestTokens,
    starts: Sequence[int],
    before: Given | None,
) -> list[Piece]:
    known = {id(one.tokens): one for one in before.pieces} if before is not None else {}
    text, encoding, multiline = place.text, place.encoding, server.client.multiline_tokens
    items: Sequence[Painted] = tokens.items
    ends = [*starts[1 : len(items)], len(text)]
    return [
        known.get(id(one)) or piece(one, text[start:end], encoding, multiline)
        for one, start, end in zip(items, starts, ends, strict=False)
    ]


def _column(place: Asked, start: int) -> int:
    """The column of an item's start, which is nearly always 0."""
    if start == 0 or place.text[start - 1] == "\n":
        return 0
    return place.index.position(start, place.encoding).character
