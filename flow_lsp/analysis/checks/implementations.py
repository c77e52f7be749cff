"""What is said at a declaration: unbound, unserved, drift, or that its implementation could not be asked.

Realizes "Binding" and decisions 6 for one source file. One cause gives one finding: a broken manifest
silences "unbound", and a command that failed is said once for all the Tools of a file.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from posixpath import dirname, relpath
from typing import TYPE_CHECKING

from flow_lsp.analysis.served import served_tools
from flow_lsp.analysis.snapshot import Described, Snapshot, Standing
from flow_lsp.binding.model import Binding, Bound, CommandKey, Refused, Unbound, UnboundReason
from flow_lsp.binding.nearest import overridden
from flow_lsp.findings import binding_rules as rules
from flow_lsp.findings import mcp_rules
from flow_lsp.findings.model import Finding, Related, shown
from flow_lsp.manifest.model import BindingKind
from flow_lsp.manifest.paths import can_be_named
from flow_lsp.manifest.toml_writing import table_header
from flow_lsp.protocol.outcome import DescribeFailure, DescribeListing, DescribeOutcome, FailureKind, ServedTool
from flow_lsp.signature.identity import without_version
from flow_lsp.text.spans import Span

if TYPE_CHECKING:
    from flow_lsp.signature.signature import Signature

SHOWN_DIFFERENCES = 4  # how many a message lists; the hover lists all
SHOWN_ERROR_LINES = 3


@dataclass(frozen=True, slots=True)
class DeclaredTool:
    """A declaration as the checks see it. Its signature is worked out when it is asked for."""

    name: str
    identity: str
    span: Span
    find_signature: Callable[[], Signature | None]

    @property
    def signature(self) -> Signature | None:
        """The signature; None where it is not known."""
        return self.find_signature()

    @property
    def is_generic(self) -> bool:
        """Whether it is known to be generic, which no MCP tool can be."""
        signature = self.signature
        return signature is not None and bool(signature.served["generic"])


@dataclass(frozen=True, slots=True)
class Fit:
    """How one declaration stands to what was served. `served` is None where it is not listed."""

    tool: DeclaredTool
    served: ServedTool | None
    fits: bool


def effective(binding: Binding) -> Bound | Unbound | None:
    """The binding to speak of: while a manifest has an error, that of its last good text."""
    return binding.last if isinstance(binding, Refused) else binding


def match(tool: DeclaredTool, listing: DescribeListing) -> Fit:
    """What a listing says of `tool`: entries are matched by identity without version; where several
    match, the fingerprint chooses (decisions 6, 7)."""
    candidates = served_tools(listing).by_identity.get(without_version(tool.identity), ())
    signature = tool.signature
    assert signature is not None
    for served in candidates:
        if served.fingerprint == signature.fingerprint:
            return Fit(tool, served, True)
    return Fit(tool, candidates[0] if candidates else None, False)


@dataclass(frozen=True, slots=True)
class Said:
    """What is said of one Tool's binding. `failed` is the command that gave no answer: a file says it once, at the
    first of its Tools."""

    findings: Sequence[Finding] = ()
    failed: CommandKey | None = None


NOTHING_SAID = Said()


def check_implementation(snapshot: Snapshot, path: str, of_file: Binding, tool: DeclaredTool) -> Said:
    """What is said of `tool`, declared in the file at `path`, which manifests bind as `of_file` says.

    It depends on these and on `snapshot.surroundings` alone, so that it may be kept from edit to edit.
    """
    binding = overridden(of_file, tool.identity, snapshot.settings.overrides)
    refused = isinstance(binding, Refused)
    bound = effective(binding)
    if isinstance(bound, Unbound) and not refused:
        return Said((_unbound(tool, bound, path),))
    if isinstance(bound, Bound):
        if bound.kind is BindingKind.MCP:
            from flow_lsp.analysis.checks.mcp import check_mcp  # an editor's start need not wait for it

            return check_mcp(snapshot, tool, bound, refused)
        return _bound(snapshot, tool, bound, refused)
    return NOTHING_SAID


def _unbound(tool: DeclaredTool, unbound: Unbound, path: str) -> Finding:
    if unbound.reason is UnboundReason.NO_MANIFEST:
        remedy = f"Create one whose table {table_header(unbound.key)} names a command or an MCP server."
        return rules.NO_MANIFEST.at(tool.span, tool=tool.name, remedy_text=_remedy(unbound.key, remedy))
    assert unbound.manifest is not None
    related = [Related(unbound.manifest, Span(0, 0), "the nearest flow.toml, which is the boundary")]
    farther_text = ""
    if unbound.farther is not None:
        farther = unbound.farther
        where = shown(relative(farther.path, path))
        farther_text = f" The table for it in {where} does not count: the nearest flow.toml is the boundary."
        table_span = _table_span(farther.manifest, farther.table)
        related.append(Related(farther.path, table_span, "this table has no effect on it"))
    return rules.NO_TABLE.at(
        tool.span,
        tuple(related),
        tool=tool.name,
        manifest=relative(unbound.manifest, path),
        remedy_text=_remedy(unbound.key, f"Add {table_header(unbound.key)} with a command or an MCP server."),
        farther_text=farther_text,
    )


def _remedy(key: str, remedy: str) -> str:
    """`remedy`, unless no table can have that key."""
    if can_be_named(key):
        return remedy
    return "Rename it first: no table can name a path with a backslash, a control character or a drive in it."


def relative(path: str, said_in: str) -> str:
    """`path` as a sentence in the file `said_in` names it: as one would write it there."""
    return relpath(path, dirname(said_in))


def _table_span(manifest: object, table: int) -> Span:
    from flow_lsp.manifest.model import Manifest

    assert isinstance(manifest, Manifest)
    return manifest.tables[table].header_span.shifted(manifest.offset_of(table))


def _bound(snapshot: Snapshot, tool: DeclaredTool, bound: Bound, refused: bool) -> Said:
    key = bound.key
    missing = cannot_start(snapshot, tool, bound)
    if missing is not None:
        return Said((missing,))
    related = table_places(bound)
    described = snapshot.described_by(key)
    outcome = described.outcome
    if outcome is None or tool.signature is None:
        return NOTHING_SAID
    as_of = described.as_of_text or (" (by the last flow.toml without errors)" if refused else "")
    if outcome.listing is None:
        return Said((failure_finding(outcome, key, tool.span, as_of, related),), key)
    fit = match(tool, outcome.listing)
    if fit.served is None:
        found = rules.UNSERVED.at(
            tool.span,
            related,
            tool=tool.name,
            command=key.command,
            served_text=_served_text(tool, outcome.listing),
            as_of_text=as_of,
        )
        return Said((found,))
    if not fit.fits:
        found = rules.DRIFT.at(
            tool.span,
            related,
            tool=tool.name,
            command=key.command,
            differences_text=differences_text(tool, outcome.listing, fit.served, SHOWN_DIFFERENCES),
            as_of_text=as_of,
        )
        return Said((found,))
    return NOTHING_SAID


def cannot_start(snapshot: Snapshot, tool: DeclaredTool, bound: Bound) -> Finding | None:
    """That the program of `bound` is not to be had, and no contract speaks for it."""
    key = bound.key
    reason = snapshot.environment.program(key.directory, key.words[0]).problem
    if reason is None or snapshot.described_by(key).standing is Standing.RECORDED:
        return None
    places = table_places(bound)
    return rules.NO_PROGRAM.at(tool.span, places, tool=tool.name, command=key.command, reason_text=reason)


def table_places(bound: Bound) -> tuple[Related, ...]:
    """The table that binds so; none for an override."""
    if bound.place is None:
        return ()
    place = bound.place
    span = _table_span(place.manifest, place.table)
    return (Related(place.path, span, f"bound to `{shown(bound.key.command)}` here"),)


def failure_finding(
    outcome: DescribeOutcome, key: CommandKey, span: Span, as_of: str, related: tuple[Related, ...] = ()
) -> Finding:
    """Why a command gave no usable answer, with the last lines of its standard error."""
    failure = outcome.failure
    assert failure is not None
    if key.kind is BindingKind.MCP:
        return _mcp_failure(outcome, failure, key, span, as_of, related)
    if failure.kind is FailureKind.DATA_VERSION:
        return rules.DATA_VERSION.at(span, related, command=key.command, reason_text=failure.sentence, as_of_text=as_of)
    return rules.DESCRIBE_FAILED.at(
        span,
        related,
        command=key.command,
        reason_text=failure.sentence,
        stderr_text=_error_lines_text(outcome),
        as_of_text=as_of,
    )


def _mcp_failure(
    outcome: DescribeOutcome,
    failure: DescribeFailure,
    key: CommandKey,
    span: Span,
    as_of: str,
    related: tuple[Related, ...],
) -> Finding:
    if failure.kind is FailureKind.MCP_REVISION:
        reason = failure.sentence
        return mcp_rules.MCP_REVISION.at(span, related, command=key.command, reason_text=reason, as_of_text=as_of)
    remedy = ""
    if failure.kind is FailureKind.TIMED_OUT:
        remedy = " One that npx or uvx fetches first may need longer: --timeout, or flow.describe.timeout."
    elif failure.sentence.startswith("answered initialize"):
        remedy = " Is it an MCP server, and told to speak over its standard input and output?"
    return mcp_rules.MCP_FAILED.at(
        span,
        related,
        command=key.command,
        reason_text=failure.sentence,
        remedy_text=remedy,
        stderr_text=_error_lines_text(outcome),
        as_of_text=as_of,
    )


def _error_lines_text(outcome: DescribeOutcome) -> str:
    last = [shown(line) for line in outcome.stderr_tail if line.strip()][-SHOWN_ERROR_LINES:]
    remedy = f". {outcome.run_time_remedy}" if outcome.run_time_remedy else ""
    return f" Its standard error ends: {' | '.join(last)}{remedy}" if last else ""


def _served_text(tool: DeclaredTool, listing: DescribeListing) -> str:
    if not listing.tools:
        return "serves no Tool at all"
    served = served_tools(listing)
    near = served.nearest(tool.identity)
    text = f"lists {served.names_text()}, not `{shown(tool.identity)}`"
    return text + (f" (is `{shown(near)}` meant?)" if near else "")


def differences_text(tool: DeclaredTool, listing: DescribeListing, served: ServedTool, most: int) -> str:
    """What differs between the declaration (here) and the entry `served` of a listing (there), in words."""
    signature = tool.signature
    assert signature is not None
    return served_tools(listing).differences_text(signature, served, most)


def standing_word(described: Described) -> str:
    """The standing of a describe answer as a hover says it."""
    return {
        Standing.UNKNOWN: "not asked yet",
        Standing.NOT_TRUSTED: "not run",
        Standing.RUNNING: "being asked now",
        Standing.CURRENT: "current",
        Standing.REMEMBERED: "an earlier answer",
        Standing.RECORDED: "as recorded",
    }[described.standing]
