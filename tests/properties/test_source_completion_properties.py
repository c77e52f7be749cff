"""Whatever stands in a file, what is offered lies inside it, and what is taken is what was meant."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st
from strategies.flow_texts import FRAGMENTS
from support.snapshots import Fixture, snapshot

from flow_lsp.analysis.edits import TextEdit, applied
from flow_lsp.analysis.engine import Analysis
from flow_lsp.analysis.offers import OfferKind
from flow_lsp.analysis.source_completions import source_completions
from flow_lsp.source.reader import read_source
from flow_lsp.source.unfinished import PlaceKind, typing_place

TYPES = "record Hit { x: Int }\nenum Problem { A }\nrecord Page<T> { items: List<T> }\n"
texts = st.lists(st.sampled_from(FRAGMENTS), max_size=8).map("".join)


@given(texts, st.data())
@settings(max_examples=300, deadline=None)
def test_offers_lie_inside_the_text_and_can_be_taken(text: str, data: st.DataObject) -> None:
    offset = data.draw(st.integers(int(text.startswith("\ufeff")), len(text)))  # nothing is typed before that mark
    made = Fixture({"a.flow": text, "types.flow": TYPES, "sub/more.flow": TYPES}, {})
    found = source_completions(Analysis(), snapshot(made), "/w/a.flow", offset)
    for offer in found.offers:
        start, end = offer.span
        assert 0 <= start <= offset == end <= offer.word.end <= len(text)
        assert "\n" not in text[start : offer.word.end]
        assert offer.text or offer.snippet
        taken = applied(text, [TextEdit(offer.span, offer.text), *offer.edits])  # nothing overlaps
        assert len(taken) >= len(text) - (end - start)


@given(texts)
@settings(max_examples=150, deadline=None)
def test_a_type_that_is_taken_is_known_afterwards(before: str) -> None:
    source = read_source(f"{before}\nrecord Asking {{ it: ")
    if typing_place(source, len(source.text)).kind is not PlaceKind.TYPE:
        return
    text = f"{before}\nrecord Asking {{ it:  }}\n"
    offset = text.rindex(" }")
    made = Fixture({"a.flow": text, "types.flow": TYPES, "sub/more.flow": TYPES}, {})
    for offer in source_completions(Analysis(), snapshot(made), "/w/a.flow", offset).offers:
        if offer.kind not in (OfferKind.TYPE, OfferKind.ENUM) or not offer.edits:
            continue
        arguments = f"<{', '.join(['Int'] * offer.snippet.count('$'))}>" if offer.snippet else ""
        taken = applied(text, [TextEdit(offer.span, offer.text + arguments), *offer.edits])
        analysis, after = Analysis(), snapshot(Fixture({**made.texts, "a.flow": taken}, {}))
        said = [
            finding
            for finding in analysis.findings(after, "/w/a.flow")
            if finding.rule.code in ("unknown-type", "syntax", "import")
            and finding.span.start >= taken.rindex("Asking")
        ]
        assert said == []
