"""A describe result, checked in full."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flow_lsp.protocol.describe_schema import DESCRIBE_RESULT
from flow_lsp.protocol.listing import read_listing
from flow_lsp.protocol.outcome import DescribeFailure, DescribeListing, FailureKind, ServedTool
from flow_lsp.values.data_version import DATA_VERSION

ROOT = Path(__file__).parents[3]


def signature(**changes: object) -> dict[str, Any]:
    plain = {"params": [["q", {"type": "string"}]], "ok": {"type": "integer"}, "err": {"not": {}}}
    return {**plain, "generic": [], **changes}


def fingerprint(of: dict[str, Any]) -> str:
    text = json.dumps(of, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return "sha256:" + hashlib.sha256(text.encode()).hexdigest()


def entry(tool: str = "a.find", **changes: object) -> dict[str, Any]:
    described = signature(**changes)
    return {"tool": tool, "fingerprint": fingerprint(described), "signature": described}


def result(*tools: object, data: object = "0.1") -> dict[str, Any]:
    return {"data": data, "tools": list(tools)}


def reason(of: DescribeListing | DescribeFailure) -> str:
    assert isinstance(of, DescribeFailure), of
    assert of.kind is FailureKind.INVALID
    assert of.sentence.startswith("answered describe wrongly: ")
    return of.sentence.removeprefix("answered describe wrongly: ")


def test_a_right_answer_is_a_listing_in_its_order() -> None:
    first, second = entry("b.two"), entry("a.one", generic=["T"], ok={"$param": "T"})
    listing = read_listing(result(first, second))
    assert listing == DescribeListing(
        "0.1",
        (
            ServedTool("b.two", first["fingerprint"], first["signature"], first["fingerprint"]),
            ServedTool("a.one", second["fingerprint"], second["signature"], second["fingerprint"]),
        ),
    )
    assert read_listing(result()) == DescribeListing("0.1", ())


def test_descriptions_and_versions_do_not_count_for_the_fingerprint() -> None:
    hit = {"type": "object", "properties": {}, "required": []}
    bare = signature(ok={"$ref": "#/$defs/acme~1kit~1a.Hit", "$defs": {"acme/kit/a.Hit": hit}})
    described = {**hit, "description": "one result"}
    dressed = signature(ok={"$ref": "#/$defs/acme~1kit@1.2.0~1a.Hit", "$defs": {"acme/kit@1.2.0/a.Hit": described}})
    listing = read_listing(result({"tool": "a.find", "fingerprint": fingerprint(bare), "signature": dressed}))
    assert isinstance(listing, DescribeListing)
    assert [tool.problem for tool in listing.tools] == [None]
    assert listing.tools[0].signature == dressed


def test_a_fingerprint_that_is_not_the_signatures_is_that_tools_problem_alone() -> None:
    wrong = {**entry("a.wrong"), "fingerprint": "sha256:00\x1b"}
    listing = read_listing(result(wrong, entry("a.right")))
    assert isinstance(listing, DescribeListing)
    assert [tool.recomputed for tool in listing.tools] == [fingerprint(signature())] * 2
    assert listing.tools[1].problem is None
    problem = listing.tools[0].problem
    right = fingerprint(signature())
    assert problem == rf"fingerprint mismatch: it lists sha256:00\x1b, and its signature has {right}"


def test_a_signature_without_a_fingerprint_is_that_tools_problem_alone() -> None:
    two_of_one_key = {"acme/kit@1.0.0/a.Hit": {"type": "object"}, "acme/kit@2.0.0/a.Hit": {"type": "string"}}
    clash = entry("a.clash", ok={"$ref": "#/$defs/acme~1kit@1.0.0~1a.Hit", "$defs": two_of_one_key})
    listing = read_listing(result(clash, entry("a.right")))
    assert isinstance(listing, DescribeListing)
    assert listing.tools[0].recomputed is None
    assert listing.tools[0].problem is not None
    assert listing.tools[0].problem.startswith("its signature has none: ")
    assert listing.tools[1].problem is None


@pytest.mark.parametrize("rest", [{}, {"tools": 7}, {"tools": [{"unknown": "shape"}]}, {"tools": []}])
@pytest.mark.parametrize("data", ["1.0", "10.1", "99999999999999999999999.0"])
def test_another_major_refuses_as_such_whatever_the_rest_is(data: str, rest: dict[str, Any]) -> None:
    assert read_listing({"data": data, **rest}) == DescribeFailure(
        FailureKind.DATA_VERSION, f"speaks data version {data}, of another major than this host's 0.1."
    )


def test_a_minor_only_adds() -> None:
    listing = read_listing({**result({**entry(), "new": 1}, data="0.99"), "new": [2]})
    assert isinstance(listing, DescribeListing)
    assert listing.data == "0.99"
    newer = read_listing(result(data="0.1"), data_version="1.0")
    assert isinstance(newer, DescribeFailure)
    assert newer.kind is FailureKind.DATA_VERSION


@pytest.mark.parametrize("data", ["", "0", "0.1.2", "v0.1", "0.1 ", "0.1\n", " 0.1", "00.1", "0.01", "٠.1"])
def test_a_data_version_is_major_and_minor(data: str) -> None:
    assert reason(read_listing(result(data=data))) == ('its result is not MAJOR.MINOR, such as "0.1", at /data.')


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (None, "is not an object."),
        ([], "is not an object."),
        ("x", "is not an object."),
        ({"data": "0.1"}, 'has no member "tools".'),
        ({"tools": []}, 'has no member "data".'),
        (result(data=1), "is not a string at /data."),
        ({"data": "0.1", "tools": {}}, "is not an array at /tools."),
        (result(entry(), 1), "is not an object at /tools/1."),
        (result({**entry(), "tool": 1}), "is not a string at /tools/0/tool."),
        (result({**entry(), "tool": ""}), "is empty at /tools/0/tool."),
        (result({**entry(), "fingerprint": None}), "is not a string at /tools/0/fingerprint."),
        (result({**entry(), "signature": []}), "is not an object at /tools/0/signature."),
        (result(entry(ok=1)), "is not an object or a boolean at /tools/0/signature/ok."),
        (result(entry(err=None)), "is not an object or a boolean at /tools/0/signature/err."),
        (result(entry(params={})), "is not an array at /tools/0/signature/params."),
        (
            result(entry(params=[["q"]])),
            "is not a pair of a name and a schema at /tools/0/signature/params/0.",
        ),
        (
            result(entry(params=[["q", {}, {}]])),
            "is not a pair of a name and a schema at /tools/0/signature/params/0.",
        ),
        (result(entry(params=[[1, {}]])), "is not a string at /tools/0/signature/params/0/0."),
        (
            result(entry(params=[["q", "s"]])),
            "is not an object or a boolean at /tools/0/signature/params/0/1.",
        ),
        (result(entry(generic="T")), "is not an array at /tools/0/signature/generic."),
        (result(entry(generic=[{}])), "is not a string at /tools/0/signature/generic/0."),
    ],
)
def test_a_wrong_shape_says_what_and_where(wrong: Any, said: str) -> None:
    assert reason(read_listing(wrong)) == f"its result {said}"


@pytest.mark.parametrize("member", ["params", "ok", "err", "generic"])
def test_a_signature_has_four_members(member: str) -> None:
    missing = entry()
    del missing["signature"][member]
    assert reason(read_listing(result(missing))) == (f'its result has no member "{member}" at /tools/0/signature.')


def test_two_entries_of_one_identity_refuse_and_versions_make_two() -> None:
    assert reason(read_listing(result(entry("a\x1b"), entry("b"), entry("a\x1b", ok={})))) == (
        r"it lists a\x1b twice, as entries 1 and 3."
    )
    assert isinstance(read_listing(result(entry("r@1/a.b"), entry("r@2/a.b"))), DescribeListing)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 3) | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=8,
)


@settings(deadline=None, max_examples=150)
@given(
    st.fixed_dictionaries(
        {},
        optional={
            "data": st.sampled_from(["0.1", "0.7", "1.0", "x"]) | json_values,
            "tools": st.lists(
                st.fixed_dictionaries(
                    {},
                    optional={
                        "tool": st.sampled_from("ab") | json_values,
                        "fingerprint": json_values,
                        "signature": json_values.map(lambda value: signature(ok=value)) | json_values,
                    },
                ),
                max_size=3,
            )
            | json_values,
        },
    )
    | json_values
)
def test_no_result_raises(value: Any) -> None:
    read = read_listing(value)
    assert isinstance(read, DescribeListing) or read.sentence.endswith(".")


def test_the_published_schema_is_the_one_in_use() -> None:
    published = json.loads((ROOT / "schemas" / "describe.schema.json").read_text(encoding="utf-8"))
    assert published == DESCRIBE_RESULT


def test_the_schema_is_valid_itself() -> None:
    from jsonschema import Draft202012Validator

    Draft202012Validator.check_schema(DESCRIBE_RESULT)
    assert Draft202012Validator(DESCRIBE_RESULT).is_valid(result(entry(), data=DATA_VERSION))
