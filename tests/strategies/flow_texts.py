"""Flow texts and edits of them, near what is valid and far from it."""

from __future__ import annotations

from hypothesis import strategies as st

FRAGMENTS = (
    "record Hit { title: Text, score: Option<Decimal> }\n",
    "pub record Page<T> {\n  items: List<T>\n  next: Option<Page<T>>\n}\n",
    "enum Problem { Offline, Slow(Duration), Refused { code: Int } }\n",
    "opaque record Ticket { id: Text }\n",
    "host Session\n",
    "@tool\nfn find(query: Text) -> Result<List<Hit>, Problem>\n",
    "@tool fn echo<T>(value: T) -> Result<T, Never>\n",
    "@tool fn broken(x: Hit) -> Hit { 1 }\n",
    "fn helper() -> Int {\n  record Hit { x: Int }\n  1\n}\n",
    "import ./types.{Hit, Problem}\n",
    "import ./types as t\n",
    "import std/json\n",
    "/// a doc comment\n",
    "//// none\n",
    "// plain\n",
    "let x = 1\n",
    "set: Set<Hit>\n",
    "record Endless { a: Endless }\n",
    "record Grow<T> { g: Option<Grow<List<T>>> }\n",
    "record Twice { a: Int, a: Text }\n",
    "@tool",
    '@other(1, "x")\n',
    "record",
    "record ",
    "enum",
    "fn",
    "host",
    "import",
    "pub ",
    "opaque ",
    "as",
    "/*",
    "*/",
    "//",
    "///",
    '"',
    "\\",
    "{",
    "}",
    "(",
    ")",
    "<",
    ">",
    "[",
    "]",
    ":",
    ",",
    ".",
    "->",
    "@",
    "-",
    "/",
    " ",
    "  ",
    "\t",
    "\n",
    "\r\n",
    "\r",
    "\u2028",
    "\ufeff",
    "\ud800",
    "e\u0301",
    "名",
    "𝔘",
    "é",
    "\u0301",
    "1",
    "Hit",
    "Text",
    "json.Value",
    "t.Hit",
    "Result<Int, Never>",
    "Dict<Text, fn(Int) -> Task<Int>>",
)

fragments = st.sampled_from(FRAGMENTS)
texts = st.lists(fragments, max_size=14).map("".join)


@st.composite
def edits(draw: st.DrawFn, text: str) -> str:
    """`text` with a piece of it replaced."""
    start = draw(st.integers(0, len(text)))
    end = min(len(text), start + draw(st.one_of(st.just(0), st.integers(0, 4), st.integers(0, 60))))
    fresh = draw(st.one_of(st.just(""), fragments, st.lists(fragments, max_size=3).map("".join)))
    return text[:start] + fresh + text[end:]
