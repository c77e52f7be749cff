"""The implementations that a host has running, and which of them answers a declaration.

Realizes "Binding": the host's override by identity first, then the manifest; one process for each manifest's
directory and command, however many runs use it; an MCP server for each run.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Any

from flow_lsp.binding.model import Binding, Bound, CommandKey, Origin, Refused, UnboundReason
from flow_lsp.findings.model import shown
from flow_lsp.host.calling import CallableTool
from flow_lsp.host.functions import FunctionImplementation
from flow_lsp.host.implementing import Implementation
from flow_lsp.host.process_host import ProcessImplementation, ProcessLimits
from flow_lsp.host.run import BoundTool, Run, RunRefused, new_run_id, start_run
from flow_lsp.manifest.model import BindingKind
from flow_lsp.manifest.toml_writing import table_header

Override = Callable[..., Any] | CommandKey
"""What answers a declaration in place of its manifest's table: a function, or a command and where it runs."""


class Pool:
    """Starts nothing before a run needs it. `log(key, sentence)` is given what is worth knowing of a process."""

    def __init__(
        self,
        overrides: Mapping[str, Override] | None = None,
        limits: ProcessLimits | None = None,
        log: Callable[[CommandKey, str], None] | None = None,
        refuses: Callable[[CommandKey], str | None] | None = None,
    ) -> None:
        """`refuses(key)` says in a sentence why a command may not run, and None where it may."""
        self._refuses = refuses or (lambda _key: None)
        self._overrides = dict(overrides or {})
        self._limits = limits or ProcessLimits()
        self._log = log or (lambda _key, _sentence: None)
        self._processes: dict[CommandKey, ProcessImplementation] = {}
        self._functions: dict[str, FunctionImplementation] = {}
        self._servers: dict[str, list[Implementation]] = {}  # MCP servers, by the run that they serve

    async def start_run(
        self, tools: Iterable[tuple[CallableTool, Binding]], run_id: str | None = None
    ) -> Run | RunRefused:
        """The run that may call `tools`, each with its binding by the manifests; or why it is refused, and then
        nothing that was started for it alone goes on."""
        given = list(tools)
        servers = self._mcp_servers(given)
        bound = [self._bound(tool, binding, servers) for tool, binding in given]
        run_id = run_id or new_run_id()
        own = self._servers.setdefault(run_id, [])
        own.extend(servers.values())  # before they start, so that `close` knows of them
        started = await start_run(bound, run_id)
        if isinstance(started, RunRefused):
            for server in servers.values():
                with suppress(ValueError):
                    own.remove(server)
            await _close(servers.values())
        if not own and self._servers.get(run_id) is own:
            del self._servers[run_id]
        return started

    async def end_run(self, run: Run) -> None:
        """Ends what serves `run` alone."""
        await _close(self._servers.pop(run.id, ()))

    async def let_go(self, key: CommandKey) -> None:
        """Ends the process of `key`: its files changed, or it is bound to nothing any more."""
        found = self._processes.pop(key, None)
        if found is not None:
            await found.close()

    async def close(self) -> None:
        """Ends everything; nothing is left when this returns."""
        servers = [server for several in self._servers.values() for server in several]
        everything: list[Implementation] = [*self._processes.values(), *self._functions.values(), *servers]
        self._processes, self._functions, self._servers = {}, {}, {}
        await _close(everything)

    def _bound(self, tool: CallableTool, binding: Binding, servers: Mapping[CommandKey, Implementation]) -> BoundTool:
        override = self._overrides.get(tool.identity)
        if isinstance(override, CommandKey):
            binding = Bound(override, Origin.OVERRIDE)
            override = None
        if override is not None:
            known = self._functions.get(tool.identity)
            if known is None:
                known = self._functions[tool.identity] = FunctionImplementation(override)
            return BoundTool(tool, known)
        if not isinstance(binding, Bound):
            return BoundTool(tool, None, unbound_reason(binding))
        reason = self._refuses(binding.key)
        if reason is not None:
            return BoundTool(tool, None, reason)
        if binding.kind is BindingKind.MCP:
            return BoundTool(tool, servers[binding.key])
        return BoundTool(tool, self._process(binding.key))

    def _process(self, key: CommandKey) -> ProcessImplementation:
        known = self._processes.get(key)
        if known is None:
            known = self._processes[key] = ProcessImplementation(key, self._limits, self._logger(key))
        return known

    def _mcp_servers(self, tools: Sequence[tuple[CallableTool, Binding]]) -> dict[CommandKey, Implementation]:
        """One new server for each MCP command, with the declarations it is to answer."""
        wanted: dict[CommandKey, list[CallableTool]] = {}
        for tool, binding in tools:
            if tool.identity not in self._overrides and isinstance(binding, Bound) and binding.kind is BindingKind.MCP:
                wanted.setdefault(binding.key, []).append(tool)
        if not wanted:
            return {}
        from flow_lsp.host.mcp_host import McpImplementation

        return {key: McpImplementation(key, asked, self._limits, self._logger(key)) for key, asked in wanted.items()}

    def _logger(self, key: CommandKey) -> Callable[[str], None]:
        return lambda sentence: self._log(key, sentence)


def unbound_reason(binding: Binding) -> str:
    """Why nothing answers a declaration, as a sentence with the remedy."""
    if isinstance(binding, Refused):
        return f"{shown(binding.manifest)} has an error, which refuses the run. `flow-lsp check` shows it."
    if isinstance(binding, Bound):
        return ""
    if binding.reason is UnboundReason.NO_MANIFEST:
        return "It is not bound: no flow.toml stands in its file's directory or above it."
    return f"It is not bound: {shown(binding.manifest)} has no table {table_header(binding.key)}."


async def _close(implementations: Iterable[Implementation]) -> None:
    await asyncio.gather(*(each.close() for each in implementations))
