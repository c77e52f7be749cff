"""textDocument/rename and textDocument/prepareRename."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from flow_lsp.analysis.navigation.renaming import Refusal, rename, renameable_at
from flow_lsp.files.paths import is_manifest, resolved
from flow_lsp.server.features.asked import Asked, over_workspace
from flow_lsp.server.messages import ErrorCode, ResponseError
from flow_lsp.server.parameters import member
from flow_lsp.server.slices import Steps
from flow_lsp.server.workspace_edits import workspace_edit

if TYPE_CHECKING:
    from collections.abc import Awaitable

    from flow_lsp.server.language_server import LanguageServer

    Answer = dict[str, Any] | Awaitable[dict[str, Any] | None] | None

NOTHING = "Nothing that can be renamed stands here."


def answer(server: LanguageServer, params: Any) -> Answer:
    """The edit that renames what stands at the position. Raises ResponseError with the reason where it cannot be."""
    return over_workspace(server, params, lambda place: _rename(server, params, place))


def prepare_answer(server: LanguageServer, params: Any) -> Answer:
    """What would be renamed. Raises ResponseError with the reason where nothing can be."""
    return over_workspace(server, params, lambda place: _prepare(server, params, place))


def _rename(server: LanguageServer, params: Any, place: Asked) -> Steps[dict[str, Any]]:
    new_name = member(params, "newName", kind=str)
    if is_manifest(place.key):
        raise ResponseError(ErrorCode.REQUEST_FAILED, NOTHING)
    offset = place.offset(params)
    change = yield from rename(server.analysis, place.snapshot, place.key, offset, new_name, _own(server))
    if isinstance(change, Refusal):
        raise ResponseError(ErrorCode.REQUEST_FAILED, change.sentence)
    edit = workspace_edit(server, change)
    if edit is None:
        raise ResponseError(ErrorCode.REQUEST_FAILED, "A file that would be changed is not there any more.")
    return edit


def _prepare(server: LanguageServer, params: Any, place: Asked) -> Steps[dict[str, Any]]:
    yield from ()
    if is_manifest(place.key):
        raise ResponseError(ErrorCode.REQUEST_FAILED, NOTHING)
    found = renameable_at(server.analysis, place.snapshot, place.key, place.offset(params), _own(server))
    if isinstance(found, Refusal):
        raise ResponseError(ErrorCode.REQUEST_FAILED, found.sentence)
    written = place.text[found.span.start : found.span.end]
    return {"range": place.range(found.span), "placeholder": written}


def _own(server: LanguageServer) -> list[str]:
    """The workspace's folders by their real paths."""
    return [resolved(folder) for folder in server.project.files.folders]
