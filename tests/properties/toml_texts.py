"""TOML-like texts, right and wrong, and the plain data that this project reads from one."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from flow_lsp.manifest.definitions import Definitions, Node, NodeKind
from flow_lsp.manifest.toml_scanner import Scanner
from flow_lsp.manifest.toml_syntax import Statement, Value, ValueKind
from flow_lsp.manifest.toml_values import twice

BLANKS = st.sampled_from(["", "", "", " ", "\t", "  "])
NAMES = st.sampled_from(
    [
        "a",
        "b",
        "c",
        "tools",
        "tools",
        "command",
        "mcp",
        '"a.flow"',
        '"a.flow"',
        '"./a.flow"',
        '"b.flow"',
        "'c.flow'",
        '""',
        "1",
        "-",
        '"\\u0061"',
        '"x\\"y"',
        "'\\'",
        "flow",
        "3.14",
    ]
)
SCALARS = st.sampled_from(
    [
        "1",
        "-0",
        "+7",
        "1_000",
        "0x1F",
        "0b1_0",
        "0o7",
        "01",
        "1__0",
        "_1",
        "1_",
        "1.5",
        "1.",
        ".5",
        "1e5",
        "1E+5",
        "6.0e-3",
        "1.e5",
        "inf",
        "-nan",
        "+inf",
        "infx",
        "true",
        "false",
        "True",
        "truex",
        "abc",
        "1979-05-27",
        "1979-05-27T07:32:00Z",
        "1979-05-27 07:32:00.999999999-07:00",
        "1979-05-27t07:32:00z",
        "07:32:00",
        "07:32",
        "25:00:00",
        "07:32:00Z",
        "2021-02-30",
        "1979-05-27 07",
        "1979-05-27T07:32:00+24:00",
        "0001-01-01",
        "0000-01-01",
        "9" * 30,
        "1 2",
        "",
        "0xg",
        "+0x1",
        "1979-5-27",
    ]
)
STRINGS = st.sampled_from(
    [
        '""',
        '"x"',
        "''",
        "'x'",
        '"x y"',
        '"\\n\\t\\"\\\\"',
        '"\\u00e9"',
        '"\\ud800"',
        '"\\U0001F600"',
        '"\\U0000D800"',
        '"\\U00110000"',
        '"\\x41"',
        '"\\u12"',
        '"\\ "',
        '"a',
        "'a",
        '"a\\',
        '"""',
        "'''",
        '"""x"""',
        '"""x""""',
        '"""x"""""',
        '"""x""""""',
        "'''x''''",
        "'''x'''''",
        '"""\nx\n"""',
        "'''\nx\n'''",
        '"""\r\nx\r\n"""',
        '"""a\\\n  b"""',
        '"""a\\  \n\n b"""',
        '"""a\\ b"""',
        '"""a\\\r\n \r\n b"""',
        '"""\\"""',
        '"""\\""""',
        '"""\\\\"""',
        '"\x01"',
        '"""\x01"""',
        "'\x7f'",
        '"a\rb"',
        '"""a\rb"""',
        '"é😋"',
        '"""\n[a]\n"""',
        "'''\n[tools.\"a.flow\"]\ncommand = 1\n'''",
        '"a" b',
        '"""a\n"""b',
        '"a"#c',
    ]
)


def _arrays(values: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    gap = st.sampled_from(["", " ", "\n", "\r\n", " # c\n", "\n[a]\n", "#\x01\n"])
    return st.builds(
        lambda items, comma, gap, trail, close: "[" + gap + comma.join(items) + trail + gap + close,
        st.lists(values, max_size=3),
        st.sampled_from([",", ", ", ",\n", " , # x\n", " "]),
        gap,
        st.sampled_from(["", "", ","]),
        st.sampled_from(["]", "]", "]", ""]),
    )


KEYS = st.lists(NAMES, min_size=1, max_size=3).flatmap(
    lambda names: st.sampled_from([".", ".", " . "]).map(lambda dot: dot.join(names))
)


def _tables(values: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.builds(
        lambda pairs, comma, close: "{" + comma.join(f"{key} = {value}" for key, value in pairs) + close,
        st.lists(st.tuples(KEYS, values), max_size=3),
        st.sampled_from([",", ", ", ",\n", ", ,"]),
        st.sampled_from(["}", "}", " }", ",}", ""]),
    )


VALUES = st.recursive(
    st.one_of(STRINGS, SCALARS), lambda values: st.one_of(_arrays(values), _tables(values)), max_leaves=5
)
ENDS = st.sampled_from(["\n", "\n", "\n", "\r\n", " # comment\n", "\t\n", "\r", " junk\n", "#\x00\n", ""])
STATEMENTS = st.builds(
    lambda blank, key, equals, value, end: blank + key + equals + value + end,
    BLANKS,
    KEYS,
    st.sampled_from(["=", " = ", " = ", "", " "]),
    st.one_of(STRINGS, VALUES),
    ENDS,
)
GOOD_STATEMENTS = st.builds(
    lambda key, value, end: f"{key} = {value}{end}",
    KEYS,
    st.sampled_from(['"x"', "1", "[]", "{}", "{a = 1}", '[{a = 1}, "y"]', "'''z'''", "{a.b = 1, a.c = 2}"]),
    st.sampled_from(["\n", "\r\n", " # c\n"]),
)
GOOD_HEADERS = st.builds(
    lambda key, kind: f"[[{key}]]\n" if kind else f"[{key}]\n", KEYS, st.sampled_from([False, False, True])
)
HEADERS = st.builds(
    lambda blank, opening, key, closing, end: blank + opening + key + closing + end,
    BLANKS,
    st.sampled_from(["[", "[", "[[", "[ ", "[ ["]),
    st.one_of(KEYS, st.just("")),
    st.sampled_from(["]", "]", "]]", " ]", "", "]]]"]),
    ENDS,
)
NOISE = st.sampled_from(
    [
        "\n",
        "\r\n",
        "# c\n",
        "  \n",
        "\t# é\n",
        "x\n",
        "= 1\n",
        "[[[[\n",
        "]\n",
        "\x00\n",
        "\ufeff",
        "\r",
        "é = 1\n",
        "}",
        '"',
        '"""\n',
        "'''\n",
        "[",
        "]",
        "\\",
        " ",
    ]
)
GOOD_TEXTS = st.lists(st.one_of(GOOD_STATEMENTS, GOOD_HEADERS, st.just("\n")), max_size=8).map("".join)
ANY_TEXTS = st.lists(st.one_of(STATEMENTS, HEADERS, NOISE, GOOD_STATEMENTS, GOOD_HEADERS), max_size=8).map("".join)
PIECES = st.one_of(STATEMENTS, HEADERS, NOISE, STRINGS, GOOD_HEADERS, st.text("[]{}\"'=.\\#\r\n ,a1", max_size=4))


@st.composite
def edited(draw: st.DrawFn, text: str) -> str:
    """`text` after one edit: something removed, something put in its place."""
    start = draw(st.integers(0, len(text)))
    end = min(len(text), start + draw(st.sampled_from([0, 0, 0, 1, 1, 3, 20])))
    return text[:start] + draw(st.one_of(st.just(""), PIECES)) + text[end:]


TEXTS = st.one_of(GOOD_TEXTS, ANY_TEXTS, st.one_of(GOOD_TEXTS, ANY_TEXTS).flatmap(edited))


def read_plainly(text: str) -> tuple[dict[str, Any], int]:
    """The data of a TOML text as this project reads it, and how many mistakes it found."""
    scanner = Scanner(text)
    definitions = Definitions()
    mistakes = 0
    at = 0
    first = True
    while first or at < len(text):
        segment = scanner.segment(at, first)
        first = False
        at = segment.end
        mistakes += len(segment.problems)
        if segment.header is not None:
            mistakes += not definitions.add_header(segment.header)
        for statement in segment.statements:
            assert twice(statement.key)
            mistakes += not definitions.add_statement(statement)
    return _table(definitions.root), mistakes


def _table(node: Node) -> dict[str, Any]:
    return {name: _data(child) for name, child in node.children.items()}


def _data(node: Node) -> Any:
    if node.kind is NodeKind.ARRAY:
        return [_table(item) for item in node.items]
    if node.kind is NodeKind.TABLE:
        return _table(node)
    return None if node.value is None else _plain(node.value)


def _plain(value: Value) -> Any:
    if value.kind is ValueKind.ARRAY:
        assert isinstance(value.data, tuple)
        return [_plain(item) for item in value.data]
    if value.kind is ValueKind.TABLE:
        assert isinstance(value.data, tuple)
        definitions = Definitions()
        for statement in value.data:
            assert isinstance(statement, Statement)
            definitions.add_statement(statement)
        return _table(definitions.root)
    return value.data
