"""A declaration that is updated to what is served fits, whatever the two were; what the user wrote stays."""

from __future__ import annotations

import re

from hypothesis import assume, given, settings
from strategies.flow_pairs import versions
from support.drifting import MANIFEST, described_by, drifted, errors
from support.fixing import after
from support.snapshots import Fixture, snapshot

from flow_lsp.analysis.engine import Analysis
from flow_lsp.analysis.redeclaring.redeclare import redeclared
from flow_lsp.analysis.served_entries import served_entry
from flow_lsp.signature.difference import differences


@given(versions(), versions())
@settings(max_examples=100, deadline=None)
def test_what_is_updated_fits_and_keeps_its_comments(before: dict[str, str], served: dict[str, str]) -> None:
    here, there = Fixture({**before, **MANIFEST}, {}), Fixture({**served, **MANIFEST}, {})
    assume(not errors(here) and not errors(there))
    described = described_by(there)
    found = drifted(here, described)
    assume(found is not None)
    assert found is not None
    state, tool = found
    entry = served_entry(state, "/w/a.flow", tool.declared)
    assert entry is not None
    made = redeclared(state, "/w/a.flow", tool, entry)
    assert not isinstance(made, str), made
    result = after(here, made.change)
    assert errors(result) == []
    now = snapshot(result, described=described)
    (again,) = [one for one in Analysis().tools(now, "/w/a.flow") if one.declared.name == "find"]
    assert again.declared.signature is not None
    assert differences(again.declared.signature.served, entry.signature) == ()
    assert drifted(result, described) is None
    for path, text in result.texts.items():
        if path in here.texts and "\r\n" in here.texts[path]:
            assert not re.search(r"(?<!\r)\n", text)
        for doc in re.findall(r"/// About (?:find|[A-Z]\w+)\.", here.texts.get(path, "")):
            if doc.split()[2][0].isupper() and doc.split()[2].rstrip(".") not in (
                "Own",
                "Pair",
                "Hit",
                "Page",
                "Problem",
            ):
                continue  # a constructor's, which may be gone
            assert doc in text
