"""What is shown is what is there."""

from __future__ import annotations

import pytest

from flow_lsp.findings.model import shown
from flow_lsp.text.visible import visible


@pytest.mark.parametrize("text", ["", "npx @acme/search-mcp", "die Größe", "検索 🔎", "e\u0301", "שלום"])
def test_what_can_be_seen_stays_as_it_is(text: str) -> None:
    assert visible(text) == text


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("\x1b[31m", "\\x1b[31m"),
        ("a\nb\r\tc\x7f", "a\\nb\\r\\tc\\x7f"),
        ("a\u202eb\u2066", "a\\u202eb\\u2066"),
        ("a\u200bb\u00ad\ufeff", "a\\u200bb\\xad\\ufeff"),
        ("a\u00a0b\u3000\u2028", "a\\xa0b\\u3000\\u2028"),
        ("\ud800", "\\ud800"),
        ("\U000e0041\U000e0101", "\\U000e0041\\U000e0101"),
        ("rm\u3164-rf\u2800/\u115f\u1160\uffa0", "rm\\u3164-rf\\u2800/\\u115f\\u1160\\uffa0"),
        ("a\ufe0fb\u034f", "a\\ufe0fb\\u034f"),
    ],
)
def test_what_hides_or_moves_other_text_is_an_escape(text: str, seen: str) -> None:
    assert visible(text) == seen
    assert shown(text) == seen


def test_the_result_can_be_written_on_one_line_whatever_it_is_made_of() -> None:
    everything = "".join(map(chr, [*range(0x3100), *range(0xD7A0, 0x10000), *range(0xE0000, 0xE0200)]))
    seen = visible(everything)
    assert seen.isprintable()
    assert seen.encode("utf-8").decode("utf-8") == seen
    assert visible(seen) == seen
