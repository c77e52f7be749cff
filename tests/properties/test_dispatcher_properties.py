"""Whatever a client sends, in whatever order: every request gets one answer, and nothing is a fault.

Between two messages the loop may turn, so that handlers are met at every point of their way.
"""

from __future__ import annotations

import asyncio
import json
from collections import Counter

from hypothesis import given, settings
from hypothesis import strategies as st

from flow_lsp.server.dispatcher import Dispatcher
from flow_lsp.server.messages import ErrorCode, ResponseError

IDS = st.sampled_from([1, 2, "1", "a", -5])
ODD = st.sampled_from([None, True, 1.5, {}, [], 5, "x", {"id": 1}, {"id": "a"}, {"id": None}])
METHODS = st.sampled_from(
    ["initialize", "shutdown", "now", "later", "asks", "refuses", "unknown", "$/unknown", "told", "", 5, None]
)
USUAL = st.sampled_from(["later", "later", "asks", "asks", "asks", "now", "refuses"])
MESSAGES = st.one_of(
    st.builds(lambda number, method: {"id": number, "method": method, "params": None}, IDS, USUAL),
    st.builds(lambda number, method: {"id": number, "method": method}, st.integers(10, 99), USUAL),
    st.builds(lambda number, result: {"id": number, "result": result}, st.integers(1, 3), ODD),
    st.builds(lambda number, error: {"id": number, "error": error}, st.integers(1, 3), ODD),
    st.builds(lambda number: {"method": "$/cancelRequest", "params": {"id": number}}, IDS),
    st.builds(lambda number, method: {"id": number, "method": method, "params": None}, IDS, METHODS),
    st.builds(lambda number, method: {"id": number, "method": method}, ODD, METHODS),
    st.builds(lambda method, params: {"method": method, "params": params}, METHODS, ODD),
    st.builds(lambda params: {"method": "$/cancelRequest", "params": params}, ODD),
    st.builds(lambda number, result: {"id": number, "result": result}, ODD, ODD),
    ODD,
)


def refuse(_: object) -> None:
    raise ResponseError(ErrorCode.REQUEST_FAILED, "refused")


async def session(messages: list[tuple[object, int]]) -> tuple[list[dict], int]:
    written: list[bytes] = []
    dispatcher = Dispatcher(written.append, lambda: None, lambda _: None, strict=False)

    async def later(_: object) -> str:
        for _ in range(3):
            await asyncio.sleep(0)
        return "later"

    async def asks(_: object) -> object:
        return await dispatcher.request("question", None)

    for method, handler in (
        ("initialize", lambda _: {}), ("now", lambda _: "now"), ("later", later), ("asks", asks),
        ("refuses", refuse),
    ):  # fmt: skip
        dispatcher.on_request(method, handler)
    dispatcher.on_notification("told", later)
    dispatcher.on_notification("now", refuse)
    for message, turns in messages:
        dispatcher.handle(json.dumps(message).encode())
        for _ in range(turns):
            await asyncio.sleep(0)
    tasks = dispatcher.end()
    if tasks:
        await asyncio.wait(tasks)
    await asyncio.sleep(0)
    return [json.loads(data.partition(b"\r\n\r\n")[2]) for data in written], dispatcher.faults


def is_request(message: object) -> bool:
    return (
        isinstance(message, dict)
        and isinstance(message.get("method"), str)
        and isinstance(message.get("id"), int | str)
        and not isinstance(message["id"], bool)
    )


@settings(deadline=None, max_examples=300)
@given(st.lists(st.tuples(MESSAGES, st.sampled_from([0, 0, 3])), min_size=10, max_size=30), st.integers(0, 3))
def test_every_request_gets_exactly_one_answer(messages, initialized):
    if initialized:
        messages = [({"id": 0, "method": "initialize", "params": {}}, 0), *messages]
    sent, faults = asyncio.run(session(messages))
    wanted = Counter(repr(message["id"]) for message, _ in messages if is_request(message))
    answers = [message for message in sent if "method" not in message and message["id"] is not None]
    assert Counter(repr(answer["id"]) for answer in answers) == wanted
    assert all(("result" in answer) != ("error" in answer) for answer in answers)
    assert faults == 0
