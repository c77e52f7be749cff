"""Messages to handlers and answers back, in order (LSP 3.17, "Base Protocol", "Lifecycle Messages").

What holds here, whatever bytes come and go by:
- Handlers run in the order in which messages arrive. One that returns an awaitable has run its
  synchronous part by then; the rest becomes a task, which `$/cancelRequest` cancels.
- Every request gets exactly one answer, also one that nobody handles or whose handler raises.
- Before `initialize` was answered and after `shutdown` no handler is called.
- A late answer to a request of ours, a second one, or one to no request is dropped.
"""

from __future__ import annotations

import asyncio
import traceback
from collections.abc import Callable
from enum import Enum, IntEnum
from typing import Any

from flow_lsp.server.messages import ErrorCode, ResponseError, decode, encode
from flow_lsp.server.parameters import optional
from flow_lsp.server.streams import write_error_line

Handler = Callable[[Any], Any]
"""Takes the params; gives the result (JSON or JsonText), or an awaitable of it. May raise ResponseError."""


LOGGED_PROBLEMS = 20  # broken messages that are logged one by one

_SHOWN_METHOD = 80  # characters of a method's name that a sentence repeats


class MessageType(IntEnum):
    """The LSP's MessageType."""

    ERROR = 1
    WARNING = 2
    INFO = 3
    LOG = 4


class _Phase(Enum):
    NEW = "not initialized"
    INITIALIZING = "being initialized"
    RUNNING = "running"
    SHUT_DOWN = "shut down"


class Dispatcher:
    """The protocol of one connection, on top of something that moves bytes (see `Endpoint`)."""

    def __init__(
        self,
        write: Callable[[bytes], None],
        left: Callable[[], None],
        initialized: Callable[[object], None],
        strict: bool,
    ) -> None:
        """`write` takes messages with their headers; `left` is called for `exit`, `initialized` with the
        params of initialize once it was answered. `strict`: faults also go to standard error."""
        self._write = write
        self._left = left
        self._initialized = initialized
        self._strict = strict
        self._requests: dict[str, Handler] = {"shutdown": lambda _: None}
        self._notifications: dict[str, Handler] = {}
        self._phase = _Phase.NEW
        self._running: dict[int | str, asyncio.Future[Any]] = {}  # requests of the client, by id
        self._background: set[asyncio.Future[Any]] = set()  # what notifications started
        self._asked: dict[int, asyncio.Future[Any]] = {}  # requests of ours, by id
        self._last_id = 0
        self._problems = 0
        self._ended = False
        self.faults = 0
        """How many exceptions there were that should not be."""

    @property
    def shut_down(self) -> bool:
        """Whether the client has asked for the shutdown."""
        return self._phase is _Phase.SHUT_DOWN

    def on_request(self, method: str, handler: Handler) -> None:
        """`handler` answers requests of `method`."""
        self._requests[method] = handler

    def on_notification(self, method: str, handler: Handler) -> None:
        """`handler` is called for notifications of `method`; it may return an awaitable."""
        self._notifications[method] = handler

    def notify(self, method: str, params: object) -> None:
        """Sends a notification. Never raises; `params` may be JsonText."""
        self._send({"method": method, "params": params})

    def request(self, method: str, params: object) -> asyncio.Future[Any]:
        """Sends a request. The future gives the result or raises ResponseError; it is cancelled when
        the connection ends. Cancelling it cancels the request; an answer after that is dropped."""
        self._last_id += 1
        number = self._last_id
        answer: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self._asked[number] = answer
        answer.add_done_callback(lambda _: self._request_over(number, answer))
        self._send({"id": number, "method": method, "params": params})
        return answer

    def log(self, kind: MessageType, text: str) -> None:
        """A line for the client's log of this server."""
        self.notify("window/logMessage", {"type": int(kind), "message": text})

    def fault(self, what: str, error: BaseException) -> None:
        """Reports an exception that should not have been, and goes on."""
        self.faults += 1
        lines = "".join(traceback.format_exception(error))
        if self._strict or self._phase in (_Phase.NEW, _Phase.INITIALIZING):
            write_error_line(f"FAULT {what}: {lines}")
        if self.faults <= LOGGED_PROBLEMS:
            self.log(MessageType.ERROR, f"Internal error {what}. Please report it.\n{lines[-4000:]}")

    def problem(self, sentence: str) -> None:
        """Says what was wrong with what came; only the first times, for there may be no end of it."""
        self._problems += 1
        if self._problems <= LOGGED_PROBLEMS:
            write_error_line(sentence)
            self.log(MessageType.WARNING, sentence)

    def end(self) -> list[asyncio.Future[Any]]:
        """Cancels all that is under way, because the connection ends; gives the tasks that have to end.
        Requests of the client are answered as cancelled."""
        self._ended = True
        tasks = [*self._running.values(), *self._background]
        for future in [*tasks, *self._asked.values()]:
            future.cancel()
        return tasks

    # -- what comes ---------------------------------------------------------------------------------

    def handle(self, body: bytes) -> None:
        """Handles one message, whatever it holds."""
        try:
            message = decode(body)
        except ValueError as error:
            self.problem(f"Skipped a message that is no JSON: {error}"[:300])
            self._answer_error(None, ErrorCode.PARSE_ERROR, "The message is no JSON.")
            return
        method = message.get("method") if isinstance(message, dict) else None
        if not isinstance(message, dict) or ("method" in message and not isinstance(method, str)):
            self._answer_error(None, ErrorCode.INVALID_REQUEST, "The message is no request, notification or answer.")
        elif method is None:
            self._handle_answer(message)
        elif "id" not in message:
            self._handle_notification(method, message.get("params"))
        else:
            number = message["id"]
            if not isinstance(number, int | str) or isinstance(number, bool):
                self._answer_error(None, ErrorCode.INVALID_REQUEST, "A request's id must be a number or a string.")
            else:
                self._handle_request(number, method, message.get("params"))

    def _handle_notification(self, method: str, params: object) -> None:
        if method == "exit":
            self._left()
        elif method == "$/cancelRequest":
            self._cancel(params)
        elif self._phase is _Phase.RUNNING and (handler := self._notifications.get(method)):
            try:
                result = handler(params)
                if asyncio.iscoroutine(result) or asyncio.isfuture(result):
                    task = asyncio.ensure_future(result)
                    self._background.add(task)
                    task.add_done_callback(lambda task: self._notification_over(method, task))
            except ResponseError as error:
                self.problem(f"Dropped {method}: {error.message}")
            except (Exception, asyncio.CancelledError) as error:
                self.fault(f"while handling {method}", error)

    def _notification_over(self, method: str, task: asyncio.Future[Any]) -> None:
        self._background.discard(task)
        if task.cancelled():
            return
        error = task.exception()
        if isinstance(error, ResponseError):
            self.problem(f"Dropped {method}: {error.message}")
        elif error is not None:
            self.fault(f"while handling {method}", error)

    def _cancel(self, params: object) -> None:
        number = optional(params, "id", kind=int)
        named = optional(params, "id", kind=str)
        key = named if number is None else number
        task = self._running.get(key) if key is not None else None
        if task is not None:
            task.cancel()

    def _handle_request(self, number: int | str, method: str, params: object) -> None:
        refusal = self._refusal(number, method)
        if refusal is not None:
            self._answer_error(number, *refusal)
            return
        if method == "initialize":
            self._phase = _Phase.INITIALIZING
        elif method == "shutdown":
            self._phase = _Phase.SHUT_DOWN
        try:
            result = self._requests[method](params)
            if asyncio.iscoroutine(result) or asyncio.isfuture(result):
                task = asyncio.ensure_future(result)
                self._running[number] = task
                task.add_done_callback(lambda task: self._task_over(number, method, params, task))
                return
        except (Exception, asyncio.CancelledError) as error:
            self._answer_exception(number, method, error)
        else:
            self._answer_result(number, method, params, result)

    def _refusal(self, number: int | str, method: str) -> tuple[ErrorCode, str] | None:
        if method == "initialize":
            if self._phase is not _Phase.NEW:
                return ErrorCode.INVALID_REQUEST, "The server has been initialized already."
        elif self._phase in (_Phase.NEW, _Phase.INITIALIZING):
            return ErrorCode.SERVER_NOT_INITIALIZED, "The server has not been initialized yet."
        elif self._phase is _Phase.SHUT_DOWN:
            return ErrorCode.INVALID_REQUEST, "The server has been shut down."
        if method not in self._requests:
            return ErrorCode.METHOD_NOT_FOUND, f"This server has no method {method[:_SHOWN_METHOD]}."
        if number in self._running:
            return ErrorCode.INVALID_REQUEST, "A request with this id is still being answered."
        return None

    def _task_over(self, number: int | str, method: str, params: object, task: asyncio.Future[Any]) -> None:
        del self._running[number]
        if task.cancelled():
            self._answer_exception(
                number, method, ResponseError(ErrorCode.REQUEST_CANCELLED, "The request was cancelled.")
            )
        elif (error := task.exception()) is not None:
            self._answer_exception(number, method, error)
        else:
            self._answer_result(number, method, params, task.result())

    def _answer_result(self, number: int | str, method: str, params: object, result: object) -> None:
        try:
            data = encode({"id": number, "result": result})
        except (TypeError, ValueError, RecursionError) as error:
            self._answer_exception(number, method, error)
            return
        self._write(data)
        if method == "initialize":
            self._phase = _Phase.RUNNING
            self._initialized(params)

    def _answer_exception(self, number: int | str, method: str, error: BaseException) -> None:
        if method == "initialize":
            self._phase = _Phase.NEW
        if isinstance(error, ResponseError):
            self._answer_error(number, error.code, error.message, error.data)
        else:
            self.fault(f"while answering {method}", error)
            self._answer_error(number, ErrorCode.INTERNAL_ERROR, f"Internal error: {type(error).__name__}.")

    def _answer_error(self, number: int | str | None, code: int, message: str, data: object = None) -> None:
        error: dict[str, object] = {"code": int(code), "message": message}
        if data is not None:
            error["data"] = data
        self._send({"id": number, "error": error})

    def _handle_answer(self, message: dict[str, Any]) -> None:
        number = message.get("id")
        answer = self._asked.get(number) if isinstance(number, int) and not isinstance(number, bool) else None
        if answer is None or answer.done():
            return  # late, a second one, or to nothing we asked
        error = message.get("error")
        if error is None:
            answer.set_result(message.get("result"))
            return
        code = optional(error, "code", kind=int)
        text = optional(error, "message", kind=str)
        answer.set_exception(
            ResponseError(ErrorCode.INTERNAL_ERROR if code is None else code, text or "The client gave no reason.")
        )
        answer.exception()  # nobody needs to wait for an answer that does not matter

    def _request_over(self, number: int, answer: asyncio.Future[Any]) -> None:
        self._asked.pop(number, None)
        if answer.cancelled() and not self._ended:
            self.notify("$/cancelRequest", {"id": number})

    def _send(self, message: dict[str, Any]) -> None:
        try:
            data = encode(message)
        except (TypeError, ValueError, RecursionError) as error:
            self.fault(f"while sending {message.get('method', 'an answer')}", error)
            return
        self._write(data)
