"""From start to end of a server process: initialize, shutdown, a client that dies, every kind of stream."""

from __future__ import annotations

import os
import select
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from wire_client import EXAMPLE_SERVER, SECONDS, Wire, did_open, framed, notification, request

INVALID_REQUEST, NOT_INITIALIZED = -32600, -32002


@pytest.fixture
def wire():
    with Wire() as wire:
        yield wire


def test_before_initialize_requests_are_refused_and_notifications_dropped(wire):
    assert wire.ask(1, "test/do", {"what": "echo", "text": "x"})["error"]["code"] == NOT_INITIALIZED
    assert wire.ask(2, "shutdown")["error"]["code"] == NOT_INITIALIZED
    assert wire.ask(3, "no/such")["error"]["code"] == NOT_INITIALIZED
    wire.send(did_open("bad"))
    wire.initialize()
    assert wire.do("checks")["result"] == 0
    assert wire.leave() == 0


def test_the_server_is_initialized_once(wire):
    wire.initialize()
    assert wire.ask(2, "initialize", {"capabilities": {}})["error"]["code"] == INVALID_REQUEST
    assert wire.leave() == 0


@pytest.mark.parametrize("params", [None, [], {}, {"capabilities": 5, "processId": "x"}, {"processId": 10**40}])
def test_initialize_with_params_of_any_shape_is_answered(wire, params):
    assert wire.ask(1, "initialize", params)["result"]["capabilities"]["positionEncoding"] == "utf-16"
    assert wire.leave() == 0


def test_after_shutdown_only_exit_is_left(wire):
    wire.initialize()
    assert wire.ask(1, "shutdown")["result"] is None
    assert wire.ask(2, "test/do", {"what": "checks"})["error"]["code"] == INVALID_REQUEST
    assert wire.ask(3, "shutdown")["error"]["code"] == INVALID_REQUEST
    wire.send(did_open("bad"), notification("exit"))
    assert wire.end() == 0
    assert wire.messages == []


@pytest.mark.parametrize("initialized", [True, False])
def test_exit_without_shutdown_is_status_1(wire, initialized):
    if initialized:
        wire.initialize()
    wire.send(notification("exit"))
    assert wire.end() == 1
    assert b"closed" in wire.errors


def test_the_end_of_the_input_ends_the_server(wire):
    wire.initialize()
    assert wire.end(close=True) == 1
    assert b"closed" in wire.errors


def test_the_end_of_the_input_after_shutdown_is_status_0(wire):
    wire.initialize()
    wire.ask(1, "shutdown")
    assert wire.end(close=True) == 0


def test_the_end_within_a_message_ends_the_server(wire):
    wire.initialize()
    wire.send_bytes(b"Content-Length: 100\r\n\r\n{")
    assert wire.end(close=True) == 1


def test_what_was_asked_is_answered_before_the_end(wire):
    wire.initialize()
    wire.send(
        request(1, "test/do", {"what": "sleep"}), request(2, "test/do", {"what": "ask"}),
        request(3, "shutdown"), notification("exit"),
    )  # fmt: skip
    assert wire.end() == 0
    answers = {message["id"] for message in wire.messages if "method" not in message}
    assert answers == {1, 2, 3}


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_the_server_in_order(wire, number):
    wire.initialize()
    wire.process.send_signal(number)
    assert wire.end() == 128 + number
    assert b"closed" in wire.errors
    assert b"Traceback" not in wire.errors


def test_the_death_of_the_editor_ends_the_server_though_its_input_stays_open(wire):
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as editor:
        wire.initialize(processId=editor.pid)
        wire.do("echo", text="the watch is on")
        editor.kill()
        assert wire.end() == 1
    assert b"closed" in wire.errors


def test_an_editor_that_cannot_be_seen_from_here_is_not_missed(wire):
    """Its number is of another machine or container."""
    with subprocess.Popen([sys.executable, "-c", ""]) as ended:
        ended.wait()
    wire.initialize(processId=ended.pid)
    assert wire.do("echo", text="x")["result"] == "x"
    assert wire.leave() == 0


def test_a_client_that_closes_our_output_ends_the_server(wire):
    wire.initialize()
    wire.process.stdout.close()
    wire._open.discard(next(iter(wire._open - {wire.process.stderr.fileno()})))
    wire.send(request(1, "test/do", {"what": "checks"}))
    assert wire.end() == 1
    assert b"Traceback" not in wire.errors


def test_a_fault_fails_a_strict_process_and_is_on_standard_error():
    with Wire(strict=True) as wire:
        wire.initialize()
        wire.send(notification("test/raise"))
        assert wire.leave() == 70
        assert b"FAULT while handling test/raise" in wire.errors
        assert b"on purpose" in wire.errors


def test_params_of_a_notification_that_are_none_are_no_fault():
    with Wire(strict=True) as wire:
        wire.initialize()
        for method in ("textDocument/didOpen", "textDocument/didChange", "textDocument/didClose"):
            for params in (
                None,
                [],
                {},
                {"textDocument": {"uri": 5}},
                {"textDocument": {"uri": "file:///x"}},
            ):
                wire.send(notification(method, params))
        assert wire.do("echo", text="x")["result"] == "x"
        assert wire.leave() == 0


# -- streams ---------------------------------------------------------------------------------------------


def whole_session() -> bytes:
    return b"".join(
        map(
            framed,
            [
                request(1, "initialize", {"capabilities": {}}), did_open("bad"),
                request(2, "test/do", {"what": "echo", "text": "x"}), request(3, "shutdown"),
                notification("exit"),
            ],
        )
    )  # fmt: skip


@pytest.mark.parametrize("output", ["file", "pipe"])
@pytest.mark.parametrize("input_", ["file", "pipe"])
def test_files_serve_as_well_as_pipes(tmp_path: Path, input_: str, output: str):
    (tmp_path / "in").write_bytes(whole_session())
    with (tmp_path / "in").open("rb") as incoming, (tmp_path / "out").open("wb") as outgoing:
        process = subprocess.run(
            EXAMPLE_SERVER,
            **({"stdin": incoming} if input_ == "file" else {"input": whole_session()}),
            stdout=outgoing if output == "file" else subprocess.PIPE,
            stderr=subprocess.PIPE,
            timeout=SECONDS,
        )
    data = (tmp_path / "out").read_bytes() if output == "file" else process.stdout
    assert process.returncode == 0, process.stderr
    assert data.count(b"Content-Length: ") == data.count(b'"jsonrpc":"2.0"') == 3
    assert b'"id":2,"result":"x"' in data


def test_a_socket_pair_as_standard_streams():
    ours, theirs = socket.socketpair()
    with (
        ours,
        subprocess.Popen(EXAMPLE_SERVER, stdin=theirs, stdout=theirs, stderr=subprocess.PIPE) as process,
    ):
        theirs.close()
        ours.settimeout(SECONDS)
        ours.sendall(whole_session())
        data = b""
        while piece := ours.recv(65536):
            data += piece
        assert process.wait(SECONDS) == 0
    assert b'"id":2,"result":"x"' in data


def test_tcp_listens_on_the_loopback_address_for_one_connection():
    with subprocess.Popen([*EXAMPLE_SERVER, "--tcp"], stdin=subprocess.DEVNULL, stderr=subprocess.PIPE) as process:
        port = int(process.stderr.readline().split()[1])
        with socket.create_connection(("127.0.0.1", port), SECONDS) as connection:
            connection.sendall(whole_session()[:-30])
            data = b""
            while b'"id":2,"result":"x"' not in data:
                data += connection.recv(65536)
            with pytest.raises(OSError):
                socket.create_connection(("127.0.0.1", port), 1).close()
            connection.sendall(whole_session()[-30:])
            while connection.recv(65536):
                pass
        assert process.wait(SECONDS) == 0


def test_standard_error_that_nobody_reads_blocks_nothing():
    """More broken messages than a pipe holds lines about; the pipe is filled before."""
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    while select.select([], [writing], [], 0)[1]:
        os.write(writing, b"x" * 4096)
    os.set_blocking(writing, True)
    with subprocess.Popen(
        EXAMPLE_SERVER, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=writing, bufsize=0
    ) as process:
        try:
            process.stdin.write(framed(b"{") * 30 + framed(request(1, "initialize", {"capabilities": {}})))
            data = b""
            while b'"serverInfo"' not in data:
                assert select.select([process.stdout], [], [], SECONDS)[0], "it waits for a reader"
                data += os.read(process.stdout.fileno(), 65536)
        finally:
            process.kill()
    os.close(reading)
    os.close(writing)
