"""Laws of the MCP connection: chunks make no difference, one outcome for each call, no answer to the wrong one."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from strategies.json_strategies import json_values, mutated
from support.flow_declarations import declared, signature
from support.mcp_peer import ROOT_URI, Host, error, initialized, line, messages, page, result, tool

from flow_lsp.protocol.call_outcomes import Ok
from flow_lsp.protocol.describe import Refused
from flow_lsp.protocol.mcp.compared import compared
from flow_lsp.protocol.mcp.connection import McpConnection
from flow_lsp.protocol.mcp.events import Listed, McpEvent
from flow_lsp.protocol.mcp.foreign import ALL, SchemaDocument
from flow_lsp.protocol.mcp.results import outcome_of
from flow_lsp.protocol.mcp.tools import McpTool, read_tool
from flow_lsp.protocol.stream import Send
from flow_lsp.values.canonical import canonical_text

CALLS = ["1", "2", "3", "flow", "\U0001f600"]
odd_ids = st.sampled_from([*CALLS, 1, 2, 0, 1.0, None, True, "01", "flow-lsp/initialize", "flow-lsp/tools/list/2"])
texts = {"content": [{"type": "text", "text": "7"}]}
server_lines = st.one_of(
    st.builds(result, odd_ids, st.sampled_from([texts, {}, 1, {"structuredContent": {"a": 1.5}}])),
    st.builds(error, odd_ids, st.integers(-5, 5), st.text(max_size=5)),
    st.sampled_from(
        [
            *(b"noise\n", b"\n", b"[]\n", b"{}\n", b"x" * 900 + b"\n"),
            b'{"jsonrpc":"2.0","id":"1","result":{"a":1,"a":2}}\n',
            *(line(id=1, method="ping"), line(id="1", method="roots/list"), line(method="notifications/message")),
            *(line(method="notifications/tools/list_changed"), page(2, tool("echo")), page(3), initialized()),
            b'{"jsonrpc":"2.0","id":"2","result":"' + b"y" * 900 + b'"}\n',
        ]
    ),
)  # fmt: skip
steps = st.lists(
    st.one_of(
        st.tuples(st.sampled_from(["call", "cancel", "close"]), st.sampled_from(CALLS)),
        st.tuples(st.just("receive"), server_lines),
        st.tuples(st.just("list"), st.just("")),
    ),
    max_size=30,
)


def cut(data: st.DataObject, text: bytes) -> list[bytes]:
    places = sorted(data.draw(st.lists(st.integers(0, len(text)), max_size=6)))
    return [text[start:end] for start, end in zip([0, *places], [*places, len(text)], strict=True)]


@settings(deadline=None, max_examples=200)
@given(st.lists(server_lines, max_size=12), st.sampled_from(["2024-11-05", "2025-03-26", "1"]), st.data())
def test_the_chunks_make_no_difference(lines: list[bytes], revision: str, data: st.DataObject) -> None:
    text = b"".join([initialized(revision), page(1, tool("echo")), *lines])

    def all_events(chunks: list[bytes]) -> list[McpEvent]:
        connection = McpConnection(ROOT_URI, (), 800)
        return [event for chunk in chunks for event in connection.receive(chunk)]

    assert all_events([text]) == all_events(cut(data, text))


@settings(deadline=None, max_examples=400)
@given(steps)
def test_each_call_has_exactly_one_outcome_whatever_happens(done: list[tuple[str, Any]]) -> None:
    host = Host(limit=800)
    made: list[str] = []
    for what, argument in done:
        if what == "call" and argument not in made:
            made.append(argument)
            host.call(argument, sent=bool(len(made) % 2))
        elif what == "cancel":
            host.cancel(argument)
            host.cancel(argument)
        elif what == "close" and argument in made:
            host.cancel(argument)
            host.close(argument)
        elif what == "list":
            host.lines += [event.data for event in host.connection.list_again() if isinstance(event, Send)]
        elif what == "receive":
            host.receive(argument)
    host.end()
    assert Counter(call for call, _ in host.outcomes) == Counter(made)
    written = messages(host.lines)
    cancels = Counter(message["params"]["requestId"] for message in written if "cancelled" in message.get("method", ""))
    assert all(count == 1 for count in cancels.values())
    assert [message["id"] for message in written if message.get("method") == "tools/call"] == made


@settings(deadline=None, max_examples=200)
@given(st.lists(st.tuples(odd_ids, st.integers(0, 99)), max_size=20))
def test_no_answer_is_given_to_another_call(answers: list[tuple[Any, int]]) -> None:
    host = Host()
    host.call(*CALLS)
    expected: dict[str, int] = {}
    for request_id, number in answers:
        if isinstance(request_id, str) and request_id in CALLS:
            expected.setdefault(request_id, number)
        host.receive(result(request_id, {"structuredContent": number}))
    assert dict(host.outcomes) == {call: Ok(str(number), number) for call, number in expected.items()}


opening_lines = st.one_of(
    server_lines,
    st.binary(max_size=40).map(lambda data: data + b"\n"),
    mutated(json.loads(initialized())).map(lambda value: canonical_text(value).encode() + b"\n"),
    mutated(json.loads(page(1, tool("a"), tool("b"), nextCursor="c"))).map(
        lambda v: canonical_text(v).encode() + b"\n"
    ),
)


@settings(deadline=None, max_examples=300)
@given(st.lists(opening_lines, max_size=15))
def test_no_server_output_raises_and_one_refusal_is_the_end(lines: list[bytes]) -> None:
    connection = McpConnection(ROOT_URI, (), 800)
    events = [*(event for one in lines for event in connection.receive(one)), *connection.end()]
    refusals = [index for index, event in enumerate(events) if isinstance(event, Refused)]
    assert len(refusals) <= 1
    if refusals:
        assert not any(isinstance(event, Listed) for event in events[refusals[0] :])
        assert not any(isinstance(event, Send) for event in events[refusals[0] :])


@settings(deadline=None, max_examples=200)
@given(json_values())
def test_a_json_value_comes_through_structured_or_as_text_unchanged(value: Any) -> None:
    text = canonical_text(value)
    host = Host()
    host.call("1", "2")
    head = b'{"jsonrpc":"2.0","id":"1","result":{"structuredContent":'
    host.receive(head + text.encode() + b"}}\n", result("2", {"content": [{"type": "text", "text": text}]}))
    texts = [outcome.text for _, outcome in host.outcomes if isinstance(outcome, Ok)]
    assert texts == [text] * (1 if value is None else 2)


BASE_RESULT = {
    "content": [{"type": "text", "text": "[1,2]"}, {"type": "image", "data": "", "mimeType": "x/y"}],
    "structuredContent": {"a": [1, {"b": None}]},
    "isError": False,
}


@settings(deadline=None, max_examples=300)
@given(mutated(BASE_RESULT, 4))
def test_no_result_raises(value: Any) -> None:
    outcome = outcome_of(value)
    assert isinstance(outcome, str) or outcome.keys() in ({"Ok"}, {"Failed"})


BASE_SCHEMA = {
    "type": "object",
    "properties": {
        "a": {"type": "string", "enum": ["Low", "High"]},
        "b": {"anyOf": [{"$ref": "#/$defs/R"}, {"type": "null"}], "default": None},
        "c": {"type": "array", "items": {"type": ["integer", "null"]}},
        "d": {"type": "object", "additionalProperties": {"$ref": "#"}},
    },
    "required": ["a", "b", "z"],
    "$defs": {"R": {"type": "object", "properties": {"r": {"$ref": "#/$defs/R"}}, "required": ["r"]}},
}
TEXT = """
enum Level { Low, High, Deep(Int) }
record R { r: Option<R>, s: List<R> }
@tool
fn f(a: Level, b: Option<R>, c: List<Int>, d: Dict<Text, R>, e: (Int, Set<Text>)) -> Result<R, Never>
"""
SIGNATURE = signature(declared(TEXT)[0]).served


@settings(deadline=None, max_examples=400)
@given(mutated(BASE_SCHEMA, 5), mutated(BASE_SCHEMA, 5))
def test_no_schemas_raise_and_all_that_is_said_can_be_shown(taken: Any, given_: Any) -> None:
    listed = read_tool({"name": "f", "inputSchema": taken, "outputSchema": given_})
    if isinstance(listed, McpTool):
        said = compared(SIGNATURE, listed)
        assert said == compared(SIGNATURE, listed)
        for one in said:
            assert one.sentence.isprintable()
            assert one.path.isprintable()


@settings(deadline=None, max_examples=300)
@given(json_values() | mutated(BASE_SCHEMA, 5))
def test_what_is_asked_of_any_schema_has_an_answer(schema: Any) -> None:
    document = SchemaDocument(schema)
    kinds = document.kinds(schema)
    assert kinds <= ALL
    rest, nullable = document.without_null(schema)
    if nullable:
        assert "null" in kinds
        assert "null" not in document.kinds(rest)
    assert document.words(schema)
