"""The host's side of one MCP server's process: bytes of its standard output in, events out; the adapter's wire.

It tells what `protocol.connection` tells of a process that speaks the Tool process protocol (the answer to describe,
replies, noise), so that a host treats both alike; what a call comes to is the ledger's matter. Rules ("Adapters",
decisions 11, and MCP's own):

| state | what is said | what moves it on |
|---|---|---|
| INITIALIZING | `request`: initialize is asked | its answer: initialized and the first tools/list go out |
| LISTING | the first list is asked, page by page | its last page: `Listed`, and `Answered` with the listing |
| READY | calls; the list again whenever it changed | - |
| OVER | nothing more is read | there from the first two, with one `Refused` |

- a line that is no message is noise, at any time, and never ends anything by itself;
- a response belongs to the request whose id it repeats, by type and value, and to no other;
- a response to a call is one reply to it; whether the call still waits for one the ledger knows;
- a list that changed while it was read is read again before it counts, a few times at most;
- the server's requests are answered as they come: ping, roots/list, and -32601 for the others, up to a bound.

One connection serves one process and one run, so that a call's id is used once and can be the request's id.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum, auto
from typing import Final

from flow_lsp.findings.model import shown
from flow_lsp.protocol.connection import MustEnd
from flow_lsp.protocol.describe import Answered, Refused
from flow_lsp.protocol.framer import ENDLESS, LINE_LIMIT, EndlessLine
from flow_lsp.protocol.lines import IdUsed, ProtocolMisuse, TooLong, check_pair
from flow_lsp.protocol.mcp import lines
from flow_lsp.protocol.mcp.call_ids import CallIds
from flow_lsp.protocol.mcp.events import Initialized, Listed, ListingFailed, McpEvent, ToolsChanged
from flow_lsp.protocol.mcp.faulty import FaultyAnswer, answered_by_head
from flow_lsp.protocol.mcp.inbox import Inbox, Incoming, LongAnswer
from flow_lsp.protocol.mcp.notices import log_message, progress_of
from flow_lsp.protocol.mcp.offers import Declaration, offers
from flow_lsp.protocol.mcp.results import outcome_of
from flow_lsp.protocol.mcp.revisions import (
    WITH_BATCHES,
    ServerInfo,
    initialize_params,
    read_initialized,
    refused_initialize,
)
from flow_lsp.protocol.mcp.tools import McpTool, PageProblem, ToolPages
from flow_lsp.protocol.messages import (
    ErrorResponse,
    MalformedResponse,
    Notification,
    Request,
    Response,
    unknown_method_line,
)
from flow_lsp.protocol.outcome import DescribeFailure, FailureKind
from flow_lsp.protocol.printable import printable
from flow_lsp.protocol.replies import FaultyReply, ReplyReceived
from flow_lsp.protocol.stream import Noise, Send, id_text
from flow_lsp.values.canonical import canonical_text
from flow_lsp.values.limits import DEFAULT_LIMITS, Limits
from flow_lsp.values.strict_json import Json, JsonObject

ANSWERED: Final = 100_000  # requests of one server that are answered: 10 MB of answers, should it never read them
LISTED_AGAIN: Final = 5  # times in a row that a list which changed while it was read does not count


class State(Enum):
    """Where a connection stands; see the table above."""

    INITIALIZING = auto()
    LISTING = auto()
    READY = auto()
    OVER = auto()


class McpConnection:
    """One server process, from its start to its end.

    `root_uri` is the file URI of the manifest's directory, which roots/list answers; `declarations` are what the server
    is to answer, none where only its tools are asked for; `limit` is the greatest length of a line in bytes, in either
    direction.
    """

    def __init__(
        self,
        root_uri: str,
        declarations: Sequence[Declaration] = (),
        limit: int = LINE_LIMIT,
        limits: Limits = DEFAULT_LIMITS,
    ) -> None:
        self._root_uri = root_uri
        self._declarations = declarations
        self._inbox = Inbox(limit)
        self._limits = limits
        self._state = State.INITIALIZING
        self._server: ServerInfo | None = None
        self._tools: tuple[McpTool, ...] = ()
        self._calls = CallIds()
        self._asked = 0  # requests of the server
        self._pages: ToolPages | None = None  # of the listing that is under way
        self._page_number = 0
        self._changed = False  # since that listing began
        self._listed_again = 0

    @property
    def state(self) -> State:
        """Where the connection stands."""
        return self._state

    @property
    def described(self) -> bool:
        """Whether the tools were listed, or will not be."""
        return self._state in (State.READY, State.OVER)

    @property
    def server(self) -> ServerInfo | None:
        """What the server said of itself; None before the handshake is done."""
        return self._server

    @property
    def tools(self) -> tuple[McpTool, ...]:
        """The tools as last listed."""
        return self._tools

    @property
    def pending(self) -> int:
        """How many bytes the line that has not ended yet has so far."""
        return self._inbox.pending

    @property
    def noise_count(self) -> int:
        """How many lines were no message, or answered nothing; the first of them became `Noise`."""
        return self._inbox.log.count

    # -- what the owner does ------------------------------------------------------------------------------

    def request(self) -> bytes:
        """The line to send first."""
        return lines.request_line(lines.INITIALIZE, "initialize", initialize_params())

    def receive(self, data: bytes) -> list[McpEvent]:
        """What `data`, the next bytes of standard output, brings. Never raises. Heavy where it completes the list of
        tools, or many replies: keep it off an event loop's thread, but let only one thread at a time call it."""
        events: list[McpEvent] = []
        if self._is_over():
            return events
        for incoming in self._inbox.receive(data):
            events += self._incoming(incoming)
            if self._is_over():
                break
        return events

    def call_line(self, run: str, call: str, tool: str, arguments: str) -> bytes | TooLong | IdUsed:
        """The line that calls the MCP tool `tool`, its LF included; `arguments` is what `arguments_text` gives.

        It may be asked for again where nothing of it was handed over. Raises ProtocolMisuse before the tools are
        listed, and where the call's id begins as the ids of the client's own requests do.
        """
        check_pair(run, call)
        if self._state is not State.READY:
            raise ProtocolMisuse("The server's tools are not listed yet, or will not be.")
        if call.startswith(lines.RESERVED):
            raise ProtocolMisuse(f"`{shown(call)}` is an id of the connection's own.")
        if not self._calls.may_be_used(run, call):
            return IdUsed(call)
        line = lines.call_line(call, tool, arguments)
        if len(line) - 1 > self._inbox.limit:
            return TooLong(len(line) - 1, self._inbox.limit)
        self._calls.use(run, call)
        return line

    def cancel_line(self, call: str) -> bytes:
        """The line that asks the server to stop `call`, its LF included. Raises ProtocolMisuse where no such call was
        made: what is asked for first, initialize above all, is never cancelled."""
        if self._calls.run_of(call) is None:
            raise ProtocolMisuse(f"`{shown(call)}` is no call of this connection.")
        self._calls.close(call)
        return lines.notification_line("notifications/cancelled", {"requestId": call})

    def close(self, call: str) -> None:
        """Nobody waits for the call any more, whether it was answered, or sent, or not."""
        self._calls.close(call)

    def list_again(self) -> list[McpEvent]:
        """Lists the tools again; nothing where they are being listed, or nothing can be asked."""
        if self._state is not State.READY or self._pages is not None or not self._has_tools():
            return []
        return [self._list()]

    def end(self) -> list[McpEvent]:
        """Standard output has ended, or its end counts: what is left without a line end is noise."""
        return [*self._inbox.finish()]

    def failure(self, kind: FailureKind, sentence: str) -> DescribeFailure:
        """Why there is no list of tools, where the owner knows `kind` and `sentence`; it goes on to say what may have
        been meant as the answer."""
        if not self._inbox.log.last_reason:
            return DescribeFailure(kind, sentence)
        return DescribeFailure(
            kind, f"{sentence} The last line on its standard output is no answer: {self._inbox.log.last_reason}."
        )

    # -- what the server says -----------------------------------------------------------------------------

    def _is_over(self) -> bool:
        return self._state is State.OVER

    def _incoming(self, incoming: Incoming) -> list[McpEvent]:
        if isinstance(incoming, Noise):
            return [incoming]
        if isinstance(incoming, EndlessLine):
            return self._endless(incoming)
        if isinstance(incoming, LongAnswer):
            return self._too_long(incoming)
        if isinstance(incoming, FaultyAnswer):
            return self._bad_answer(incoming.id, incoming.reason, incoming.data)
        return self._message(incoming.message, incoming.data)

    def _message(
        self, message: Response | ErrorResponse | MalformedResponse | Request | Notification, data: bytes
    ) -> list[McpEvent]:
        if isinstance(message, Request):
            return self._request(message, data)
        if isinstance(message, Notification):
            params = message.params
            return self._notification(message.method, params if isinstance(params, dict) else {})
        if isinstance(message, Response):
            return self._result(message.id, message.result, data)
        if isinstance(message, ErrorResponse):
            return self._error(message, data)
        return self._bad_answer(message.id, message.reason, data)

    def _request(self, request: Request, data: bytes) -> list[McpEvent]:
        given = id_text(request.id)
        if given is None:
            return [*self._inbox.log.noise(data, "it is a request without an id that could be repeated")]
        self._asked += 1
        if self._asked > ANSWERED:
            return []
        if request.method == "ping":
            return [Send(lines.result_line(given, {}))]
        if request.method == "roots/list":
            return [Send(lines.result_line(given, {"roots": [{"uri": self._root_uri}]}))]
        return [Send(unknown_method_line(given, "this client answers ping and roots/list alone"))]

    def _notification(self, method: str, params: JsonObject) -> list[McpEvent]:
        if method == "notifications/tools/list_changed":
            return self._tools_changed()
        if method == "notifications/message":
            return [log_message(params)]
        token = params.get("progressToken")
        run = self._calls.run_of(token) if method == "notifications/progress" else None
        if isinstance(token, str) and run is not None and self._calls.is_open(token):
            return [progress_of(run, token, params)]
        return []

    def _result(self, request_id: Json, result: Json, data: bytes) -> list[McpEvent]:
        if self._awaits(request_id):
            if self._pages is None:
                return self._initialized(read_initialized(result))
            return self._page(self._pages, self._pages.add(result, len(data)))
        if self._calls.run_of(request_id) is not None:
            return self._reply(request_id, outcome_of(result, self._limits))
        return self._unasked(request_id, data)

    def _error(self, error: ErrorResponse, data: bytes) -> list[McpEvent]:
        code = f" {shown(error.code)}" if error.code else ""
        message = printable(error.message.encode("utf-8", "replace")).rstrip(".") + "."
        request_id = error.id
        # An error that could not name its request is that of the one open: no call is, until the tools are known.
        if self._awaits(request_id) or (request_id is None and not self.described):
            if self._pages is None:
                return self._refuse(refused_initialize(code, message, error.data))
            return self._listing_failed(FailureKind.ERROR_RESPONSE, f"answered tools/list with error{code}: {message}")
        if request_id is None:
            return [*self._inbox.log.noise(data, f"it is an error of no request: {message.rstrip('.')}")]
        reply = self._reply(request_id, f"The MCP server answered the call with error{code}: {message}")
        return reply or self._unasked(request_id, data)

    def _bad_answer(self, request_id: Json, reason: str, data: bytes) -> list[McpEvent]:
        if self._awaits(request_id):
            if self._pages is None:
                return self._refuse(DescribeFailure(FailureKind.INVALID, f"answered initialize wrongly: {reason}."))
            return self._listing_failed(FailureKind.INVALID, f"answered tools/list wrongly: {reason}.")
        reply = self._reply(request_id, f"The MCP server's answer cannot be read: {reason}.")
        return reply or self._unasked(request_id, data)

    def _reply(self, request_id: Json, outcome: JsonObject | str) -> list[McpEvent]:
        """The reply to the call of that id, an outcome or why there is none; nothing where there is no such call."""
        run = self._calls.run_of(request_id)
        if run is None or not isinstance(request_id, str):
            return []
        self._calls.close(request_id)
        if isinstance(outcome, str):
            return [FaultyReply(run, request_id, outcome)]
        return [ReplyReceived(run, request_id, outcome)]

    def _unasked(self, request_id: Json, data: bytes) -> list[McpEvent]:
        identified = shown(canonical_text(request_id))
        return [*self._inbox.log.noise(data, f"it answers no open request: its id is {identified}")]

    def _awaits(self, request_id: Json) -> bool:
        """Whether that is the id of the client's own open request: of initialize, or of a page of tools."""
        if self._pages is not None:
            return request_id == lines.listing_id(self._page_number)
        return self._state is State.INITIALIZING and request_id == lines.INITIALIZE

    def _too_long(self, line: LongAnswer) -> list[McpEvent]:
        if self._awaits(line.id) or (not self.described and line.id is None and line.may_answer):
            if not self.described:
                return self._refuse(self._too_large())
            return self._listing_failed(FailureKind.TOO_LARGE, self._too_large().sentence)
        reply = self._reply(line.id, f"The MCP server's answer cannot be read: {line.reason}.")
        return reply or [*self._inbox.log.noise(line.data, line.reason)]

    def _endless(self, line: EndlessLine) -> list[McpEvent]:
        most = ENDLESS * self._inbox.limit
        reason = f"it has more than {most} bytes and does not end"
        events = self._reply(answered_by_head(line.head), f"The MCP server's answer cannot be read: {reason}.")
        if not self.described:
            events = self._refuse(self._too_large())
        return [*events, MustEnd(f"wrote a line of more than {most} bytes.")]

    # -- the handshake and the tools ----------------------------------------------------------------------

    def _initialized(self, read: ServerInfo | DescribeFailure) -> list[McpEvent]:
        if isinstance(read, DescribeFailure):
            return self._refuse(read)
        self._server = read
        self._inbox.batches = read.revision == WITH_BATCHES
        self._state = State.LISTING
        events: list[McpEvent] = [Initialized(read), Send(lines.notification_line("notifications/initialized"))]
        if read.has_tools:
            return [*events, self._list()]
        return [*events, *self._listed((), ("The server declares no tools in its capabilities.",))]

    def _has_tools(self) -> bool:
        return self._server is not None and self._server.has_tools

    def _tools_changed(self) -> list[McpEvent]:
        if self._state not in (State.LISTING, State.READY) or not self._has_tools():
            return []
        if self._pages is not None:
            self._changed = True
            return [ToolsChanged()]
        return [ToolsChanged(), self._list()]

    def _list(self, cursor: str | None = None) -> Send:
        """Asks for the page behind `cursor`; without one, for the first of a new listing."""
        if cursor is None:
            self._pages = ToolPages()
            self._changed = False
        self._page_number += 1
        params: Json = {} if cursor is None else {"cursor": cursor}
        return Send(lines.request_line(lines.listing_id(self._page_number), "tools/list", params))

    def _page(self, pages: ToolPages, following: str | PageProblem | None) -> list[McpEvent]:
        if isinstance(following, PageProblem):
            return self._listing_failed(FailureKind.INVALID, f"answered tools/list wrongly: {following.reason}.")
        if following is not None:
            return [self._list(following)]
        if self._changed and self._listed_again < LISTED_AGAIN:
            self._listed_again += 1
            return [self._list()]
        self._pages = None
        self._listed_again = 0
        return self._listed(tuple(pages.tools), tuple(pages.remarks))

    def _listed(self, tools: tuple[McpTool, ...], remarks: tuple[str, ...]) -> list[McpEvent]:
        self._tools = tools
        found = offers(self._declarations, tools)
        events: list[McpEvent] = [Listed(tools, found, remarks)]
        if not self.described:
            self._state = State.READY
            events.append(Answered(found.listing))
        return events

    def _listing_failed(self, kind: FailureKind, sentence: str) -> list[McpEvent]:
        if self._state is State.LISTING:
            return self._refuse(DescribeFailure(kind, sentence))
        self._pages = None
        self._listed_again = 0
        return [ListingFailed(sentence)]

    def _refuse(self, failure: DescribeFailure) -> list[McpEvent]:
        self._state = State.OVER
        return [Refused(failure)]

    def _too_large(self) -> DescribeFailure:
        limit = self._inbox.limit
        return DescribeFailure(
            FailureKind.TOO_LARGE, f"answered with a line of more than {limit} bytes, the limit of one message."
        )
