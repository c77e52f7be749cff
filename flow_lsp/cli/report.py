"""What a check found, as data that every format prints: findings by file, Tools with states, what was left out."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial

from flow_lsp.analysis.engine import FileTool
from flow_lsp.analysis.hover import ToolState, tool_state
from flow_lsp.analysis.snapshot import Snapshot, Standing
from flow_lsp.binding.model import CommandKey, TablePlace
from flow_lsp.cli.terminal import ProgressLine
from flow_lsp.cli.workspace import Workspace, shown_path
from flow_lsp.files.paths import is_manifest
from flow_lsp.findings.model import Finding, Severity
from flow_lsp.text.lines import LineIndex, Position, PositionEncoding
from flow_lsp.text.spans import Span

SEVERITY_WORDS = {
    Severity.ERROR: "error",
    Severity.WARNING: "warning",
    Severity.INFORMATION: "information",
    Severity.HINT: "hint",
}


@dataclass(frozen=True, slots=True)
class Place:
    """A range of one file: its path as printed, lines and columns from 0 in code points."""

    path: str
    start: Position
    end: Position


@dataclass(frozen=True)
class ReportedFile:
    """One file, its path as printed, and its findings in the order of their places."""

    path: str
    text: str
    findings: Sequence[Finding] = ()

    @cached_property
    def index(self) -> LineIndex:
        """The lines of the text; made when the first place is asked for."""
        return LineIndex.of(self.text)

    def place(self, span: Span) -> Place:
        """Where `span` stands."""
        encoding = PositionEncoding.UTF32
        start = self.index.position(span.start, encoding)
        return Place(self.path, start, self.index.position(max(span), encoding))


@dataclass(frozen=True)
class ReportedTool:
    """One Tool of a file. Its place and its state are worked out when a format asks for them."""

    tool: FileTool
    file: ReportedFile
    find_state: Callable[[], ToolState]
    find_place: Callable[[TablePlace], Place]

    @property
    def place(self) -> Place:
        """Where its name stands."""
        return self.file.place(self.tool.declared.span)

    @cached_property
    def state(self) -> ToolState:
        """How it stands."""
        return self.find_state()

    @property
    def word(self) -> str:
        """The state in a stable word, such as `fits`, `drift` or `not-checked` (docs/json-output.md)."""
        return self.state.word.replace(" ", "-")

    @property
    def table(self) -> Place | None:
        """Where the table that binds it begins; None where none does."""
        bound = self.state.bound
        return None if bound is None or bound.place is None else self.find_place(bound.place)


@dataclass(frozen=True, slots=True)
class NotRun:
    """A command that was not run, and a sentence that says why, with the remedy."""

    command: CommandKey
    reason: str


@dataclass(frozen=True, slots=True)
class ByContract:
    """A command that a recorded contract speaks for: when it was recorded, and why the command did not speak."""

    command: CommandKey
    recorded: str
    reason: str

    @property
    def as_recorded(self) -> str:
        """When it was recorded, in words."""
        return f"as recorded on {self.recorded}"


@dataclass(frozen=True)
class Report:
    """What a check found. `others` holds, by their keys, files that are only pointed at.

    `by_contract` holds commands that were judged by a contract, and are not in `not_run`; `not_looked_at` says what
    could not be looked at: a path and a sentence.
    """

    files: Sequence[ReportedFile]
    tools: Sequence[ReportedTool]
    others: Mapping[str, ReportedFile] = field(default_factory=dict)
    not_run: Sequence[NotRun] = ()
    not_looked_at: Sequence[tuple[str, str]] = ()
    by_contract: Sequence[ByContract] = ()

    def count(self, severity: Severity) -> int:
        """How many findings of that severity there are."""
        return self._counts.get(severity, 0)

    @property
    def all(self) -> Iterator[tuple[ReportedFile, Finding]]:
        """Every finding with its file, in the order of paths and places."""
        return ((file, finding) for file in self.files for finding in file.findings)

    def related(self, finding: Finding) -> list[tuple[Place, str]]:
        """The places that explain a finding, with what is said there."""
        return [(self.others[other.path].place(other.span), other.message) for other in finding.related]

    @cached_property
    def _counts(self) -> dict[Severity, int]:
        counts: dict[Severity, int] = {}
        for _, finding in self.all:
            counts[finding.rule.severity] = counts.get(finding.rule.severity, 0) + 1
        return counts


def make_report(opened: Workspace, *, described: bool) -> Report:
    """The report on a workspace. `described` says whether its commands were to be run."""
    return _Reporter(opened).report(described)


class _Reporter:
    def __init__(self, opened: Workspace) -> None:
        self._opened = opened
        self._snapshot: Snapshot = opened.project.snapshot()
        self._files: dict[str, ReportedFile] = {}

    def report(self, described: bool) -> Report:
        files: list[ReportedFile] = []
        tools: list[ReportedTool] = []
        progress = ProgressLine()
        for count, key in enumerate(self._opened.keys):
            progress.show(f"checking: {count} of {len(self._opened.keys)} files")
            found = self._opened.analysis.findings(self._snapshot, key)
            file = self._file(key, sorted(found, key=_order) if len(found) > 1 else found)
            files.append(file)
            tools.extend(self._tools(key, file))
        progress.clear()
        others = {
            related.path: self._file(related.path)
            for file in files
            for finding in file.findings
            for related in finding.related
        }
        files.sort(key=lambda file: file.path)
        tools.sort(key=lambda tool: (tool.file.path, tool.tool.declared.span))
        problems = [(shown_path(problem.path), problem.sentence) for problem in self._opened.problems]
        silent = list(self._silent(described))
        not_run = [each for each in silent if isinstance(each, NotRun)]
        by_contract = [each for each in silent if isinstance(each, ByContract)]
        return Report(files, tools, others, not_run, problems, by_contract)

    def _file(self, key: str, findings: Sequence[Finding] = ()) -> ReportedFile:
        known = self._files.get(key)
        if known is None:
            files = self._opened.project.files
            text = files.text(key)
            path = shown_path(files.spelling(key))
            known = self._files[key] = ReportedFile(path, text if isinstance(text, str) else "", findings)
        return known

    def _tools(self, key: str, file: ReportedFile) -> Iterator[ReportedTool]:
        tools = () if is_manifest(key) else self._opened.tools_of(key)
        if not tools:
            return
        binding = self._snapshot.binding_of(key)
        for tool in tools:
            state = partial(tool_state, self._snapshot, binding, tool.declared)
            yield ReportedTool(tool, file, state, self._table)

    def _table(self, place: TablePlace) -> Place:
        table = place.manifest.tables[place.table]
        return self._file(place.path).place(table.header_span.shifted(place.manifest.offset_of(place.table)))

    def _silent(self, described: bool) -> Iterator[NotRun | ByContract]:
        """The commands that did not speak for themselves."""
        for key in self._opened.commands:
            known = self._snapshot.described_by(key)
            reason = known.reason
            if not described:
                reason = "--no-describe was given."
            if known.standing is Standing.RECORDED:
                yield ByContract(key, known.as_of, reason)
            elif not described or known.standing is Standing.NOT_TRUSTED:
                yield NotRun(key, reason)


def _order(finding: Finding) -> tuple[Span, int, str]:
    return finding.span, finding.rule.severity, finding.rule.code
