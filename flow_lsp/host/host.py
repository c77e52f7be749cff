"""The host as an application embeds it: the Tools of a folder, what answers them, and runs that call them.

    async with Host("tools", overrides={"search.find": find}) as host:
        run = await host.start_run()
        if isinstance(run, Run):
            outcome = await run.call("search.find", {"query": "flow"})

Commands of the folder's manifests run: whoever makes a Host trusts them, or passes `runs_commands=False`.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from functools import cached_property

from flow_lsp.analysis.checks.implementations import DeclaredTool
from flow_lsp.analysis.engine import Analysis, FileTool
from flow_lsp.analysis.snapshot import Snapshot
from flow_lsp.binding.model import Binding, CommandKey
from flow_lsp.binding.nearest import overridden
from flow_lsp.files.workspace import WorkspaceFiles
from flow_lsp.findings.model import shown
from flow_lsp.host.calling import CallableTool
from flow_lsp.host.pool import Override, Pool
from flow_lsp.host.process_host import ProcessLimits
from flow_lsp.host.project import Project
from flow_lsp.host.run import Run, RunRefused


class Host:
    """Makes runs over the declarations of one folder. Close it, or use it as a context."""

    def __init__(
        self,
        folder: str = ".",
        *,
        overrides: Mapping[str, Override] | None = None,
        runs_commands: bool = True,
        limits: ProcessLimits | None = None,
        log: Callable[[CommandKey, str], None] | None = None,
    ) -> None:
        """`overrides` maps a declaration's identity to an async or plain function, or to a command."""
        self._project = Project(WorkspaceFiles([os.path.abspath(folder)]))
        self._analysis = Analysis()
        self._overrides = dict(overrides or {})
        refused = None if runs_commands else "This host runs no commands of the workspace."
        self._pool = Pool(self._overrides, limits, log, lambda _: refused)

    async def __aenter__(self) -> Host:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    @property
    def tools(self) -> Mapping[str, CallableTool]:
        """The Tools that the folder declares and whose signature is known, by identity."""
        return {identity: tool for identity, (tool, _) in self._declared.items()}

    async def start_run(self, identities: Iterable[str] | None = None, run_id: str | None = None) -> Run | RunRefused:
        """A run that may call the Tools `identities`, by default all; or why it is refused.

        Raises KeyError for a Tool that the folder does not declare. Programs are started and asked what they serve.
        """
        wanted = list(self._declared if identities is None else identities)
        return await self._pool.start_run([self._declared[identity] for identity in wanted], run_id)

    async def close(self) -> None:
        """Ends everything that runs for this host."""
        await self._pool.close()

    @cached_property
    def _declared(self) -> dict[str, tuple[CallableTool, Binding]]:
        self._project.load()
        snapshot = self._project.snapshot()
        found: dict[str, tuple[CallableTool, Binding]] = {}
        for key in self._project.source_keys():
            for tool in self._analysis.tools(snapshot, key):
                made = callable_tool(tool)
                if isinstance(made, CallableTool):
                    found.setdefault(made.identity, (made, snapshot.binding_of(key)))
        unknown = [identity for identity in self._overrides if identity not in found]
        if unknown:
            raise KeyError(f"No Tool of {self._project.files.folders[0]} has the identity {unknown[0]!r}.")
        return found


def callable_tool(tool: FileTool) -> CallableTool | str:
    """`tool` as calls need it; a sentence where its declaration has an error."""
    spec, signature = tool.declaration.spec, tool.declared.signature
    if tool.declaration.refused or spec is None or signature is None:
        return f"The declaration of `{shown(tool.declared.name)}` has an error; `flow-lsp check` shows it."
    return CallableTool(tool.declared.identity, tool.declared.name, spec, signature)


def binding_of(snapshot: Snapshot, key: str, tool: DeclaredTool) -> Binding:
    """What binds `tool`, declared in the file `key`: the user's override, else the nearest manifest."""
    return overridden(snapshot.binding_of(key), tool.identity, snapshot.settings.overrides)
