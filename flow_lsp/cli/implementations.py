"""Commands asked what they serve, from a terminal: the question for consent, progress, and an orderly end."""

from __future__ import annotations

import asyncio
import signal
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from flow_lsp.binding.model import CommandKey
from flow_lsp.cli.terminal import ProgressLine, complain, printable
from flow_lsp.cli.workspace import Workspace
from flow_lsp.host.consent import Answer
from flow_lsp.host.implementations import Implementations

if TYPE_CHECKING:
    from flow_lsp.host.describe_jobs import Progress
    from flow_lsp.host.implementations import Question


def ask_all(opened: Workspace, *, by_person: bool = False) -> None:
    """Asks every command that the user agrees to, and has the project know what they said.

    `by_person`: the user named this very thing, so a command that was answered with never is put again.
    """
    keys = opened.commands
    if keys:
        with ended_by_signal():
            asyncio.run(_ask_all(opened, keys, by_person and _can_ask()))


async def _ask_all(opened: Workspace, keys: Sequence[CommandKey], again: bool) -> None:
    settings = opened.project.settings
    progress = ProgressLine()

    def show(state: Progress) -> None:
        if state.total:
            progress.show(f"asking Tools what they serve: {state.done} of {state.total}")

    implementations = Implementations(policy=settings.trust, timeout=settings.describe_timeout, on_progress=show)
    try:
        for key in keys if again else ():
            implementations.forget_answer(key)
        questions = implementations.want(keys, "the command line")
        opened.waiting = {question.key for question in questions}
        await implementations.idle()
        progress.clear()
        if questions and _can_ask():
            for number, question in enumerate(questions, 1):
                count = f" ({number} of {len(questions)})" if len(questions) > 1 else ""
                if _put(implementations, question, count):
                    opened.waiting.discard(question.key)
            await implementations.idle()
    finally:
        progress.clear()
        await implementations.close()
    opened.project.set_described(implementations.all_described(), implementations.undescribed())


def _can_ask() -> bool:
    return sys.stdin is not None and sys.stdin.isatty() and sys.stderr.isatty()


def _put(implementations: Implementations, question: Question, count: str) -> bool:
    """Puts one question; whether it was answered. Whatever is no clear answer means: not now."""
    words = " ".join(shown_word(word) for word in question.key.words)
    with _interrupted_at_once():
        _forget_typed_ahead()
        print(
            f"\nThis workspace wants to run{count}\n"
            f"    {words}\n"
            f"which is the program {printable(question.consent.program)}\n"
            f"in the directory {printable(question.key.directory)}\n"
            "to ask what Tools it serves. Run it only if you trust it.\n"
            "Run it? [o]nce, [a]lways for this command here, [n]ever, anything else: not now: ",
            end="",
            file=sys.stderr,
            flush=True,
        )
        line = sys.stdin.readline()
    if not line.endswith("\n"):
        print(file=sys.stderr)
    answer = line.strip().lower()
    if answer in ("o", "once"):
        implementations.allow_once(question)
    elif answer in ("a", "always", "n", "never"):
        kept = implementations.remember(question, Answer.ALWAYS if answer[0] == "a" else Answer.NEVER)
        if not kept:
            complain("your answer could not be kept, and holds for this time alone.")
    else:
        return False
    return True


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
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


@contextmanager
def ended_by_signal() -> Iterator[None]:
    """SIGTERM and SIGHUP end what runs in good order: as exceptions, so that no process is left behind."""

    def end(number: int, _: object) -> None:
        raise SystemExit(128 + number)

    signals = [signal.SIGTERM] + ([signal.SIGHUP] if hasattr(signal, "SIGHUP") else [])
    before = {}
    for number in signals:
        if signal.getsignal(number) is not signal.SIG_IGN:  # nohup has SIGHUP ignored
            with suppress(ValueError):  # not on the main thread
                before[number] = signal.signal(number, end)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
