"""The MCP adapter: an MCP server's process as an implementation of one run ("Adapters"; decisions 11).

All that is of the process (starting, ending, restarting, the outcome of each call) is as for any other; only what its
bytes mean is different (`protocol.mcp`). One server process serves one run, so that call ids never collide.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from flow_lsp.binding.model import CommandKey
from flow_lsp.files.uris import uri_of
from flow_lsp.findings.model import shown
from flow_lsp.host.calling import Call, CallableTool
from flow_lsp.host.implementing import Fits, NoFit, Verdict
from flow_lsp.host.process_host import Log, ProcessImplementation, ProcessLimits
from flow_lsp.host.process_life import Wire, WireEvent
from flow_lsp.protocol.call_outcomes import CallOutcome, NotRun
from flow_lsp.protocol.ledger import Pair, ReadyCall
from flow_lsp.protocol.lines import IdUsed, TooLong
from flow_lsp.protocol.mcp.arguments import arguments_text
from flow_lsp.protocol.mcp.connection import McpConnection
from flow_lsp.protocol.mcp.events import Initialized, Listed, ListingFailed, LogMessage, Progress, ToolsChanged
from flow_lsp.protocol.mcp.lines import RESERVED
from flow_lsp.protocol.mcp.offers import Declaration, Offers
from flow_lsp.protocol.mcp.revisions import ServerInfo
from flow_lsp.protocol.mcp.tools import McpTool
from flow_lsp.protocol.outcome import DescribeFailure
from flow_lsp.protocol.served import fingerprints
from flow_lsp.values.strict_json import read_json


class McpImplementation(ProcessImplementation):
    """The MCP server behind one command, for `tools` and one run. Without tools only what it lists is asked for."""

    def __init__(
        self,
        key: CommandKey,
        tools: Sequence[CallableTool] = (),
        limits: ProcessLimits | None = None,
        log: Log | None = None,
        environment: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(key, limits, log, environment)
        self._declarations = [Declaration(tool.name, tool.identity, tool.spec, tool.signature) for tool in tools]
        self._calls: dict[Pair, Call] = {}
        self._connection: McpConnection | None = None
        self.server: ServerInfo | None = None
        self.tools: tuple[McpTool, ...] = ()
        self.offers: Offers | None = None

    async def fits(self, tools: Sequence[CallableTool]) -> list[Verdict]:
        """Whether the server offers an MCP tool of each declaration's name."""
        listing = await self.describe()
        if isinstance(listing, DescribeFailure):
            return [NoFit(tool, f"`{shown(self.key.command)}` {listing.sentence}") for tool in tools]
        assert self.offers is not None
        unbound = {each.identity: each.sentence for each in self.offers.unbound}
        return [
            NoFit(tool, unbound[tool.identity]) if tool.identity in unbound else Fits(tool, tool.identity)
            for tool in tools
        ]

    async def call(self, call: Call) -> CallOutcome:
        """The one outcome of `call`."""
        if call.call.startswith(RESERVED):
            return NotRun(f"A call id that begins with `{RESERVED}` is kept for the adapter's own requests.")
        if call.pair in self._calls:
            raise ValueError(f"A call is open already as {call.call!r} of run {call.run!r}.")
        self._calls[call.pair] = call
        try:
            return await super().call(call)
        finally:
            del self._calls[call.pair]
            if self._connection is not None:
                self._connection.close(call.call)

    def _connect(self) -> Wire:
        self._connection = McpConnection(
            uri_of(self.key.directory), self._declarations, self._limits.life.line, self._limits.values
        )
        return self._connection

    def _line(self, ready: ReadyCall) -> bytes | TooLong | IdUsed:
        assert self._connection is not None
        pair = ready.call.run, ready.call.call
        call = self._calls[pair]
        values = read_json(call.args)
        assert isinstance(values, dict)
        arguments = arguments_text(call.types.parameters, values)
        return self._connection.call_line(*pair, call.tool.name, arguments)

    def _cancel_line(self, run: str, call: str) -> bytes:
        del run  # one process serves one run
        assert self._connection is not None
        return self._connection.cancel_line(call)

    def _heard(self, event: WireEvent) -> None:
        match event:
            case Initialized(server):
                self.server = server
            case Listed(tools, offers, remarks):
                again = self.offers is not None and self._listing is not None
                self.tools, self.offers = tools, offers
                for remark in remarks:
                    self._log(remark)
                if again:
                    self._listing = offers.listing
                    self._handle(self._ledger.described(offers.listing.data, fingerprints(offers.listing)))
            case ToolsChanged():
                self._log("The server's tools changed; they are listed again.")
            case ListingFailed(sentence):
                self._log(f"Listing the tools again failed, so the last list stays: the server {sentence}")
            case LogMessage(level, logger, text):
                self._log(f"log{f' {level}' if level else ''}{f' of {logger}' if logger else ''}: {text}")
            case Progress(_, call, progress, total, message):
                of = f" of {total}" if total else ""
                self._log(f"progress of {shown(call)}: {progress}{of}{f', {message}' if message else ''}")
            case _:
                pass
