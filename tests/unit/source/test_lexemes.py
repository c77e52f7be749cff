"""The words of Flow text and where they end."""

from __future__ import annotations

import pytest

from flow_lsp.source.lexemes import lexemes
from flow_lsp.source.reader import read_source


@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
@pytest.mark.parametrize(
    ("line", "string"),
    [
        ('x "open', '"open'),
        ('x "open\\', '"open\\'),
        ('x "a\\"b" y', '"a\\"b"'),
        ('x "a\rb" y', '"a\rb"'),
        ('x "a\\\rb" y', '"a\\\rb"'),
        ('x "a\u2028b\r', '"a\u2028b\r'),
    ],
)
def test_a_string_ends_at_the_latest_before_the_end_of_its_line(line: str, string: str, line_end: str) -> None:
    """LF and CRLF end a line; a lone CR does not (decisions 8)."""
    text = f'{line}{line_end}"next"'
    found = [text[start:end] for kind, start, end in lexemes(text, 0, len(text)) if kind == "string"]
    if line.endswith("\r") and line_end == "\n":
        string = string[:-1]  # the two are one line end
    assert found == [string, '"next"']


def test_what_is_said_of_an_open_string_stands_in_its_line() -> None:
    text = 'record A { x: "open\r\n}\r\n'
    (finding,) = read_source(text).items[0].findings
    assert text[finding.span.start : finding.span.end] == '"open'
