"""What the names in one file mean: its own declarations, its imports, and what is built in (decisions 8)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property

from flow_lsp.findings import source_rules as rules
from flow_lsp.findings.model import Finding, Related, shown
from flow_lsp.source.model import ImportSyntax, ItemKind, NameSyntax, SourceFile
from flow_lsp.source.standard import MODULES, NAME, RESULT_TARGET
from flow_lsp.source.suggestions import Suggestions
from flow_lsp.source.targets import BUILT_IN, UNKNOWN, Target, TargetKind
from flow_lsp.text.spans import Span

MOST_NAMES = 200  # imports that are looked for in the text: enough to be of use
MOST_TRIES = 1000
MOST_FINDINGS = 500  # about the imports of one file

Offers = Mapping[str, Target]  # the types that a file declares, by name


def offers_of(path: str, source: SourceFile) -> Offers:
    """The types that `source` declares, each name's first; `UNKNOWN` where that one does not parse."""
    found: dict[str, Target] = {}
    for name, index in source.declared.items():
        syntax = source.items[index].syntax
        if syntax is None:
            found[name] = UNKNOWN
        else:
            assert not isinstance(syntax, ImportSyntax)
            found[name] = Target(TargetKind.DECLARED, name, len(syntax.generic), path)
    return found


@dataclass(frozen=True)
class Scope:
    """The names of one file. `modules` maps what an import binds to what that file offers, or to None
    where that is not to be known."""

    own: Offers
    imported: Mapping[str, Target]
    modules: Mapping[str, Offers | None]
    doubtful: frozenset[str] = field(default_factory=frozenset)  # names of imports that do not parse

    def look_up(self, spelling: str) -> Target | None:
        """What `Name` or `module.Name` means; None where it means nothing."""
        module, dot, name = spelling.rpartition(".")
        if not dot:
            found = self.own.get(name) or self.imported.get(name) or BUILT_IN.get(name)
            if found is None and name == "Result":
                return RESULT_TARGET
            return UNKNOWN if found is None and name in self.doubtful else found
        if module in self.modules:
            offers = self.modules[module]
            return UNKNOWN if offers is None else offers.get(name)
        return UNKNOWN if module in self.doubtful else None

    @cached_property
    def _names(self) -> Suggestions:
        return Suggestions((*self.own, *self.imported, *BUILT_IN, "Result"))

    def closest(self, name: str) -> str | None:
        """The name without a module, of those that mean something here, that `name` most likely is a slip of."""
        return self._names.closest(name)

    def remedy(self, module: str | None, name: str) -> str:
        """What to do about a name that means nothing here, as one or two sentences."""
        if module is None:
            return self._remedy_for_bare(name)
        offers = self.modules.get(module)
        if offers is not None:
            near = Suggestions(offers).closest(name)
            if near is not None:
                return f"Did you mean `{shown(module)}.{shown(near)}`?"
            return f"The file imported as `{shown(module)}` does not declare it."
        if module in MODULES:
            return f"Add `import {NAME}/{module}` to use it."
        near = Suggestions(self.modules).closest(module)
        if near is not None:
            return f"No import binds `{shown(module)}`. Did you mean `{shown(near)}.{shown(name)}`?"
        return f"No import binds `{shown(module)}`: import the file that declares it."

    def _remedy_for_bare(self, name: str) -> str:
        lowered = name.lower()
        if lowered in ("json", "jsonvalue", "any", "unknown"):
            return f"For any JSON value, add `import {NAME}/json` and write `json.Value`."
        if lowered == "tuple":
            return "Write a tuple with brackets: `(A, B)`."
        near = self._names.instead_of(name)
        if near is not None:
            return f"Did you mean `{shown(near)}`?"
        for module, offers in self.modules.items():
            if offers is not None and name in offers:
                return f"Did you mean `{shown(module)}.{shown(name)}`?"
        return "Declare it in this file, or import it from the file that does."


@dataclass(frozen=True, slots=True)
class FoundImport:
    """One import with the place it leads to: what that file offers, or the sentence that says why it is not
    known.

    Both None: not to be known, and nothing is to be said.
    """

    index: int  # of the item
    syntax: ImportSyntax
    path: str | None
    offers: Offers | None
    problem_text: str | None = None


def doubtful_names(source: SourceFile) -> frozenset[str]:
    """The names that imports which do not parse may have meant to bind."""
    return frozenset[str]().union(
        *(item.mentions for item in source.items if item.kind is ItemKind.IMPORT and item.syntax is None)
    )


def read_scope(own: Offers, imports: tuple[FoundImport, ...], doubtful: frozenset[str]) -> Scope:
    """The scope of a file that declares `own`. Of two things under one name the file's own declaration counts, then the
    first import."""
    imported: dict[str, Target] = {}
    modules: dict[str, Offers | None] = {}
    for found in imports:
        if found.syntax.names is None:
            assert found.syntax.binding is not None
            modules.setdefault(found.syntax.binding.name, found.offers)
            continue
        for name in found.syntax.names:
            target = UNKNOWN if found.offers is None else found.offers.get(name.name, UNKNOWN)
            imported.setdefault(name.name, target)
    return Scope(own, imported, modules, doubtful)


def import_findings(
    path: str,
    source: SourceFile,
    own: Offers,
    imports: tuple[FoundImport, ...],
    source_at: Callable[[str], SourceFile | None],
) -> list[tuple[int, Finding]]:
    """What is wrong with the imports: each finding with the index of its item, spans counting from that item.

    Files declare functions and more that is not read here, so a name that is no type is said to be missing
    only where a type uses it, or where the file at the other end (`source_at`) does not hold it at all.
    """
    if not imports:
        return []

    @cache  # seldom needed, and a walk over the whole file
    def mentioned() -> frozenset[str]:
        return frozenset[str]().union(*(item.mentions for item in source.items if item.kind is not ItemKind.IMPORT))

    found: list[tuple[int, Finding]] = []
    bound: dict[tuple[str, bool], tuple[int, NameSyntax]] = {}
    for one in imports:
        problem_text = one.problem_text or _unknown_module(one, mentioned)
        if problem_text is not None:
            finding = rules.IMPORT.at(one.syntax.path_span, problem_text=problem_text, path=one.syntax.path)
            found.append((one.index, finding))
        is_module = one.syntax.names is None
        for name in one.syntax.bound:
            if not is_module and one.offers is not None and name.name not in one.offers:
                target = source_at(one.path) if one.path is not None else None
                absent = target is not None and not holds_word(target.text, name.name)
                if absent or name.name in mentioned():
                    found.append((one.index, _not_offered(one, name)))
            earlier = bound.setdefault((name.name, is_module), (one.index, name))
            how = ""
            if earlier[1] is not name:
                how = "imported"
                place = earlier[1].span.shifted(source.starts[earlier[0]])
            elif not is_module and name.name in own:
                how = "declared"
                index = source.declared[name.name]
                place = source.items[index].name_span.shifted(source.starts[index])
            if how:
                if len(found) >= MOST_FINDINGS:
                    return found
                related = (Related(path, place, f"{how} here"),)
                repeated = rules.REPEATED_NAME.at(name.span, related, name=name.name, how_text=how)
                found.append((one.index, repeated))
    return found


def _unknown_module(one: FoundImport, mentioned: Callable[[], frozenset[str]]) -> str | None:
    """What to say of a module of std that is not known here: something only where a type needs it."""
    if one.path is not None or one.offers is not None or one.syntax.segments[0] != NAME:
        return None
    if one.syntax.names is None:
        needed = any(name.startswith(f"{one.syntax.bound[0].name}.") for name in mentioned())
    else:
        needed = any(name.name in mentioned() for name in one.syntax.bound)
    if not needed:
        return None
    known = " and ".join(f"`{NAME}/{module}`" for module in MODULES)
    return (
        f"What `{shown(one.syntax.path)}` declares is not known here, so neither are the signatures of "
        f"Tools that use it. Only the types of {known} are known."
    )


def _not_offered(one: FoundImport, name: NameSyntax) -> Finding:
    assert one.offers is not None
    near = Suggestions(one.offers).closest(name.name)
    text = f"`{shown(one.syntax.path)}` declares no type `{shown(name.name)}`."
    if near is not None:
        text += f" Did you mean `{shown(near)}`?"
    else:
        text += " Remove it from the import, or declare it there."
    return rules.IMPORT.at(name.span, problem_text=text, path=one.syntax.path, name=name.name)


def unused_names(source: SourceFile, imports: tuple[FoundImport, ...]) -> list[tuple[int, Span, str]]:
    """The imported names that stand nowhere else in the file's text, bodies and comments included."""
    found: list[tuple[int, Span, str]] = []
    looked = 0
    for one in imports:
        if one.problem_text is not None:
            continue
        extent = source.items[one.index].extent.shifted(source.starts[one.index])
        for name in one.syntax.bound:
            looked += 1
            if looked > MOST_NAMES:
                return found
            if name.name.isascii() and not holds_word(source.text, name.name, extent):
                found.append((one.index, name.span, name.name))
    return found


def holds_word(text: str, word: str, outside: Span | None = None) -> bool:
    """Whether `word` stands in `text` as a whole word, outside the span where one is given."""
    position = text.find(word)
    for _ in range(MOST_TRIES):
        if position < 0:
            return False
        end = position + len(word)
        if outside is None or not outside.start <= position < outside.end:
            beside = text[max(position - 1, 0) : position] + text[end : end + 1]
            if not any(letter.isalnum() or letter == "_" for letter in beside):
                return True
        position = text.find(word, end)
    return True  # it stands there so often inside longer words that nothing is said
