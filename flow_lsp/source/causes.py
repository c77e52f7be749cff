"""What keeps a Tool's signature from being known, followed to the declaration or import that has the error."""

from __future__ import annotations

from dataclasses import dataclass

from flow_lsp.source.files import Look
from flow_lsp.source.model import NOWHERE
from flow_lsp.source.resolution import Resolved
from flow_lsp.source.resolved_file import ResolvedFile
from flow_lsp.source.targets import UNKNOWN
from flow_lsp.text.spans import Span

MOST_STEPS = 20  # from one unknown name to the next, on the way to what is to blame


@dataclass(frozen=True, slots=True)
class Cause:
    """Why a Tool's signature is not known: something at `span` of the file at `path`, named `name`."""

    path: str
    name: str
    span: Span


def cause_of(look: Look, file: ResolvedFile, one: Resolved, local_id: str | None = None) -> Cause:
    """What keeps the signature of `one` from being known: the declaration `local_id`, or else one of its names.

    Followed from file to file, to the declaration or import that has a finding of its own.
    """
    cause = _declaration(look, local_id) if local_id is not None else _unknown_name(look, file, one)
    for _ in range(MOST_STEPS):
        inner_file = look.file(cause.path)
        source = look.source(cause.path)
        if inner_file is None or source is None or cause.name not in source.declared:
            break
        inner = inner_file.items[source.declared[cause.name]]
        if inner is None or inner.is_known or inner.findings:
            break
        cause = _unknown_name(look, inner_file, inner)
    return cause


def _declaration(look: Look, local_id: str) -> Cause:
    path, _, name = local_id.rpartition(":")
    source = look.source(path)
    if source is None or name not in source.declared:
        return Cause(path, name, NOWHERE)
    index = source.declared[name]
    return Cause(path, name, source.items[index].name_span.shifted(source.starts[index]))


def _unknown_name(look: Look, file: ResolvedFile, one: Resolved) -> Cause:
    """Where the first name of `one` that is not to be known comes from."""
    for spelling, target in one.targets.items():
        if target != UNKNOWN:
            continue
        module, dot, name = spelling.rpartition(".")
        if not dot and name in file.source.declared:
            return _declaration(look, f"{file.path}:{name}")
        for found in file.imports:
            if (found.syntax.names is None) != bool(dot):
                continue
            if (module if dot else name) in (bound.name for bound in found.syntax.bound):
                if found.path is not None and found.offers is not None and name in found.offers:
                    return _declaration(look, f"{found.path}:{name}")
                start = file.source.starts[found.index]
                return Cause(file.path, found.syntax.path, found.syntax.path_span.shifted(start))
        return Cause(file.path, spelling, NOWHERE)
    return Cause(file.path, one.item.name or "", NOWHERE)
