"""Whether what a process lists fits a call."""

from __future__ import annotations

import pytest
from support.bounds import not_hopeless

from flow_lsp.protocol.outcome import DescribeListing, ServedTool
from flow_lsp.protocol.served import Served, fingerprints

A, B = "sha256:aa", "sha256:bb"


def served(tools: dict[str, str], data: str = "0.1") -> Served:
    return Served(data, tools, "0.1")


@pytest.mark.parametrize("data", ["0.1", "0.0", "0.9", "0.10"])
def test_another_minor_is_no_refusal(data: str) -> None:
    assert served({"k.f": A}, data).unfit("k.f", A) is None


@pytest.mark.parametrize("data", ["1.0", "1.1", "10.1"])
def test_another_major_refuses_whatever_is_listed(data: str) -> None:
    reason = f"The implementation speaks data version {data}, of another major than this host's 0.1."
    assert served({"k.f": A}, data).unfit("k.f", A) == reason
    assert served({}, data).unfit(None, None) == reason


def test_an_identity_matches_with_the_version_left_out() -> None:
    kit = served({"acme/kit@1.2.0/a.f": A, "tools/b.g": B})
    assert kit.unfit("acme/kit@9.9.9/a.f", A) is None
    assert kit.identity("acme/kit@9.9.9/a.f", A) == "acme/kit@1.2.0/a.f"
    assert kit.unfit("tools/b.g", B) is None
    assert kit.unfit("acme/kit@1.2.0/a.g", A) == "The implementation does not serve `acme/kit@1.2.0/a.g`."
    assert kit.unfit("acme/other@1.2.0/a.f", A) is not None


def test_where_entries_differ_in_version_only_the_fingerprint_chooses() -> None:
    kit = served({"a/k@1/x.f": A, "a/k@2/x.f": B, "a/k@3/x.f": B})
    assert kit.identity("a/k@1/x.f", B) == "a/k@2/x.f"
    assert kit.identity("a/k@3/x.f", B) == "a/k@3/x.f"
    assert kit.identity("a/k@2/x.f", A) == "a/k@1/x.f"
    assert kit.identity("a/k@2/x.f", None) == "a/k@2/x.f"
    assert kit.identity("a/k@7/x.f", None) == "a/k@1/x.f"
    assert kit.unfit("a/k@1/x.f", "sha256:cc") == (
        "The implementation serves `a/k@1/x.f` with the fingerprint sha256:aa, and the declaration has sha256:cc."
    )


def test_what_is_not_to_be_compared_fits() -> None:
    assert served({}).unfit(None, None) is None
    assert served({"k.f": A}).unfit("k.f", None) is None
    assert served({}).unfit("k.f", None) is not None
    assert served({}).identity(None, None) == ""


def test_an_entry_whose_fingerprint_is_not_its_signatures_is_no_proof_of_a_fit() -> None:
    listing = DescribeListing("0.1", (ServedTool("k.f", A, {}, B, "they differ"), ServedTool("k.g", B, {}, B)))
    assert fingerprints(listing) == {"k.f": "", "k.g": B}
    assert served(fingerprints(listing)).unfit("k.f", A) == (
        "The implementation lists `k.f` with a fingerprint that is not its signature's."
    )


def test_what_a_reason_repeats_is_bounded() -> None:
    reason = served({"k.f": "x" * 100_000}, "0." + "1" * 9999).unfit("k.f", A)
    assert reason is not None
    assert len(reason) < 300


def test_many_entries_that_differ_in_version_only_cost_the_same_each() -> None:
    kit = served({f"a/k@{number}/x.f": f"sha256:{number}" for number in range(20_000)})
    with not_hopeless():
        for number in range(20_000):
            assert kit.identity("a/k@new/x.f", f"sha256:{number}") == f"a/k@{number}/x.f"
            assert kit.unfit("a/k@new/x.f", "sha256:x") is not None
