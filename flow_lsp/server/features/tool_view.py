"""flow/tools and flow/toolsDidChange: all Tools of the workspace, for an editor's view of them (docs/editors.md).

What each file gives is kept as JSON, for as long as nothing that it is made of is another; so an edit makes one file
anew. That is done when everything has been checked and nothing more is typed, in slices.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from flow_lsp.analysis.lenses import ToolLens
from flow_lsp.analysis.snapshot import Snapshot
from flow_lsp.analysis.tool_tree import WITHOUT_MANIFEST, TreeTool, doing, place_label, tree_file, tree_stamp
from flow_lsp.server import commands
from flow_lsp.server.call_progress import PATIENCE
from flow_lsp.server.convert import lsp_ranges
from flow_lsp.server.messages import JsonText, json_text
from flow_lsp.server.slices import worked_off

if TYPE_CHECKING:
    from flow_lsp.binding.model import ManifestFile
    from flow_lsp.server.language_server import LanguageServer

MOST_TOOLS = 5_000  # of one answer; a person finds nothing in more
BETWEEN = 0.25  # seconds between two notifications
READING = "Reading the workspace"
_TRIES = 3  # of making everything in slices while somebody types


@dataclass(frozen=True, slots=True)
class _Known:
    """What one file gave. `stamp` is what it was made of, last known to hold for `quick`, which is compared at once;
    `tools` are JSON texts, of at most MOST_TOOLS; `uri` is empty, and `count` 0, where it declares no Tool."""

    quick: tuple[object, ...]
    stamp: object
    uri: str = ""
    label: str = ""
    manifest: str | None = None
    tools: tuple[str, ...] = ()
    count: int = 0
    unfit: int = 0

    def says(self) -> tuple[object, ...]:
        """All that is shown of it."""
        return self.uri, self.label, self.manifest, self.tools, self.count, self.unfit


def answer(server: LanguageServer, params: Any) -> Any:  # noqa: ARG001 - there are none so far
    """flow/tools: all Tools, from the last snapshot."""
    return server.tool_view.answer()


class ToolView:
    """Answers with all Tools, and tells the client when they are others."""

    def __init__(self, server: LanguageServer) -> None:
        self._server = server
        self._files: dict[str, _Known] = {}
        self._whole: Snapshot | None = None  # the one that `_files` is of, all of it
        self._around: tuple[int, Mapping[str, ManifestFile]] | None = None  # what more than one file depends on
        self._epoch = 0  # another for each of these
        self._changes = 0
        self._told: object = None
        self._counts = (0, 0)
        self._next = 0.0  # when the next notification may go, on the clock of `time.monotonic`
        self._again = False
        self._telling: asyncio.Task[None] | None = None
        self._begun: asyncio.TimerHandle | None = None
        server.endpoint.on_close(self._close)

    def begin(self) -> None:
        """The workspace is being read, which is said where it takes long; from here on the client is told."""
        self._server.looks.append(self.look)
        self._begun = asyncio.get_running_loop().call_later(PATIENCE, self.look)

    def look(self) -> None:
        """Tells the client, when there is time for it, where something is another by now."""
        self._again = True
        if self._telling is None or self._telling.done():
            self._telling = asyncio.get_running_loop().create_task(self._tell())

    def _close(self) -> None:
        if self._begun is not None:
            self._begun.cancel()
        if self._telling is not None:
            self._telling.cancel()

    async def answer(self) -> JsonText:
        """All Tools. Waits for the workspace to be read, where it has not been, and for no process."""
        await self._server.workspace_read()
        for _ in range(_TRIES):
            self._server.sync_documents()
            snapshot = self._server.project.snapshot()
            if self._whole is snapshot:
                break
            await worked_off(self._steps(snapshot))
        else:
            self._server.sync_documents()
            snapshot = self._server.project.snapshot()
            for _ in self._steps(snapshot):
                pass
        return self._written(snapshot)

    # -- telling ------------------------------------------------------------------------------------------

    async def _tell(self) -> None:
        while self._again:
            pause = self._next - time.monotonic()
            if pause > 0:
                await asyncio.sleep(pause)
            self._again = False
            try:
                await self._tell_once()
            except Exception as error:
                self._server.endpoint.fault("while looking at all Tools", error)

    async def _tell_once(self) -> None:
        if self._server.reading:
            self._notify(READING)
            return
        snapshot = self._server.project.snapshot()
        if self._whole is not snapshot:
            await worked_off(self._steps(snapshot))
        if self._whole is snapshot:
            known = self._files.values()
            self._counts = sum(file.count for file in known), sum(file.unfit for file in known)
        elif self._told is None:
            return
        # What changed meanwhile is told when it has been checked: then there is another look.
        self._notify(doing(self._server.project.snapshot()))

    def _notify(self, sentence: str | None) -> None:
        now = self._counts, sentence, self._changes
        if now != self._told:
            self._told = now
            self._next = time.monotonic() + BETWEEN
            tools, unfit = self._counts
            params = {"tools": tools, "unfit": unfit, "doing": sentence}
            self._server.endpoint.notify("flow/toolsDidChange", params)

    # -- what each file gives -----------------------------------------------------------------------------

    def _steps(self, snapshot: Snapshot) -> Iterator[None]:
        """Makes what is not of `snapshot`, a file each; ends early where there is a newer one."""
        project = self._server.project
        keys = project.source_keys()
        around = snapshot.surroundings, snapshot.manifests
        if around != self._around:
            self._around = around
            self._epoch += 1
        for key in keys:
            if project.snapshot() is not snapshot:
                return
            self._look_at(snapshot, key)
            yield
        if project.snapshot() is not snapshot:
            return
        for key in self._files.keys() - set(keys):
            self._changes += self._files.pop(key).count > 0
        self._whole = snapshot

    def _look_at(self, snapshot: Snapshot, key: str) -> None:
        files, analysis = self._server.project.files, self._server.analysis
        place = files.spelling(key), files.is_open(key)
        quick = (analysis.checked(snapshot, key), self._epoch, *place)
        known = self._files.get(key)
        if known is not None and known.quick == quick:
            return
        stamp = tree_stamp(analysis, snapshot, key), place
        if known is not None and known.stamp == stamp:
            self._files[key] = replace(known, quick=quick)
            return
        made = self._made(snapshot, key, quick, stamp)
        before = known if known is not None else _Known((), None)
        self._changes += before.says() != made.says()
        self._files[key] = made

    def _made(self, snapshot: Snapshot, key: str, quick: tuple[object, ...], stamp: object) -> _Known:
        file = tree_file(self._server.analysis, snapshot, key)
        place = self._server.checker.place(key) if file is not None else None
        if file is None or place is None:
            return _Known(quick, stamp)
        uri, index = place
        tools = file.tools[:MOST_TOOLS]
        ranges = lsp_ranges([tool.span for tool in tools], index, self._server.documents.encoding)
        texts = tuple([json_text(_tool(tool, where)) for tool, where in zip(tools, ranges, strict=True)])
        return _Known(quick, stamp, uri, file.label, file.manifest, texts, len(file.tools), file.unfit)

    # -- the answer ---------------------------------------------------------------------------------------

    def _written(self, snapshot: Snapshot) -> JsonText:
        known = [file for file in self._files.values() if file.count]
        groups: dict[str | None, list[_Known]] = {}
        for file in known:
            groups.setdefault(file.manifest, []).append(file)
        labelled = [
            (path is None, WITHOUT_MANIFEST if path is None else place_label(snapshot, path), path or "")
            for path in groups
        ]
        left = MOST_TOOLS
        manifests = []
        for is_none, label, path in sorted(labelled):
            files = []
            for file in sorted(groups[None if is_none else path], key=lambda file: (file.label, file.uri)):
                if left > 0:
                    files.append(_file_text(file, file.tools[:left]))
                    left -= len(file.tools)
            place = None if is_none else self._server.checker.place(path)
            if files:
                uri = json_text(place[0] if place is not None else None)
                manifests.append(f'{{"uri":{uri},"label":{json_text(label)},"files":[{",".join(files)}]}}')
        count, unfit = sum(file.count for file in known), sum(file.unfit for file in known)
        truncated = json_text(count > MOST_TOOLS)
        text = f'{{"manifests":[{",".join(manifests)}],"tools":{count},"unfit":{unfit},"truncated":{truncated}}}'
        return JsonText(text)


def _file_text(file: _Known, tools: Sequence[str]) -> str:
    return f'{{"uri":{json_text(file.uri)},"label":{json_text(file.label)},"tools":[{",".join(tools)}]}}'


def _tool(tool: TreeTool, place: dict[str, Any]) -> dict[str, Any]:
    return {
        "name": tool.name,
        "identity": tool.identity,
        "range": place,
        "state": tool.state,
        "text": tool.lens.state,
        "detail": tool.detail,
        "implementation": tool.implementation,
        "asOf": tool.as_of,
        "standing": tool.standing,
        "commands": _commands(tool.lens),
    }


def _commands(lens: ToolLens) -> list[str]:
    """The commands that can be run now for a Tool, in the order of its lenses."""
    can = {
        commands.DESCRIBE: lens.asks,
        commands.CHANGES: lens.drifted,
        commands.CALL_OPEN: lens.callable,
        commands.SCHEMA: lens.has_schema,
        commands.PAGE: lens.has_schema,
    }
    return [name for name, possible in can.items() if possible]
