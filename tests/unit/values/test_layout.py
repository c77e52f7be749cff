"""JSON text laid out over lines: the same value, short parts on one line, bounded indents."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from strategies.json_strategies import json_values

from flow_lsp.values.canonical import canonical_text
from flow_lsp.values.layout import laid_out
from flow_lsp.values.strict_json import read_json


def test_what_fits_stands_on_one_line_and_the_rest_on_several() -> None:
    text = canonical_text({"a": [1, 2], "b": {"c": "x" * 20, "d": [], "e": {}}})
    assert laid_out(text, width=20) == (
        '{\n  "a": [1, 2],\n  "b": {\n    "c": "xxxxxxxxxxxxxxxxxxxx",\n    "d": [],\n    "e": {}\n  }\n}'
    )
    assert laid_out(text) == '{"a": [1, 2], "b": {"c": "xxxxxxxxxxxxxxxxxxxx", "d": [], "e": {}}}'


@pytest.mark.parametrize("string", ['"', "\\", "{[,:]}", "\n\x00", "\\\\", '\\"', "\u2028😋"])
def test_what_stands_in_strings_is_left_alone(string: str) -> None:
    text = canonical_text({string: [string, string]})
    assert json.loads(laid_out(text, width=0)) == {string: [string, string]}


def test_what_is_nested_deep_stays_on_one_line() -> None:
    text = "[" * 300 + "1,2" + "]" * 300
    found = laid_out(text, width=0)
    assert max(len(line) - len(line.lstrip()) for line in found.splitlines()) <= 32
    assert read_json(found) == read_json(text)


@given(json_values())
def test_the_value_is_the_same(value: object) -> None:
    text = canonical_text(value)  # type: ignore[arg-type]
    for width in (0, 12, 100):
        assert canonical_text(read_json(laid_out(text, width=width))) == text
