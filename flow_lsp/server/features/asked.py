"""What a request about a place of a document is about, and places as answers name them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from flow_lsp.analysis.snapshot import Snapshot
from flow_lsp.server.convert import lsp_range
from flow_lsp.server.documents import Document, Language
from flow_lsp.server.messages import ErrorCode, ResponseError
from flow_lsp.server.parameters import position, span_of_lines
from flow_lsp.server.slices import Steps, at_once, one_slice, others_turns
from flow_lsp.text.lines import LineIndex, PositionEncoding
from flow_lsp.text.spans import Span

if TYPE_CHECKING:
    from flow_lsp.server.language_server import LanguageServer

Result = TypeVar("Result")

AT_ONCE = 0.02  # seconds of work that are not worth to be left off


@dataclass(frozen=True, slots=True)
class Asked:
    """An open source or manifest: `key` is its absolute path, `snapshot` one that has its text as it stands."""

    document: Document
    key: str
    snapshot: Snapshot
    encoding: PositionEncoding

    @property
    def index(self) -> LineIndex:
        """The positions of the text."""
        return self.document.text.index

    @property
    def text(self) -> str:
        """The whole text."""
        return self.document.text.text

    def offset(self, params: Any, *path: str) -> int:
        """The offset of the position at `path` of `params` (`position` unless told). Raises ResponseError."""
        return self.index.offset(position(params, *path), self.encoding)

    def span(self, params: Any, *path: str) -> Span:
        """The span of the range at `path` of `params` (`range` unless told). Raises ResponseError."""
        start, end = (self.index.offset(place, self.encoding) for place in span_of_lines(params, *path))
        return Span(min(start, end), max(start, end))

    def range(self, span: Span) -> dict[str, dict[str, int]]:
        """A span of the text as a Range."""
        return lsp_range(span, self.index, self.encoding)


def asked(server: LanguageServer, params: Any) -> Asked | None:
    """The document that `params` name, where it is a source or a manifest; None for any other. Raises ResponseError
    where it is not open."""
    document = server.documents.asked(params)
    key = server.checker.sync(document)
    if key is None or document.language not in (Language.FLOW, Language.MANIFEST):
        return None
    return Asked(document, key, server.project.snapshot(), server.documents.encoding)


def over_workspace(
    server: LanguageServer, params: Any, work: Callable[[Asked], Steps[Result]]
) -> Result | Awaitable[Result | None] | None:
    """What `work` comes to about the document that `params` name, once the workspace has been read, for what is true of
    the whole of it: at once where that takes no time, else in slices, between which a cancellation is heard. None for
    a document that is neither a source nor a manifest. Raises ResponseError, also where the document changed
    meanwhile."""
    place = asked(server, params)
    if place is None:
        return None
    steps = work(place) if server.checker.ready else None
    done = one_slice(steps, AT_ONCE) if steps is not None else None
    return done.result if done is not None else _worked(server, params, place, place.document.revision, work, steps)


async def _worked(
    server: LanguageServer,
    params: Any,
    place: Asked,
    revision: int,
    work: Callable[[Asked], Steps[Result]],
    steps: Steps[Result] | None,
) -> Result | None:
    await server.workspace_read()
    while True:
        await others_turns()
        now = asked(server, params)
        if now is None or now.document.revision != revision:
            raise ResponseError(ErrorCode.CONTENT_MODIFIED, "The document was changed before the answer was there.")
        if steps is None:
            place, steps = now, work(now)
        elif now.snapshot is not place.snapshot:
            # What was found may hold no more. It is not begun over and over while somebody types elsewhere.
            return at_once(work(now))
        done = one_slice(steps)
        if done is not None:
            return done.result


def location(server: LanguageServer, key: str, span: Span) -> dict[str, Any] | None:
    """A span of the file `key`, open or not, as a Location; None where there is no such file."""
    place = server.checker.place(key)
    if place is None:
        return None
    uri, index = place
    return {"uri": uri, "range": lsp_range(span, index, server.documents.encoding)}
