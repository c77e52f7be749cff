"""textDocument/codeAction: what can be done about the findings at a place, and what can be fixed in the whole file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from flow_lsp.analysis.fixes.model import Fix, FixContext, FixKind
from flow_lsp.analysis.fixes.registry import fix_all, fixes_at, is_soon_fixed
from flow_lsp.findings.model import Finding
from flow_lsp.server.convert import SOURCE
from flow_lsp.server.features.asked import Asked, asked
from flow_lsp.server.parameters import optional
from flow_lsp.server.workspace_edits import workspace_edit

if TYPE_CHECKING:
    from flow_lsp.server.language_server import LanguageServer

_MOST_NAMED = 10  # findings of one request


def answer(server: LanguageServer, params: Any) -> list[dict[str, Any]]:
    """The actions at a range, from the last snapshot; of the kinds that the client wants, where it says so."""
    place = asked(server, params)
    if place is None or not server.client.code_action_literals:
        return []
    only = optional(params, "context", "only", kind=list)
    context = FixContext(server.analysis, place.snapshot, place.key, place.text)
    found = _at(context, place, params) if _any_wanted((FixKind.QUICK_FIX, FixKind.REFACTOR), only) else []
    # A client that names no kinds asks wherever the cursor goes, and shows source actions only when asked for them.
    if _wanted(FixKind.FIX_ALL, only) and (only is not None or is_soon_fixed(context)):
        every = fix_all(context)
        found += [every] if every is not None else []
    actions = (_action(server, place, fix) for fix in found if _wanted(fix.kind, only))
    return [action for action in actions if action is not None]


def _at(context: FixContext, place: Asked, params: Any) -> list[Fix]:
    """The fixes at the range, then those of the findings that the client names: some name all of the cursor's line."""
    found = fixes_at(context, place.span(params))
    for diagnostic in (optional(params, "context", "diagnostics", kind=list) or ())[:_MOST_NAMED]:
        if optional(diagnostic, "source", kind=str) == SOURCE:
            named = [fix for fix in fixes_at(context, place.span(diagnostic)) if fix.finding is not None]
            found += [
                fix for fix in named if all((fix.title, fix.change) != (other.title, other.change) for other in found)
            ]
    return found


def _action(server: LanguageServer, place: Asked, fix: Fix) -> dict[str, Any] | None:
    action: dict[str, Any] = {"title": fix.title, "kind": fix.kind.value}
    if fix.preferred:
        action["isPreferred"] = True
    if fix.finding is not None:
        action["diagnostics"] = [_diagnostic(place, fix.finding)]
    if fix.disabled:
        return {**action, "disabled": {"reason": fix.disabled}} if server.client.disabled_actions else None
    if fix.command is not None:
        name, arguments = fix.command
        action["command"] = {"title": fix.title, "command": name, "arguments": list(arguments)}
        return action
    edit = workspace_edit(server, fix.change) if fix.change is not None and not fix.change.is_empty else None
    return None if edit is None else {**action, "edit": edit}


def _diagnostic(place: Asked, finding: Finding) -> dict[str, Any]:
    return {
        "range": place.range(finding.span),
        "severity": int(finding.rule.severity),
        "code": finding.rule.code,
        "source": SOURCE,
        "message": finding.message,
    }


def _wanted(kind: FixKind, only: list[Any] | None) -> bool:
    """Whether a client that asked for `only` wants `kind`: a kind stands for all below it."""
    return only is None or any(
        isinstance(name, str) and (name == "" or f"{kind.value}.".startswith(f"{name}.")) for name in only
    )


def _any_wanted(kinds: tuple[FixKind, ...], only: list[Any] | None) -> bool:
    return any(_wanted(kind, only) for kind in kinds)
