"""Texts that are JSON, spelt in any way, or nearly JSON."""

from __future__ import annotations

from hypothesis import strategies as st

_SPACES = st.sampled_from(["", "", "", " ", "\n", "\t", "\r\n", "  "])
_EXPONENTS = st.sampled_from(
    ["", "", "", "", "e0", "E5", "e+3", "e-7", "E-05", "e4095", "e4096", "e-4096", "e-4097", "E+5000",
     "e99999999999999999999", "e-99999999999999999999"]
)  # fmt: skip
_WHOLE = st.sampled_from(["0", "1", "10", "120", "9" * 40, "7" * 640, "7" * 4096, "7" * 4097, "7" * 4301])
_FRACTIONS = st.sampled_from(["", "", "", ".0", ".5", ".50", ".000", ".1000000000000000055", "." + "0" * 2100 + "1"])
_PIECES = st.sampled_from(
    ["a", "b", "é", "🦀", "\u2028", " ", "1.5", "\\ud83d", "\\ude00", "\\ud83d\\ude00", "\\u0000", "\\u0061", "\\\\",
     '\\"', "\\/", "\\n", "\\\\ud83d", "1e5", "{", "]", ":", ","]
)  # fmt: skip

literals = st.builds("".join, st.tuples(st.sampled_from(["", "", "-"]), _WHOLE, _FRACTIONS, _EXPONENTS))
"""Numbers by JSON's grammar."""

strings = st.lists(_PIECES, max_size=3).map(lambda pieces: f'"{"".join(pieces)}"')
"""Strings by JSON's grammar; one may hold half a character as an escape."""

_WORDS = st.sampled_from(["true", "false", "null", "true", "false", "null", "NaN", "-Infinity"])


def _array(items: list[str]) -> str:
    return f"[{','.join(items)}]"


def _object(members: list[tuple[str, str, str]]) -> str:
    return "{" + ",".join(f"{key}{space}:{value}" for key, space, value in members) + "}"


def json_texts(leaves: int = 8) -> st.SearchStrategy[str]:
    """Texts that are JSON, but for constants that are none, halves of characters and keys that stand twice."""
    spaced = st.tuples(_SPACES, st.one_of(literals, strings, _WORDS), _SPACES).map("".join)
    return st.recursive(
        spaced,
        lambda inner: st.tuples(
            _SPACES,
            st.lists(inner, max_size=4).map(_array)
            | st.lists(st.tuples(strings, _SPACES, inner), max_size=4).map(_object),
            _SPACES,
        ).map("".join),
        max_leaves=leaves,
    )


_FRAGMENTS = st.sampled_from(
    ["{", "}", "[", "]", ",", ":", '"', '"a"', '"b"', "\\", "\\ud800", "\\udc00", "\\u0061", "1", "-0", "1e5",
     '"\\ud800\\udc00"', "1e99999999999999999999", ".", "-", "true", "null", "NaN", " ", "\t", "\x00", "é", "\ud800",
     '{"a":1,"a":2}', "01", "+", "e", "\ufeff", "\u00a0", "٣"]
)  # fmt: skip
fragments = st.lists(_FRAGMENTS, max_size=14).map("".join)
"""Texts that are seldom JSON."""


@st.composite
def mutated_texts(draw: st.DrawFn) -> str:
    """A text that was JSON, with something in it left out, put in or written twice."""
    text = draw(json_texts(5))
    for _ in range(draw(st.integers(1, 2))):
        start = draw(st.integers(0, len(text)))
        end = draw(st.integers(start, min(len(text), start + 8)))
        new = draw(st.just("") | _FRAGMENTS | st.just(text[start:end] * 2))
        text = text[:start] + new + text[end:]
    return text
