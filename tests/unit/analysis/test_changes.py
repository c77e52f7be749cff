"""What an implementation says now against what it said before."""

from __future__ import annotations

from typing import Any

from flow_lsp.analysis.changes import listing_changes, says_the_same
from flow_lsp.protocol.listing import read_listing
from flow_lsp.protocol.outcome import DescribeListing
from flow_lsp.signature.signature import served_fingerprint


def tool(identity: str, changes: dict[str, Any] | None = None, fingerprint: str | None = None) -> dict[str, Any]:
    signature: Any = {"params": [["q", {"type": "string"}]], "ok": {"type": "integer"}, "err": {}, "generic": []}
    signature |= changes or {}
    return {"tool": identity, "fingerprint": fingerprint or served_fingerprint(signature), "signature": signature}


def listing(*tools: dict[str, Any]) -> DescribeListing:
    found = read_listing({"data": "0.1", "tools": list(tools)})
    assert isinstance(found, DescribeListing)
    return found


def test_entries_come_go_and_change() -> None:
    before = listing(tool("a.same"), tool("a.gone"), tool("a.other"))
    after = listing(tool("a.other", {"ok": {"type": "string"}}), tool("a.new"), tool("a.same"))
    found = listing_changes(before, after, 4)
    assert (found.added, found.removed) == (("a.new",), ("a.gone",))
    assert found.changed == (("a.other", "the success type is Text now and Int before"),)
    assert not says_the_same(before, after)


def test_order_and_descriptions_are_no_change() -> None:
    described = {"ok": {"type": "integer", "description": "how many"}}
    before, after = listing(tool("a.x"), tool("a.y")), listing(tool("a.y", described), tool("a.x"))
    assert not listing_changes(before, after, 4)
    assert says_the_same(before, after)


def test_many_differences_are_cut_and_large_signatures_are_not_compared() -> None:
    many = {"params": [[f"p{number}", {"type": "string"}] for number in range(9)]}
    ((_, text),) = listing_changes(listing(tool("a.x")), listing(tool("a.x", many)), 3).changed
    assert text == "parameter `p1` is new; parameter `p2` is new; parameter `p3` is new; and 6 more"
    large = {"params": [[f"p{number}", {"type": "string"}] for number in range(30_000)]}
    ((_, text),) = listing_changes(listing(tool("a.x")), listing(tool("a.x", large)), 3).changed
    assert "too large to be compared" in text


def test_a_fingerprint_alone_can_be_another() -> None:
    wrong = listing(tool("a.x", fingerprint="sha256:0"))
    assert listing_changes(listing(tool("a.x")), wrong, 3).changed == (
        ("a.x", "the fingerprint beside the signature is another"),
    )
