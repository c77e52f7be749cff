"""What is worked out of a listing is right, bounded, and worked out once."""

from __future__ import annotations

import pytest
from support.snapshots import answered, fixture, listing, snapshot

from flow_lsp.analysis import served as module
from flow_lsp.analysis.engine import Analysis
from flow_lsp.analysis.places import hover_at
from flow_lsp.analysis.served import LARGEST_COMPARED, is_large, served_tools
from flow_lsp.binding.model import CommandKey
from flow_lsp.protocol.listing import read_listing
from flow_lsp.protocol.outcome import DescribeListing
from flow_lsp.signature.signature import served_fingerprint

FLOW = "@tool\nfn find(query: Text) -> Result<Int, Never>\n"
MADE = fixture(f'//- flow.toml\n[tools."a.flow"]\ncommand = "tools"\n//- a.flow\n{FLOW}')
KEY = CommandKey("/w", ("tools",))
PLAIN = {"params": [["query", {"type": "string"}]], "ok": {"type": "integer"}, "err": {"not": {}}, "generic": []}
ZEROS = f"sha256:{'0' * 64}"


def entry(identity: str, **changes: object) -> tuple[str, str, object]:
    signature = {**PLAIN, **changes}
    fingerprint = served_fingerprint(signature)
    assert isinstance(fingerprint, str)
    return identity, fingerprint, signature


def messages(*entries: tuple[str, str, object], path: str = "/w/a.flow") -> list[str]:
    described = {KEY: answered(listing(*entries))}
    return [finding.message for finding in Analysis().findings(snapshot(MADE, described=described), path)]


def test_the_fingerprint_chooses_among_versions_of_one_identity() -> None:
    others = [entry(f"a@{number}/b.find", generic=[f"T{number}"]) for number in range(3)]
    read = read_listing(
        {
            "data": "0.1",
            "tools": [dict(zip(("tool", "fingerprint", "signature"), each, strict=True)) for each in others],
        }
    )
    assert isinstance(read, DescribeListing)
    assert [tool.identity for tool in served_tools(read).by_identity["a/b.find"]] == [
        "a@0/b.find",
        "a@1/b.find",
        "a@2/b.find",
    ]
    assert served_tools(read) is served_tools(read)


def test_what_differs_is_worked_out_once_for_one_declaration(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []
    real = module._differences_text

    def counted(*arguments: object) -> str:
        asked.append(arguments)
        return real(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(module, "_differences_text", counted)
    described = {KEY: answered(listing(entry("a.find", generic=["T"])))}
    analysis = Analysis()
    said = [
        [finding.message for finding in analysis.findings(snapshot(MADE, described=described), "/w/a.flow")]
        for _ in range(3)
    ]
    assert said[0] == said[1] == said[2]
    assert "type parameters" in said[0][0]
    assert len(asked) == 1


def test_a_signature_too_large_for_words_is_drift_all_the_same() -> None:
    fields = {f"f{number}": {"type": "integer"} for number in range(LARGEST_COMPARED)}
    record = {"type": "object", "properties": fields, "required": []}
    (message,) = messages(entry("a.find", ok={"$ref": "#/$defs/a.Hit", "$defs": {"a.Hit": record}}))
    assert "too large to be compared in words" in message
    described = {KEY: answered(listing(entry("a.find", ok={"$ref": "#/$defs/a.Hit", "$defs": {"a.Hit": record}})))}
    found = hover_at(Analysis(), snapshot(MADE, described=described), "/w/a.flow", FLOW.index("find"))
    assert found is not None
    assert "**drift**" in found.text
    assert len(found.text) < 5_000


@pytest.mark.parametrize("value", ["x" * 3_000, [[[1] * 10] * 10], {"x" * 3_000: 1}, [{"a": ["x" * 100] * 10}] * 2])
def test_what_is_large_is_found_out_by_parts_and_letters(value: object) -> None:
    assert is_large(value, 20)
    assert not is_large(value, 10_000)


def test_a_wrong_fingerprint_beside_the_same_signature_is_named_as_that() -> None:
    (message,) = messages(("a.find", ZEROS, PLAIN))
    assert "though the signature beside it is the same" in message


def test_a_misspelt_identity_among_thousands_of_long_ones_costs_nothing() -> None:
    many = [(f"a.{'t' * 2_000}{number}", ZEROS, PLAIN) for number in range(3_000)]
    (message,) = messages(("a.fnd", *entry("x")[1:]), *many)
    assert "is `a.fnd` meant?" in message


def test_thousands_of_wrong_fingerprints_are_said_to_be_many() -> None:
    said = messages(
        *[(f"a.t{number}", ZEROS, {**PLAIN, "generic": [f"T{number}"]}) for number in range(3_000)], path="/w/flow.toml"
    )
    wrong = [message for message in said if "with a fingerprint" in message]
    assert len(wrong) == module_limit()
    assert f"and so do {3_000 - module_limit()} more entries" in wrong[-1]


def module_limit() -> int:
    from flow_lsp.analysis.checks.tables import SHOWN_WRONG

    return SHOWN_WRONG
