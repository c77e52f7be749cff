"""The base protocol as bytes on a real process: framing, errors, order, what must not reach the client."""

from __future__ import annotations

import json

import pytest
from wire_client import (
    Wire,
    did_change,
    did_open,
    framed,
    insertion,
    notification,
    request,
)

PARSE_ERROR, INVALID_REQUEST, METHOD_NOT_FOUND, INVALID_PARAMS = -32700, -32600, -32601, -32602
INTERNAL_ERROR, NOT_INITIALIZED, CANCELLED = -32603, -32002, -32800


@pytest.fixture
def wire():
    with Wire() as wire:
        wire.initialize()
        yield wire
        if wire.process.poll() is None:
            assert wire.leave() == 0


def hover(number: int | str, line: int = 0, uri: str = "file:///p/a.flow") -> dict:
    place = {"textDocument": {"uri": uri}, "position": {"line": line, "character": 0}}
    return request(number, "textDocument/hover", place)


def shown(answer: dict) -> str:
    return answer["result"]["contents"]["value"]


# -- order and one check -----------------------------------------------------------------------------------


def test_edits_that_arrive_together_cost_one_check_and_one_publication(wire):
    wire.send(did_open("x\n"))
    wire.publication(1)
    before = wire.do("checks")["result"]
    wire.send(*[did_change([insertion(0, 0, "bad\n")], version) for version in range(2, 202)])
    published = wire.publication()
    while published["version"] < 201:
        published = wire.publication()
    assert len(published["diagnostics"]) == 200
    assert wire.do("checks")["result"] - before <= 3


def test_a_request_behind_an_edit_sees_it_and_is_answered_before_the_check(wire):
    wire.send(did_open("old"))
    wire.publication(1)
    wire.send(did_change([{"text": "new"}], 2), hover(1))
    assert shown(wire.answer(1)) == "new"
    assert wire.publication(2), "only what comes after the answer is still there to be taken"


def test_edits_without_a_pause_are_checked_meanwhile(wire):
    """The check is due 50 ms after the first edit even if the next ones are there already."""
    wire.send(did_open("x\n"))
    wire.publication(1)
    flood = b"".join(framed(did_change([{"text": "bad line\n" * 3000}], version)) for version in range(2, 600))
    wire.send(did_change([{"text": "bad"}], 2))
    wire.send_bytes(flood + framed(hover("end")))
    versions = set()

    def last(message):
        if message.get("method") == "textDocument/publishDiagnostics":
            versions.add(message["params"]["version"])
        return message.get("id") == "end"

    wire.wait(last)
    assert len(versions) > 1


def test_a_message_in_single_bytes_is_read_like_any_other(wire):
    for byte in framed(request(7, "test/do", {"what": "echo", "text": "é😀"})):
        wire.send_bytes(bytes([byte]))
    assert wire.answer(7)["result"] == "é😀"


def test_an_edit_is_checked_though_half_a_message_follows_it(wire):
    wire.send(did_open("bad"))
    wire.publication(1)
    half = framed(hover(3))
    wire.send_bytes(framed(did_change([{"text": "x"}], 2)) + half[:30])
    assert wire.publication(2)["diagnostics"] == []
    wire.send_bytes(half[30:])
    assert shown(wire.answer(3)) == "x"


# -- broken input ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "body",
    [
        b"{", b"", b"nonsense", b"[1,]", b'{"id":NaN}', b"\xff\xfe", b"[" * 100_000,
        b'{"id":' + b"9" * 5000 + b"}",
        b'{"jsonrpc":"2.0","id":1,"method":"test/do","params":Infinity}',
    ],
    ids=["cut", "empty", "word", "comma", "NaN", "no UTF-8", "deep", "long number", "Infinity"],
)  # fmt: skip
def test_what_is_no_json_is_answered_as_such_and_the_session_goes_on(wire, body):
    wire.send(body)
    answer = wire.answer(None)
    assert answer["error"]["code"] == PARSE_ERROR
    assert wire.do("echo", text="still here")["result"] == "still here"


@pytest.mark.parametrize(
    "message",
    [
        [], 1, "text", None, [request(1, "shutdown")], {"jsonrpc": "2.0", "id": 1, "method": 5},
        {"id": {}, "method": "shutdown"}, {"id": True, "method": "shutdown"},
        {"id": 1.5, "method": "shutdown"}, {"id": None, "method": "shutdown"},
    ],
)  # fmt: skip
def test_what_is_no_message_is_refused_and_the_session_goes_on(wire, message):
    wire.send(message)
    assert wire.answer(None)["error"]["code"] == INVALID_REQUEST
    assert wire.do("echo", text="still here")["result"] == "still here"


@pytest.mark.parametrize(
    "noise",
    [
        b"Hello\r\n\r\n",
        b"Content-Length: -5\r\n\r\n",
        b"Content-Length: twelve\r\n\r\n{}",
        b"Content-Length: 1\r\nContent-Length: 2\r\n\r\n",
        b"Content-Length: 99999999999999999999\r\n\r\n",
        b"X" * 100_000,
        b"\x00\xff" * 40_000 + b"\r\n\r\n",
        b"left over}",
    ],
    ids=["words", "negative", "letters", "two", "huge", "endless", "binary", "tail of a body"],
)
def test_a_broken_header_is_skipped_up_to_the_next_one(wire, noise):
    wire.send_bytes(noise + framed(request(1, "test/do", {"what": "echo", "text": "found"})))
    assert wire.answer(1)["result"] == "found"
    wire.wait_for_errors(b"Skipped")


@pytest.mark.parametrize(
    "header",
    [
        b"content-length: %d\r\n\r\n",
        b"Content-Type: application/vscode-jsonrpc; charset=utf-8\r\nContent-Length: %d\r\n\r\n",
        b"Content-Length:%d\r\nContent-Type: x\r\n\r\n",
        b"Content-Length: %d\n\n",
    ],
)
def test_headers_are_read_in_every_spelling(wire, header):
    body = json.dumps(request(1, "test/do", {"what": "echo", "text": "é"}), ensure_ascii=False).encode()
    wire.send_bytes(header % len(body) + body)
    assert wire.answer(1)["result"] == "é"


def test_a_message_larger_than_the_bound_ends_the_server_with_a_sentence(wire):
    wire.send_bytes(b"Content-Length: 999999999999\r\n\r\n")
    assert wire.end() == 1
    assert b"too large" in wire.errors
    assert b"closed" in wire.errors
    assert b"Traceback" not in wire.errors


def test_broken_messages_without_end_are_not_logged_without_end(wire):
    wire.send(*[b"{"] * 500)
    wire.do("echo", text="x")
    assert wire.errors.count(b"Skipped") <= 20


# -- answers ---------------------------------------------------------------------------------------------


def test_every_request_gets_exactly_one_answer(wire):
    wire.send(
        request(1, "no/such"), request(2, "$/no/such"), request(3, "test/do", {"what": "raise"}),
        request(4, "test/do", {"what": "refuse"}), request(5, "test/do", {"what": "unsayable"}),
        request(6, "test/do", {}), request(7, "test/do", []), request("7", "test/do", {"what": "x"}),
        request(8, "test/do", {"what": "sleep"}), request(8, "test/do", {"what": "x"}),
        notification("$/cancelRequest", {"id": 8}), request(9, "textDocument/didOpen", {}),
        request(10, "test/do", {"what": "checks"}),
    )  # fmt: skip
    answers = []
    while len(answers) < 12:
        answers.append(wire.wait(lambda message: "method" not in message))
    codes = {}
    for answer in answers:
        codes.setdefault(answer["id"], []).append(answer["error"]["code"] if "error" in answer else "result")
    assert codes == {
        1: [METHOD_NOT_FOUND], 2: [METHOD_NOT_FOUND], 3: [INTERNAL_ERROR], 4: [-32803], 5: [INTERNAL_ERROR],
        6: [INVALID_PARAMS], 7: [INVALID_PARAMS], "7": ["result"], 8: [INVALID_REQUEST, CANCELLED],
        9: [METHOD_NOT_FOUND], 10: ["result"],
    }  # fmt: skip
    wire.messages.clear()
    assert wire.leave() == 0
    assert not [message for message in wire.messages if "method" not in message]


def test_an_id_can_be_used_again_when_it_was_answered(wire):
    for _ in range(3):
        wire.send(request(1, "test/do", {"what": "sleep"}), notification("$/cancelRequest", {"id": 1}))
        assert wire.answer(1)["error"]["code"] == CANCELLED
    assert wire.do("echo", 1, text="x")["result"] == "x"


def test_an_error_answer_carries_its_data(wire):
    assert wire.do("refuse")["error"] == {"code": -32803, "message": "refused", "data": {"retry": True}}


@pytest.mark.parametrize("params", [None, [], {}, {"id": None}, {"id": []}, {"id": "nothing"}, {"id": 10**30}])
def test_cancelling_what_is_not_running_does_nothing(wire, params):
    wire.send(notification("$/cancelRequest", params))
    assert wire.do("echo", text="x")["result"] == "x"


def test_unknown_notifications_are_ignored(wire):
    wire.send(notification("$/unknown", {}), notification("unknown", None), notification("textDocument/hover"))
    assert wire.do("echo", text="x")["result"] == "x"
    assert wire.messages == []


def test_half_characters_are_sent_as_escapes(wire):
    wire.send(b'{"jsonrpc":"2.0","id":1,"method":"test/do","params":{"what":"echo","text":"a\\ud83d\\u00e9\\""}}')
    assert wire.answer(1)["result"] == 'a\ud83dé"'


def test_a_diagnostic_that_quotes_half_a_character_can_be_sent(wire):
    wire.send(did_open("bad \ud800 \U0001f600"))
    assert "\\ud800" in wire.publication(1)["diagnostics"][0]["message"]


# -- requests of the server ------------------------------------------------------------------------------


def question(wire: Wire) -> int:
    return wire.wait(lambda message: message.get("method") == "test/question")["id"]


def test_the_answer_to_a_question_of_the_server_arrives(wire):
    wire.send(request(1, "test/do", {"what": "ask"}))
    wire.send({"jsonrpc": "2.0", "id": question(wire), "result": [1, None]})
    assert wire.answer(1)["result"] == [1, None]


def test_an_error_answer_of_the_client_is_an_error(wire):
    wire.send(request(1, "test/do", {"what": "ask"}))
    wire.send({"jsonrpc": "2.0", "id": question(wire), "error": {"code": -32601, "message": "no"}})
    assert wire.answer(1)["result"] == {"code": -32601, "message": "no"}


@pytest.mark.parametrize("error", ["no", 5, {}, {"code": "x", "message": 1}])
def test_an_error_of_any_shape_is_an_error(wire, error):
    wire.send(request(1, "test/do", {"what": "ask"}))
    wire.send({"jsonrpc": "2.0", "id": question(wire), "error": error})
    assert wire.answer(1)["result"]["code"] == INTERNAL_ERROR


def test_late_second_and_unasked_answers_are_dropped(wire):
    wire.send(request("do", "test/do", {"what": "ask-and-cancel"}))
    number = question(wire)
    assert wire.wait(lambda message: message.get("method") == "$/cancelRequest")["params"] == {"id": number}
    answer = {"jsonrpc": "2.0", "id": number, "result": 1}
    unasked = [{"jsonrpc": "2.0", "id": odd, "result": 1} for odd in (99, "1", None, True, [], {})]
    wire.send(answer, answer, *unasked, {"jsonrpc": "2.0"}, {"jsonrpc": "2.0", "id": 4})
    assert wire.do("echo", text="x")["result"] == "x"
    assert b"Traceback" not in wire.errors


def test_two_answers_to_one_question_count_once(wire):
    wire.send(request(1, "test/do", {"what": "ask"}))
    number = question(wire)
    wire.send({"jsonrpc": "2.0", "id": number, "result": 1}, {"jsonrpc": "2.0", "id": number, "result": 2})
    assert wire.answer(1)["result"] == 1


def test_an_error_that_nobody_waits_for_is_no_fault():
    with Wire(strict=True) as wire:
        wire.initialize()
        wire.send(request("do", "test/do", {"what": "ask-and-forget"}))
        wire.send({"jsonrpc": "2.0", "id": question(wire), "error": {"code": 1, "message": "no"}})
        assert wire.leave() == 0


# -- the stream ------------------------------------------------------------------------------------------


def test_nothing_but_messages_is_on_standard_output(wire):
    """The client checks every byte; see `Wire._read`."""
    text = "x" * 300_000  # is still in the pipe while the child reads its standard input to the end
    wire.send(request(1, "test/do", {"what": "print"}), request(2, "test/do", {"what": "echo", "text": text}))
    assert wire.answer(1)["result"] == "print"
    assert wire.answer(2)["result"] == text
    assert wire.do("raise", "raise")["error"]["code"] == INTERNAL_ERROR
    wire.send(notification("test/raise"))
    assert wire.leave() == 0
    for stray in (b"a stray line", b"a stray write", b"a stray child"):
        assert stray in wire.errors
    assert b"with our input" not in wire.errors
    assert wire.errors.count(b"Traceback") == 0, "faults are logged to the client, not on standard error"


def test_a_fault_is_logged_to_the_client(wire):
    wire.send(notification("test/raise"))
    logged = wire.wait(lambda message: message.get("method") == "window/logMessage")["params"]
    assert logged["type"] == 1
    assert "test/raise" in logged["message"]
    assert "on purpose" in logged["message"]


def test_a_client_that_does_not_read_is_not_waited_for(wire):
    """Answers of 160 MB are not taken; the server goes on, and everything arrives in order."""
    size, count = 4_000_000, 40
    wire.send(*[request(number, "test/do", {"what": "many", "count": size}) for number in range(count)])
    wire.send(notification("exit"))
    for number in range(count):
        answer = wire.wait(lambda message: "id" in message)
        assert (answer["id"], len(answer["result"])) == (number, size)
    assert wire.end() == 1


def test_large_messages_pass_both_ways(wire):
    text = "é" * 3_000_000
    assert wire.do("echo", text=text)["result"] == text
