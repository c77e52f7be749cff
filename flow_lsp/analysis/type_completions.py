"""The types that may stand at a place of a `.flow` file: those in scope, then those of other files and their import."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from posixpath import dirname
from typing import TYPE_CHECKING

from flow_lsp.analysis.built_in_words import ARGUMENT_NAMES, BUILT_IN_WORDS
from flow_lsp.analysis.edits import TextEdit
from flow_lsp.analysis.import_plans import ImportPlan
from flow_lsp.analysis.offers import DeclaredName, Offer, OfferKind, Offers
from flow_lsp.analysis.snapshot import Snapshot
from flow_lsp.analysis.type_index import TypeIndex, distance, type_index
from flow_lsp.source.declarations import CheckedFile
from flow_lsp.source.homes import SUFFIX
from flow_lsp.source.model import ImportSyntax, Item, ItemKind
from flow_lsp.source.spelling import declaration_text
from flow_lsp.source.standard import MODULES
from flow_lsp.source.standard import NAME as STD
from flow_lsp.source.targets import BUILT_IN, Target, TargetKind
from flow_lsp.source.unfinished import TypingPlace

if TYPE_CHECKING:
    from flow_lsp.analysis.engine import Analysis

MOST_OTHERS = 20  # types of other files that are offered at once; each has its import worked out
MOST_UNTYPED = 8  # the same where nothing is typed yet, so that nothing says which are meant
MOST_IN_SCOPE = 2_000
DOC_LIMIT = 2_000  # characters
MOST_DOCS = 1_000  # that are remembered

_FIRST_AS_RESULT = ("Result",)
_LAST = ("Task",)  # it cannot cross


class TypeCompletions:
    """The types at one place of the file `checked`."""

    def __init__(self, analysis: Analysis, snapshot: Snapshot, checked: CheckedFile, place: TypingPlace) -> None:
        self._analysis = analysis
        self._snapshot = snapshot
        self._checked = checked
        self._place = place
        source = checked.source
        self._typed = source.text[place.span.start : place.span.end]
        self._folded = self._typed.casefold()
        self._wanted = ""
        self._wrapped = source.text.startswith("<", place.word.end)  # arguments stand there already
        self._used = Counter(name for item in source.items for name in item.mentions)
        if 0 <= place.index < len(source.items):
            self._used.subtract(source.items[place.index].mentions & {source.text[slice(*place.word)]})

    def offers(self) -> Offers:
        """All types, the likeliest first."""
        module = self._place.module
        if module is not None:
            return Offers(tuple(self._members(module)))
        others, complete = self._others()
        # A client asks again with more or less of a word where not all was given: then what no client would show of a
        # word with these letters can be left out.
        self._wanted = "" if complete else self._folded
        found = list(self._in_scope())
        return Offers((*found[:MOST_IN_SCOPE], *others), complete)

    def _may_be_meant(self, spelling: str) -> bool:
        """Whether the letters that are wanted stand in `spelling`, in their order."""
        text, at = spelling.casefold(), -1
        for letter in self._wanted:
            at = text.find(letter, at + 1)
            if at < 0:
                return False
        return True

    # -- in scope -----------------------------------------------------------------------------------------------

    def _in_scope(self) -> Iterator[Offer]:
        place, scope = self._place, self._checked.file.scope
        for name in filter(self._may_be_meant, dict.fromkeys(place.parameters)):
            yield self._offer(name, OfferKind.PARAMETER, detail="type parameter")
        hidden = set(place.parameters)
        declared: list[Offer] = []
        for name, target in scope.own.items():
            if name not in hidden and self._may_be_meant(name):
                declared.append(self._declared(name, target, "declared here"))
        for name, target in scope.imported.items():
            if name not in hidden and name not in scope.own and self._may_be_meant(name):
                declared.append(self._declared(name, target, "imported"))
        for module, offers in scope.modules.items():
            for name, target in (offers or {}).items():
                if self._may_be_meant(f"{module}.{name}"):
                    declared.append(self._declared(f"{module}.{name}", target, "imported"))
        declared.sort(key=lambda offer: (-self._used[offer.label], "." in offer.label))
        built_in = [name for name in (*BUILT_IN, "Result") if name not in scope.own and name not in scope.imported]
        built_in = [name for name in built_in if self._may_be_meant(name)]
        order = {name: number for number, name in enumerate(built_in)}
        built_in.sort(key=lambda name: (name in _LAST, -self._used[name], order[name]))
        first = [name for name in built_in if place.is_result and name in _FIRST_AS_RESULT]
        yield from (self._built_in(name) for name in first)
        yield from declared
        yield from (self._built_in(name) for name in built_in if name not in first and name not in hidden)

    def _declared(self, spelling: str, target: Target, detail: str) -> Offer:
        if target.kind is not TargetKind.DECLARED:
            name = target.name if target.kind is TargetKind.PRIMITIVE else "Result"
            about = BUILT_IN_WORDS.get(name) if target.kind is not TargetKind.UNKNOWN else None
            return self._offer(spelling, OfferKind.TYPE, ARGUMENT_NAMES.get(target.kind, ()), detail, about)
        source = self._checked.look.source(target.path)
        item = source.items[source.declared[target.name]] if source is not None else None
        if item is None or item.syntax is None:
            return self._offer(spelling, OfferKind.TYPE, detail=detail)
        return self._of_item(spelling, item, DeclaredName(target.path, target.name), detail)

    def _of_item(
        self, spelling: str, item: Item, declared: DeclaredName, detail: str, edits: tuple[TextEdit, ...] = ()
    ) -> Offer:
        assert item.syntax is not None
        assert not isinstance(item.syntax, ImportSyntax)
        kind = OfferKind.ENUM if item.kind is ItemKind.ENUM else OfferKind.TYPE
        names = tuple(parameter.name for parameter in item.syntax.generic)
        return self._offer(spelling, kind, names, detail, None, edits, declared)

    def _built_in(self, name: str) -> Offer:
        return self._offer(name, OfferKind.BUILT_IN, ARGUMENT_NAMES.get(name, ()), "built in", BUILT_IN_WORDS.get(name))

    def _offer(
        self,
        spelling: str,
        kind: OfferKind,
        arguments: tuple[str, ...] = (),
        detail: str = "",
        doc: str | None = None,
        edits: tuple[TextEdit, ...] = (),
        declared: DeclaredName | None = None,
    ) -> Offer:
        typed = spelling
        if "." in spelling and not spelling.casefold().startswith(self._folded):
            typed = spelling.rpartition(".")[2]
        shown = f"{spelling}<{', '.join(arguments)}>" if arguments else spelling
        snippet = ""
        if arguments and not self._wrapped:
            places = ", ".join(f"${{{number}:{name}}}" for number, name in enumerate(arguments, 1))
            snippet = f"{spelling}<{places}>"
        return Offer(
            shown,
            kind,
            self._place.span,
            self._place.word,
            spelling,
            snippet,
            detail,
            doc,
            typed,
            edits,
            declared,
        )

    # -- behind a module ----------------------------------------------------------------------------------------

    def _members(self, module: str) -> Iterator[Offer]:
        scope = self._checked.file.scope
        if module in scope.modules:
            for name, target in (scope.modules[module] or {}).items():
                yield self._member(name, target)
            return
        if module in MODULES:
            for name in MODULES[module]:
                plan = self._plan()
                if plan.spell_standard(module, name) == f"{module}.{name}":
                    yield self._with_edits(self._member(name, MODULES[module][name]), plan, f"import {STD}/{module}")
        for path in sorted(self._snapshot.sources, key=lambda path: distance(dirname(self._checked.path), path)):
            if path.endswith(f"/{module}{SUFFIX}") and path != self._checked.path:
                source = self._snapshot.sources[path]
                for name, index in source.declared.items():
                    plan = self._plan(modules=True)
                    item = source.items[index]
                    if item.syntax is not None and plan.spell(path, name) == f"{module}.{name}":
                        yield self._of_item(name, item, DeclaredName(path, name), plan.summary, plan.edits)
                return

    def _member(self, name: str, target: Target) -> Offer:
        return self._declared(name, target, "")

    @staticmethod
    def _with_edits(offer: Offer, plan: ImportPlan, detail: str) -> Offer:
        return replace(offer, edits=plan.edits, detail=detail)

    # -- of other files -----------------------------------------------------------------------------------------

    def _others(self) -> tuple[list[Offer], bool]:
        scope = self._checked.file.scope
        here = self._checked.path
        in_scope = {(target.path, target.name) for target in scope.imported.values()}
        for offers in scope.modules.values():
            in_scope.update((target.path, target.name) for target in (offers or {}).values())
        typed = self._typed
        found: list[Offer] = []
        if ("", "json.Value") not in in_scope and typed.casefold() in "json.value":
            plan = self._plan()
            spelling = plan.spell_standard("json", "Value")
            found.append(
                self._offer(
                    spelling, OfferKind.TYPE, (), f"import {STD}/json", BUILT_IN_WORDS["json.Value"], plan.edits
                )
            )
        index: TypeIndex = type_index(self._analysis, self._snapshot)
        nearest, complete = index.nearest(typed, here, in_scope, MOST_OTHERS if typed else MOST_UNTYPED)
        modules: dict[str, tuple[ImportPlan, str, tuple[TextEdit, ...]]] = {}  # one import does for all types of a file
        for one in nearest:
            known = modules.get(one.path)
            plan = known[0] if known is not None else self._plan()
            called = plan.spell(one.path, one.name, self._place.parameters)
            if called is None:
                continue
            summary, edits = known[1:] if known is not None else (plan.summary or one.path, plan.edits)
            if known is None and plan.serves_all(one.path):
                modules[one.path] = plan, summary, edits
            found.append(self._of_item(called, one.item, DeclaredName(one.path, one.name), summary, edits))
        return found, complete

    def _plan(self, *, modules: bool = False) -> ImportPlan:
        return ImportPlan(self._snapshot, self._checked, modules=modules)


_DOCS: dict[int, tuple[Item, str]] = {}  # by identity: comparing items is as dear as writing them out


def type_documentation(snapshot: Snapshot, declared: DeclaredName) -> tuple[str, str]:
    """The declaration of a type as Flow writes it, and its doc comment; both empty where it is not there any more."""
    source = snapshot.sources.get(declared.path)
    index = source.declared.get(declared.name) if source is not None else None
    if source is None or index is None or source.items[index].syntax is None:
        return "", ""
    item = source.items[index]
    known = _DOCS.get(id(item))  # while a word is typed the same ones are shown again and again
    if known is None or known[0] is not item:
        if len(_DOCS) >= MOST_DOCS:
            _DOCS.clear()
        known = _DOCS[id(item)] = item, declaration_text(item)[:DOC_LIMIT]
    return known[1], (item.doc or "").strip()[:DOC_LIMIT]
