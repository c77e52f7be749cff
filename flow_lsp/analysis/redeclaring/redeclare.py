"""The change after which a Tool's declaration is what its implementation serves: `redeclared`.

The change is made and checked before it is given: the Tool fits then, and no file it touches has an error that it had
not. What cannot be declared is a sentence that says why.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace

from flow_lsp.analysis.edits import Change, TextEdit, applied
from flow_lsp.analysis.engine import FileTool
from flow_lsp.analysis.import_plans import ImportPlan, line_end_of
from flow_lsp.analysis.program import SnapshotProgram
from flow_lsp.analysis.redeclaring.declarations import DeclarationEditor
from flow_lsp.analysis.redeclaring.homes import Homes, Impossible, Target, signature_form, targets_of
from flow_lsp.analysis.redeclaring.writing import FileWriter
from flow_lsp.analysis.served import is_large
from flow_lsp.analysis.snapshot import Snapshot
from flow_lsp.findings.model import Severity, shown
from flow_lsp.protocol.outcome import ServedTool
from flow_lsp.signature.signature import Signature, signature_of
from flow_lsp.source.declarations import CheckedFile
from flow_lsp.source.files import Memory
from flow_lsp.source.model import TYPE_KINDS
from flow_lsp.source.program import check_file
from flow_lsp.source.reader import read_source
from flow_lsp.text.spans import Span


@dataclass(frozen=True, slots=True)
class Redeclared:
    """A change, and the declared types that are others after it, by their local ids: whatever else reaches one changes
    with it."""

    change: Change
    types: tuple[str, ...]


def redeclared(snapshot: Snapshot, key: str, tool: FileTool, served: ServedTool) -> Redeclared | str:
    """The change that makes the declaration of `tool`, of the source `key`, what is `served`; or why there is none, as
    a sentence. Looks at the files that the Tool reaches, and never raises."""
    signature = tool.declared.signature
    if signature is None:
        return "Its signature is not known while the declaration has an error."
    if served.problem is not None or served.recomputed is None:
        return "The fingerprint there is not that of the signature beside it, so nothing can fit it."
    if is_large(served.signature):
        return "The signature there is too large."
    problem = ""
    for anew, pairs_as_lists in ((False, False), (False, True), (True, False), (True, True)):
        try:
            attempt = _Attempt(snapshot, key, tool, anew=anew, pairs_as_lists=pairs_as_lists)
            change = attempt.change(signature, served)
        except Impossible as impossible:
            return impossible.sentence
        found = _problem(snapshot, key, tool, served, change)
        if found is None:
            return Redeclared(change, tuple(attempt.types))
        problem = problem or found
    return problem


@dataclass(slots=True)
class _FileEdits:
    checked: CheckedFile
    writer: FileWriter
    edits: list[TextEdit] = field(default_factory=list)
    declared: list[str] = field(default_factory=list)  # texts of whole declarations


class _Attempt:
    def __init__(self, snapshot: Snapshot, key: str, tool: FileTool, *, anew: bool, pairs_as_lists: bool) -> None:
        self._key = key
        self._tool = tool
        self._anew = anew
        self._pairs_as_lists = pairs_as_lists
        self._files: dict[str, _FileEdits] = {}
        self._created: set[str] = set()
        self.types: list[str] = []  # those that are declared and change, by their local ids
        self._see(snapshot)

    def _see(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot
        self._program = SnapshotProgram(snapshot)
        self._memory = Memory()
        checked = check_file(self._program, self._key, None, self._memory)
        assert checked is not None
        self._homes = Homes(snapshot, self._program, checked, checked.look)

    def change(self, signature: Signature, served: ServedTool) -> Change:
        """The change, not yet checked. Raises Impossible."""
        there = signature_form(served.signature)
        targets = targets_of(self._homes, there)
        if self._homes.created:
            self._created = set(self._homes.created.values())
            empty = dict.fromkeys(self._created, read_source(""))
            self._see(replace(self._snapshot, sources={**self._snapshot.sources, **empty}))
            targets = targets_of(self._homes, there)
        for target in targets:
            if target.changes:
                self._type(target)
        here = signature_form(signature.served)
        if (here.generic, here.params, here.ok, here.err) != (there.generic, there.params, there.ok, there.err):
            own = self._file(self._key)
            index = self._tool_index(own.checked)
            editor = DeclarationEditor(own.checked.source, index, own.writer, anew=self._anew)
            own.edits += editor.tool(here, there)
        return self._whole_change()

    def _tool_index(self, checked: CheckedFile) -> int:
        item = self._tool.declaration.item
        index = next((index for index, one in enumerate(checked.source.items) if one is item), -1)
        if index < 0:
            raise Impossible("The file has changed meanwhile.")
        return index

    def _type(self, target: Target) -> None:
        if not self._homes.is_ours(target.path):
            name, path = shown(target.name), shown(target.path.rpartition("/")[2])
            raise Impossible(f"`{name}` is declared in {path} of another repository, which is not to be changed here.")
        found = self._file(target.path)
        source = found.checked.source
        if target.declared is None:
            before = "pub " if self._is_public(found, target) else ""
            found.declared.append(found.writer.declaration(target, before, line_end_of(source.text)))
            return
        self.types.append(f"{target.path}:{target.name}")
        editor = DeclarationEditor(source, source.declared[target.name], found.writer, anew=self._anew)
        found.edits += editor.type(target)

    def _is_public(self, found: _FileEdits, target: Target) -> bool:
        source = found.checked.source
        if target.path != self._key:
            return True
        return any(
            "pub" in source.text[start + item.extent.start : start + item.name_span.start].split()
            for item, start in zip(source.items, source.starts, strict=False)
            if item.kind in TYPE_KINDS
        )

    def _file(self, path: str) -> _FileEdits:
        if path not in self._files:
            checked = check_file(self._program, path, None, self._memory)
            if checked is None:
                raise Impossible(f"The file {shown(path)} cannot be read.")
            plan = ImportPlan(self._snapshot, checked)
            writer = FileWriter(self._homes, checked, plan, pairs_as_lists=self._pairs_as_lists)
            self._files[path] = _FileEdits(checked, writer)
        return self._files[path]

    def _whole_change(self) -> Change:
        edits: dict[str, tuple[TextEdit, ...]] = {}
        created: dict[str, str] = {}
        for path, found in self._files.items():
            text = found.checked.source.text
            imports = found.writer.plan.edits
            made = [*imports, *found.edits]
            if found.declared:
                end = line_end_of(text)
                written = f"{end}{end}".join(found.declared) + end
                gap = "" if not text.strip() and not imports else end if text.endswith("\n") or not text else end + end
                made.append(TextEdit(Span(len(text), len(text)), gap + written))
            if path in self._created:
                created[path] = applied(text, made)
            elif made:
                edits[path] = tuple(made)
        return Change(edits, created)


def _problem(snapshot: Snapshot, key: str, tool: FileTool, served: ServedTool, change: Change) -> str | None:
    """Why the change would not do, None where the Tool fits after it and nothing is worse."""
    sources = dict(snapshot.sources)
    for path, edits in change.edits.items():
        before = sources[path]
        try:
            sources[path] = read_source(applied(before.text, edits), before)
        except ValueError:
            return _NOT_WRITTEN
    sources.update((path, read_source(text)) for path, text in change.created.items())
    after = replace(snapshot, sources=sources)
    for path in {key, *change.edits, *change.created}:
        if _errors(after, path) - _errors(snapshot, path):
            return _NOT_WRITTEN
    checked = check_file(SnapshotProgram(after), key)
    assert checked is not None
    found = [one for one in checked.tools if one.name == tool.declaration.name]
    if len(found) != 1 or found[0].spec is None:
        return _NOT_WRITTEN
    made = signature_of(found[0].spec)
    return None if isinstance(made, Signature) and made.fingerprint == served.fingerprint else _NOT_WRITTEN


_NOT_WRITTEN = "What is served says something that no declaration here does. Compare the two and change it by hand."


def _errors(snapshot: Snapshot, path: str) -> Counter[str]:
    checked = check_file(SnapshotProgram(snapshot), path)
    findings = checked.findings if checked is not None else ()
    return Counter(finding.rule.code for finding in findings if finding.rule.severity is Severity.ERROR)
