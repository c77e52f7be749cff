"""Each mistake of an author has its outcome, and harms no other call: over pipes, to a real process."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from toolkit_process import ToolkitProcess

MIB = 1024 * 1024


@pytest.fixture
def process(tmp_path: Path) -> Iterator[ToolkitProcess]:
    started = ToolkitProcess(tmp_path)
    yield started
    started.clean_up()


def fine(process: ToolkitProcess) -> None:
    """Whatever happened, other calls go on, and the process ends in order."""
    assert process.asked("act", "ok", 7, "last") == {"Ok": "7"}
    assert process.asked("work", "ok", 8, "very last") == {"Ok": "8"}
    process.close_input()
    assert process.message() is None
    assert process.ended() == 0
    assert "cleaned up\n" in process.errors


@pytest.mark.parametrize("tool", ["act", "work"])
def test_what_a_function_returns_or_raises(process: ToolkitProcess, tool: str) -> None:
    returned = f"The function `{tool}` returned what is no value of the success type: "
    raised = f"The function `{tool}` raised "
    expected: dict[str, Any] = {
        "ok": {"Ok": "0"},
        "failed": {"Failed": {"Bad": "no luck"}},
        "failed-odd": {"Failed": {"Odd": {"code": 0}}},
        "not-run": {"NotRun": "not today"},
        "not-run-silently": {"NotRun": "The function did not run."},
        "wrong-type": {"Unknown": returned + "A str is expected for Text, and this is a number."},
        "surrogate": {
            "Unknown": returned + "A text holds half a character, the lone surrogate U+D800, which no UTF-8 can write."
        },
        "generator": {"Unknown": returned + "A str is expected for Text, and this is a Python generator."},
        "failed-wrong": {
            "Unknown": f"The function `{tool}` failed with what is no value of the error type: A value of the enum "
            "Problem is expected, and this is a string."
        },
        "error": {"Unknown": raised + "ValueError: the station is closed."},
        "exit": {"Unknown": raised + "SystemExit: 3."},
        "interrupt": {"Unknown": raised + "KeyboardInterrupt."},
        "nasty": {"Unknown": raised + "Nasty."},
        "recursion": {"Unknown": raised + "RecursionError: maximum recursion depth exceeded."},
        "cancelled-error": {"Unknown": raised + "CancelledError."},
        "input": {"Unknown": raised + "EOFError: EOF when reading a line."},
        "read-input": {"Ok": "b''"},
    }
    process.describe()
    assert {how: process.asked(tool, how, 0, how) for how in expected} == expected
    assert "the function `" + tool + "` raised an exception.\nTraceback" in process.errors
    assert "in done\n    raise ValueError(" in process.errors
    fine(process)


def test_what_a_coroutine_and_a_thread_may_not_raise(process: ToolkitProcess) -> None:
    """Python makes another exception of StopIteration in a coroutine, and throws GeneratorExit into lost ones."""
    assert process.asked("act", "stop-iteration")["Unknown"].startswith("The function `act` raised RuntimeError: ")
    assert process.asked("act", "generator-exit") == {"Unknown": "The function's task was ended from outside."}
    assert process.asked("work", "stop-iteration") == {"Unknown": "The function `work` raised StopIteration: 7."}
    assert process.asked("work", "generator-exit") == {"Unknown": "The function `work` raised GeneratorExit."}
    fine(process)


def test_what_is_printed_goes_to_standard_error(process: ToolkitProcess) -> None:
    for tool in ("act", "work"):
        assert process.asked(tool, "print") == {"Ok": "printed"}
    for text in ("printed by print", "printed to __stdout__", "written to 1", "printed by a child"):
        assert process.errors.count(text + "\n") == 2
    fine(process)


def test_a_result_past_the_limit(process: ToolkitProcess) -> None:
    for tool in ("act", "work"):
        outcome = process.asked(tool, "big", 50 * MIB)
        assert "16777216, the limit of one message" in outcome["Unknown"]
        assert process.asked(tool, "big", 15 * MIB) == {"Ok": "x" * (15 * MIB)}
    fine(process)


def test_a_result_that_is_nested_too_deep(process: ToolkitProcess) -> None:
    for levels in (512, 513, 100_000):
        process.call(str(levels), "deep", {"levels": levels})
    assert "Ok" in process.outcome("512")
    assert "nested at most 512 levels deep" in process.outcome("513")["Unknown"]
    assert "nested at most 512 levels deep" in process.outcome("100000")["Unknown"]
    fine(process)


def test_a_blocking_call_in_an_async_function_lets_the_others_wait(process: ToolkitProcess) -> None:
    process.describe()
    process.call("blocks", "act", {"how": "block", "value": 0})
    process.has_begun("gate")
    process.call("waits", "act", {"how": "ok", "value": 1})
    process.call("is cancelled", "act", {"how": "ok", "value": 1})
    assert process.describe("again")["data"] == "0.1"
    assert process.asked("work", "ok", 5) == {"Ok": "5"}
    unserved = process.asked("none", "ok")
    assert unserved["NotRun"].startswith("This implementation does not serve `tools.none`.")
    process.call("wrong", "act", {"how": 1, "value": 0})
    assert process.outcome("wrong") == {
        "NotRun": "The arguments cannot be used: A string is expected for Text, and this is a number (at /how)."
    }
    process.cancel("is cancelled")
    assert process.outcome("is cancelled") == {"NotRun": "The call was cancelled before its function began."}
    process.open("gate")
    assert process.outcome("blocks") == {"Ok": "unblocked"}
    assert process.outcome("waits") == {"Ok": "1"}
    fine(process)


def test_a_plain_function_that_returns_what_is_to_be_awaited(process: ToolkitProcess) -> None:
    assert process.asked("work", "awaitable", 3) == {"Ok": "3"}
    assert process.asked("work", "awaitable-error") == {
        "Unknown": "The function `work` raised ValueError: the station is closed."
    }
    process.call("c", "work", {"how": "awaitable-cancelled", "value": 0})
    process.cancel("c")
    assert process.outcome("c") in ({"Ok": "stopped"}, {"NotRun": "The call was cancelled before its function began."})
    fine(process)


def test_tasks_that_end_programs_end_none(process: ToolkitProcess) -> None:
    assert process.asked("act", "task-exit") == {"Unknown": "The function `act` raised SystemExit: 4."}
    assert process.asked("act", "forgotten-task-exit") == {"Ok": "ok"}
    assert process.asked("act", "ok", 1) == {"Ok": "1"}
    assert "A task raised what ends programs; the process goes on." in process.errors
    outcome = process.asked("act", "cancel-everything")
    assert outcome == {"Unknown": "The function `act` raised CancelledError."}
    fine(process)


def test_a_process_that_ends_itself(process: ToolkitProcess) -> None:
    process.call("c", "work", {"how": "os-exit", "value": 9})
    assert process.outcome("c") is None
    assert process.ended() == 9


@pytest.mark.parametrize("kind", ["thread", "daemon-thread"])
def test_a_thread_that_is_left_running_does_not_keep_the_process(process: ToolkitProcess, kind: str) -> None:
    assert process.asked("work", kind) == {"Ok": "left"}
    process.close_input()
    assert process.message() is None
    assert process.ended() == 0
    assert "cleaned up\n" in process.errors
    said = "threads were left running, and end with the process: left-behind."
    assert (said in process.errors) is (kind == "thread")


def test_a_thread_of_an_executor_does_not_keep_the_process(process: ToolkitProcess) -> None:
    process.call("c", "act", {"how": "executor", "value": 0})
    process.has_begun("gate")
    process.close_input()
    assert process.outcome("c") == {"Unknown": "The function `act` was stopped while it ran."}
    assert process.ended() == 0
    assert "threads were left running, and end with the process: asyncio_0." in process.errors


def test_a_process_that_was_forked_off_does_not_hold_the_output(process: ToolkitProcess) -> None:
    child = process.asked("work", "fork")["Ok"]
    process.close_input()
    assert process.message() is None  # while the child lives
    assert Path(f"/proc/{child}").exists()
    process.open("gate")
    assert process.ended() == 0


@pytest.mark.parametrize("tool", ["act", "work"])
def test_the_other_half_of_a_function_that_forks_answers_nothing(process: ToolkitProcess, tool: str) -> None:
    assert process.asked(tool, "fork-and-return") == {"Ok": "returned"}
    fine(process)


@pytest.mark.parametrize(
    ("served", "sentence"),
    [
        (
            ("Lacking",),
            "In Lacking, `act` takes no argument `value`, "
            "`work` is missing, `total` is no function, `keep` is missing, `deep` is missing, `tag` is missing.",
        ),
        (
            ("Plain", "class"),
            "An object with the functions of the Tools is expected, and this is the class Plain: give `Plain()`.",
        ),
    ],
)
def test_functions_that_are_missing_are_said_before_anything_is_answered(
    tmp_path: Path, served: tuple[str, ...], sentence: str
) -> None:
    process = ToolkitProcess(tmp_path, *served)
    try:
        assert process.message() is None
        assert process.ended() == 2
        assert process.errors == f"flow_lsp.toolkit: {sentence}\n"
    finally:
        process.clean_up()
