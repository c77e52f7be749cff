"""workspace/executeCommand: what an editor can ask for beyond the protocol's own requests (docs/editors.md)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from flow_lsp.files.paths import is_manifest, is_source
from flow_lsp.files.uris import path_of
from flow_lsp.server.messages import ErrorCode, ResponseError
from flow_lsp.server.parameters import member, optional

if TYPE_CHECKING:
    from flow_lsp.server.language_server import LanguageServer

DESCRIBE = "flow.describe"

COMMANDS = (DESCRIBE,)


def execute(server: LanguageServer, params: Any) -> None:
    """Runs one command. Raises ResponseError for one that is not there, or arguments that cannot be used."""
    name = member(params, "command", kind=str)
    if name != DESCRIBE:
        raise ResponseError(ErrorCode.INVALID_PARAMS, f"There is no command {name[:80]}.")
    describe(server, optional(params, "arguments", kind=list) or [])


def describe(server: LanguageServer, arguments: list[Any]) -> None:
    """`flow.describe [URI]`: asks the implementations of a file, or of the whole workspace, again.

    A command that the user never agreed to, or that was refused, is asked about again.
    """
    if arguments:
        uri = arguments[0]
        path = path_of(uri) if isinstance(uri, str) else None
        if path is None or not (is_manifest(path) or is_source(path)):
            raise ResponseError(ErrorCode.INVALID_PARAMS, "flow.describe takes the URI of a .flow file or a flow.toml.")
        files = [server.project.files.real(path)]
    else:
        files = [*server.project.files.manifests(), *server.project.source_keys()]
    server.asker.refresh(server.commands_of(files), "you asked for it", by_person=True)
