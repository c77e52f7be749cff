"""textDocument/semanticTokens/full, /full/delta and /range, and workspace/semanticTokens/refresh: another file may make
another kind of thing of a name."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from flow_lsp.analysis.navigation.tokens import FileTokens, ItemTokens, file_tokens, still_painted, tokens_between
from flow_lsp.files.paths import is_manifest
from flow_lsp.server.features.asked import Asked, asked
from flow_lsp.server.parameters import member
from flow_lsp.server.token_pieces import Piece, Segment, difference, numbers_of, piece, piece_of, segments
from flow_lsp.source.declarations import CheckedFile
from flow_lsp.source.model import SourceFile

if TYPE_CHECKING:
    from flow_lsp.server.language_server import LanguageServer


@dataclass(frozen=True, slots=True)
class Given:
    """What a client was given of a document, under which number."""

    number: int
    tokens: FileTokens
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
    if place is None or is_manifest(place.key):
        return None
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
        wanted = [one for one in tokens.tokens if start + one.start < span.end and start + one.end > span.start]
        if not pieces:
            line = place.index.line_of(start)
        made = piece_of(wanted, place.text[start:end], place.encoding, server.client.multiline_tokens)
        pieces.append((made, _column(place, start)))
    return {"data": numbers_of(segments(pieces, line))}


def _give(server: LanguageServer, place: Asked) -> tuple[Given | None, Given] | None:
    """What was given before and what is now."""
    if is_manifest(place.key):
        return None
    checked = server.analysis.checked(place.snapshot, place.key)
    if checked is None:
        return None
    session = _session(server)
    session.drop_closed()
    given = session.given
    before = given.get(place.document.key)
    tokens = file_tokens(checked, before.tokens if before is not None else None)
    pieces = _pieces(server, place, checked.source, tokens, before)
    shown = session.shown(place, checked)
    shown.checked, shown.tokens = checked, tokens
    shown.items.clear()
    starts = checked.source.starts
    at = [(one, _column(place, start)) for one, start in zip(pieces, starts, strict=False)]
    number = before.number + 1 if before is not None else 1
    now = given[place.document.key] = Given(number, tokens, pieces, segments(at))
    return before, now


def _pieces(
    server: LanguageServer, place: Asked, source: SourceFile, tokens: FileTokens, before: Given | None
) -> list[Piece]:
    known = {id(one.tokens): one for one in before.pieces} if before is not None else {}
    encoding, multiline, starts = place.encoding, server.client.multiline_tokens, source.starts
    return [
        known.get(id(one)) or piece(one, source.text[starts[index] : starts[index + 1]], encoding, multiline)
        for index, one in enumerate(tokens.items)
    ]


def _column(place: Asked, start: int) -> int:
    """The column of an item's start, which is nearly always 0."""
    if start == 0 or place.text[start - 1] == "\n":
        return 0
    return place.index.position(start, place.encoding).character
