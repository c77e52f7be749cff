"""The progress of one call, or of reading the workspace, where the client shows it (LSP 3.17, "Work Done Progress")."""

from __future__ import annotations

import asyncio
import time
import uuid
from collections.abc import Callable, Iterator

from flow_lsp.server.endpoint import Endpoint
from flow_lsp.server.messages import ResponseError

Token = int | str

PATIENCE = 0.5  # seconds of reading before anything is shown
BETWEEN = 0.25  # seconds between two reports


class CallProgress:
    """Shows one call from `begin` to `end`. Where it is `cancellable`, the client may cancel it by its token."""

    def __init__(self, endpoint: Endpoint, given: Token | None, creates: bool, *, cancellable: bool = True) -> None:
        """`given` is a token that came with the request; without one, and where the client `creates` progress, it is
        asked to make one."""
        self._cancellable = cancellable
        self._endpoint = endpoint
        self._given = given
        self.token: Token | None = given
        if given is None and creates:
            self.token = f"flow-call-{uuid.uuid4().hex}"
        self._creating: asyncio.Task[None] | None = None
        self._begun = self._ended = False
        self._message = ""

    def begin(self, title: str) -> None:
        """The call has begun."""
        if self._given is not None:
            self._begin(title)
        elif self.token is not None:
            self._creating = asyncio.get_running_loop().create_task(self._create(title))

    def report(self, message: str) -> None:
        """What is done at the moment."""
        self._message = message
        if self._begun and not self._ended:
            self._send({"kind": "report", "message": message})

    def end(self, message: str) -> None:
        """It is over; what it came to."""
        if self._begun and not self._ended:
            self._send({"kind": "end", "message": message})
        elif self._creating is not None:
            self._creating.cancel()
        self._ended = True

    async def _create(self, title: str) -> None:
        try:
            await self._endpoint.request("window/workDoneProgress/create", {"token": self.token})
        except ResponseError:
            return
        self._begin(title)

    def _begin(self, title: str) -> None:
        self._begun = True
        value: dict[str, object] = {"kind": "begin", "title": title, "cancellable": self._cancellable}
        if self._message:
            value["message"] = self._message
        self._send(value)

    def _send(self, value: dict[str, object]) -> None:
        self._endpoint.notify("$/progress", {"token": self.token, "value": value})


def shown_reading(
    steps: Iterator[int], endpoint: Endpoint, creates: bool, clock: Callable[[], float] = time.monotonic
) -> Iterator[int]:
    """`steps` of reading a workspace, each with how many files were read; shown where they take long."""
    shown: CallProgress | None = None
    due = clock() + PATIENCE
    try:
        for count in steps:
            now = clock()
            if now >= due:
                due = now + BETWEEN
                if shown is None:
                    shown = CallProgress(endpoint, None, creates, cancellable=False)
                    shown.begin("Reading the workspace")
                shown.report(f"{count:,} files")
            yield count
    finally:
        if shown is not None:
            shown.end("read")
