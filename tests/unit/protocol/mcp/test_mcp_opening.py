"""From the first byte to the list of tools: handshake, revisions, pages."""

from __future__ import annotations

from typing import Any

import pytest
from support.flow_declarations import declared, signature
from support.mcp_peer import INITIALIZE, ROOT_URI, error, initialized, line, messages, opened, page, result, sent, tool

from flow_lsp.protocol.connection import MustEnd
from flow_lsp.protocol.describe import Answered, Refused
from flow_lsp.protocol.mcp.connection import LISTED_AGAIN, McpConnection, State
from flow_lsp.protocol.mcp.events import Initialized, Listed, ListingFailed, McpEvent, ToolsChanged
from flow_lsp.protocol.mcp.offers import Declaration
from flow_lsp.protocol.mcp.tools import PAGES_LIMIT, REMARKS_LIMIT, TOOLS_LIMIT
from flow_lsp.protocol.outcome import DescribeFailure, FailureKind
from flow_lsp.protocol.stream import Noise

CHANGED = line(method="notifications/tools/list_changed")


def opening(*chunks: bytes, limit: int = 100_000) -> tuple[McpConnection, list[McpEvent]]:
    connection = McpConnection(ROOT_URI, (), limit)
    return connection, [event for chunk in chunks for event in connection.receive(chunk)]


def failure(*chunks: bytes, limit: int = 100_000) -> DescribeFailure:
    connection, events = opening(*chunks, limit=limit)
    assert connection.state is State.OVER
    [found] = [event.failure for event in events if isinstance(event, Refused)]
    return found


def listed(events: list[McpEvent]) -> list[list[str]]:
    return [[one.name for one in event.tools] for event in events if isinstance(event, Listed)]


def test_it_offers_the_newest_revision_and_roots_alone() -> None:
    [request] = messages([McpConnection(ROOT_URI).request()])
    assert request["id"] == INITIALIZE
    assert request["method"] == "initialize"
    assert request["params"]["protocolVersion"] == "2025-11-25"
    assert request["params"]["capabilities"] == {"roots": {}}
    assert request["params"]["clientInfo"]["name"] == "flow-lsp"


@pytest.mark.parametrize("revision", ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"])
def test_any_revision_with_a_handshake_is_taken_and_the_tools_are_asked_for(revision: str) -> None:
    connection, events = opening(initialized(revision))
    assert isinstance(events[0], Initialized)
    assert events[0].server.revision == revision
    assert (events[0].server.name, events[0].server.version) == ("peer", "7")
    assert sent(events) == [
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "id": "flow-lsp/tools/list/1", "method": "tools/list", "params": {}},
    ]
    assert connection.state is State.LISTING
    assert connection.server == events[0].server
    assert listed(connection.receive(page(1, tool("echo"), tool("add")))) == [["echo", "add"]]
    assert connection.state is State.READY
    assert connection.described
    assert [one.name for one in connection.tools] == ["echo", "add"]


@pytest.mark.parametrize("revision", ["1999-01-01", "2026-07-28", "2025-11-25 ", ""])
def test_another_revision_is_refused_with_both_named(revision: str) -> None:
    found = failure(initialized(revision))
    assert found.kind is FailureKind.MCP_REVISION
    assert f"speaks MCP {revision}, and" in found.sentence
    assert "2025-11-25" in found.sentence


@pytest.mark.parametrize("revision", [None, 20251125, ["2025-11-25"], True])
def test_a_revision_that_is_no_text_is_refused_with_those_known(revision: Any) -> None:
    found = failure(initialized(revision))
    assert found.kind is FailureKind.INVALID
    assert "protocolVersion" in found.sentence
    assert "2025-11-25" in found.sentence


def test_a_result_without_revision_or_of_another_shape_is_refused() -> None:
    assert "no protocolVersion" in failure(result(INITIALIZE, {"capabilities": {}})).sentence
    assert "no object" in failure(result(INITIALIZE, [])).sentence
    assert "no capabilities" in failure(result(INITIALIZE, {"protocolVersion": "2025-11-25"})).sentence


def test_what_a_server_says_of_itself_may_be_missing() -> None:
    value = {"protocolVersion": "2025-06-18", "capabilities": {"tools": {}}, "serverInfo": 1}
    [event, *_] = opening(result(INITIALIZE, value))[1]
    assert isinstance(event, Initialized)
    assert event.server.name == ""


def test_an_error_to_initialize_is_told() -> None:
    found = failure(error(INITIALIZE, -32000, "no \x1b[2J today."))
    assert found == DescribeFailure(
        FailureKind.ERROR_RESPONSE, "answered initialize with error -32000: no \\x1b[2J today."
    )


@pytest.mark.parametrize("request_id", [INITIALIZE, None])
def test_an_error_that_names_the_revisions_of_the_server_is_told_with_them(request_id: str | None) -> None:
    data = {"supported": ["2026-07-28", 7, "2027-01-01"], "requested": "2025-11-25"}
    found = failure(error(request_id, -32022, "Unsupported protocol version", data=data))
    assert found.kind is FailureKind.MCP_REVISION
    assert "speaks MCP 2026-07-28, 2027-01-01, and this host speaks MCP 2024-11-05" in found.sentence


def test_an_error_that_names_a_revision_we_know_is_an_error_like_another() -> None:
    data = {"supported": ["2025-11-25"]}
    assert failure(error(INITIALIZE, -32602, "no", data=data)).kind is FailureKind.ERROR_RESPONSE


def test_the_first_list_answers_describe_from_the_declarations_and_a_later_one_offers_anew() -> None:
    [echo] = declared("@tool\nfn echo() -> Result<Unit, Never>")
    assert echo.spec is not None
    connection = McpConnection(ROOT_URI, [Declaration("echo", echo.identity, echo.spec)])
    assert not connection.described
    first = connection.receive(initialized() + page(1, tool("echo")))[-2:]
    assert isinstance(first[0], Listed)
    assert first[1] == Answered(first[0].offers.listing)
    assert [one.fingerprint for one in first[0].offers.listing.tools] == [signature(echo).fingerprint]
    connection.list_again()
    [again] = connection.receive(page(2, tool("ehco")))
    assert isinstance(again, Listed)
    assert again.offers.listing.tools == ()
    assert [one.nearest for one in again.offers.unbound] == ["ehco"]


def test_a_server_without_tools_is_ready_and_is_not_asked() -> None:
    connection, events = opening(initialized(tools=False))
    assert [message["method"] for message in sent(events)] == ["notifications/initialized"]
    assert listed(events) == [[]]
    assert connection.state is State.READY
    assert connection.receive(CHANGED) == []
    assert connection.list_again() == []


def test_every_page_is_read_an_empty_one_and_an_empty_cursor_among_them() -> None:
    connection, events = opening(initialized(), page(1, tool("a"), nextCursor="x"))
    assert sent(events)[-1]["params"] == {"cursor": "x"}
    events = connection.receive(page(2, nextCursor=""))
    assert sent(events) == [
        {"jsonrpc": "2.0", "id": "flow-lsp/tools/list/3", "method": "tools/list", "params": {"cursor": ""}}
    ]
    assert listed(connection.receive(page(3, tool("ours"), nextCursor=None))) == [["a", "ours"]]


def test_a_cursor_that_repeats_is_refused() -> None:
    again = page(2, tool("b"), nextCursor="same")
    found = failure(initialized(), page(1, tool("a"), nextCursor="same"), again)
    assert found.kind is FailureKind.INVALID
    assert "`same` twice" in found.sentence


def test_pages_and_tools_without_end_are_refused() -> None:
    endless = [page(number, nextCursor=str(number)) for number in range(1, PAGES_LIMIT + 1)]
    assert f"{PAGES_LIMIT} pages" in failure(initialized(), *endless).sentence
    many = page(1, *[tool(str(number)) for number in range(TOOLS_LIMIT + 1)])
    assert f"{TOOLS_LIMIT} tools" in failure(initialized(), many, limit=10_000_000).sentence


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ([], "no array of tools"),
        ({}, "no array of tools"),
        ({"tools": {}}, "no array of tools"),
        ({"tools": [], "nextCursor": 3}, "nextCursor is no string"),
        ({"tools": [], "nextCursor": "x" * 70_000}, "65536 characters"),
    ],
)
def test_a_page_of_another_shape_refuses(value: Any, words: str) -> None:
    found = failure(initialized(), result("flow-lsp/tools/list/1", value))
    assert found.kind is FailureKind.INVALID
    assert words in found.sentence


def test_an_error_to_the_first_list_refuses_and_a_result_beside_an_error_too() -> None:
    found = failure(initialized(), error("flow-lsp/tools/list/1", -32601, "Method not found"))
    assert found == DescribeFailure(
        FailureKind.ERROR_RESPONSE, "answered tools/list with error -32601: Method not found."
    )
    both = line(id="flow-lsp/tools/list/1", error=None, result={})
    assert "both a result and an error" in failure(initialized(), both).sentence
    assert "both a result and an error" in failure(line(id=INITIALIZE, error=None, result={})).sentence


def test_entries_that_are_no_tools_are_left_out_and_said() -> None:
    entries = [1, {}, {"name": ""}, {"name": "bad", "inputSchema": None}, tool("good"), tool("good", title="again")]
    [event, _] = opening(initialized(), page(1, *entries))[1][-2:]
    assert isinstance(event, Listed)
    assert [(one.name, one.title) for one in event.tools] == [("good", None)]
    assert len(event.remarks) == 5
    assert "`bad` has no inputSchema" in event.remarks[3]
    assert "twice" in event.remarks[4]
    [event, _] = opening(initialized(), page(1, *[1] * 100))[1][-2:]
    assert isinstance(event, Listed)
    assert len(event.remarks) == REMARKS_LIMIT


def test_what_a_tool_says_is_kept_where_it_has_its_shape() -> None:
    full = tool("a", title="A", description="d", outputSchema={"type": "object"}, execution={"taskSupport": "required"})
    older = tool("b", annotations={"title": "B"}, description=7, outputSchema=[], execution=None)
    [event, _] = opening(initialized(), page(1, full, older))[1][-2:]
    assert isinstance(event, Listed)
    first, second = event.tools
    assert (first.title, first.description, first.output_schema, first.needs_task) == (
        *("A", "d", {"type": "object"}, True),
    )
    assert (second.title, second.description, second.output_schema, second.needs_task) == ("B", None, None, False)


def test_a_changed_list_is_listed_again_and_the_old_one_stays_until_then() -> None:
    connection = opened("echo")
    events = connection.receive(CHANGED)
    assert events[0] == ToolsChanged()
    assert [message["id"] for message in sent(events)] == ["flow-lsp/tools/list/2"]
    assert [one.name for one in connection.tools] == ["echo"]
    assert listed(connection.receive(page(2, tool("other")))) == [["other"]]
    assert connection.state is State.READY


def test_a_list_that_changed_while_it_was_read_is_read_again_before_it_counts() -> None:
    connection, events = opening(initialized(), CHANGED, CHANGED, page(1, tool("a")))
    assert listed(events) == []
    assert sent(events)[-1]["id"] == "flow-lsp/tools/list/2"
    assert listed(connection.receive(page(2, tool("a"), tool("b")))) == [["a", "b"]]


def test_a_list_that_always_changes_counts_after_a_few_times() -> None:
    connection, events = opening(initialized())
    number = 0
    while not listed(events):
        number += 1
        events = connection.receive(CHANGED) + connection.receive(page(number, tool("a")))
        assert number <= LISTED_AGAIN + 1
    assert number == LISTED_AGAIN + 1


def test_a_change_that_is_said_before_the_list_was_asked_for_says_nothing() -> None:
    assert opening(CHANGED)[1] == []


def test_listing_again_may_fail_and_the_last_list_stays() -> None:
    connection = opened("echo")
    assert sent(connection.list_again())[0]["method"] == "tools/list"
    assert connection.list_again() == []
    [event] = connection.receive(error("flow-lsp/tools/list/2", -1, "not now"))
    assert event == ListingFailed("answered tools/list with error -1: not now.")
    assert [one.name for one in connection.tools] == ["echo"]
    assert connection.state is State.READY
    connection.list_again()
    assert listed(connection.receive(page(3))) == [[]]


def test_an_answer_to_an_old_page_answers_nothing() -> None:
    connection = opened("echo")
    [event] = connection.receive(page(1, tool("old")))
    assert isinstance(event, Noise)
    assert "flow-lsp/tools/list/1" in event.reason
    assert [one.name for one in connection.tools] == ["echo"]


def test_a_long_line_where_the_answer_should_be_refuses() -> None:
    value = {"x": "y" * 2_000}
    late_id = b'{"result":{"x":"' + b"y" * 2_000 + b'"},"jsonrpc":"2.0","id":"flow-lsp/initialize"}\n'
    for chunk in (result(INITIALIZE, value), late_id):
        assert failure(chunk, limit=1_000) == DescribeFailure(
            FailureKind.TOO_LARGE, "answered with a line of more than 1000 bytes, the limit of one message."
        )
    assert failure(initialized(), result("flow-lsp/tools/list/1", value), limit=1_000).kind is FailureKind.TOO_LARGE
    connection, events = opening(b"x" * 8_001, limit=1_000)
    assert [type(event) for event in events] == [Refused, MustEnd]
    assert connection.state is State.OVER


def test_a_long_page_of_a_later_list_leaves_the_last_one() -> None:
    connection = opened("echo", limit=1_000)
    connection.list_again()
    [event] = connection.receive(result("flow-lsp/tools/list/2", {"tools": [tool("x" * 1_000)]}))
    assert isinstance(event, ListingFailed)
    assert "1000 bytes" in event.sentence


def test_a_long_line_of_another_kind_is_noise() -> None:
    connection, [event] = opening(b"log " + b"x" * 2_000 + b"\n", limit=1_000)
    assert isinstance(event, Noise)
    assert "2004 bytes" in event.reason
    assert listed(connection.receive(initialized() + page(1))) == [[]]


def test_what_was_missed_is_explained_by_the_last_line_that_answers_nothing() -> None:
    connection, _ = opening()
    said = "did not answer within 10 s."
    assert connection.failure(FailureKind.TIMED_OUT, said).sentence == said
    connection.receive(result(1, {}))
    found = connection.failure(FailureKind.TIMED_OUT, said)
    assert found.kind is FailureKind.TIMED_OUT
    assert found.sentence == (
        f"{said} The last line on its standard output is no answer: it answers no open request: its id is 1."
    )


def test_nothing_is_said_once_it_is_over() -> None:
    connection, _ = opening(initialized("1999-01-01"))
    assert connection.receive(initialized() + page(1)) == []
    assert connection.end() == []
    assert connection.list_again() == []
