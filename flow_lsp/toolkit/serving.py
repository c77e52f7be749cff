"""A process that answers calls, from the first one to its end.

The main thread runs the event loop of async functions; one thread reads, one ends the process. So messages are handled
also while a function blocks the loop, and the process ends also then.

The end comes with that of the input, with SIGTERM or SIGINT, or when nobody reads what is written. Functions that run
get a grace, less than the one that a host gives; then those on the loop are cancelled, what is open is answered
Unknown, and all that was written goes out. Then `serve` returns to the author's own program, unless the loop is
blocked.
"""

from __future__ import annotations

import asyncio
import os
import signal
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from queue import SimpleQueue
from typing import Any, Final

from flow_lsp.protocol.serving import ServingConnection
from flow_lsp.toolkit.calls import Calls, running_text
from flow_lsp.toolkit.leaving import watch_threads
from flow_lsp.toolkit.program import Program
from flow_lsp.toolkit.served import ServedTools, describe_listing
from flow_lsp.toolkit.streams import flush_streams, report, say
from flow_lsp.toolkit.writing import Writer

GRACE: Final = 1.5  # seconds that functions get to end by themselves; a host waits 2
LAST: Final = 0.2  # seconds that they get once they were told to stop
_PATIENCE: Final = 0.4  # seconds in which the host reads something of what was written, or is given up
_LEAVING: Final = 1.0  # seconds in which the event loop comes to its end
_READ_SIZE: Final = 64 * 1024


class Serving:
    """One process that serves `program` with `functions`, by identity, on the descriptors `source` and `target`."""

    def __init__(self, program: Program, functions: Mapping[str, Callable[..., Any]], source: int, target: int) -> None:
        self._source = source
        self._ends: SimpleQueue[None] = SimpleQueue()  # one for each reason to end; a signal's handler may put into it
        self._stopping = False
        self._left = threading.Event()
        self._loop = asyncio.new_event_loop()
        self._writer = Writer(target, self._end)
        connection = ServingConnection(describe_listing(program))
        self._calls = Calls(ServedTools(program), functions, connection, self._writer, self._loop)

    def serve(self, begun: bytes) -> None:
        """Answers until the end. `begun` is what was read of the input already."""
        threading.Thread(target=self._read, args=(begun,), name="flow-reader", daemon=True).start()
        threading.Thread(target=self._finish, name="flow-end", daemon=True).start()
        with self._signals():
            while not self._stopping:
                try:
                    self._loop.run_forever()
                except (KeyboardInterrupt, SystemExit) as error:  # of the author's own task; its awaiter has it too
                    report("A task raised what ends programs; the process goes on.", error)
            self._close_loop()
            self._left.set()
        self._writer.close()
        watch_threads()

    def _end(self) -> None:
        self._ends.put(None)

    # -- reading ----------------------------------------------------------------------------------------------

    def _read(self, begun: bytes) -> None:
        try:
            data = begun
            while True:
                if data:
                    self._calls.receive(data)
                self._writer.wait_for_room()
                data = os.read(self._source, _READ_SIZE)
                if not data:
                    break
            self._calls.end_of_input()
        except BaseException as error:
            report("Standard input cannot be read; the process ends.", error)
        self._end()

    # -- the end ----------------------------------------------------------------------------------------------

    def _finish(self) -> None:
        """Waits for a reason to end, and ends."""
        self._ends.get()
        running = self._calls.end(GRACE, LAST)
        if running:
            say(f"the process ends while these functions run: {running_text(running)}.")
        self._writer.flush(_PATIENCE)
        self._stopping = True
        self._loop.call_soon_threadsafe(self._loop.stop)
        if not self._left.wait(_LEAVING):
            say("the event loop is blocked by a function that does not await; the process ends at once.")
            flush_streams()
            os._exit(0)

    def _close_loop(self) -> None:
        """Cancels what the author's functions left on the loop."""
        tasks = asyncio.all_tasks(self._loop)
        for task in tasks:
            task.cancel()
        with suppress(KeyboardInterrupt, SystemExit):
            if tasks:
                self._loop.run_until_complete(asyncio.wait(tasks, timeout=LAST))
            self._loop.run_until_complete(self._loop.shutdown_asyncgens())
        self._loop.close()

    @contextmanager
    def _signals(self) -> Iterator[None]:
        """Has SIGTERM and SIGINT end the process in order, unless the author's program or whoever started it wants
        something else of them."""
        replaced: dict[signal.Signals, Any] = {}
        if threading.current_thread() is threading.main_thread():
            for number in (signal.SIGTERM, signal.SIGINT):
                before = signal.getsignal(number)
                if before in (signal.SIG_DFL, signal.default_int_handler):
                    replaced[number] = signal.signal(number, lambda *_: self._end())
        try:
            yield
        finally:
            for number, before in replaced.items():
                signal.signal(number, before)
