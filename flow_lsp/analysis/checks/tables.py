"""What is said at a table of flow.toml beyond its own rules: dead tables, missing files and programs,
and what each command said of itself.

Realizes decisions 10 (nearest manifest, missing files) and 7 (describe) for one manifest.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Set
from posixpath import dirname, join

from flow_lsp.analysis.checks.implementations import failure_finding, relative
from flow_lsp.analysis.served import served_tools
from flow_lsp.analysis.snapshot import Described, Snapshot, Standing
from flow_lsp.binding.model import CommandKey, ManifestFile, table_command
from flow_lsp.binding.nearest import nearest_manifest
from flow_lsp.findings import binding_rules, manifest_rules
from flow_lsp.findings.model import Finding, Related, Severity, shown
from flow_lsp.manifest.model import ToolTable
from flow_lsp.text.spans import Span

SHOWN_NAMES = 5
SHOWN_WRONG = 20  # entries of one listing that are said to have a wrong fingerprint

# The identities (without version) that the files bound to a command declare; None while that is not known.
DeclaredBy = Callable[[CommandKey], Set[str] | None]


def table_findings(snapshot: Snapshot, file: ManifestFile, table: ToolTable) -> tuple[Finding, ...]:
    """What is said at one table of `file` because of its surroundings, with spans as relative as the table's.

    It depends on the table and on `snapshot.surroundings` alone, so that it may be kept from edit to edit.
    """
    return tuple(_table_findings(snapshot, file, table))


def _table_findings(snapshot: Snapshot, file: ManifestFile, table: ToolTable) -> Iterator[Finding]:
    severities = snapshot.settings.severities
    if table.path is not None:
        path = join(file.directory, table.path)
        nearest = _between(snapshot, file, path)
        if nearest is not None:
            related = (Related(nearest.path, Span(0, 0), "the nearest flow.toml of that file"),)
            where = relative(nearest.path, file.path)
            yield manifest_rules.SHADOWED.at(table.header_span, related, key=table.path, manifest=where)
        elif severities.get(
            manifest_rules.MISSING_FILE.code, Severity.ERROR
        ) is not None and not snapshot.environment.exists(path):
            yield manifest_rules.MISSING_FILE.at(table.key_span, key=table.path)
    key = table_command(file.directory, table)
    if key is None:
        return
    span = table.value_span or table.header_span
    if snapshot.described_by(key).standing is Standing.RECORDED:
        return  # a contract speaks for it, whether it can run or not
    if severities.get(manifest_rules.PROGRAM_NOT_FOUND.code, Severity.ERROR) is not None:
        program = snapshot.environment.program(key.directory, key.words[0])
        if program.problem is not None:
            yield manifest_rules.PROGRAM_NOT_FOUND.at(span, program=key.words[0], reason_text=program.problem)
            return
    if snapshot.undescribed.standing is Standing.NOT_TRUSTED and key not in snapshot.described:
        yield binding_rules.NOT_RUN.at(span, command=key.command, reason_text=snapshot.undescribed.reason)


def _between(snapshot: Snapshot, file: ManifestFile, path: str) -> ManifestFile | None:
    """The manifest that stands between `file` and the file at `path`, if one does."""
    if len(snapshot.manifests) == 1 or dirname(path) == file.directory:
        return None
    nearest = nearest_manifest(path, snapshot.manifests)
    return None if nearest is None or nearest.directory == file.directory else nearest


def check_commands(snapshot: Snapshot, file: ManifestFile, declared_by: DeclaredBy) -> Iterator[Finding]:
    """What the commands of `file` said of themselves, each at the first table that names it."""
    manifest = file.manifest
    if manifest is None or not (snapshot.described or snapshot.contracts):
        return
    said: set[CommandKey] = set()
    for index, table in enumerate(manifest.tables):
        key = table_command(file.directory, table)
        if key is None or key in said:
            continue
        described = snapshot.described_by(key)
        recorded = described.standing is Standing.RECORDED
        if not recorded and key not in snapshot.described:
            continue
        said.add(key)
        if recorded or snapshot.environment.program(key.directory, key.words[0]).problem is None:
            span = (table.value_span or table.header_span).shifted(manifest.offset_of(index))
            yield from command_findings(described, key, span, declared_by)


def command_findings(described: Described, key: CommandKey, span: Span, declared_by: DeclaredBy) -> Iterator[Finding]:
    """What a command said of itself, or why it was not asked, at `span`."""
    if described.standing is Standing.NOT_TRUSTED:
        yield binding_rules.NOT_RUN.at(span, command=key.command, reason_text=described.reason)
    outcome = described.outcome
    if outcome is None:
        return
    as_of = described.as_of_text
    if outcome.failure is not None:
        yield failure_finding(outcome, key, span, as_of)
    if outcome.noise_count:
        more_than_one = outcome.noise_count > 1
        yield binding_rules.OUTPUT_NOISE.at(
            span,
            command=key.command,
            count_text=f"{outcome.noise_count} lines" if more_than_one else "a line",
            verb_text="are no messages, the first" if more_than_one else "is no message",
            line=outcome.noise[0] if outcome.noise else "",
            as_of_text=as_of,
        )
    if outcome.listing is None:
        return  # an MCP server is made for no declarations: what more it offers is nothing to speak of
    wrong = [served for served in outcome.listing.tools if served.problem is not None]
    for count, served in enumerate(wrong[:SHOWN_WRONG], 1):
        more = len(wrong) - count if count == SHOWN_WRONG else 0
        yield binding_rules.SERVED_FINGERPRINT.at(
            span,
            command=key.command,
            identity=served.identity,
            reason_text=shown(served.problem) + (f" (and so do {more} more entries)" if more else ""),
            as_of_text=as_of,
        )
    declared = declared_by(key)
    if declared is None:
        return
    by_identity = served_tools(outcome.listing).by_identity
    extra = sorted(served.identity for name in by_identity if name not in declared for served in by_identity[name])
    if extra:
        names = ", ".join(f"`{shown(name)}`" for name in extra[:SHOWN_NAMES])
        more = len(extra) - SHOWN_NAMES
        yield binding_rules.SERVED_UNDECLARED.at(
            span,
            command=key.command,
            names_text=names + (f" and {more} more" if more > 0 else ""),
            as_of_text=as_of,
        )
