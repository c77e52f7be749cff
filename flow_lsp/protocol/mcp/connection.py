"""One connection to one MCP server: bytes in, events out. A server process serves one run (decisions 11).

| state | what is said | what moves it on |
|---|---|---|
| NEW | nothing | `start`: initialize goes out |
| INITIALIZING | initialize is asked | its answer: initialized and the first tools/list go out |
| LISTING | the first list is asked, page by page | its last page: the tools are `Listed` |
| READY | calls; the list again whenever it changed | - |
| OVER | nothing more | there from any state, with one `Refused`, or by `end` |

- A line that is no message is noise, at any time, and never ends anything by itself.
- A response belongs to the request whose id it repeats, by type and value, and to no other.
- The server's requests are answered as they come: ping, roots/list, and -32601 for the others. The owner bounds
  what waits to be written, as for any other line.
- A list that changed while it was read is read again before it counts, a few times at most.
"""

from __future__ import annotations

from decimal import Decimal
from enum import Enum, auto
from typing import Final

from flow_lsp.codecs.codec import Codec
from flow_lsp.findings.model import shown
from flow_lsp.protocol.call_outcomes import NotRun
from flow_lsp.protocol.describe import Refused
from flow_lsp.protocol.framer import LINE_LIMIT, EndlessLine
from flow_lsp.protocol.lines import TooLong
from flow_lsp.protocol.mcp import lines
from flow_lsp.protocol.mcp.calls import Calls
from flow_lsp.protocol.mcp.events import (
    CallEnded,
    Initialized,
    Listed,
    ListingFailed,
    LogMessage,
    McpEvent,
    Progress,
    Send,
    ToolsChanged,
)
from flow_lsp.protocol.mcp.faulty import FaultyAnswer
from flow_lsp.protocol.mcp.inbox import Arrived, Inbox, Incoming, LongAnswer
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
from flow_lsp.protocol.stream import Noise, id_text
from flow_lsp.values.canonical import canonical_text
from flow_lsp.values.limits import DEFAULT_LIMITS, Limits
from flow_lsp.values.numbers import HugeNumber, number_text
from flow_lsp.values.strict_json import Json, JsonObject

MESSAGE_SHOWN: Final = 1_000  # characters of a log or progress message
LISTED_AGAIN: Final = 5  # times in a row that a list which changed while it was read does not count


class State(Enum):
    """Where a connection stands; see the table above."""

    NEW = auto()
    INITIALIZING = auto()
    LISTING = auto()
    READY = auto()
    OVER = auto()


class McpConnection:
    """The client's side of one connection.

    `root_uri` is the file URI of the manifest's directory, which roots/list answers; `limit` the greatest length of a
    line in bytes, in either direction.
    """

    def __init__(self, root_uri: str, limit: int = LINE_LIMIT, limits: Limits = DEFAULT_LIMITS) -> None:
        self._root_uri = root_uri
        self._inbox = Inbox(limit)
        self._calls = Calls(limits)
        self._state = State.NEW
        self._server: ServerInfo | None = None
        self._tools: tuple[McpTool, ...] = ()
        self._names: frozenset[str] = frozenset()
        self._pages: ToolPages | None = None  # of the listing that is under way
        self._page_number = 0
        self._changed = False  # since that listing began
        self._listed_again = 0

    @property
    def state(self) -> State:
        """Where the connection stands."""
        return self._state

    @property
    def server(self) -> ServerInfo | None:
        """What the server said of itself; None before the handshake is done."""
        return self._server

    @property
    def tools(self) -> tuple[McpTool, ...]:
        """The tools as last listed."""
        return self._tools

    @property
    def noise_count(self) -> int:
        """How many lines were no message, or answered nothing; the first of them became `Noise`."""
        return self._inbox.log.count

    # -- what the owner does ------------------------------------------------------------------------------

    def start(self) -> list[McpEvent]:
        """Opens the connection: once, before anything else."""
        assert self._state is State.NEW
        self._state = State.INITIALIZING
        return [Send(lines.request_line(lines.INITIALIZE, "initialize", initialize_params()))]

    def receive(self, data: bytes) -> list[McpEvent]:
        """What `data`, the next bytes of standard output, brings. Never raises; nothing once the state is OVER."""
        events: list[McpEvent] = []
        if self._is_over():
            return events
        for incoming in self._inbox.receive(data):
            events += self._incoming(incoming)
            if self._is_over():
                break
        return events

    def call(self, call: str, tool: str, arguments: str, ok: Codec, err: Codec) -> list[McpEvent]:
        """Calls `tool` under the history id `call`; `arguments` is what `arguments_text` gives.

        Gives the line to send, or NotRun at once where the call cannot be made. Raises ProtocolMisuse where the id
        was used before.
        """
        problem = self._call_problem(call, tool)
        line = b""
        if problem is None:
            try:
                line = lines.call_line(call, tool, arguments)
            except UnicodeEncodeError:
                problem = "A text of the call holds half a character, which UTF-8 cannot write."
            if len(line) - 1 > self._inbox.limit:
                problem = TooLong(len(line) - 1, self._inbox.limit).reason
        if problem is not None:
            self._calls.use(call)
            return [CallEnded(call, NotRun(problem))]
        self._calls.open(call, ok, err)
        return [Send(line, call)]

    def sent(self, call: str) -> None:
        """The whole line of `call` was handed to the operating system: it counts as having reached the server."""
        self._calls.sent(call)

    def cancel(self, call: str) -> list[McpEvent]:
        """Asks the server to stop work on `call`: once at most, and only while it is open. It stays open."""
        if self._state is not State.READY or not self._calls.cancel(call):
            return []
        return [Send(lines.notification_line("notifications/cancelled", {"requestId": call}))]

    def close(self, call: str) -> list[McpEvent]:
        """Waits no longer for `call`, a cancelled one: Unknown where it reached the server, else NotRun."""
        if not self._calls.is_open(call):
            return []
        return [self._calls.lost(call, "the call was cancelled")]

    def list_again(self) -> list[McpEvent]:
        """Lists the tools again; nothing where they are being listed, or nothing can be asked."""
        if self._state is not State.READY or self._pages is not None or not self._has_tools():
            return []
        return [self._list()]

    def end(self) -> list[McpEvent]:
        """The process has ended and all its output was received: every open call gets its outcome."""
        events: list[McpEvent] = [*self._inbox.finish()]
        self._state = State.OVER
        return events + [self._calls.lost(call, "its process ended") for call in self._calls.open_calls()]

    def failure(self, kind: FailureKind, sentence: str) -> DescribeFailure:
        """The failure of a connection that did not become ready, for which the owner knows `kind` and `sentence`;
        it goes on to say what may have been meant as the answer."""
        if not self._inbox.log.last_reason:
            return DescribeFailure(kind, sentence)
        return DescribeFailure(
            kind, f"{sentence} The last line on its standard output is no answer: {self._inbox.log.last_reason}."
        )

    # -- what the server says -----------------------------------------------------------------------------

    def _is_over(self) -> bool:
        return self._state is State.OVER

    def _incoming(self, incoming: Incoming) -> list[McpEvent]:
        match incoming:
            case Noise():
                return [incoming]
            case EndlessLine():
                return self._refuse(self._too_large())
            case LongAnswer():
                return self._too_long(incoming)
            case FaultyAnswer(request_id, reason, data):
                return self._bad_answer(request_id, reason, data)
            case Arrived(message, data):
                return self._message(message, data)

    def _message(
        self, message: Response | ErrorResponse | MalformedResponse | Request | Notification, data: bytes
    ) -> list[McpEvent]:
        match message:
            case Request():
                return self._request(message, data)
            case Notification(method, params):
                return self._notification(method, params if isinstance(params, dict) else {})
            case Response(request_id, result):
                return self._result(request_id, result, data)
            case ErrorResponse():
                return self._error(message, data)
            case MalformedResponse(request_id, reason):
                return self._bad_answer(request_id, reason, data)

    def _request(self, request: Request, data: bytes) -> list[McpEvent]:
        given = id_text(request.id)
        if given is None:
            return [*self._inbox.log.noise(data, "it is a request without an id that could be repeated")]
        if request.method == "ping":
            return [Send(lines.result_line(given, {}))]
        if request.method == "roots/list":
            return [Send(lines.result_line(given, {"roots": [{"uri": self._root_uri}]}))]
        return [Send(unknown_method_line(given, "this client answers ping and roots/list alone"))]

    def _notification(self, method: str, params: JsonObject) -> list[McpEvent]:
        if method == "notifications/tools/list_changed":
            return self._tools_changed()
        if method == "notifications/message":
            data = params.get("data")
            text = data if isinstance(data, str) else canonical_text(data)
            return [LogMessage(_text(params.get("level")), _text(params.get("logger")), _text(text, MESSAGE_SHOWN))]
        token = params.get("progressToken")
        if method == "notifications/progress" and isinstance(token, str) and self._calls.is_open(token):
            progress, total = _number(params.get("progress")), _number(params.get("total"))
            return [Progress(token, progress, total, _text(params.get("message"), MESSAGE_SHOWN))]
        return []

    def _result(self, request_id: Json, result: Json, data: bytes) -> list[McpEvent]:
        if self._awaits(request_id):
            if self._pages is None:
                return self._initialized(read_initialized(result))
            return self._page(self._pages, self._pages.add(result, len(data)))
        if isinstance(request_id, str) and self._calls.was_used(request_id):
            return [self._calls.result(request_id, result)]
        return self._unasked(request_id, data)

    def _error(self, error: ErrorResponse, data: bytes) -> list[McpEvent]:
        code = f" {shown(error.code)}" if error.code else ""
        message = printable(error.message.encode("utf-8", "replace")).rstrip(".") + "."
        request_id = error.id
        # An error that could not name its request is that of the one open: no call is, until the tools are known.
        nameless = request_id is None and self._state in (State.INITIALIZING, State.LISTING)
        if self._awaits(request_id) or nameless:
            if self._pages is None:
                return self._refuse(refused_initialize(code, message, error.data))
            return self._listing_failed(FailureKind.ERROR_RESPONSE, f"answered tools/list with error{code}: {message}")
        if isinstance(request_id, str) and self._calls.was_used(request_id):
            return [self._calls.error(request_id, code, message)]
        if request_id is None:
            return [*self._inbox.log.noise(data, f"it is an error of no request: {message.rstrip('.')}")]
        return self._unasked(request_id, data)

    def _bad_answer(self, request_id: Json, reason: str, data: bytes) -> list[McpEvent]:
        if self._awaits(request_id):
            if self._pages is None:
                return self._refuse(DescribeFailure(FailureKind.INVALID, f"answered initialize wrongly: {reason}."))
            return self._listing_failed(FailureKind.INVALID, f"answered tools/list wrongly: {reason}.")
        if isinstance(request_id, str) and self._calls.was_used(request_id):
            return [self._calls.bad(request_id, reason)]
        return self._unasked(request_id, data)

    def _unasked(self, request_id: Json, data: bytes) -> list[McpEvent]:
        identified = shown(canonical_text(request_id))
        return [*self._inbox.log.noise(data, f"it answers no open request: its id is {identified}")]

    def _awaits(self, request_id: Json) -> bool:
        """Whether that is the id of the client's own open request: of initialize, or of a page of tools."""
        if self._pages is not None:
            return request_id == lines.listing_id(self._page_number)
        return self._state is State.INITIALIZING and request_id == lines.INITIALIZE

    def _too_long(self, line: LongAnswer) -> list[McpEvent]:
        opening = self._state in (State.INITIALIZING, State.LISTING)
        if self._awaits(line.id) or (opening and line.id is None and line.may_answer):
            if opening:
                return self._refuse(self._too_large())
            return self._listing_failed(FailureKind.TOO_LARGE, self._too_large().sentence)
        if line.id is not None and self._calls.was_used(line.id):
            return [self._calls.bad(line.id, line.reason)]
        return [*self._inbox.log.noise(line.data, line.reason)]

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
        self._state = State.READY
        return [*events, Listed((), ("The server declares no tools in its capabilities.",))]

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
        self._state = State.READY
        self._tools = tuple(pages.tools)
        self._names = frozenset(tool.name for tool in self._tools)
        return [Listed(self._tools, tuple(pages.remarks))]

    def _listing_failed(self, kind: FailureKind, sentence: str) -> list[McpEvent]:
        if self._state is State.LISTING:
            return self._refuse(DescribeFailure(kind, sentence))
        self._pages = None
        self._listed_again = 0
        return [ListingFailed(sentence)]

    def _call_problem(self, call: str, tool: str) -> str | None:
        if self._state is not State.READY:
            return "There is no connection to the MCP server that is ready for calls."
        if not call or call.startswith(lines.RESERVED):
            return f"`{shown(call)}` cannot be a call's id: it is empty, or begins as the client's own ids do."
        if tool not in self._names:
            return f"The MCP server offers no tool `{shown(tool)}`."
        return None

    def _refuse(self, failure: DescribeFailure) -> list[McpEvent]:
        self._state = State.OVER
        return [Refused(failure)]

    def _too_large(self) -> DescribeFailure:
        limit = self._inbox.limit
        return DescribeFailure(
            FailureKind.TOO_LARGE, f"answered with a line of more than {limit} bytes, the limit of one message."
        )


def _text(value: Json, limit: int = 200) -> str:
    return printable(value[: limit + 1].encode("utf-8", "replace"), limit) if isinstance(value, str) else ""


def _number(value: Json) -> str:
    """A number as one reads it, however large."""
    if isinstance(value, bool) or not isinstance(value, int | Decimal | HugeNumber):
        return ""
    return shown(number_text(value))
