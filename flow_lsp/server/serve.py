"""Serving an editor: the streams, the connection, the session; the process's exit status."""

from __future__ import annotations

import asyncio
import sys

from flow_lsp.server.endpoint import Endpoint
from flow_lsp.server.language_server import LanguageServer
from flow_lsp.server.streams import standard_streams, tcp_streams


def serve(port: int | None = None) -> int:
    """Serves one editor over standard input and output, or over TCP on 127.0.0.1; returns the exit status."""
    if port is None and sys.stdin.isatty():
        print(
            "flow-lsp: serving an editor over standard input and output. For a person there is: flow-lsp --help",
            file=sys.stderr,
        )
    return asyncio.run(_serve(port))


async def _serve(port: int | None) -> int:
    if port is None:
        source, sink = standard_streams()
    else:
        source, sink = await tcp_streams(
            port, lambda bound: print(f"flow-lsp: waiting for an editor on 127.0.0.1:{bound}", file=sys.stderr)
        )
    endpoint = Endpoint(source, sink)
    LanguageServer(endpoint)
    return await endpoint.run()
