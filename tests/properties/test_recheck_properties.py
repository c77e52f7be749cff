"""Checking after an edit says what checking anew says, on declarations that name each other in every way."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st
from strategies.flow_checks import MAIN, TYPES, TwoFiles, said

from flow_lsp.source.files import Memory
from flow_lsp.source.program import check_file
from flow_lsp.source.reader import read_source

NAMES = st.sampled_from("ABCD")
TOOLS = st.sampled_from("fgh")


def type_texts(*parameters: str) -> st.SearchStrategy[str]:
    """Types, mostly right, that name the declarations of the file and `parameters`."""
    leaves = st.sampled_from([*"AABBCCDD", *parameters, *parameters, "Int", "Text"])
    odd = st.sampled_from(["json.Value", "H", "Nope", "t.A", "t.P<Int>", "Task<Int>", "fn(A) -> B"])
    return st.recursive(
        st.one_of(leaves, leaves, leaves, odd),
        lambda inner: st.one_of(
            st.builds("{}<{}>".format, st.sampled_from(["List", "Option", "Set", "P", "P"]), inner),
            st.builds("{}<{}, {}>".format, st.sampled_from(["Dict", "Q"]), inner, inner),
            st.builds("({}, {})".format, inner, inner),
        ),
        max_leaves=3,
    )


def declarations(name: str) -> st.SearchStrategy[str]:
    """Declarations of the type `name`."""
    parameters = {"P": ("T",), "Q": ("T", "U")}.get(name, ())
    head = f"{name}<{', '.join(parameters)}>" if parameters else name
    inner = type_texts(*parameters)
    return st.one_of(
        inner.map(f"record {head} {{{{ x: Option<{{}}> }}}}\n".format),
        inner.map(f"record {head} {{{{ x: {{}} }}}}\n".format),
        inner.map(f"enum {head} {{{{ One({{}}), Two }}}}\n".format),
        st.sampled_from([f"opaque record {head} {{ x: Int }}\n", f"record {head} {{ x\n"]),
    )


TYPE_LINES = {name: declarations(name) for name in "ABCDPQ"}
TOOL_LINES = st.one_of(
    st.builds("@tool fn {}(x: {}) -> Result<{}, Never>\n".format, TOOLS, type_texts(), type_texts()),
    st.builds("@tool fn {}<T>(x: {}) -> Result<Int, {}>\n".format, TOOLS, type_texts("T"), type_texts("T")),
)
LINES = st.one_of(
    TOOL_LINES,
    *TYPE_LINES.values(),
    st.builds("@tool fn {}(x: {}) -> Int {{ 1 }}\n".format, TOOLS, NAMES),
    st.builds("import ./types.{{{}, {}}}\n".format, NAMES, NAMES),
    st.builds("import ./main.{{{}}}\n".format, NAMES),
    st.sampled_from(
        [
            "host H\n",
            "import ./types as t\n",
            "import std/json\n",
            "import ./types.{A,\n",
            "/// a doc\n",
            "// plain\n",
            "fn k() -> Int\n",
        ]
    ),
)


@st.composite
def programs(draw: st.DrawFn) -> list[str]:
    """Most types once, in any order, some Tools, and a few lines of any kind."""
    names = draw(st.permutations("ABCDPQ"))[draw(st.integers(0, 2)) :]
    lines = [draw(TYPE_LINES[name]) for name in names]
    lines += draw(st.lists(TOOL_LINES, min_size=1, max_size=4))
    for line in draw(st.lists(LINES, max_size=3)):
        lines.insert(draw(st.integers(0, len(lines))), line)
    return lines


@st.composite
def line_edits(draw: st.DrawFn, lines: list[str]) -> list[str]:
    """`lines` with one or two of them replaced, added, taken away, given a doc comment, or moved."""
    lines = list(lines)
    for _ in range(draw(st.integers(1, 2))):
        place = draw(st.integers(0, max(0, len(lines) - 1)))
        how = draw(st.sampled_from(["replace", "replace", "replace", "add", "remove", "doc", "move"]))
        if how == "add" or not lines:
            lines.insert(place, draw(LINES))
        elif how == "replace":
            name = lines[place].removeprefix("/// Said.\n").partition(" ")[2][:1]
            lines[place] = draw(TYPE_LINES.get(name, LINES))
        elif how == "doc":
            lines[place] = "/// Said.\n" + lines[place]
        else:
            line = lines.pop(place)
            if how == "move":
                lines.insert(draw(st.integers(0, len(lines))), line)
    return lines


@settings(max_examples=200, deadline=None)
@given(st.data())
def test_edits_of_whole_lines_say_what_checking_anew_says(data: st.DataObject) -> None:
    texts = {MAIN: data.draw(programs()), TYPES: data.draw(programs())}
    sources = {path: read_source("".join(lines)) for path, lines in texts.items()}
    memory = Memory()
    checked = {path: check_file(TwoFiles(sources), path, None, memory) for path in sources}
    for _ in range(data.draw(st.integers(1, 8))):
        path = data.draw(st.sampled_from([MAIN, MAIN, TYPES]))
        texts[path] = data.draw(line_edits(texts[path]))
        sources = {**sources, path: read_source("".join(texts[path]), sources[path])}
        workspace = TwoFiles(sources)
        for one in (MAIN, TYPES):
            checked[one] = check_file(workspace, one, checked[one], memory)
            assert said(checked[one]) == said(check_file(workspace, one))
