"""Commands asked what they serve, from a terminal: the question for consent, progress, and an orderly end."""

from __future__ import annotations

import asyncio
import signal
import sys
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from flow_lsp.binding.model import CommandKey
from flow_lsp.cli.terminal import ProgressLine, complain, printable
from flow_lsp.cli.workspace import Workspace
from flow_lsp.host.consent import Answer
from flow_lsp.host.implementations import Implementations, Reasons

if TYPE_CHECKING:
    from flow_lsp.host.consent import ConsentKey
    from flow_lsp.host.describe_jobs import Progress
    from flow_lsp.host.implementations import Question

_NEVER = "You answered that it never runs here; pass --trust, or be asked anew by `flow-lsp describe` on a terminal."
NOBODY_ASKED = Reasons(waiting="Pass --trust, or answer the question on a terminal.", never=_NEVER)
DECLINED = Reasons(waiting="You answered not now; run it again to be asked.", never=_NEVER)


def ask_all(
    opened: Workspace, *, by_person: bool = False, then: Callable[[Implementations], Awaitable[None]] | None = None
) -> None:
    """Asks every command that the user agrees to, and has the project know what they said.

    `by_person`: the user named this very thing, so a command that was answered with never is put again. `then` is
    called when all have been asked.
    """
    keys = opened.commands
    if keys or then is not None:
        with ended_by_signal():
            asyncio.run(_ask_all(opened, keys, by_person and can_ask(), then))


async def _ask_all(
    opened: Workspace,
    keys: Sequence[CommandKey],
    again: bool,
    then: Callable[[Implementations], Awaitable[None]] | None,
) -> None:
    progress = ProgressLine()
    implementations = made_implementations(opened, progress)
    try:
        for key in keys if again else ():
            implementations.forget_answer(key)
        await ask(implementations, keys, progress)
        if then is not None:
            await then(implementations)
    finally:
        progress.clear()
        await implementations.close()
    opened.project.set_described(implementations.all_described(), implementations.undescribed())


def made_implementations(opened: Workspace, progress: ProgressLine) -> Implementations:
    """What runs the commands of `opened`, by its settings. Whoever makes one closes it."""
    settings = opened.project.settings

    def show(state: Progress) -> None:
        if state.total:
            progress.show(f"asking Tools what they serve: {state.done} of {state.total}")

    return Implementations(
        policy=settings.trust,
        timeout=settings.describe_timeout,
        on_progress=show,
        reasons=DECLINED if can_ask() else NOBODY_ASKED,
    )


async def ask(implementations: Implementations, keys: Sequence[CommandKey], progress: ProgressLine) -> None:
    """Asks the commands `keys`, those without consent after the user was asked; returns when all have answered."""
    asked: dict[ConsentKey, list[Question]] = {}  # one command may be bound as itself and as an MCP server
    for question in implementations.want(keys, "the command line"):
        asked.setdefault(question.consent, []).append(question)
    await implementations.idle()
    progress.clear()
    if asked and can_ask():
        for number, questions in enumerate(asked.values(), 1):
            count = f" ({number} of {len(asked)})" if len(asked) > 1 else ""
            _put(implementations, questions[0], count)
        await implementations.idle()


def can_ask() -> bool:
    """Whether there is a terminal to ask on."""
    return sys.stdin is not None and sys.stdin.isatty() and sys.stderr.isatty()


def _put(implementations: Implementations, question: Question, count: str) -> None:
    """Puts one question, and has the answer count."""
    consent = question.consent
    answer = ask_person(
        question.key.words, consent.program, question.key.directory, "to ask what Tools it serves", count
    )
    if answer == "once":
        implementations.allow_once(question)
    elif answer is not None:
        kept = implementations.remember(question, Answer(answer))
        if not kept:
            complain("your answer could not be kept, and holds for this time alone.")


def ask_person(words: Sequence[str], program: str, directory: str, purpose: str, count: str = "") -> str | None:
    """Asks on the terminal whether a command may run: `once`, `always` or `never`, or None for not now.
    `purpose` says what it is run for. What is no answer is asked for once more."""
    with _interrupted_at_once():
        _forget_typed_ahead()
        print(
            f"\nThis workspace wants to run{count}\n"
            f"    {' '.join(shown_word(word) for word in words)}\n"
            f"which is the program {printable(program)}\n"
            f"in the directory {printable(directory)}\n"
            f"{purpose}. Run it only if you trust it.\n"
            "Run it? [o]nce, [a]lways for this command here, [n]ever, Enter: not now: ",
            end="",
            file=sys.stderr,
            flush=True,
        )
        answer = _read_answer()
        if answer not in _ANSWERS:
            print(
                "That is no answer. Type o, a or n, or Enter alone for not now: ", end="", file=sys.stderr, flush=True
            )
            answer = _read_answer()
    return _ANSWERS.get(answer)


_ANSWERS = {
    "": None,
    **{word: word for word in ("once", "always", "never")},
    **{word[0]: word for word in ("once", "always", "never")},
}


def _read_answer() -> str:
    line = sys.stdin.readline()
    if not line.endswith("\n"):
        print(file=sys.stderr)
    return line.strip().lower()


def _forget_typed_ahead() -> None:
    """What was typed before the question could be read is no answer to it."""
    with suppress(ImportError, OSError, ValueError):
        import termios

        termios.tcflush(sys.stdin, termios.TCIFLUSH)


def shown_word(word: str) -> str:
    """A word of a command in full, for consent is given to all of it; only what a terminal cannot show is escaped."""
    text = printable(word)
    return f'"{text}"' if not word or text != word or " " in word else text


@contextmanager
def _interrupted_at_once() -> Iterator[None]:
    """While the user is asked, Ctrl-C ends everything at once; asyncio's own handler would wait for the answer."""
    before = signal.getsignal(signal.SIGINT)
    if before is not signal.SIG_IGN:  # else it stays ignored, as whoever started this wants it
        signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


@contextmanager
def ended_by_signal() -> Iterator[None]:
    """SIGTERM and SIGHUP end what runs in good order: as exceptions, so that no process is left behind.

    SIGINT does so by itself. One that was ignored when this process started stays so: SIGHUP under nohup, SIGINT in
    a job that a script put into the background.
    """

    def end(number: int, _: object) -> None:
        raise SystemExit(128 + number)

    signals = [signal.SIGTERM] + ([signal.SIGHUP] if hasattr(signal, "SIGHUP") else [])
    before = {}
    for number in signals:
        if signal.getsignal(number) is not signal.SIG_IGN:
            with suppress(ValueError):  # not on the main thread
                before[number] = signal.signal(number, end)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
