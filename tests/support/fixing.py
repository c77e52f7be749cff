"""Fixes made of one-string fixtures: what is offered at a place, and the texts after one was chosen."""

from __future__ import annotations

from collections.abc import Mapping

from support.snapshots import Fixture, fixture, snapshot

from flow_lsp.analysis.edits import Change, applied
from flow_lsp.analysis.engine import Analysis
from flow_lsp.analysis.fixes.model import Fix, FixContext
from flow_lsp.analysis.fixes.registry import fix_all, fixes_at
from flow_lsp.text.spans import Span


def context_of(made: Fixture, path: str, **more: object) -> FixContext:
    """The file at `path` of a fixture, for fixes."""
    return FixContext(Analysis(), snapshot(made, **more), made.key(path), made.texts[path])  # type: ignore[arg-type]


def offered(made: Fixture, path: str, span: Span | None = None, **more: object) -> list[Fix]:
    """The fixes at `span` of a file, or at all of it."""
    context = context_of(made, path, **more)
    return fixes_at(context, span or Span(0, len(context.text)))


def after(made: Fixture, change: Change) -> Fixture:
    """The fixture with a change made."""
    texts = dict(made.texts)
    for key, edits in change.edits.items():
        path = key.removeprefix("/w/")
        texts[path] = applied(texts[path], edits)
    for key, text in change.created.items():
        path = key.removeprefix("/w/")
        assert path not in texts
        texts[path] = text
    return Fixture(texts, made.marks)


def fixed(text: str | Fixture, path: str, title: str, span: Span | None = None, **more: object) -> Mapping[str, str]:
    """The texts that the fix called `title` changes, as they are then; it is not offered a second time."""
    made = fixture(text) if isinstance(text, str) else text
    found = [fix for fix in offered(made, path, span, **more) if fix.title == title]
    assert len(found) == 1, [fix.title for fix in offered(made, path, span, **more)]
    assert found[0].change is not None
    result = after(made, found[0].change)
    assert title not in [fix.title for fix in offered(result, path, span, **more)]
    return {name: body for name, body in result.texts.items() if made.texts.get(name) != body}


def all_fixed(made: Fixture, path: str) -> str:
    """The text of a file after all that is safe was fixed; doing so again changes nothing."""
    fix = fix_all(context_of(made, path))
    if fix is None:
        return made.texts[path]
    assert fix.change is not None
    result = after(made, fix.change)
    assert fix_all(context_of(result, path)) is None
    return result.texts[path]
