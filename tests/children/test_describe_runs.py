"""One describe run against every kind of child: the exact outcome, within a bound, and nothing left."""

from __future__ import annotations

import sys
import time
from pathlib import Path

import pytest
from started_implementations import HASTY, RUTHLESS, Implementations

from flow_lsp.host.describe import DescribeLimits, describe_program
from flow_lsp.processes.programs import FileStamp, Program
from flow_lsp.protocol import describe
from flow_lsp.protocol.outcome import DescribeFailure, DescribeListing, DescribeOutcome, FailureKind
from flow_lsp.values.strict_json import Json

MIB = 1024 * 1024


def tools(outcome: DescribeOutcome) -> list[str]:
    assert outcome.failure is None, outcome
    assert outcome.listing is not None
    return [tool.identity for tool in outcome.listing.tools]


def failure(outcome: DescribeOutcome) -> tuple[FailureKind, str]:
    assert outcome.listing is None, outcome
    assert outcome.failure is not None
    return outcome.failure.kind, outcome.failure.sentence


async def test_a_good_implementation_is_described_and_ends_by_itself(
    implementations: Implementations,
) -> None:
    before = time.time()
    outcome = await implementations.describe("good")
    assert tools(outcome) == ["tools/search.find"]
    assert outcome.listing is not None
    assert outcome.listing.data == "0.1"
    [tool] = outcome.listing.tools
    assert tool.problem is None
    assert tool.recomputed == tool.fingerprint
    assert (outcome.noise_count, outcome.stderr_tail, outcome.exit_status, outcome.terminated) == (
        0,
        (),
        0,
        False,
    )
    assert outcome.program == implementations.program.path
    assert before <= outcome.started_at <= time.time()
    assert 0 < outcome.duration < 10


async def test_it_runs_in_the_directory_with_the_environment(implementations: Implementations) -> None:
    outcome = await implementations.describe("env", "FLOW_LSP_TEST_MARKER")
    assert tools(outcome) == [implementations.marker, str(Path(implementations.directory).resolve())]


async def test_an_answer_that_does_not_wait_for_the_request_counts(implementations: Implementations) -> None:
    assert tools(await implementations.describe("answers-and-exits")) == ["tools/search.find"]


async def test_a_silent_implementation_is_timed_out(implementations: Implementations) -> None:
    outcome = await implementations.describe("silent", timeout=0.3)
    assert failure(outcome) == (FailureKind.TIMED_OUT, "did not answer within 0.3 s.")
    assert (outcome.exit_status, outcome.terminated) == (0, False)  # it ended when its input did


async def test_one_that_minds_nothing_is_terminated(implementations: Implementations) -> None:
    outcome = await implementations.describe("deaf", timeout=0.3, ending=HASTY)
    assert failure(outcome)[0] is FailureKind.TIMED_OUT
    assert (outcome.exit_status, outcome.terminated) == (-15, True)


async def test_one_that_ignores_sigterm_is_killed_and_its_answer_counts(
    implementations: Implementations,
) -> None:
    outcome = await implementations.describe("ignores-term", ending=RUTHLESS)
    assert tools(outcome) == ["tools/search.find"]
    assert (outcome.exit_status, outcome.terminated) == (-9, True)


async def test_an_exit_is_told_with_its_status_and_last_words(implementations: Implementations) -> None:
    outcome = await implementations.describe("exits", "3")
    assert failure(outcome) == (FailureKind.EXITED, "ended with exit status 3 before it answered.")
    assert outcome.stderr_tail == (r"Traceback: the \x1b[31mweather\x1b[0m key is missing",)
    assert outcome.exit_status == 3


async def test_a_crash_is_told_with_its_signal(implementations: Implementations) -> None:
    outcome = await implementations.describe("dies")
    assert failure(outcome) == (FailureKind.EXITED, "was ended by SIGSEGV before it answered.")


async def test_garbage_is_noise_and_the_exit_is_told(implementations: Implementations) -> None:
    outcome = await implementations.describe("garbage")
    kind, sentence = failure(outcome)
    assert kind is FailureKind.EXITED
    assert sentence == (
        "ended with exit status 0 before it answered. The last line on its standard output is no message: "
        "it has no line end, so it was cut off."
    )
    assert outcome.noise_count == 201
    assert len(outcome.noise) == len(outcome.noise_reasons) == 20
    assert all(line.isprintable() for line in outcome.noise)


@pytest.mark.parametrize(
    ("behaviour", "reason"),
    [("invalid-utf8", "UTF-8"), ("with-bom", "byte order mark"), ("half-line", "no line end")],
)
async def test_a_line_that_is_no_message_is_named_in_the_failure(
    implementations: Implementations, behaviour: str, reason: str
) -> None:
    outcome = await implementations.describe(behaviour)
    kind, sentence = failure(outcome)
    assert kind is FailureKind.EXITED
    assert reason in sentence
    assert outcome.noise_count == 1


async def test_a_last_line_without_its_end_is_no_answer(implementations: Implementations) -> None:
    outcome = await implementations.describe("last-line-without-end")
    assert failure(outcome)[0] is FailureKind.EXITED


@pytest.mark.parametrize("behaviour", ["with-crlf", "separators", "twice", "asks-host", "newer-minor"])
async def test_what_is_unusual_and_right_is_accepted(implementations: Implementations, behaviour: str) -> None:
    outcome = await implementations.describe(behaviour)
    assert tools(outcome) == ["tools/search.find"]
    assert outcome.listing is not None
    assert [tool.problem for tool in outcome.listing.tools] == [None]
    assert outcome.noise_count == 0
    assert outcome.exit_status == 0


async def test_unicode_separators_survive_inside_a_string(implementations: Implementations) -> None:
    outcome = await implementations.describe("separators")
    assert outcome.listing is not None
    assert outcome.listing.tools[0].signature["ok"]["description"] == "a\u2028b\u2029c\u0085d\fe"


async def test_noise_around_the_answer_is_counted_and_shown(implementations: Implementations) -> None:
    outcome = await implementations.describe("noisy")
    assert tools(outcome) == ["tools/search.find"]
    assert outcome.noise == (
        "npm notice new version",
        "",
        "42",
        "null",
        "[]",
        '"x"',
        "{}",
        '{"jsonrpc":"2.0"',
    )
    assert outcome.noise_count == 8


async def test_a_flood_of_noise_does_not_hide_the_answer(implementations: Implementations) -> None:
    outcome = await implementations.describe("noise-flood", "100000")
    assert tools(outcome) == ["tools/search.find"]
    assert (outcome.noise_count, len(outcome.noise)) == (100_000, 20)


async def test_endless_noise_is_timed_out(implementations: Implementations) -> None:
    outcome = await implementations.describe("endless-noise", timeout=1.0, ending=HASTY)
    assert failure(outcome)[0] is FailureKind.TIMED_OUT
    assert outcome.noise_count > 20


@pytest.mark.parametrize("length", [65_535, 65_536, 65_537, 10 * MIB])
async def test_long_answers_arrive_whole(implementations: Implementations, length: int) -> None:
    assert tools(await implementations.describe("sized", str(length))) == ["tools/search.find"]


async def test_a_line_of_exactly_the_limit_is_a_message_and_one_more_byte_is_not(
    implementations: Implementations,
) -> None:
    assert tools(await implementations.describe("sized", "20001", line=20_000)) == ["tools/search.find"]
    outcome = await implementations.describe("sized", "20002", "exits", line=20_000)
    assert failure(outcome) == (
        FailureKind.TOO_LARGE,
        "answered with a line of more than 20000 bytes, the limit of one message.",
    )


async def test_an_answer_of_17_mib_is_too_large(implementations: Implementations) -> None:
    outcome = await implementations.describe("long-answer", str(17 * MIB))
    assert failure(outcome)[0] is FailureKind.TOO_LARGE
    assert outcome.duration < 10


async def test_a_long_line_of_noise_is_read_past(implementations: Implementations) -> None:
    outcome = await implementations.describe("long-noise", str(17 * MIB))
    assert tools(outcome) == ["tools/search.find"]
    assert outcome.noise[0].startswith("xxx")
    assert outcome.noise_reasons == (f"it has {17 * MIB} bytes, more than {16 * MIB}",)


async def test_a_line_without_end_ends_the_process(implementations: Implementations) -> None:
    outcome = await implementations.describe("endless-line", line=MIB, ending=HASTY)
    assert failure(outcome)[0] is FailureKind.TOO_LARGE


async def test_an_answer_in_time_that_takes_long_to_check_counts(
    implementations: Implementations, monkeypatch: pytest.MonkeyPatch
) -> None:
    read_listing = describe.read_listing

    def slowly(result: Json, data_version: str) -> DescribeListing | DescribeFailure:
        time.sleep(2)
        return read_listing(result, data_version)

    monkeypatch.setattr(describe, "read_listing", slowly)
    assert tools(await implementations.describe("good", timeout=1.5)) == ["tools/search.find"]


async def test_an_error_response_is_told(implementations: Implementations) -> None:
    assert failure(await implementations.describe("error-response")) == (
        FailureKind.ERROR_RESPONSE,
        r"answered describe with error -32601: no such method\nas describe.",
    )


async def test_another_major_data_version_is_told_as_such(implementations: Implementations) -> None:
    assert failure(await implementations.describe("other-major")) == (
        FailureKind.DATA_VERSION,
        "speaks data version 1.0, of another major than this host's 0.1.",
    )


async def test_a_wrong_fingerprint_is_that_tools_problem_alone(implementations: Implementations) -> None:
    outcome = await implementations.describe("wrong-fingerprint")
    assert outcome.listing is not None
    right, wrong = outcome.listing.tools
    assert (right.problem, right.recomputed) == (None, right.fingerprint)
    assert wrong.recomputed == right.fingerprint
    assert wrong.problem is not None
    assert wrong.problem.startswith("fingerprint mismatch")


async def test_two_entries_of_one_identity_refuse_the_listing(implementations: Implementations) -> None:
    assert failure(await implementations.describe("duplicates")) == (
        FailureKind.INVALID,
        "answered describe wrongly: it lists tools/search.find twice, as entries 1 and 2.",
    )


async def test_two_versions_of_one_identity_are_two_tools(implementations: Implementations) -> None:
    outcome = await implementations.describe("two-versions")
    assert tools(outcome) == ["acme/kit@1.0.0/a.find", "acme/kit@2.0.0/a.find"]


async def test_requests_that_nobody_reads_the_answers_of_do_no_harm(implementations: Implementations) -> None:
    assert tools(await implementations.describe("floods-host", ending=HASTY)) == ["tools/search.find"]


async def test_closing_the_output_is_told_though_the_process_lives(implementations: Implementations) -> None:
    outcome = await implementations.describe("closes-output", ending=HASTY)
    assert failure(outcome) == (
        FailureKind.CLOSED_OUTPUT,
        "closed its standard output before it answered.",
    )
    assert outcome.duration < 5


async def test_100_mb_on_standard_error_are_drained_and_their_end_is_kept(
    implementations: Implementations,
) -> None:
    outcome = await implementations.describe("error-flood", "100000000")
    assert tools(outcome) == ["tools/search.find"]
    assert outcome.stderr_tail[-1] == "the last words"
    assert len(outcome.stderr_tail) == 2
    assert outcome.stderr_tail[0].startswith("…EEE")
    assert len(outcome.stderr_tail[0]) <= 301


async def test_a_grandchild_that_holds_the_pipes_does_not_hold_us_up(
    implementations: Implementations,
) -> None:
    outcome = await implementations.describe("grandchild", "answers", ending=RUTHLESS)
    assert tools(outcome) == ["tools/search.find"]
    assert (outcome.exit_status, outcome.terminated) == (0, False)
    assert outcome.duration < 5


async def test_an_exit_counts_though_a_grandchild_holds_the_output(implementations: Implementations) -> None:
    outcome = await implementations.describe("grandchild", "does-not", ending=RUTHLESS)
    assert failure(outcome) == (FailureKind.EXITED, "ended with exit status 0 before it answered.")
    assert outcome.duration < 8


@pytest.mark.parametrize(
    ("content", "mode", "reason"),
    [
        (None, 0, "does not exist."),
        (b"#!/no/such/interpreter\n", 0o755, "names an interpreter"),
        (b"\x00\x01\x02 no program\n", 0o755, "is no program for this system"),
    ],
)
async def test_a_program_that_cannot_start_is_told_truly(
    implementations: Implementations, content: bytes | None, mode: int, reason: str
) -> None:
    path = Path(implementations.directory, "tool")
    if content is not None:
        path.write_bytes(content)
        path.chmod(mode)
    program = Program(str(path), FileStamp(0, 0, 0))
    outcome = await describe_program(implementations.directory, ("tool",), program)
    kind, sentence = failure(outcome)
    assert kind is FailureKind.NOT_STARTED
    assert reason in sentence


async def test_a_missing_directory_is_not_called_a_missing_program(implementations: Implementations) -> None:
    program = Program(sys.executable, FileStamp(0, 0, 0))
    outcome = await describe_program("/no/such/place", ("python",), program)
    assert failure(outcome) == (
        FailureKind.NOT_STARTED,
        "could not be started: the directory /no/such/place does not exist.",
    )


async def test_a_nul_in_a_word_is_told(implementations: Implementations) -> None:
    outcome = await describe_program(implementations.directory, ("python", "a\0b"), implementations.program)
    assert failure(outcome)[0] is FailureKind.NOT_STARTED


async def test_limits_have_the_specified_defaults() -> None:
    limits = DescribeLimits()
    assert limits.line == 16 * MIB
    assert (limits.ending.grace, limits.ending.terminate, limits.ending.kill) == (2.0, 2.0, 2.0)
