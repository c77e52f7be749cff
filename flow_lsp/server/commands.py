"""workspace/executeCommand: what an editor can ask for beyond the protocol's own requests (docs/editors.md)."""

from __future__ import annotations

from collections.abc import Awaitable
from typing import TYPE_CHECKING, Any

from flow_lsp.files.paths import is_manifest, is_source
from flow_lsp.files.uris import path_of
from flow_lsp.server.messages import ErrorCode, ResponseError
from flow_lsp.server.parameters import member, optional

if TYPE_CHECKING:
    from flow_lsp.server.language_server import LanguageServer

DESCRIBE = "flow.describe"
DOCTOR = "flow.doctor"
CALL_OPEN = "flow.call.open"
CALL = "flow.call"
CALL_CANCEL = "flow.call.cancel"
EXPLAIN = "flow.tool.explain"
CHANGES = "flow.tool.changes"
SCHEMA = "flow.tool.schema"
PAGE = "flow.tool.page"

COMMANDS = (DESCRIBE, DOCTOR, CALL_OPEN, CALL, CALL_CANCEL, EXPLAIN, CHANGES, SCHEMA, PAGE)
_ABOUT_TOOLS = {CHANGES: "changes", SCHEMA: "schema", PAGE: "page"}


def execute(server: LanguageServer, params: Any) -> Awaitable[Any] | str | int | None:
    """Runs one command; what it gives, now or later. Raises ResponseError for one that is not there, or arguments that
    cannot be used."""
    name = member(params, "command", kind=str)
    arguments = optional(params, "arguments", kind=list) or []
    if name == DESCRIBE:
        describe(server, arguments)
        return None
    if name == DOCTOR:
        from flow_lsp.server.doctoring import doctor

        return doctor(server)
    if name in _ABOUT_TOOLS:
        from flow_lsp.server import tool_commands

        answer: Awaitable[Any] = getattr(tool_commands, _ABOUT_TOOLS[name])(server, arguments)
        return answer
    if name in (CALL_OPEN, CALL, CALL_CANCEL, EXPLAIN):
        from flow_lsp.server import call_commands  # and with it all that calls: an editor's start need not wait for it

        if name == CALL_OPEN:
            return call_commands.open_arguments(server, arguments)
        if name == CALL:
            return call_commands.call(server, arguments, params)
        run = call_commands.cancel if name == CALL_CANCEL else call_commands.explain
        return run(server, arguments)
    raise ResponseError(ErrorCode.INVALID_PARAMS, f"There is no command {name[:80]}.")


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
