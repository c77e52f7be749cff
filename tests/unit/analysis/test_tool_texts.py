"""A Tool as it is declared beside what is served, and its schemas, as texts."""

from __future__ import annotations

import json

from support.drifting import described_by
from support.snapshots import Fixture, snapshot

from flow_lsp.analysis.engine import Analysis
from flow_lsp.analysis.served_entries import served_entry
from flow_lsp.analysis.tool_texts import ChangedTexts, changed_texts, schema_text
from flow_lsp.protocol.outcome import ServedTool
from flow_lsp.values.strict_json import Json

MANIFEST = {"flow.toml": '[tools."a.flow"]\ncommand = "serve"\n'}
HERE = """\
/// A hit.
record Hit { title: Text, score: Option<Int>, url: Text }
enum Bad { Offline }
@tool
fn find(query: Text) -> Result<Hit, Bad>
"""


def texts(here: str, there: str, change: object = None) -> ChangedTexts:
    """Both texts; `change` is done to the signature that is served."""
    state = snapshot(Fixture({"a.flow": here, **MANIFEST}, {}), described=described_by(Fixture({"a.flow": there}, {})))
    (tool,) = Analysis().tools(state, "/w/a.flow")
    signature = tool.declared.signature
    entry = served_entry(state, "/w/a.flow", tool.declared)
    assert signature is not None
    assert entry is not None
    if callable(change):
        entry = ServedTool(entry.identity, entry.fingerprint, change(entry.signature))
    return changed_texts(tool.declared, signature, entry)


def test_only_what_differs_differs():
    there = HERE.replace("score: Option<Int>", "score: Int").replace("/// A hit.", "/// Another comment.")
    found = texts(HERE, there)
    assert found.declared == (
        "fn find(query: Text) -> Result<Hit, Bad>\n\n"
        "record Hit {\n    title: Text,\n    score: Option<Int>,\n    url: Text,\n}\n\nenum Bad {\n    Offline,\n}\n"
    )
    assert found.served == found.declared.replace("Option<Int>", "Int")


def test_a_listing_in_another_order_is_put_in_the_order_of_the_declaration():
    there = HERE.replace("fn find(query: Text)", "fn find(query: Int)")

    def ordered(value: Json) -> Json:
        # As a program may list it whose JSON library sorts names.
        return json.loads(json.dumps(value, sort_keys=True))

    found = texts(HERE, there, ordered)
    assert found.served == found.declared.replace("query: Text", "query: Int")


def test_a_difference_past_what_is_shown_is_said_and_so_is_what_is_no_signature():
    deep = "List<" * 60 + "Int" + ">" * 60
    found = texts(f"@tool\nfn find() -> Result<{deep}, Never>\n", f"@tool\nfn find() -> Result<List<{deep}>, Never>\n")
    assert found.served.startswith("// The fingerprint there is sha256:")
    none = texts(HERE, HERE.replace("query", "words"), lambda _: 5)
    assert none.served.startswith("// What is listed is no signature")


def test_schemas_are_one_document_that_is_json():
    state = snapshot(Fixture({"a.flow": HERE, **MANIFEST}, {}))
    (tool,) = Analysis().tools(state, "/w/a.flow")
    signature = tool.declared.signature
    assert signature is not None
    text = schema_text(tool.declared, signature)
    found = json.loads(text)
    assert list(found) == ["tool", "fingerprint", "generic", "params", "ok", "err"]
    assert found["tool"] == "a.find"
    assert found["params"] == {"query": {"type": "string"}}
    assert list(found["ok"]["$defs"]["a.Hit"]["properties"]) == ["title", "score", "url"]
    assert '\n  "ok": {\n    "$ref"' in text  # laid out over lines
