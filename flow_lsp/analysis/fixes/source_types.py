"""Fixes of names of types: what was meant, with the import that it takes, and type arguments that are too many."""

from __future__ import annotations

from collections.abc import Iterator

from flow_lsp.analysis.edits import TextEdit
from flow_lsp.analysis.fixes.model import Fix, FixContext
from flow_lsp.analysis.fixes.source_files import FoundAt, found_at, inserting, replacing
from flow_lsp.analysis.import_plans import ImportPlan, line_end_of
from flow_lsp.analysis.type_index import type_index
from flow_lsp.findings.model import Finding, shown
from flow_lsp.source.homes import SUFFIX
from flow_lsp.source.model import ImportSyntax, NamedType
from flow_lsp.source.standard import MODULES
from flow_lsp.source.standard import NAME as STD
from flow_lsp.source.suggestions import Suggestions
from flow_lsp.source.targets import FOREIGN_HABITS, TargetKind
from flow_lsp.source.tokens import KEYWORDS
from flow_lsp.text.spans import Span

MOST_FILES = 8  # from which one name may be imported
_ANY_JSON = frozenset(("json", "jsonvalue", "any", "unknown"))


def unknown_type(context: FixContext, finding: Finding) -> Iterator[Fix]:
    """`unknown-type`: import it from the files that declare it, or write what was meant, or declare it."""
    place = found_at(context, finding)
    syntax = place.named_at(finding.span) if place is not None else None
    if place is None or syntax is None:
        return
    if syntax.module is not None:
        yield from _in_module(place, finding, syntax.module, syntax.name)
        return
    hidden = _hidden(place)
    habits = list(_habits(place, finding, syntax))
    yield from habits
    imports = list(_imports(place, finding, syntax.name, syntax.name, hidden))
    alone = len(imports) == 1 and not habits
    yield from (Fix(fix.title, fix.change, finding, preferred=alone) for fix in imports)
    if not habits and not imports:
        yield from _meant(place, finding, syntax.name, hidden)
    if not habits:
        yield from _declared(place, finding, syntax)


def _hidden(place: FoundAt) -> frozenset[str]:
    syntax = place.item.syntax
    generic = () if syntax is None or isinstance(syntax, ImportSyntax) else syntax.generic
    return frozenset(parameter.name for parameter in generic)


def _habits(place: FoundAt, finding: Finding, syntax: NamedType) -> Iterator[Fix]:
    """Flow's own word for what other languages call a type."""
    lowered = syntax.name.lower()
    if lowered in _ANY_JSON:
        plan = place.plan()
        spelling = plan.spell_standard("json", "Value")
        yield _changed(place, finding, f"Use `{spelling}`", plan, spelling, preferred=True)
    elif lowered == "tuple" and syntax.arguments and len(syntax.arguments) > 1:
        opening, closing = place.placed(syntax.span).start + len(syntax.name), place.placed(syntax.span).end
        opening = place.text.index("<", opening)
        edits = (replacing(Span(finding.span.start, opening + 1), "("), replacing(Span(closing - 1, closing), ")"))
        yield Fix("Write a tuple with brackets", place.change(*edits), finding, preferred=True)
    word = FOREIGN_HABITS.get(lowered)
    target = place.checked.file.scope.look_up(word) if word is not None and word not in _hidden(place) else None
    if word is not None and target is not None and target.kind is not TargetKind.DECLARED:
        named_elsewhere = bool(type_index(place.context.analysis, place.context.snapshot).named(syntax.name))
        fits = target.arity == len(syntax.arguments or ())
        change = place.change(replacing(finding.span, word))
        title = f"Use `{word}`, Flow's word for it"
        yield Fix(title, change, finding, preferred=True, safe=fits and not named_elsewhere)


def _imports(place: FoundAt, finding: Finding, name: str, called: str, hidden: frozenset[str]) -> Iterator[Fix]:
    """The imports that give the type `name`; `called` is what stands here."""
    scope = place.checked.file.scope
    verb = "" if name == called else f"Change to `{shown(name)}` and i"
    for module, offers in scope.modules.items():
        if offers is not None and name in offers:
            yield Fix(
                f"Write `{shown(module)}.{shown(name)}`", place.change(replacing(finding.span, f"{module}.{name}"))
            )
    declared = type_index(place.context.analysis, place.context.snapshot).named(name)
    for one in [one for one in declared if one.path != place.context.key][:MOST_FILES]:
        plan = place.plan()
        spelling = plan.spell(one.path, one.name, hidden)
        if spelling is not None and plan.edits:
            title = f"{verb or 'I'}mport `{shown(name)}` by `{shown(plan.summary)}`"
            yield _changed(place, finding, title, plan, spelling)


def _meant(place: FoundAt, finding: Finding, name: str, hidden: frozenset[str]) -> Iterator[Fix]:
    """The name that this one most likely is a slip of: one of this file's scope, then one of another file."""
    near = Suggestions(hidden).closest(name) or place.checked.file.scope.closest(name)
    if near is not None:
        title = f"Change to `{shown(near)}`"
        yield Fix(title, place.change(replacing(finding.span, near)), finding, preferred=True)
        return
    other = type_index(place.context.analysis, place.context.snapshot).closest(name)
    if other is not None:
        imports = list(_imports(place, finding, other, name, hidden))
        yield from (Fix(fix.title, fix.change, finding, preferred=len(imports) == 1) for fix in imports)


def _declared(place: FoundAt, finding: Finding, syntax: NamedType) -> Iterator[Fix]:
    """An empty record of that name, in front of what names it."""
    if syntax.name in KEYWORDS or place.checked.file.scope.look_up(syntax.name) is not None:
        return
    end = line_end_of(place.text)
    letters = "TUVWXYZ"
    count = len(syntax.arguments or ())
    generic = f"<{', '.join(letters[:count])}>" if 0 < count <= len(letters) else ""
    if count > len(letters):
        return
    behind = place.placed(place.item.extent).end
    line = place.text.find("\n", behind)
    line = len(place.text) if line < 0 else line - (place.text[line - 1] == "\r")
    text = f"{end}{end}record {syntax.name}{generic} {{{end}}}"
    yield Fix(f"Declare the record `{shown(syntax.name)}` here", place.change(inserting(line, text)), finding)


def _in_module(place: FoundAt, finding: Finding, module: str, name: str) -> Iterator[Fix]:
    scope = place.checked.file.scope
    offers = scope.modules.get(module)
    bare = Span(finding.span.end - len(name), finding.span.end)
    if module in scope.modules:
        near = Suggestions(offers or {}).closest(name)
        if near is not None:
            title = f"Change to `{shown(module)}.{shown(near)}`"
            yield Fix(title, place.change(replacing(bare, near)), finding, preferred=True)
        else:
            yield from _imports(place, finding, name, f"{module}.{name}", _hidden(place))
        return
    if name in MODULES.get(module, {}):
        plan = place.plan()
        spelling = plan.spell_standard(module, name)
        yield _changed(place, finding, f"Add `import {STD}/{module}`", plan, spelling, preferred=True)
        return
    index = type_index(place.context.analysis, place.context.snapshot)
    files = [one for one in index.named(name) if one.path.endswith(f"/{module}{SUFFIX}")]
    for one in files[:MOST_FILES]:
        plan = place.plan(modules=True)
        found = plan.spell(one.path, name)
        if found is not None and plan.edits:
            yield _changed(place, finding, f"Add `{shown(plan.summary)}`", plan, found, preferred=len(files) == 1)
    near = Suggestions(scope.modules).closest(module)
    if near is not None:
        title = f"Change to `{shown(near)}.{shown(name)}`"
        yield Fix(title, place.change(replacing(finding.span, f"{near}.{name}")), finding, preferred=not files)
    elif not files:
        yield from _imports(place, finding, name, f"{module}.{name}", _hidden(place))


def _changed(
    place: FoundAt, finding: Finding, title: str, plan: ImportPlan, spelling: str, *, preferred: bool = False
) -> Fix:
    edits: tuple[TextEdit, ...] = plan.edits
    if place.text[slice(*finding.span)] != spelling:
        edits = (*edits, replacing(finding.span, spelling))
    return Fix(title, place.change(*edits), finding, preferred=preferred)


def arity(context: FixContext, finding: Finding) -> Iterator[Fix]:
    """`arity`: take away what a type does not take, and add the argument that is nearly always meant."""
    place = found_at(context, finding)
    if place is None:
        return
    name = finding.arguments["name"]
    written = Span(finding.span.start, finding.span.end)
    text = place.text[slice(*written)]
    opening = text.find("<")
    if finding.arguments["expected_text"] == "no type arguments" and opening > 0:
        without = Span(written.start + len(text[:opening].rstrip()), written.end)
        yield Fix("Remove the type arguments", place.change(replacing(without, "")), finding, preferred=True)
    target = place.checked.file.scope.look_up(name)
    if target is None or opening < 0 or not finding.arguments["given_text"].startswith("1 "):
        return
    if target.kind is TargetKind.RESULT:
        end = written.start + len(text[:-1].rstrip().rstrip(","))
        edit = replacing(Span(end, written.end - 1), ", Never")
        yield Fix("Add `Never`, for no error", place.change(edit), finding, preferred=True)
    elif target.kind is TargetKind.DICT:
        edit = inserting(written.start + opening + 1, "Text, ")
        yield Fix("Add `Text`, for the keys", place.change(edit), finding, preferred=True)
