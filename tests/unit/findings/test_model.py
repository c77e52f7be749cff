"""What a sentence may repeat of names and values from outside."""

from __future__ import annotations

from flow_lsp.findings.model import Rule, Severity, shown
from flow_lsp.text.spans import Span

RULE = Rule("code", Severity.ERROR, "{name} and {own_text}", "summary", "section")


def test_words_from_outside_are_cut_to_eighty_characters() -> None:
    assert len(shown("x" * 1000)) == 80
    assert shown("x" * 80) == "x" * 80


def test_a_lone_surrogate_and_an_escape_sequence_are_written_as_escapes() -> None:
    sentence = shown("\ud800\x1b[31m")
    assert sentence == "\\ud800\\x1b[31m"
    sentence.encode()


def test_braces_in_a_value_are_no_placeholders() -> None:
    finding = RULE.at(Span(0, 1), name="{own_text}", own_text="{x}")
    assert finding.message == "{own_text} and {x}"


def test_our_own_text_is_not_cut() -> None:
    assert len(RULE.at(Span(0, 1), name="a", own_text="y" * 500).message) == 506


def test_a_shifted_finding_says_the_same_elsewhere() -> None:
    finding = RULE.at(Span(2, 3), name="a", own_text="b")
    assert finding.shifted(5).span == Span(7, 8)
    assert finding.shifted(5).message == finding.message
