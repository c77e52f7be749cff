"""One file with its names resolved, and the same after an edit: only what the edit touched is resolved anew.

An edit inside one item leaves all other items the same objects, and mostly leaves what the file declares as it
was. Then only the items that are other objects need to be looked at.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import compress
from operator import is_not

from flow_lsp.source.homes import FileHome
from flow_lsp.source.model import TYPE_KINDS, Item, ItemKind, SourceFile
from flow_lsp.source.resolution import Resolved, resolve_item
from flow_lsp.source.scope import FoundImport, Scope


@dataclass(frozen=True, eq=False)
class ResolvedFile:
    """One file with its names resolved. `items` stand beside the file's own; None for one that declares
    nothing.

    `types` are its types whose names are all known, and `tools` its Tools that parsed, both by local id and in
    source order; `tool_places` stand beside `tools`. `telling` are the places of all items that something is
    to be said of.
    """

    path: str
    source: SourceFile
    home: FileHome
    imports: tuple[FoundImport, ...]
    scope: Scope
    items: Sequence[Resolved | None]
    types: Mapping[str, Resolved]
    tools: Mapping[str, Resolved]
    tool_places: Sequence[int]
    telling: Sequence[int]


def changed_inside(before: SourceFile, now: SourceFile) -> Sequence[int] | None:
    """The places of the items that differ, where both files declare and import the same in the same places;
    else None."""
    if len(before.items) != len(now.items):
        return None
    changed = list(compress(range(len(now.items)), map(is_not, before.items, now.items)))
    if all(_skeleton(before.items[place]) == _skeleton(now.items[place]) for place in changed):
        return changed
    return None


def _skeleton(item: Item) -> object:
    """All of an item that counts outside it: what it declares. An import is like no other."""
    if item.kind is ItemKind.IMPORT:
        return object()
    if item.name is None or item.syntax is None:
        return item.kind, item.name
    return item.kind, item.name, len(getattr(item.syntax, "generic", ()))


def resolved_file(
    path: str,
    source: SourceFile,
    home: FileHome,
    imports: tuple[FoundImport, ...],
    scope: Scope,
    known: ResolvedFile | None,
) -> ResolvedFile:
    """Resolves `source` in `scope`. `known` is an earlier result of the same file and home."""
    if known is not None and known.scope is scope:
        changed = changed_inside(known.source, source)
        if changed is not None:
            return _edited(source, imports, known, changed)
    earlier: dict[int, Resolved] = {}
    if known is not None:
        earlier = {id(one.item): one for one in known.items if one is not None}
    holds = _Holding(known.scope if known is not None else scope, scope)
    ordinals: dict[str, int] = {}
    items: list[Resolved | None] = []
    tools: dict[str, Resolved] = {}
    tool_places: list[int] = []
    for index, item in enumerate(source.items):
        is_type = item.kind in TYPE_KINDS
        if item.name is None or not (is_type or item.kind is ItemKind.TOOL):
            items.append(None)
            continue
        counted = item.name if is_type else "fn " + item.name
        ordinal = ordinals[counted] = ordinals.get(counted, 0) + 1
        if item.syntax is None:
            items.append(None)
            continue
        old = earlier.get(id(item))
        if old is None or not holds.still(old, ordinal):
            old = resolve_item(path, item, ordinal, source.starts[index], scope, home)
        items.append(old)
        if not is_type:
            tools[old.local_id] = old
            tool_places.append(index)
    telling = [place for place, item in enumerate(source.items) if _tells(item, items[place])]
    return ResolvedFile(path, source, home, imports, scope, items, _types(items), tools, tool_places, telling)


def _edited(
    source: SourceFile, imports: tuple[FoundImport, ...], known: ResolvedFile, changed: Sequence[int]
) -> ResolvedFile:
    """`known` with the items at `changed` resolved anew, where all else that the file declares is the same."""
    path, home, scope = known.path, known.home, known.scope
    items = list(known.items)
    before, now = known.source.starts, source.starts
    # What is said of an item with a related place says where that stands in the file, and it may have moved.
    moved = [place for place in known.telling if before[place] != now[place] and _relates(items[place])]
    renewed = {*changed, *moved}
    tools = dict(known.tools)
    same_types = True
    for place in renewed:
        old = items[place]
        if old is not None:
            one = resolve_item(path, source.items[place], old.ordinal, now[place], scope, home)
            items[place] = one
            if one.local_id in tools:
                tools[one.local_id] = one
            else:
                same_types = same_types and one.is_known == old.is_known
    if same_types:
        types = {**known.types, **_types([items[place] for place in renewed])}  # each in its place of before
    else:
        types = _types(items)
    telling = [place for place in known.telling if place not in renewed]
    telling += [place for place in renewed if _tells(source.items[place], items[place])]
    telling.sort()
    return ResolvedFile(path, source, home, imports, scope, items, types, tools, known.tool_places, telling)


def _types(items: Sequence[Resolved | None]) -> dict[str, Resolved]:
    return {one.local_id: one for one in items if one is not None and one.template is not None}


def _tells(item: Item, one: Resolved | None) -> bool:
    return bool(item.findings) or (one is not None and (bool(one.findings) or one.ordinal > 1))


def _relates(one: Resolved | None) -> bool:
    return one is not None and any(finding.related for finding in one.findings)


class _Holding:
    """Whether what was resolved in one scope still holds in another."""

    def __init__(self, before: Scope, now: Scope) -> None:
        self._now = now
        self._same = before is now
        self._other_names = None if before.modules != now.modules else _other_names(before, now)

    def still(self, old: Resolved, ordinal: int) -> bool:
        """Whether resolving the item of `old` anew would give the same."""
        if old.ordinal != ordinal:
            return False
        if old.findings and (not self._same or _relates(old)):
            return False  # it may say something else now: what is near a name, or where a related place is
        if self._other_names is not None:
            return self._other_names.isdisjoint(old.targets)
        return all(self._now.look_up(name) == target for name, target in old.targets.items())


def _other_names(before: Scope, now: Scope) -> set[str]:
    """The names without a module that mean something else now."""
    if before is now:
        return set()
    found = set(before.doubtful ^ now.doubtful)
    for old, new in ((before.own, now.own), (before.imported, now.imported)):
        if old != new:
            found.update(name for name in {**old, **new} if old.get(name) != new.get(name))
    return found
