"""All Tools of a workspace as a view lists them: by manifest and file, each with how it stands.

All of it is of the snapshot, and file by file, so that who shows it can keep what an edit leaves alone.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from posixpath import basename, dirname, relpath
from typing import TYPE_CHECKING

from flow_lsp.analysis.checks.implementations import effective
from flow_lsp.analysis.hover import ToolState
from flow_lsp.analysis.lenses import ToolLens, advice_text, lens_of
from flow_lsp.analysis.snapshot import Folder, Snapshot, Standing
from flow_lsp.binding.model import Binding, Bound
from flow_lsp.findings.model import Finding, shown
from flow_lsp.text.spans import Span
from flow_lsp.text.visible import visible

if TYPE_CHECKING:
    from flow_lsp.analysis.engine import Analysis, FileTool

UNFIT = frozenset(("drift", "unserved", "describe-failed", "unbound", "refused"))
"""The states in which a Tool cannot be relied on to answer."""
WITHOUT_MANIFEST = "no flow.toml"

_BY_NO_ANSWER = frozenset(("unknown", "not-checked", "refused"))


@dataclass(frozen=True, slots=True)
class TreeTool:
    """One Tool. `state` is a word of docs/json-output.md, `detail` what `flow.tool.explain` says; `as_of` is when the
    answer was given that the state is by, in RFC 3339, None where it is by none; `span` is its name's."""

    name: str
    identity: str
    span: Span
    state: str
    detail: str
    lens: ToolLens
    implementation: str | None = None
    as_of: str | None = None
    standing: str | None = None


@dataclass(frozen=True, slots=True)
class TreeFile:
    """A source that declares Tools, in its order. `manifest` is the path of the flow.toml that it is bound by, None
    without one; `label` says where the source stands: seen from that manifest, else from the workspace."""

    label: str
    manifest: str | None
    tools: tuple[TreeTool, ...]

    @property
    def unfit(self) -> int:
        """How many of the Tools are in a state of `UNFIT`."""
        return sum(tool.state in UNFIT for tool in self.tools)


def tree_file(analysis: Analysis, snapshot: Snapshot, key: str) -> TreeFile | None:
    """The source `key` as a part of the view; None where it declares no Tool."""
    tools = analysis.tools(snapshot, key)
    if not tools:
        return None
    binding = snapshot.binding_of(key)
    said = _said(tools, analysis.source_findings(snapshot, key))
    found = tuple([_tool(snapshot, binding, tool, said.get(tool.declared.span.start, ())) for tool in tools])
    manifest = manifest_of(binding)
    label = place_label(snapshot, key) if manifest is None else visible(relpath(key, dirname(manifest)))
    return TreeFile(label, manifest, found)


def tree_stamp(analysis: Analysis, snapshot: Snapshot, key: str) -> object:
    """What `tree_file` of the source `key` is made of: where this is equal to that of another snapshot, so is the file.

    It is less than all that surrounds a file, so that an answer of one command leaves the files of all others alone.
    """
    binding = snapshot.binding_of(key)
    bound = effective(binding)
    said: object = None
    if isinstance(bound, Bound):
        command = bound.key
        said = snapshot.described_by(command), snapshot.environment.program(command.directory, command.words[0])
    # An override goes by identity, so that with any of them a file may be answered by several commands.
    others = snapshot.surroundings if snapshot.settings.overrides else None
    return analysis.checked(snapshot, key), binding, said, others, snapshot.settings, snapshot.folders


def manifest_of(binding: Binding) -> str | None:
    """The path of the manifest that decides `binding`, of a file; None where there is none."""
    if isinstance(binding, Bound):
        return binding.place.path if binding.place is not None else None
    return binding.manifest


def place_label(snapshot: Snapshot, path: str) -> str:
    """Where the file at `path` stands in the workspace, as a person reads it: with the name of its folder where there
    are several."""
    folder = snapshot.folder_of(path)
    if folder is not None:
        inner = relpath(path, folder.path)
        name = _folder_name(snapshot.folders, folder)
        return visible(f"{name}/{inner}" if name else inner)
    own = [folder.path for folder in snapshot.folders if folder.repository is None]
    return visible(relpath(path, own[0]) if len(own) == 1 else path)


def _folder_name(folders: Sequence[Folder], folder: Folder) -> str:
    if folder.repository is not None:
        return f"{folder.repository}@{folder.version}"
    own = [other for other in folders if other.repository is None]
    if len(own) <= 1:
        return ""
    name = basename(folder.path)
    return name if sum(basename(other.path) == name for other in own) == 1 else folder.path


def stable_word(state: ToolState) -> str:
    """The state in a stable word, such as `fits`, `drift` or `not-checked` (docs/json-output.md)."""
    return state.word.replace(" ", "-")


def _tool(snapshot: Snapshot, binding: Binding, tool: FileTool, own: Sequence[str]) -> TreeTool:
    lens, state = lens_of(snapshot, binding, tool)
    described = state.described
    return TreeTool(
        tool.declared.name,
        tool.declared.identity,
        tool.declared.span,
        stable_word(state),
        advice_text(tool, state, own),
        lens,
        shown(state.bound.key.command) if state.bound is not None else None,
        answered_at(state),
        str(described.standing) if described is not None else None,
    )


def answered_at(state: ToolState) -> str | None:
    """When the answer was given that `state` is by, in RFC 3339; None where it is by none, or that is not known."""
    outcome = state.described.outcome if state.described is not None else None
    if outcome is None or stable_word(state) in _BY_NO_ANSWER or outcome.started_at <= 0:
        return None
    try:
        return datetime.fromtimestamp(int(outcome.started_at), UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    except (OverflowError, ValueError, OSError):  # what a contracts file says may be past what a date can be
        return None


def _said(tools: Sequence[FileTool], findings: Sequence[Finding]) -> Mapping[int, Sequence[str]]:
    """The messages of the findings at the names of `tools`, by where each name begins."""
    starts = [tool.declared.span.start for tool in tools]
    found: dict[int, list[str]] = {}
    for finding in findings:
        place = bisect_right(starts, finding.span.start) - 1
        if place >= 0 and finding.span.start < tools[place].declared.span.end:
            found.setdefault(starts[place], []).append(finding.message)
    return found


def doing(snapshot: Snapshot) -> str | None:
    """What goes on, in a short sentence without a full stop: which implementations are being asked."""
    asked = [key for key, described in snapshot.described.items() if described.standing is Standing.RUNNING]
    if not asked:
        return None
    more = f" and {len(asked) - 1} more" if len(asked) > 1 else ""
    return f"Asking {shown(asked[0].command)}{more}"
