"""What may be typed at a place of a `.flow` file: keywords, types, imports, and the words of a doc comment."""

from __future__ import annotations

from collections.abc import Iterator
from posixpath import dirname, normpath
from typing import TYPE_CHECKING

from flow_lsp.analysis.import_plans import import_path, line_end_of, read_import_path, std_modules
from flow_lsp.analysis.offers import DeclaredName, Offer, OfferKind, Offers
from flow_lsp.analysis.snapshot import Snapshot
from flow_lsp.analysis.type_completions import TypeCompletions
from flow_lsp.source.declarations import CheckedFile
from flow_lsp.source.model import ItemKind, SourceFile
from flow_lsp.source.standard import NAME as STD
from flow_lsp.source.unfinished import PlaceKind, TypingPlace, typing_place
from flow_lsp.text.spans import Span

if TYPE_CHECKING:
    from flow_lsp.analysis.engine import Analysis

MOST_PATHS = 100

_KEYWORDS = {
    "pub": "for other files, too",
    "record": "a type of named fields",
    "enum": "a type of constructors",
    "import": "another file's types",
    "host": "a type whose values the host makes",
    "opaque": "a type that only its own file makes",
    "fn": "a function",
}
_AFTER = {"pub": ("fn", "record", "enum", "opaque", "host"), "opaque": ("record", "enum")}
_TOOL = "fn ${1:name}(${2:parameter}: ${3:Text}) -> Result<${4:Text}, ${5:Never}>"
_SNIPPETS = {
    "record": ("record { … }", "record ${1:Name} {%s    ${2:field}: ${3:Text},%s}"),
    "enum": ("enum { … }", "enum ${1:Name} {%s    ${2:Constructor},%s}"),
}


def source_completions(analysis: Analysis, snapshot: Snapshot, key: str, offset: int) -> Offers:
    """What may be typed at `offset` of the source `key`, the likeliest first."""
    checked = analysis.checked(snapshot, key)
    if checked is None:
        return Offers()
    source = checked.source
    place = typing_place(source, offset)
    match place.kind:
        case PlaceKind.TYPE:
            return TypeCompletions(analysis, snapshot, checked, place).offers()
        case PlaceKind.TOP:
            return Offers(tuple(_keywords(source, place)))
        case PlaceKind.ATTRIBUTE:
            return Offers(tuple(_attributes(source, place)))
        case PlaceKind.ARROW:
            return Offers((_arrow(place),))
        case PlaceKind.DOC:
            return Offers(tuple(_docs(source, place)))
        case PlaceKind.IMPORT_PATH:
            return _paths(snapshot, checked, place)
        case PlaceKind.IMPORT_NAMES:
            return Offers(tuple(_names(analysis, snapshot, checked, place)))
        case PlaceKind.IMPORT_AS:
            return Offers((_word(place, "as", "another name for the file"),))
        case _:
            return Offers()


def _word(place: TypingPlace, word: str, detail: str) -> Offer:
    return Offer(word, OfferKind.KEYWORD, place.span, place.word, word, detail=detail, typed=word)


def _keywords(source: SourceFile, place: TypingPlace) -> Iterator[Offer]:
    end = line_end_of(source.text)
    if place.tool:
        yield _snippet(place, "fn … -> Result", _TOOL, "the function that is a Tool", "fn")
        if "pub" not in place.before:
            yield _word(place, "pub", _KEYWORDS["pub"])
        yield _word(place, "fn", "the function that is a Tool")
        return
    words: tuple[str, ...] = tuple(_KEYWORDS)
    for before in ("opaque", "pub"):
        if before in place.before:
            words = _AFTER[before]
            break
    if not place.before:
        yield _tool_snippet(source, place, "@tool")
        yield Offer(
            "@tool", OfferKind.KEYWORD, place.span, place.word, "@tool", detail="makes a function a Tool", typed="@tool"
        )
    for word in words:
        yield _word(place, word, _KEYWORDS[word])
        if word in _SNIPPETS:
            label, text = _SNIPPETS[word]
            yield _snippet(place, label, text % (end, end), _KEYWORDS[word], word)


def _snippet(place: TypingPlace, label: str, text: str, detail: str, typed: str) -> Offer:
    return Offer(label, OfferKind.SNIPPET, place.span, place.word, "", text, detail, None, typed)


def _tool_snippet(source: SourceFile, place: TypingPlace, before: str, span: Span | None = None) -> Offer:
    """`@tool` and its function, `pub` where the file's Tools mostly are."""
    end = line_end_of(source.text)
    tools = [item for item in source.items if item.kind is ItemKind.TOOL]
    starts = source.starts
    public = sum(
        "pub" in source.text[starts[index] : starts[index] + item.name_span.start].split()
        for index, item in enumerate(source.items)
        if item.kind is ItemKind.TOOL
    )
    same_line = sum(
        item.attribute is not None
        and "\n" not in source.text[starts[index] + item.attribute.end : starts[index] + item.name_span.start]
        for index, item in enumerate(source.items)
        if item.kind is ItemKind.TOOL
    )
    gap = " " if tools and same_line * 2 > len(tools) else end
    text = f"{before}{gap}{'pub ' if tools and public * 2 > len(tools) else ''}{_TOOL}"
    return Offer(
        "@tool fn … -> Result",
        OfferKind.SNIPPET,
        span or place.span,
        place.word if span is None else Span(span.start, place.word.end),
        "",
        text,
        "a Tool",
        None,
        "@tool",
    )


def _attributes(source: SourceFile, place: TypingPlace) -> Iterator[Offer]:
    at = source.text.rfind("@", 0, place.span.start)
    if at >= 0 and not source.text[at + 1 : place.span.start]:
        yield _tool_snippet(source, place, "@tool", Span(at, place.span.end))
    yield _word(place, "tool", "makes a function a Tool")


def _arrow(place: TypingPlace) -> Offer:
    return Offer(
        "-> Result<T, E>",
        OfferKind.SNIPPET,
        place.span,
        place.word,
        "-> ",
        "-> Result<${1:Text}, ${2:Never}>",
        "what the function gives",
        None,
        "->",
    )


def _docs(source: SourceFile, place: TypingPlace) -> Iterator[Offer]:
    """A beginning for the doc comment of what follows."""
    text = source.text
    line_end = text.find("\n", place.span.end)
    index = source.item_at(line_end + 1) if line_end >= 0 else -1
    item = source.items[index] if index >= 0 else None
    gap = "" if text[place.span.start - 1 : place.span.start].isspace() else " "
    name = item.name if item is not None and item.name is not None and item.doc is None else None
    if item is not None and name is not None and place.span.start <= source.starts[index] + item.name_span.start:
        what = "What this Tool does." if item.kind is ItemKind.TOOL else f"What {name} is."
        yield Offer(
            f"/// {what}",
            OfferKind.SNIPPET,
            place.span,
            place.word,
            f"{gap}{what}",
            f"{gap}${{1:{what}}}",
            "a doc comment",
            None,
            what,
        )


# -- imports ---------------------------------------------------------------------------------------------------------


def _paths(snapshot: Snapshot, checked: CheckedFile, place: TypingPlace) -> Offers:
    """The files that an import could name: those beside, further ones, those of repositories, and std; and the folders
    at the end of what was typed."""
    typed = place.path
    inside = typed.rpartition("/")[0] + "/" if "/" in typed else ""
    imported = {found.path for found in checked.file.imports if found.index != place.index}
    found: list[tuple[tuple[bool, bool, bool, int, str], Offer]] = []
    likely = _likely(snapshot, checked.path, inside, typed[len(inside) :])
    folders = _folders(likely, checked.path, inside)
    for path in likely[:MOST_LOOKED_AT]:
        written = import_path(snapshot, checked.path, path)
        if written is None or not written.casefold().startswith(inside.casefold()):
            continue
        types = list(snapshot.sources[path].declared)
        detail = ", ".join(types[:5]) + (", …" if len(types) > 5 else "")
        rank = (path in imported, not types, written.startswith("../"), written.count("/"), written)
        found.append((rank, _path(place, written, OfferKind.FILE, detail)))
    for module, names in std_modules().items():
        if module.startswith(inside):
            found.append(((False, False, True, 9, module), _path(place, module, OfferKind.MODULE, ", ".join(names))))
    found.sort(key=lambda entry: entry[0])
    offers = [offer for _, offer in found[:MOST_PATHS]]
    offers += [_path(place, folder, OfferKind.FOLDER, "a folder") for folder in sorted(folders)[:MOST_PATHS]]
    if not inside and "import" not in typed:
        offers += [_path(place, start, OfferKind.FOLDER, detail) for start, detail in _STARTS]
    return Offers(tuple(offers), len(found) <= MOST_PATHS and len(likely) <= MOST_LOOKED_AT)


_STARTS = (("./", "files beside this one"), ("../", "files above"), (f"{STD}/", "what Flow itself declares"))
MOST_LOOKED_AT = 150  # files whose path is worked out at once


def _folders(paths: list[str], here: str, inside: str) -> set[str]:
    """The folders in the one that a relative path beginning with `inside` is in, as such a path."""
    if not inside.startswith("."):
        return set()
    base = normpath(f"{dirname(here)}/{inside}").rstrip("/") + "/"
    heads = {path[len(base) :].partition("/") for path in paths}
    return {inside + head for head, slash, _ in heads if slash}


def _likely(snapshot: Snapshot, here: str, inside: str, last: str) -> list[str]:
    """The sources that an import whose path begins with `inside` could lead to. Where there are many, the nearest of
    those whose name holds `last` come first."""
    sources = [path for path in snapshot.sources if path != here]
    near = dirname(here)
    if inside.startswith("."):
        near = normpath(f"{near}/{inside}")
        sources = [path for path in sources if path.startswith(f"{near.rstrip('/')}/")]
    if len(sources) > MOST_LOOKED_AT:
        folded, beside = last.casefold(), f"{near.rstrip('/')}/"

        def rank(path: str) -> tuple[bool, bool, int, str]:
            name = path.rpartition("/")[2].casefold()
            return folded not in name, not path.startswith(beside), path.count("/"), path

        sources.sort(key=rank)
    return sources


def _path(place: TypingPlace, path: str, kind: OfferKind, detail: str) -> Offer:
    return Offer(path, kind, place.span, place.word, path, detail=detail, typed=path)


def _names(analysis: Analysis, snapshot: Snapshot, checked: CheckedFile, place: TypingPlace) -> Iterator[Offer]:
    """The types of the imported file that the import does not name yet."""
    syntax = read_import_path(place.path)
    if syntax is None:
        return
    given = set(place.names or ())
    detail = place.path
    if syntax.above is None and place.path in std_modules():
        for name in std_modules()[place.path]:
            if name not in given:
                yield _name(place, name, detail)
        return
    path = analysis.program(snapshot).import_target(checked.path, syntax).path
    source = snapshot.sources.get(path) if path is not None else None
    if path is None or source is None:
        return
    for name, index in source.declared.items():
        if name not in given:
            declared = DeclaredName(path, name) if source.items[index].syntax is not None else None
            yield _name(place, name, detail, declared)


def _name(place: TypingPlace, name: str, detail: str, declared: DeclaredName | None = None) -> Offer:
    text = name if place.names is not None else f"{{{name}}}"
    return Offer(name, OfferKind.TYPE, place.span, place.word, text, "", detail, None, name, declared=declared)
