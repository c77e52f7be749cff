"""Two versions of one Tool and the types that it reaches, in two files, each version written as a person might."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from hypothesis import strategies as st

PRIMITIVES = ("Int", "Text", "Decimal", "Bool", "Instant", "Unit", "json.Value", "Bytes")
FIELDS = ("title", "url", "score", "next", "record", "größe", "x")
CONSTRUCTORS = ("Offline", "Slow", "Range", "Other")
TYPES = {"Own": 0, "Pair": 2, "Hit": 0, "Page": 1, "Problem": 0}  # how many type parameters each has
FORMS = ("List<{}>", "Option<{}>", "Dict<Text, {}>", "Dict<Int, {}>", "({}, Int)", "({})")
HERE = ("Own", "Pair")  # of a.flow; the others are types.flow's


@dataclass(frozen=True)
class Style:
    """How one version is written."""

    many_lines: bool
    separator: str
    trailing: bool
    line_end: str
    docs: bool


styles = st.builds(
    Style, st.booleans(), st.sampled_from((",", "")), st.booleans(), st.sampled_from(("\n", "\r\n")), st.booleans()
)


@st.composite
def types(draw: st.DrawFn, names: Sequence[str], parameters: Sequence[str] = (), depth: int = 2) -> str:
    """A type over the declarations `names`."""
    plain = [*PRIMITIVES, *parameters]
    if depth == 0 or draw(st.integers(0, 2)) == 0:
        return draw(st.sampled_from(plain))
    inner = types(names, parameters, depth - 1)
    form = draw(st.sampled_from((*FORMS, *("name",) * 4)))
    if form != "name":
        return form.format(draw(inner))
    name = draw(st.sampled_from(names)) if names else "Int"
    arguments = [draw(types((), parameters, 1)) for _ in range(TYPES.get(name, 0))]
    return f"{name}<{', '.join(arguments)}>" if arguments else name


@st.composite
def members(
    draw: st.DrawFn, names: Sequence[str], parameters: Sequence[str], of: Sequence[str]
) -> list[tuple[str, str]]:
    """Fields with types, in some order; a field that holds its own type is an Option or a List of it."""
    chosen = draw(st.permutations(of))[: draw(st.integers(0, 4))]
    return [(name, f": {draw(types(names, parameters))}") for name in chosen]


@st.composite
def declarations(draw: st.DrawFn, name: str, names: Sequence[str], style: Style) -> str:
    """A record or enum."""
    parameters = ("T", "U")[: TYPES[name]]
    generic = f"<{', '.join(parameters)}>" if parameters else ""
    if draw(st.integers(0, 2)):
        found = draw(members(names, parameters, FIELDS))
        keyword = "record"
    else:
        keyword, found = "enum", []
        for constructor in draw(st.permutations(CONSTRUCTORS))[: draw(st.integers(1, 4))]:
            payload = draw(st.sampled_from(("", "positional", "named")))
            if payload == "positional":
                parts = [draw(types(names, parameters, 1)) for _ in range(draw(st.integers(1, 2)))]
                payload = f"({', '.join(parts)})"
            elif payload == "named":
                inner = draw(members(names, parameters, FIELDS[:3]))
                payload = f" {{ {', '.join(field + of for field, of in inner)} }}"
            found.append((constructor, payload))
    doc = f"/// About {name}.{style.line_end}" if style.docs else ""
    return f"{doc}pub {keyword} {name}{generic} {{{block(found, style, ' ')}}}"


def block(found: Sequence[tuple[str, str]], style: Style, padding: str) -> str:
    """What stands between brackets."""
    if not found:
        return ""
    if not style.many_lines:
        return padding + ", ".join(name + rest for name, rest in found) + padding
    lines = []
    for number, (name, rest) in enumerate(found):
        if style.docs:
            lines.append(f"  /// About {name}.")
        comma = style.separator if number + 1 < len(found) or style.trailing else ""
        lines.append(f"  {name}{rest}{comma}{' // beside' if style.docs else ''}")
    return style.line_end + style.line_end.join(lines) + style.line_end


@st.composite
def versions(draw: st.DrawFn) -> dict[str, str]:
    """The files of one version, by name; what they import is what they name."""
    style = draw(styles)
    texts = {"types.flow": [], "a.flow": []}  # type: dict[str, list[str]]
    there = tuple(name for name in TYPES if name not in HERE)
    for name in draw(st.permutations(list(TYPES))):
        if draw(st.integers(0, 9)) == 0:
            continue
        file = "a.flow" if name in HERE else "types.flow"
        names = (*HERE, *there) if name in HERE else there
        later = names[names.index(name) + 1 :]  # so that no type must hold itself
        texts[file].append(draw(declarations(name, [one for one in later if not TYPES[name]], style)))
    params = draw(members(list(TYPES), (), ("query", "limit", "after", "record")))
    ok, err = draw(types(list(TYPES))), draw(st.sampled_from(("Never", "Problem", "Text")))
    doc = f"/// About find.{style.line_end}" if style.docs else ""
    tool = f"{doc}@tool{style.line_end}fn find({block(params, style, '')}) -> Result<{ok}, {err}>"
    texts["a.flow"].insert(draw(st.integers(0, len(texts["a.flow"]))), tool)
    end = style.line_end
    found = {file: (end + end).join(parts) + (end if parts else "") for file, parts in texts.items()}
    head = [f"import ./types.{{{name}}}" for name in there if name in found["a.flow"]] if found["types.flow"] else []
    for file, text in found.items():
        needs = ["import std/json"] if "json.Value" in text else []
        lines = [*needs, *(head if file == "a.flow" else [])]
        found[file] = "".join(line + end for line in lines) + (end if lines else "") + text
    return found
