"""What an MCP server offers now against what it offered before."""

from __future__ import annotations

from typing import Any

import pytest
from support.mcp_answers import offering

from flow_lsp.analysis.changes import listing_changes, says_the_same

TEXT = {"type": "string"}


def entry(name: str = "find", required: list[str] | None = None, **properties: Any) -> dict[str, Any]:
    schema = {"type": "object", "properties": properties or {"query": TEXT}, "required": required or []}
    return {"name": name, "inputSchema": schema}


BEFORE = entry()
OBJECT = {"type": "object"}


@pytest.mark.parametrize(
    ("before", "after", "text"),
    [
        (BEFORE, entry(query=TEXT, limit={"type": "integer"}), "parameter limit is new"),
        (BEFORE, entry(query=TEXT, limit=TEXT, required=["limit"]), "parameter limit is new, and required"),
        (BEFORE, entry(q=TEXT), "parameter q is new; parameter query is gone"),
        (BEFORE, entry(required=["query"]), "parameter query is required now"),
        (entry(required=["query"]), BEFORE, "parameter query is optional now"),
        (BEFORE, entry(query={"type": "integer"}), "parameter query is integer now and string before"),
        (BEFORE, entry(query={"type": "string", "maxLength": 5}), "parameter query is of another schema"),
        (BEFORE, BEFORE | {"inputSchema": BEFORE["inputSchema"] | {"minProperties": 1}}, "the inputSchema is another"),
        (BEFORE, BEFORE | {"outputSchema": OBJECT}, "the outputSchema is new"),
        (BEFORE | {"outputSchema": OBJECT}, BEFORE, "the outputSchema is gone"),
        (
            BEFORE | {"outputSchema": OBJECT},
            BEFORE | {"outputSchema": {"type": "array"}},
            "the outputSchema is another",
        ),
        (BEFORE, BEFORE | {"execution": {"taskSupport": "required"}}, "calls are taken as tasks alone now"),
    ],
)
def test_a_tool_that_changed_is_told_in_words(before: Any, after: Any, text: str) -> None:
    changes = listing_changes(offering(before), offering(after), 4)
    assert (changes.added, changes.removed, changes.changed) == ((), (), (("find", text),))
    assert not says_the_same(offering(before), offering(after))


def test_tools_that_came_and_went_are_named() -> None:
    changes = listing_changes(offering("a", "b"), offering("b", "d", "c"), 4)
    assert (changes.added, changes.removed, changes.changed) == (("c", "d"), ("a",), ())


def test_no_more_differences_are_told_than_wanted() -> None:
    many = entry(**{f"p{number}": TEXT for number in range(9)})
    ((_, text),) = listing_changes(offering(BEFORE), offering(many), 2).changed
    assert text == "parameter p0 is new; parameter p1 is new"


def test_words_for_people_order_and_versions_are_no_change() -> None:
    described = BEFORE | {"title": "Find", "description": "Finds."}
    described["inputSchema"] = {**BEFORE["inputSchema"], "description": "What is taken."}
    one, other = offering(BEFORE, "a", version="1"), offering("a", described, version="2")
    assert says_the_same(one, other)
    assert not listing_changes(one, other, 4)
