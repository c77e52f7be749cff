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
from flow_lsp.text.lines import LineIndex, PositionEncoding
from flow_lsp.text.spans import Span

if TYPE_CHECKING:
    from flow_lsp.server.language_server import LanguageServer

Result = TypeVar("Result")


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


def when_read(
    server: LanguageServer, params: Any, answer: Callable[[Asked], Result]
) -> Result | Awaitable[Result | None] | None:
    """What `answer` gives of the document that `params` name, once the workspace has been read, for what is true of the
    whole of it; at once where it has been, which is nearly always. None for a document that is neither a source nor a
    manifest. Raises ResponseError, also where the document changed meanwhile."""
    place = asked(server, params)
    if place is None or server.checker.ready:
        return None if place is None else answer(place)
    return _when_read(server, params, place.document.revision, answer)


async def _when_read(
    server: LanguageServer, params: Any, revision: int, answer: Callable[[Asked], Result]
) -> Result | None:
    await server.workspace_read()
    place = asked(server, params)
    if place is not None and place.document.revision != revision:
        raise ResponseError(ErrorCode.CONTENT_MODIFIED, "The document was changed while the workspace was being read.")
    return None if place is None else answer(place)


def location(server: LanguageServer, key: str, span: Span) -> dict[str, Any] | None:
    """A span of the file `key`, open or not, as a Location; None where there is no such file."""
    place = server.checker.place(key)
    if place is None:
        return None
    uri, index = place
    return {"uri": uri, "range": lsp_range(span, index, server.documents.encoding)}
