"""Calls to an implementation on the toolkit, in bytes: many at once, cancelled, repeated, generic, and its end."""

from __future__ import annotations

import os
import pty
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from support.callables import callable_tools
from toolkit_process import SOURCE, ToolkitProcess, words, write_module

from flow_lsp.host.calling import CallTypes, generic_types
from flow_lsp.types.shapes import term_from_json
from flow_lsp.types.terms import FunctionOf, Primitive, Term
from flow_lsp.values.strict_json import read_json

MIB = 1024 * 1024
TOOLS = callable_tools(SOURCE)


@pytest.fixture
def process(tmp_path: Path) -> Iterator[ToolkitProcess]:
    started = ToolkitProcess(tmp_path)
    yield started
    started.clean_up()


def plain(value: Any) -> Any:
    """`value` as the json module writes it."""
    return read_json(value) if isinstance(value, str) else value


def views(tool: str, *bindings: Term) -> dict[str, Any]:
    """The members `schema` and `types` of a call that binds these types."""
    made = generic_types(TOOLS[tool], bindings, {})
    assert isinstance(made, CallTypes), made
    return {"schema": plain(made.schema), "types": plain(made.types)}


# -- what arrives -----------------------------------------------------------------------------------------------------


def test_describe_is_answered_as_often_as_it_is_asked(process: ToolkitProcess) -> None:
    first = process.describe()
    assert [entry["tool"] for entry in first["tools"]] == [f"tools.{name}" for name in TOOLS]
    assert [entry["fingerprint"] for entry in first["tools"]] == [TOOLS[name].signature.fingerprint for name in TOOLS]
    assert process.describe("a text") == first
    assert process.asked("act", "ok") == {"Ok": "0"}
    assert process.describe(10**17) == first


@pytest.mark.parametrize(
    "line", ["", "{", "[]", '{"jsonrpc":"2.0","method":"describe","id":true}', "\ufeff{}", "x" * 5000]
)
def test_a_first_line_that_is_no_request_is_noise(process: ToolkitProcess, line: str) -> None:
    process.input.write(line.encode() + b"\n")
    assert process.describe()["data"] == "0.1"
    assert process.asked("act", "ok") == {"Ok": "0"}


def test_a_host_that_asks_for_nothing_else_is_left_at_once(process: ToolkitProcess) -> None:
    process.describe()
    process.close_input()
    assert process.message() is None
    assert process.ended() == 0
    assert process.errors == "cleaned up\n"


def test_an_input_that_ends_before_a_word(process: ToolkitProcess) -> None:
    process.close_input()
    assert process.message() is None
    assert process.ended() == 0


def test_huge_arguments(process: ToolkitProcess) -> None:
    process.call("large", "total", {"items": list(range(100_000)), "note": "x" * (15 * MIB)})
    assert process.outcome("large") == {"Ok": sum(range(100_000)) + 15 * MIB}
    process.call("too large", "total", {"items": [], "note": "x" * (17 * MIB)})
    assert "more than 16777216" in process.outcome("too large")["NotRun"]
    process.call("deep", "total", {"items": [], "note": "", "more": nested(515)})
    assert process.outcome("deep") == {"NotRun": "An argument is nested more than 512 levels deep."}
    assert process.asked("act", "ok") == {"Ok": "0"}


def nested(levels: int) -> Any:
    value: Any = []
    for _ in range(levels):
        value = [value]
    return value


@pytest.mark.parametrize(
    ("args", "reason"),
    [
        ({"how": "ok"}, "The argument `value` is missing."),
        ({"how": "ok", "value": 1.5}, "An Int is a whole number, and 1.5 is not (at /value)."),
        ({"how": None, "value": 1}, "A string is expected for Text, and this is null (at /how)."),
    ],
)
def test_arguments_that_are_none(process: ToolkitProcess, args: Any, reason: str) -> None:
    for tool in ("act", "work"):
        process.call(tool, tool, args)
        assert process.outcome(tool) == {"NotRun": f"The arguments cannot be used: {reason}"}
    process.call("list", "act", [])
    assert process.outcome("list") == {"NotRun": "The call's args are no object."}


def test_a_call_under_the_ids_of_an_open_one_is_not_run_twice(process: ToolkitProcess) -> None:
    process.call("c", "act", {"how": "hold", "value": 1})
    process.call("c", "act", {"how": "ok", "value": 2})
    process.call("d", "act", {"how": "release", "value": 0})
    assert process.outcome("c") == {"Ok": "1"}
    assert process.outcome("d") == {"Ok": "released"}
    assert "it is a call under the ids of one that is open" in process.errors


@pytest.mark.parametrize("tool", ["act", "work"])
def test_a_call_that_was_answered_before_is_known(process: ToolkitProcess, tool: str) -> None:
    assert process.asked(tool, "not-run", call="c") == {"NotRun": "not today"}
    assert process.asked(tool, "answered-before", call="c") == {"Ok": "False"}
    assert process.asked(tool, "answered-before", call="c") == {"Ok": "True"}
    assert process.asked(tool, "error", call="d")["Unknown"]
    assert process.asked(tool, "answered-before", call="d") == {"Ok": "True"}
    assert process.asked(tool, "ids", call="e") == {"Ok": f"r/e/tools.{tool}/None"}


def test_a_person_who_starts_it_is_told_what_it_is(tmp_path: Path) -> None:
    write_module(tmp_path)
    person, terminal = pty.openpty()
    process = subprocess.Popen(words(tmp_path), stdin=terminal, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    os.close(terminal)
    os.write(person, b"\x04")  # Ctrl-D
    _, said = process.communicate(timeout=60)
    os.close(person)
    assert process.returncode == 0
    assert said.startswith(b"flow_lsp.toolkit: this serves Tools to a host")


# -- many at once, and cancels ----------------------------------------------------------------------------------------


def test_ten_thousand_calls_at_once(process: ToolkitProcess) -> None:
    for number in range(10_000):
        process.call(str(number), "act", {"how": "hold", "value": number})
    process.call("release", "act", {"how": "release", "value": 0})
    assert all(process.outcome(str(number)) == {"Ok": str(number)} for number in range(10_000))


def test_more_plain_functions_than_threads(process: ToolkitProcess) -> None:
    for number in range(32):
        process.call(f"blocks {number}", "work", {"how": "block", "value": number})
    for number in range(1_000):
        process.call(str(number), "work", {"how": "ok", "value": number})
    process.call("cancelled", "work", {"how": "ok", "value": 0})
    process.cancel("cancelled")
    assert process.outcome("cancelled") == {"NotRun": "The call was cancelled before its function began."}
    assert process.asked("act", "ok", 7) == {"Ok": "7"}
    process.open("gate")
    assert all(process.outcome(str(number)) == {"Ok": str(number)} for number in range(1_000))
    assert all(process.outcome(f"blocks {number}") == {"Ok": "unblocked"} for number in range(32))


def test_a_host_that_reads_late_loses_nothing(process: ToolkitProcess) -> None:
    for number in range(20):
        process.call(str(number), "act" if number % 2 else "work", {"how": "big", "value": 5 * MIB})
    assert all(process.outcome(str(number)) == {"Ok": "x" * (5 * MIB)} for number in range(20))
    assert process.asked("act", "ok") == {"Ok": "0"}


@pytest.mark.parametrize("tool", ["act", "work"])
def test_a_function_may_make_something_of_a_cancel(process: ToolkitProcess, tool: str) -> None:
    process.call("c", tool, {"how": "until-cancelled", "value": 0})
    assert process.asked(tool, "ok") == {"Ok": "0"}  # so the other one has begun
    process.cancel("c")
    process.cancel("c")
    process.cancel("no such call")
    assert process.outcome("c") == {"Ok": "stopped"}
    assert process.asked(tool, "ok", 2) == {"Ok": "2"}


def test_a_task_that_is_cancelled_is_unknown(process: ToolkitProcess) -> None:
    process.call("c", "act", {"how": "cancelled", "value": 0})
    assert process.asked("act", "ok") == {"Ok": "0"}
    process.cancel("c")
    assert process.outcome("c") == {"Unknown": "The function `act` was stopped while it ran."}
    assert "Traceback" not in process.errors


# -- generic Tools ----------------------------------------------------------------------------------------------------


def test_values_of_a_parameter_are_ordered_by_their_type(process: ToolkitProcess) -> None:
    more = views("keep", Primitive.DURATION)
    for how in ("sorted", "as they are"):
        process.call(how, "keep", {"values": ["PT10S", "PT9S", "PT1M10S", "PT9.0S", "PT70S"], "how": how}, **more)
        assert process.outcome(how) == {"Ok": ["PT9S", "PT10S", "PT70S"]}
    process.call("made", "keep", {"values": ["PT10S"], "how": "made"}, **more)
    assert process.outcome("made") == {"Ok": ["PT10S", "PT60S"]}
    process.call("made of another", "keep", {"values": [1], "how": "made"}, **views("keep", Primitive.INT))
    refused = "The function `keep` raised ValueRefused: A whole number is expected for Int, and this is a string."
    assert process.outcome("made of another") == {"Unknown": refused}
    process.call("plain", "keep", {"values": [1], "how": "plain"}, **views("keep", Primitive.INT))
    assert process.outcome("plain") == {
        "Unknown": "The function `keep` returned what is no value of the success type: A Carrier of T is expected, and "
        "this is a number (at /0)."
    }


def test_views_that_are_no_views_are_not_run(process: ToolkitProcess) -> None:
    good = views("keep", Primitive.INT)
    other = views("keep", Primitive.TEXT)
    wrong: list[tuple[dict[str, Any], str]] = [
        ({}, "A call of a generic Tool needs the member `types`, and it is missing."),
        ({"types": good["types"]}, "A call of a generic Tool needs the member `schema`, and it is missing."),
        ({**good, "schema": other["schema"]}, "This is not the schema of the success type"),
        ({**good, "types": {**good["types"], "extra": 1}}, "`extra`"),
        ({**good, "types": {**good["types"], "ok": "Int"}}, "(at /types/ok)"),
    ]
    for number, (more, reason) in enumerate(wrong):
        process.call(str(number), "keep", {"values": [1], "how": ""}, **more)
        outcome = process.outcome(str(number))
        assert outcome["NotRun"].startswith("The call's types cannot be used: ")
        assert reason in outcome["NotRun"]
    process.call("null", "keep", {"values": [1], "how": ""}, types=None, schema=good["schema"])
    assert process.outcome("null") == {"NotRun": "The call's types is null."}
    process.call("not generic", "act", {"how": "ok", "value": 1}, **good)
    assert "A call of a Tool that is not generic has no member `types`" in process.outcome("not generic")["NotRun"]
    process.call("good", "keep", {"values": [1], "how": ""}, **good)
    assert process.outcome("good") == {"Ok": [1]}


def test_a_binding_without_a_codec_refuses_only_what_needs_it(process: ToolkitProcess) -> None:
    function = FunctionOf((Primitive.INT,), Primitive.TEXT)
    process.call("tag", "tag", {"name": "n"}, **views("tag", function))
    assert process.outcome("tag")["Ok"].startswith("n FunctionOf(")
    types = views("keep", Primitive.INT)["types"]
    written = {"Function": {"params": ["Int"], "result": "Text"}}
    assert term_from_json(written) == function
    changed = {
        **types,
        "bindings": [{"name": "T", "type": written}],
        "params": [{"name": "values", "type": {"List": written}}, {"name": "how", "type": "Text"}],
        "ok": {"Set": written},
    }
    process.call("keep", "keep", {"values": [], "how": ""}, types=changed, schema={})
    assert process.outcome("keep")["NotRun"].startswith("The call's types cannot be used: ")


# -- the end ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("end", ["input", "SIGTERM", "SIGINT"])
def test_functions_that_run_get_a_grace(process: ToolkitProcess, end: str) -> None:
    process.call("done", "act", {"how": "briefly", "value": 0})
    process.call("done too", "work", {"how": "briefly", "value": 0})
    process.call("is told", "act", {"how": "until-cancelled", "value": 0})
    process.call("is told too", "work", {"how": "until-cancelled", "value": 0})
    process.call("never", "act", {"how": "never", "value": 0})
    for number in range(31):
        process.call(f"blocks {number}", "work", {"how": "never", "value": 0})
    process.call("has no thread", "work", {"how": "ok", "value": 0})
    assert process.asked("act", "ok") == {"Ok": "0"}
    process.has_begun("never")
    if end == "input":
        process.close_input()
    else:
        os.kill(process.process.pid, getattr(signal, end))
    assert process.outcome("done") == {"Ok": "done"}
    assert process.outcome("done too") == {"Ok": "done"}
    assert process.outcome("is told") == {"Ok": "stopped"}
    assert process.outcome("is told too") == {"Ok": "stopped"}
    ended = {"Unknown": "The process ended while the function ran."}
    assert process.outcome("never") == ended
    assert {str(process.outcome(f"blocks {number}")) for number in range(31)} == {str(ended)}
    assert process.outcome("has no thread") is not None
    assert process.message() is None
    assert process.ended() == 0
    assert "the process ends while these functions run: `act`, `work`." in process.errors
    assert "cleaned up\n" in process.errors


def test_a_blocked_event_loop_does_not_keep_the_process(process: ToolkitProcess) -> None:
    process.call("blocks", "act", {"how": "block", "value": 0})
    process.has_begun("gate")
    process.call("waits", "act", {"how": "ok", "value": 0})
    process.close_input()
    assert process.outcome("waits") == {"NotRun": "The process was ending, and the function was not begun."}
    assert process.outcome("blocks") == {"Unknown": "The process ended while the function ran."}
    assert process.ended() == 0
    assert "the event loop is blocked by a function that does not await" in process.errors


def test_a_host_that_reads_no_more_ends_the_process(process: ToolkitProcess) -> None:
    process.describe()
    process.output.close()
    process.call("c", "work", {"how": "ok", "value": 0})
    assert process.ended() == 0
    assert "cleaned up\n" in process.errors


def test_a_host_that_has_gone_ends_the_process(process: ToolkitProcess) -> None:
    process.call("c", "act", {"how": "never", "value": 0})
    process.output.close()
    process.close_input()
    assert process.ended() == 0
