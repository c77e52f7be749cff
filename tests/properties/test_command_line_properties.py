"""Laws of what the command line prints: whatever names and texts hold, a terminal and a program can read it."""

from __future__ import annotations

import json

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from flow_lsp.cli.formats.github import github_report
from flow_lsp.cli.formats.json import json_report
from flow_lsp.cli.formats.sarif import sarif_report
from flow_lsp.cli.formats.text import text_report
from flow_lsp.cli.report import Report, ReportedFile
from flow_lsp.cli.schemas import split_target
from flow_lsp.cli.terminal import display_width, json_text, printable
from flow_lsp.findings.model import Finding, Related, Rule, Severity
from flow_lsp.text.spans import Span

ANY = st.text(st.characters(), max_size=40)
"""Any letters at all, also line ends, escapes and halves of characters."""

TEXTS = st.text(st.sampled_from("ab \t\n\r字😋e\u0301\x1b\u2028\u202e\x00"), max_size=60) | st.integers(150, 400).map(
    lambda count: "x" * count + "字"
)


@st.composite
def reports(draw: st.DrawFn) -> Report:
    """A report on one file with findings anywhere in it, and beyond it."""
    text = draw(TEXTS)
    places = st.tuples(st.integers(0, len(text) + 2), st.integers(0, len(text) + 2)).map(
        lambda pair: Span(min(pair), max(pair))
    )
    rule = Rule("a-code", draw(st.sampled_from(Severity)), "Of {name}: {own_text}", "A summary.", "Section")
    findings = [
        rule.at(place, (Related("/k", place, draw(ANY)),), name=draw(ANY), own_text="a sentence.")
        for place in draw(st.lists(places, min_size=1, max_size=3))
    ]
    file = ReportedFile(draw(ANY), text, findings)
    return Report([file], [], {"/k": file}, [], [(draw(ANY), "It is not looked at.")])


def unseen(report: Report) -> Report:
    """The same without words from outside in related places, which findings themselves never hold unescaped."""
    findings = [Finding(finding.rule, finding.span, finding.arguments, ()) for finding in report.files[0].findings]
    return Report([ReportedFile(report.files[0].path, report.files[0].text, findings)], [])


@given(ANY)
@settings(deadline=None)
def test_what_is_printable_stays_and_nothing_else_remains(text: str) -> None:
    shown = printable(text)
    assert shown.isprintable()
    assert not text.isprintable() or shown == text


@given(st.recursive(ANY | st.integers(), lambda inner: st.lists(inner) | st.dictionaries(ANY, inner), max_leaves=8))
@settings(deadline=None)
def test_json_says_the_value_and_can_be_printed(value: object) -> None:
    text = json_text(value)
    assert json.loads(text) == value
    assert text.replace("\n", "").isprintable()


@given(reports())
@settings(deadline=None)
def test_text_never_moves_the_cursor(report: Report) -> None:
    plain = unseen(report)
    lines = text_report(plain).split("\n")
    assert all(line.isprintable() for line in lines)
    assert all(len(line) < 700 for line in lines)


@given(TEXTS, st.integers(0, 60), st.integers(0, 60))
@settings(deadline=None)
def test_carets_stand_below_what_is_marked(text: str, one: int, other: int) -> None:
    span = Span(*sorted((min(one, len(text)), min(other, len(text)))))
    file = ReportedFile("a", text, [Rule("a-code", Severity.ERROR, "Of it.", "It.", "It").at(span)])
    lines = text_report(Report([file], [])).split("\n")
    assume(len(lines) > 5)  # an empty file has no line to show
    start, end = file.place(span).start, file.place(span).end
    line = "".join(letter if letter.isprintable() else " " for letter in file.index.line(start.line))
    last = end.character if end.line == start.line else len(line)
    caret = lines[3].partition("| ")[2]
    if len(line) <= 160:
        assert lines[2].partition("|")[2].lstrip() == line.strip()
        assert len(caret) - len(caret.lstrip()) == display_width(line[: start.character])
        assert caret.count("^") == max(1, display_width(line[start.character : max(last, start.character + 1)]))


@given(reports())
@settings(deadline=None)
def test_every_format_holds_every_finding(report: Report) -> None:
    count = len(report.files[0].findings)
    assert len(json.loads(json_report(report))["diagnostics"]) == count
    (run,) = json.loads(sarif_report(report))["runs"]
    assert len(run["results"]) == count
    commands = github_report(report).split("\n")
    assert len(commands) == count + 1
    assert all(command.startswith("::") for command in commands)
    assert not any("\r" in command for command in commands)


@given(st.text(st.sampled_from("a:/.flow "), max_size=12))
@settings(deadline=None)
def test_a_target_is_split_without_loss(target: str) -> None:
    file, name = split_target(target)
    assert target == (file if name is None else f"{file}:{name}")
    assert name is None or file.endswith(".flow")
