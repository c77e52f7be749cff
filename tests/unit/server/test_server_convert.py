from __future__ import annotations

import json

from hypothesis import given, settings
from hypothesis import strategies as st

from flow_lsp.findings.model import Finding, Related, Rule, Severity
from flow_lsp.server.convert import DiagnosticOptions, DiagnosticWriter, hover, lsp_range
from flow_lsp.text.lines import LineIndex, PositionEncoding
from flow_lsp.text.spans import Span

RULE = Rule("unknown-key", Severity.WARNING, "The key {key} is not known.", "An unknown key.", "10")
UNUSED = Rule("unused", Severity.HINT, "Unused.", "Unused.", "10", unnecessary=True)


def written(finding: Finding, text: str, options: DiagnosticOptions | None = None) -> dict:
    (one,) = DiagnosticWriter(options or DiagnosticOptions()).write([finding], LineIndex.of(text))
    return json.loads(one)


def test_a_finding_as_a_diagnostic():
    assert written(RULE.at(Span(4, 7), key='b"\n'), "a\nb cde") == {
        "range": {"start": {"line": 1, "character": 2}, "end": {"line": 1, "character": 5}},
        "severity": 2,
        "code": "unknown-key",
        "source": "flow",
        "message": 'The key b"\\n is not known.',
    }


def test_columns_count_what_was_agreed():
    text = 'tools = { "😋😋.flow" = { bogus = 1 } }'
    start = text.index("bogus")
    for encoding, columns in (("utf-16", (26, 31)), ("utf-8", (30, 35)), ("utf-32", (24, 29))):
        options = DiagnosticOptions(encoding=PositionEncoding(encoding))
        found = written(RULE.at(Span(start, start + 5), key="bogus"), text, options)["range"]
        assert (found["start"]["character"], found["end"]["character"]) == columns
        assert found == lsp_range(Span(start, start + 5), LineIndex.of(text), options.encoding)


def test_a_span_outside_the_text_or_turned_round_is_taken_to_what_exists():
    for span in (Span(90, 99), Span(3, 1), Span(3, 3)):
        assert written(RULE.at(span, key="x"), "abc")["range"] == {
            "start": {"line": 0, "character": 3},
            "end": {"line": 0, "character": 3},
        }


def test_codes_link_to_their_page_and_what_is_unnecessary_is_tagged():
    options = DiagnosticOptions(page=lambda code: f"https://example.org/{code}")
    diagnostic = written(UNUSED.at(Span(0, 1)), "x", options)
    assert diagnostic["codeDescription"] == {"href": "https://example.org/unused"}
    assert diagnostic["tags"] == [1]
    assert "tags" not in written(UNUSED.at(Span(0, 1)), "x", DiagnosticOptions(tags=False))


def test_related_places_are_in_the_text_of_their_own_file():
    others = {"/p/flow.toml": ("file:///p/flow.toml", LineIndex.of("é\n[tools]"))}
    related = (
        Related("/p/flow.toml", Span(3, 8), 'The "table"'),
        Related("/p/gone.flow", Span(0, 1), "Gone"),
    )
    finding = RULE.at(Span(0, 1), related, key="x")
    assert written(finding, "x", DiagnosticOptions(place=others.get))["relatedInformation"] == [
        {
            "location": {
                "uri": "file:///p/flow.toml",
                "range": {"start": {"line": 1, "character": 1}, "end": {"line": 1, "character": 6}},
            },
            "message": 'The "table"',
        }
    ]
    for options in (DiagnosticOptions(place=others.get, related=False), DiagnosticOptions()):
        assert "relatedInformation" not in written(finding, "x", options)


def test_another_file_is_asked_for_once_however_many_findings_point_at_it():
    asked = []

    def place(path: str):
        asked.append(path)
        return ("u", LineIndex.of("x")) if path == "/a" else None

    related = (Related("/a", Span(0, 1), "A"), Related("/gone", Span(0, 1), "Gone"))
    writer = DiagnosticWriter(DiagnosticOptions(place=place))
    findings = [RULE.at(Span(0, 1), related, key=str(number)) for number in range(5)]
    assert len(writer.write(findings, LineIndex.of("x"))) == 5
    assert asked == ["/a", "/gone"]
    writer.write(findings, LineIndex.of("x"))
    assert asked == ["/a", "/gone"] * 2, "its text may be another by then"


FINDINGS = st.builds(
    Finding,
    st.sampled_from([RULE, UNUSED]),
    st.builds(Span, st.integers(0, 12), st.integers(0, 12)),
    st.fixed_dictionaries({"key": st.text(max_size=4)}),
    st.sampled_from([(), (Related("/a", Span(0, 1), "A"),)]),
)


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_what_is_remembered_never_shows(data):
    """A writer that has written other things before writes what a fresh one does."""
    pool = data.draw(st.lists(FINDINGS, min_size=1, max_size=5))
    options = DiagnosticOptions(place={"/a": ("u", LineIndex.of("x"))}.get)
    writer = DiagnosticWriter(options)
    for _ in range(4):
        text = data.draw(st.text("a\n\r😀", max_size=12))
        chosen = data.draw(st.lists(st.sampled_from(pool), max_size=6))
        findings = [finding.shifted(data.draw(st.integers(0, 3))) for finding in chosen]
        index = LineIndex.of(text)
        assert writer.write(findings, index) == DiagnosticWriter(options).write(findings, index)
        assert len(writer._said) <= len(findings)


def test_two_rules_that_share_their_arguments_are_two_diagnostics():
    arguments = {"key": "x"}
    findings = [Finding(RULE, Span(0, 1), arguments), Finding(UNUSED, Span(0, 1), arguments)]
    writer = DiagnosticWriter(DiagnosticOptions())
    for order in (findings, findings[::-1], findings):
        codes = [json.loads(item)["code"] for item in writer.write(order, LineIndex.of("x"))]
        assert codes == [finding.rule.code for finding in order]


def test_a_hover_with_and_without_a_range_and_in_plain_text():
    index = LineIndex.of("abc")
    assert hover("**x**", Span(1, 2), index, PositionEncoding.UTF16) == {
        "contents": {"kind": "markdown", "value": "**x**"},
        "range": {"start": {"line": 0, "character": 1}, "end": {"line": 0, "character": 2}},
    }
    assert hover("x", None, index, PositionEncoding.UTF16, markdown=False) == {
        "contents": {"kind": "plaintext", "value": "x"}
    }
