"""Calls from the editor: documents of arguments, the calls that are out, and what they came to.

A call is made as a program makes it (`host.calling`, `host.pool`), under the same trust as describing. Flow values
cross to the client as text alone.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, TypeVar

from flow_lsp.analysis.call_documents import call_text
from flow_lsp.analysis.call_tools import ToolToCall, call_findings, tool_to_call
from flow_lsp.binding.model import Bound, CommandKey
from flow_lsp.files.paths import is_source
from flow_lsp.files.uris import normalized, path_of, uri_of
from flow_lsp.findings.model import Finding, shown
from flow_lsp.host.call_files import CallFiles, CallTarget
from flow_lsp.host.calling import Call, CallRefused, generic_types, prepare_json
from flow_lsp.host.host import binding_of, callable_tool
from flow_lsp.host.kept import KeptImplementations
from flow_lsp.host.pool import unbound_reason
from flow_lsp.host.process_host import ProcessLimits
from flow_lsp.host.process_life import LifeLimits
from flow_lsp.host.run import RunRefused
from flow_lsp.protocol.call_outcomes import CallOutcome, NotRun
from flow_lsp.server.call_progress import CallProgress, Token
from flow_lsp.server.call_results import LINES, CallResult, result_document
from flow_lsp.server.documents import Document
from flow_lsp.server.endpoint import MessageType
from flow_lsp.server.messages import ErrorCode, ResponseError
from flow_lsp.server.parameters import optional
from flow_lsp.server.showing import show_document
from flow_lsp.signature.identity import without_version

if TYPE_CHECKING:
    from flow_lsp.server.language_server import LanguageServer

NOT_SENT = NotRun("The call was cancelled before it was sent.")

_Result = TypeVar("_Result")


@dataclass(eq=False, slots=True)
class RunningCall:
    """A call that is out, or about to be. `document` is the key of its arguments."""

    document: str
    name: str
    identity: str
    progress: CallProgress
    cancelled: asyncio.Event = field(default_factory=asyncio.Event)
    stop: Callable[[], None] = lambda: None

    def cancel(self) -> None:
        """Asks to stop; its outcome still comes."""
        if not self.cancelled.is_set():
            self.cancelled.set()
            self.progress.report("being cancelled")
            self.stop()


@dataclass(frozen=True, slots=True)
class _Ended:
    """What a call came to, with the text of its arguments and the implementation's lines meanwhile."""

    outcome: CallOutcome
    args: str | None = None
    log: Sequence[str] = ()


class Calls:
    """Documents of arguments, and what is called with them. One for each session."""

    def __init__(self, server: LanguageServer) -> None:
        self._server = server
        self._files = CallFiles()
        self._targets: dict[str, CallTarget | None] = {}  # by the paths of documents that were asked about
        self._forms: dict[str, tuple[object, ToolToCall | str]] = {}
        self._running: list[RunningCall] = []
        self._tasks: set[asyncio.Task[Any]] = set()
        self._kept = KeptImplementations(self._limits, lambda key: server.asker.implementations.refusal(key))
        self._closing = False

    # -- documents ----------------------------------------------------------------------------------------

    def tool(self, path: str | None) -> ToolToCall | str | None:
        """The Tool whose arguments stand at `path`; a sentence where it cannot be called, None where the path is no
        document of ours, or its workspace is not read yet."""
        target = self._target(path) if path is not None else None
        if path is None or target is None or not self._server.checker.ready:
            return None
        self._server.sync_documents()  # the declaration counts as it is being typed
        project, analysis = self._server.project, self._server.analysis
        if target.file not in project.source_keys():
            where = "is not part of this workspace, or not there any more"
            return f"{shown(target.file)} {where}: open the folder that it belongs to."
        snapshot = project.snapshot()
        checked = analysis.checked(snapshot, target.file)
        known = self._forms.get(path)
        if known is None or known[0] is not checked:
            known = self._forms[path] = checked, tool_to_call(analysis, snapshot, target.file, target.name)
        return known[1]

    def findings(self, document: Document) -> Sequence[Finding]:
        """What is wrong with the arguments in an open document, as it stands."""
        found = self.tool(document.path)
        if found is None:
            return ()
        return call_findings(self._server.analysis, self._server.project.snapshot(), found, document.text.text)

    def running(self, uri: str) -> int:
        """How many calls with the arguments of the document `uri` are out."""
        return sum(call.document == normalized(uri) for call in self._running)

    async def open(self, uri: str, name: str) -> dict[str, Any]:
        """Opens the arguments of the Tool `name` of the source `uri`; their URI, and whether the client showed them.

        Raises ResponseError where there is no such Tool, or no place to keep them.
        """
        path = path_of(uri)
        if path is None or not is_source(path):
            raise ResponseError(ErrorCode.INVALID_PARAMS, "flow.call.open takes the URI of a .flow file and a Tool.")
        server = self._server
        await server.workspace_read()
        server.sync_documents()
        key = server.project.files.real(path)
        found = tool_to_call(server.analysis, server.project.snapshot(), key, name)
        if isinstance(found, str):
            raise ResponseError(ErrorCode.REQUEST_FAILED, found)
        declared = found.tool.declared
        signature = declared.signature
        assert signature is not None
        target = CallTarget(key, without_version(declared.identity), name, signature.fingerprint)
        place = self._files.path(target)
        opened = uri_of(place)
        is_open = server.documents.get(opened) is not None
        if not self._files.open(target, found.form.fresh(), found.form.carried, is_open=is_open):
            raise ResponseError(ErrorCode.REQUEST_FAILED, f"The arguments could not be kept as {shown(place)}.")
        self._targets[place] = target
        return {"uri": opened, "shown": await self._show(opened, f"The arguments of {shown(name)}", focus=True)}

    def _target(self, path: str) -> CallTarget | None:
        if path not in self._targets:
            self._targets[path] = self._files.target(path)
        return self._targets[path]

    async def _show(self, uri: str, what: str, *, focus: bool) -> bool:
        """Has the client show a document; whether it did. Nothing is shown any more while the session ends."""
        return not self._closing and await show_document(self._server, uri, what, focus=focus)

    # -- calls --------------------------------------------------------------------------------------------

    async def call(self, uri: str, token: Token | None) -> dict[str, Any]:
        """Calls with the arguments of the document `uri`; the outcome as JSON text, and the URI of the result.

        Cancelling the task that waits asks the implementation to stop; the result still comes to its document. Raises
        ResponseError where the URI is that of no document of ours.
        """
        path = path_of(uri)
        target = self._target(path) if path is not None else None
        document = self._server.documents.get(uri)
        text = document.text.text if document is not None else self._files.read(path) if path is not None else None
        if path is None or target is None or text is None:
            sentence = "flow.call takes the URI of a document of arguments, as flow.call.open gives it."
            raise ResponseError(ErrorCode.INVALID_PARAMS, sentence)
        progress = CallProgress(self._server.endpoint, token, self._server.client.work_done_progress)
        running = RunningCall(normalized(uri), target.name, target.identity, progress)
        self._running.append(running)
        task = asyncio.get_running_loop().create_task(self._call(running, path, text))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        try:
            return await asyncio.shield(task)
        except asyncio.CancelledError:
            running.cancel()
            raise

    def cancel(self, uri: str) -> int:
        """Asks to stop the calls with the arguments of the document `uri`; how many there were."""
        wanted = [call for call in self._running if call.document == normalized(uri)]
        for call in wanted:
            call.cancel()
        return len(wanted)

    def cancel_progress(self, params: Any) -> None:
        """window/workDoneProgress/cancel: asks to stop the call with that token."""
        tokens = optional(params, "token", kind=str), optional(params, "token", kind=int)
        for call in list(self._running):
            if call.progress.token is not None and call.progress.token in tokens:
                call.cancel()

    async def _call(self, running: RunningCall, path: str, text: str) -> dict[str, Any]:
        started, begun = time.time(), time.monotonic()
        running.progress.begin(f"Calling {shown(running.name)}")
        self._server.lenses.changed()
        ended = _Ended(NotRun("The host failed."))
        try:
            ended = await self._ended(running, path, text)
        finally:
            self._running.remove(running)
            seconds = time.monotonic() - begun
            result = CallResult(running.identity, ended.outcome, ended.args, started, seconds, ended.log)
            running.progress.end(result.summary)
            self._server.lenses.changed()
        written = await asyncio.to_thread(lambda: self._files.write_result(path, result_document(result)))
        uri = uri_of(written) if written is not None else None
        what = f"{shown(running.name)}: {result.summary}"
        if written is None:
            lost = f"{what}. The result could not be kept beside its arguments: {shown(result.outcome_text)}"
            self._server.endpoint.notify("window/showMessage", {"type": int(MessageType.WARNING), "message": lost})
        return {
            "outcome": result.outcome_text,
            "uri": uri,
            "shown": uri is not None and await self._show(uri, what, focus=False),
        }

    async def _ended(self, running: RunningCall, path: str, text: str) -> _Ended:
        unread = await _unless(running, self._server.workspace_read())
        if isinstance(unread, NotRun):
            return _Ended(unread)
        self._server.sync_documents()
        found = self.tool(path)
        prepared = _prepared(found, text)
        if found is None or isinstance(found, str) or isinstance(prepared, NotRun):
            return _Ended(prepared if isinstance(prepared, NotRun) else NotRun("There is no such Tool."))
        snapshot = self._server.project.snapshot()
        binding = binding_of(snapshot, found.key, found.tool.declared)
        if not isinstance(binding, Bound):
            return _Ended(NotRun(unbound_reason(binding)), prepared.args)
        running.progress.report("waiting for your consent")
        refused = await _unless(running, self._server.asker.consent(binding.key))
        if refused is not None:
            return _Ended(refused if isinstance(refused, NotRun) else NotRun(refused), prepared.args)
        return await self._sent(running, prepared, binding)

    async def _sent(self, running: RunningCall, prepared: Call, binding: Bound) -> _Ended:
        kept = self._kept.lease(binding.key)
        first = kept.count
        try:
            running.progress.report(f"starting {shown(binding.key.command)}")
            run = await _unless(running, self._kept.run(kept, prepared.tool, binding))
            if isinstance(run, NotRun):
                return _Ended(run, prepared.args, kept.since(first, LINES))
            if isinstance(run, RunRefused):
                return _Ended(NotRun(run.problems[0].reason), prepared.args, kept.since(first, LINES))
            call = replace(prepared, run=run.id, call=run.next_id())
            running.progress.report("running")
            running.stop = lambda: run.cancel(call)
            outcome = await run.send(call)
            return _Ended(outcome, prepared.args, kept.since(first, LINES))
        finally:
            self._kept.release(kept)

    # -- what runs ----------------------------------------------------------------------------------------

    def look(self, wanted: Callable[[CommandKey], bool]) -> None:
        """Lets go of implementations whose files changed, and of those that nobody wants any more."""
        self._kept.look(wanted)

    def settings_changed(self) -> None:
        """What may run may be less: what may not is ended."""
        task = asyncio.get_running_loop().create_task(self._kept.stop_refused())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def close(self) -> None:
        """Ends everything; what is out comes to its outcome, and that to its document."""
        self._closing = True
        for call in self._running:
            call.cancelled.set()
        await self._kept.close()
        if self._tasks:
            await asyncio.wait(self._tasks)

    def _limits(self) -> ProcessLimits:
        return ProcessLimits(LifeLimits(describe=self._server.project.settings.describe_timeout))


def _prepared(found: ToolToCall | str | None, text: str) -> Call | NotRun:
    """The call with the arguments of `text`, checked before anything is started; its ids are put later."""
    if found is None or isinstance(found, str):
        return NotRun(found or "These are no arguments that were opened for a Tool.")
    said = call_text(found.form, text)
    if isinstance(said, str):
        return NotRun(said)
    tool = callable_tool(found.tool)
    if isinstance(tool, str):
        return NotRun(tool)
    types = generic_types(tool, said.bound.terms, said.bound.declarations) if tool.spec.generic else tool.types
    if isinstance(types, CallRefused):
        return NotRun(types.sentence)
    call = prepare_json("", "", tool, types, said.args)
    if isinstance(call, CallRefused):
        at = f" (at {call.pointer})" if call.pointer else ""
        return NotRun(f"{call.sentence.rstrip('.')}{at}.")
    return call


async def _unless(running: RunningCall, wait: Coroutine[Any, Any, _Result]) -> _Result | NotRun:
    """What `wait` gives; NOT_SENT where the call is cancelled before."""
    loop = asyncio.get_running_loop()
    task, stop = loop.create_task(wait), loop.create_task(running.cancelled.wait())
    await asyncio.wait({task, stop}, return_when=asyncio.FIRST_COMPLETED)
    stop.cancel()
    if running.cancelled.is_set():
        task.cancel()
        return NOT_SENT
    return task.result()
