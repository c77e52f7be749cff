"""Findings and hovers for the files of a snapshot. What an earlier snapshot shares with it is kept.

The result depends on the snapshot alone; what `Analysis` remembers changes only the time it takes. What reads
declarations is imported when the first one is met: the first answer about a flow.toml needs none of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from functools import partial
from posixpath import join
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from flow_lsp.analysis.checks.implementations import DeclaredTool, Said, check_implementation
from flow_lsp.analysis.checks.tables import check_commands, table_findings
from flow_lsp.analysis.snapshot import Settings, Snapshot
from flow_lsp.binding.model import Bound, CommandKey, ManifestFile, table_command
from flow_lsp.binding.nearest import overridden
from flow_lsp.findings import manifest_rules, source_rules
from flow_lsp.findings.model import Finding, Rule, Severity
from flow_lsp.manifest.model import Manifest, ToolTable
from flow_lsp.signature.identity import without_version
from flow_lsp.text.spans import Span

if TYPE_CHECKING:
    from flow_lsp.analysis.program import SnapshotProgram
    from flow_lsp.schema.projection import Projector
    from flow_lsp.signature.signature import Signature
    from flow_lsp.source.declarations import CheckedFile, ToolDeclaration
    from flow_lsp.source.files import Memory
    from flow_lsp.types.terms import Template


MOST_FINDINGS = 1_000  # of a source


@dataclass(frozen=True, slots=True)
class FileTool:
    """A Tool of a file: its declaration, and as the binding checks see it."""

    declaration: ToolDeclaration
    declared: DeclaredTool


@dataclass(slots=True)
class _TableMemory:
    """What was said at the tables of one manifest, for one state of its surroundings."""

    stamp: object
    said: dict[int, tuple[ToolTable, Sequence[Finding]]]


@dataclass(slots=True)
class _ToolMemory:
    """What was said of the bindings of one source's Tools, for one state of its surroundings and binding; spans
    count from each Tool's item."""

    stamp: object
    said: Mapping[ToolDeclaration, Said]


class Analysis:
    """Answers about snapshots. One owner; not for several threads at once."""

    def __init__(self) -> None:
        self._memory: Memory | None = None
        self._checked: dict[str, CheckedFile] = {}
        self._signatures: WeakKeyDictionary[ToolDeclaration, Signature | None] = WeakKeyDictionary()
        self._projector: tuple[CheckedFile, Projector] | None = None
        self._tables: dict[str, _TableMemory] = {}
        self._tools: dict[str, _ToolMemory] = {}
        self._program: tuple[Snapshot, SnapshotProgram] | None = None
        self._current: set[str] = set()  # files whose checks are known to hold in the snapshot of `_program`
        self._rules: dict[tuple[Rule, Severity], Rule] = {}

    # -- findings ---------------------------------------------------------------------------------------

    def findings(self, snapshot: Snapshot, key: str) -> Sequence[Finding]:
        """All findings of the source or manifest `key`."""
        directory, _, name = key.rpartition("/")
        if name == "flow.toml":
            return self.manifest_findings(snapshot, directory or "/")
        return self.source_findings(snapshot, key)

    def source_findings(self, snapshot: Snapshot, key: str) -> Sequence[Finding]:
        """All findings of the source `key`: its own, and those about its bindings."""
        problem = snapshot.source_problems.get(key)
        if problem is not None:
            return self._shown(snapshot, [source_rules.UNREADABLE_SOURCE.at(Span(0, 0), reason_text=problem)])
        checked = self.checked(snapshot, key)
        if checked is None:
            return ()
        own = self._shown(snapshot, checked.findings)
        return _most_severe([*own, *self._tool_findings(snapshot, key, checked)])

    def _tool_findings(self, snapshot: Snapshot, key: str, checked: CheckedFile) -> Iterator[Finding]:
        """What is said of the bindings of the Tools; an edit makes few of them other objects."""
        of_file = snapshot.binding_of(key)
        stamp = snapshot.surroundings, of_file
        memory = self._tools.get(key)
        known = memory.said if memory is not None and memory.stamp == stamp else {}
        said: dict[ToolDeclaration, Said] = {}
        failed: set[CommandKey] = set()
        for tool in checked.tools:
            if tool.refused:
                continue
            one = known.get(tool)
            if one is None:
                span, signature = tool.item.name_span, partial(self._signature, checked, tool)
                declared = DeclaredTool(tool.name, tool.identity, span, signature)
                one = check_implementation(snapshot, key, of_file, declared)
                one = replace(one, findings=self._shown(snapshot, one.findings))
            said[tool] = one
            if one.findings and one.failed not in failed:
                offset = checked.offset_of(tool)
                for finding in one.findings:
                    yield finding.shifted(offset)
                if one.failed is not None:
                    failed.add(one.failed)
        self._tools[key] = _ToolMemory(stamp, said)

    def loose_findings(self, name: str, text: str, settings: Settings | None = None) -> Sequence[Finding]:
        """The findings of Flow text that is no file: it has no binding and imports nothing."""
        from flow_lsp.analysis.program import SnapshotProgram
        from flow_lsp.source.program import check_file
        from flow_lsp.source.reader import read_source

        source = read_source(text)
        snapshot = Snapshot(sources={name: source}, settings=settings or Settings())
        checked = check_file(SnapshotProgram(snapshot), name)
        return self._shown(snapshot, checked.findings) if checked is not None else ()

    def manifest_findings(self, snapshot: Snapshot, directory: str) -> Sequence[Finding]:
        """All findings of the flow.toml in `directory`: its own rules, and what its surroundings say."""
        file = snapshot.manifests.get(directory)
        if file is None:
            return ()
        if file.manifest is None:
            finding = manifest_rules.UNREADABLE_MANIFEST.at(Span(0, 0), reason_text=file.problem or "")
            return self._shown(snapshot, [finding])
        declared_by = partial(self._declared_by, snapshot)
        found = [*file.manifest.findings, *check_commands(snapshot, file, declared_by)]
        return [*self._shown(snapshot, found), *self._table_findings(snapshot, file)]

    def _table_findings(self, snapshot: Snapshot, file: ManifestFile) -> Iterator[Finding]:
        """What is said at each table; of ten thousand, an edit makes one new."""
        manifest = file.manifest
        assert manifest is not None
        memory = self._tables.get(file.directory)
        if memory is None or memory.stamp != snapshot.surroundings:
            memory = _TableMemory(snapshot.surroundings, {})
        known = memory.said
        if len(known) > 2 * len(manifest.tables) + 100:
            known.clear()  # mostly of tables that are no more
        for index, table in enumerate(manifest.tables):
            entry = known.get(id(table))
            if entry is None:
                # The table is kept beside what was said of it, so that no other can have its identity.
                entry = known[id(table)] = table, self._shown(snapshot, table_findings(snapshot, file, table))
            if entry[1]:
                offset = manifest.offset_of(index)
                for finding in entry[1]:
                    yield finding.shifted(offset)
        self._tables[file.directory] = memory

    def _declared_by(self, snapshot: Snapshot, command: CommandKey) -> Set[str] | None:
        """The identities, without version, that the files bound to `command` declare."""
        file = snapshot.manifests.get(command.directory)
        if file is None or file.manifest is None:
            return None
        declared: set[str] = set()
        for table in file.manifest.tables:
            if table.path is not None and table_command(file.directory, table) == command:
                key = join(file.directory, table.path)
                if self.checked(snapshot, key) is None and snapshot.environment.exists(key):
                    return None
                declared.update(without_version(tool.declared.identity) for tool in self.tools(snapshot, key))
        return declared

    def with_severities(self, snapshot: Snapshot, findings: Sequence[Finding]) -> Sequence[Finding]:
        """Findings of another document than a source or manifest, with the severities that the user set."""
        return self._shown(snapshot, findings)

    def _shown(self, snapshot: Snapshot, findings: Sequence[Finding]) -> Sequence[Finding]:
        """The findings with the severities that the user set."""
        severities = snapshot.settings.severities
        if not severities:
            return findings
        shown = []
        for finding in findings:
            severity = severities.get(finding.rule.code, finding.rule.severity)
            if severity is None:
                continue
            if severity is not finding.rule.severity:
                finding = replace(finding, rule=self._with(finding.rule, severity))
            shown.append(finding)
        return shown

    def _with(self, rule: Rule, severity: Severity) -> Rule:
        key = rule, severity
        known = self._rules.get(key)
        if known is None:
            known = self._rules[key] = replace(rule, severity=severity)
        return known

    # -- declarations -----------------------------------------------------------------------------------

    def program(self, snapshot: Snapshot) -> SnapshotProgram:
        """The snapshot as the source checks ask for it."""
        from flow_lsp.analysis.program import SnapshotProgram

        if self._program is None or self._program[0] is not snapshot:
            self._program = snapshot, SnapshotProgram(snapshot)
            self._current.clear()
        return self._program[1]

    def checked(self, snapshot: Snapshot, key: str) -> CheckedFile | None:
        """The file `key` with its declarations checked; None where there is no text."""
        from flow_lsp.source.files import Memory
        from flow_lsp.source.program import check_file

        program = self.program(snapshot)
        self._memory = self._memory or Memory()
        known = self._checked.get(key)
        if known is not None and (key in self._current or known.is_current(program)):
            self._current.add(key)
            return known
        checked = check_file(program, key, known, self._memory)
        if checked is None:
            self._checked.pop(key, None)
            self._tools.pop(key, None)
            self._memory.forget(key)
            return None
        self._checked[key] = checked
        self._current.add(key)
        return checked

    def tools(self, snapshot: Snapshot, key: str) -> Sequence[FileTool]:
        """The Tools that the file `key` declares, in source order, also those with a problem."""
        checked = self.checked(snapshot, key)
        if checked is None:
            return ()
        return [
            FileTool(
                tool,
                DeclaredTool(
                    tool.name, tool.identity, checked.name_span(tool), partial(self._signature, checked, tool)
                ),
            )
            for tool in checked.tools
        ]

    def _signature(self, checked: CheckedFile, tool: ToolDeclaration) -> Signature | None:
        """The signature of `tool`, worked out once for as long as the declaration is the same object."""
        if tool in self._signatures:
            return self._signatures[tool]
        from flow_lsp.schema.projection import Projector
        from flow_lsp.signature.signature import Signature, signature_of

        found = None
        if tool.spec is not None:
            if self._projector is None or self._projector[0] is not checked:
                self._projector = checked, Projector(_all_templates(checked))
            computed = signature_of(tool.spec, self._projector[1])
            found = computed if isinstance(computed, Signature) else None
        self._signatures[tool] = found
        return found

    # -- commands ---------------------------------------------------------------------------------------

    def commands_of(self, snapshot: Snapshot, key: str) -> Sequence[CommandKey]:
        """The commands that a manifest names, or that answer the Tools of a source, those of MCP servers among them;
        each once.

        A manifest with an error refuses the run: its commands, and those by it, are left out.
        """
        directory, _, name = key.rpartition("/")
        if name == "flow.toml":
            file = snapshot.manifests.get(directory or "/")
            return [] if file is None or file.refuses else self._commands_in(file, file.manifest)
        found: dict[CommandKey, None] = {}
        binding = snapshot.binding_of(key)
        for tool in self.tools(snapshot, key):
            bound = overridden(binding, tool.declared.identity, snapshot.settings.overrides)
            if isinstance(bound, Bound):
                found[bound.key] = None
        return list(found)

    def commands_in_view(self, snapshot: Snapshot, key: str) -> Sequence[CommandKey]:
        """The commands of which the manifest `key` still shows what they said, though it has an error now."""
        file = snapshot.manifests.get(key.rpartition("/")[0] or "/")
        if file is None or not file.refuses:
            return []
        return [*self._commands_in(file, file.last_good), *self._commands_in(file, file.manifest)]

    @staticmethod
    def _commands_in(file: ManifestFile, manifest: Manifest | None) -> list[CommandKey]:
        tables = manifest.tables if manifest is not None else ()
        keys = (table_command(file.directory, table) for table in tables)
        return list(dict.fromkeys(key for key in keys if key is not None))

    # -- the listing ------------------------------------------------------------------------------------

    def listing(self, snapshot: Snapshot, keys: Sequence[str], folder: str) -> dict[str, Any]:
        """The Tools listing of these sources, all in `folder` (decisions 9)."""
        from flow_lsp.source.listing import tools_listing

        checked = [found for key in keys if (found := self.checked(snapshot, key)) is not None]
        signatures = {
            tool: signature
            for found in checked
            for tool in found.tools
            if (signature := self._signature(found, tool)) is not None
        }
        listing = tools_listing(checked, folder, signatures)
        below = folder.rstrip("/") + "/"
        listing["problems"] += [
            {"file": key.removeprefix(below), "line": 1, "message": text}
            for key in keys
            if (text := snapshot.source_problems.get(key)) is not None
        ]
        listing["problems"].sort(key=lambda problem: (problem["file"], problem["line"]))
        return listing


def _most_severe(findings: Sequence[Finding]) -> Sequence[Finding]:
    """At most MOST_FINDINGS of them, errors before warnings, in the order given: nobody reads more, and a hostile text
    could hold a hundred thousand."""
    if len(findings) <= MOST_FINDINGS:
        return findings
    places = sorted(range(len(findings)), key=lambda place: findings[place].rule.severity)[:MOST_FINDINGS]
    return [findings[place] for place in sorted(places)]


def _all_templates(checked: CheckedFile) -> Mapping[str, Template]:
    found: dict[str, Template] = {}
    for tool in checked.tools:
        if tool.spec is not None:
            found.update(tool.spec.declarations)
    return found
