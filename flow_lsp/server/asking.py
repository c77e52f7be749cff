"""Implementations, seen from the editor: which are wanted, the question for consent, and progress.

One question is open at a time, and only about commands that answer an open document; what the user closes
without an answer is not asked again until the user asks for it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Sequence

from flow_lsp.binding.model import CommandKey
from flow_lsp.host.consent import Answer, ConsentKey
from flow_lsp.host.describe_jobs import Progress
from flow_lsp.host.implementations import Implementations, Question
from flow_lsp.host.project import Project
from flow_lsp.server.capabilities import ClientCapabilities
from flow_lsp.server.endpoint import Endpoint, MessageType
from flow_lsp.server.messages import ResponseError
from flow_lsp.server.parameters import optional
from flow_lsp.text.visible import visible

RUN_ONCE = "Run once"
ALWAYS = "Always for this command here"
NEVER = "Never"


class Asker:
    """Keeps what is known of commands in step with what is bound, and puts the question for consent."""

    def __init__(
        self,
        endpoint: Endpoint,
        project: Project,
        client: ClientCapabilities,
        workspace_trusted: bool,
        changed: Callable[[], None],
    ) -> None:
        """`changed` is called when findings may be others."""
        self._endpoint = endpoint
        self._project = project
        self._client = client
        self._changed = changed
        self._questions: list[Question] = []
        self._put: set[ConsentKey] = set()  # asked about, whatever the user did
        self._open: ConsentKey | None = None  # what the user is being asked about
        self._waiting: dict[ConsentKey, list[asyncio.Future[None]]] = {}  # calls, until their question is over
        self._wanted: object = None  # what was last wanted, while nothing but that could make a difference
        self._held: list[Callable[[], None]] | None = []  # what waits for the user's settings
        self._settings_known = asyncio.Event()
        self._asking: asyncio.Task[None] | None = None
        self._updating: asyncio.Handle | None = None
        self._progress = _ProgressBar(endpoint, client.work_done_progress)
        self.implementations = Implementations(
            policy=project.settings.trust,
            timeout=project.settings.describe_timeout,
            workspace_trusted=workspace_trusted,
            on_change=self._command_changed,
            on_progress=self._progress.show,
        )
        self._update()

    async def ready(self) -> None:
        """Waits until the user's settings are known."""
        await self._settings_known.wait()

    def go_on(self) -> None:
        """The user's settings are known: from here on commands may run and questions be put."""
        self._settings_known.set()
        held, self._held = self._held, None
        for call in held or ():
            call()

    def want(
        self,
        open_keys: Sequence[CommandKey],
        other_keys: Sequence[CommandKey],
        kept_keys: Sequence[CommandKey],
        cause: str,
    ) -> None:
        """Has answers of the commands of open documents, about which the user may be asked, and of others.

        What is known of `kept_keys` stays known, but they are not asked again. All else is let go of.
        """
        if self._held is not None or self._wanted == (open_keys, other_keys, kept_keys):
            return
        self._wanted = open_keys, other_keys, kept_keys
        self.implementations.keep_only([*open_keys, *other_keys, *kept_keys])
        if self._project.settings.describe_enabled:
            self._ask(self.implementations.want(open_keys, cause))
            self.implementations.want(other_keys, cause)
        self._update_soon()

    def refresh(self, keys: Iterable[CommandKey], cause: str, *, by_person: bool = False) -> None:
        """Has new answers of these commands. When a person asks for them, the question is put again."""
        wanted = list(dict.fromkeys(keys))
        if self._held is not None:
            self._held.append(lambda: self.refresh(wanted, cause, by_person=by_person))
            return
        if not self._project.settings.describe_enabled and not by_person:
            return
        self._wanted = None
        self._project.forget_programs()
        if by_person:
            for key in wanted:
                self.implementations.forget_answer(key)
        questions = self.implementations.refresh(wanted, cause, at_once=by_person)
        if by_person:  # others come to be asked about when their document is open
            self._put.difference_update(question.consent for question in questions)
            self._ask(questions)
        self._changed()
        self._update_soon()

    def settings_changed(self) -> None:
        """The policy, or the time for an answer, may be another."""
        self._wanted = None
        self.implementations.policy = self._project.settings.trust
        self.implementations.timeout = self._project.settings.describe_timeout
        self.implementations.forget_decisions()
        self._update_soon()

    async def consent(self, key: CommandKey) -> str | None:
        """Why the command of `key` may not run to answer a call, as a sentence; None where it may. Puts the question
        and waits for its end where the user has not answered for good."""
        await self.ready()
        found = self.implementations.barrier(key, by_person=True)
        if isinstance(found, Question) and self._client.message_actions:
            waiter: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            self._waiting.setdefault(found.consent, []).append(waiter)
            if found.consent != self._open and all(found.consent != other.consent for other in self._questions):
                self._put.discard(found.consent)  # it may have been closed without an answer
                self._ask([found])
            await waiter
            return self.implementations.refusal(key)
        return self.implementations.refusal(key) if isinstance(found, Question) else found

    async def close(self) -> None:
        """Ends everything that runs."""
        if self._asking is not None:
            self._asking.cancel()
        for waiter in [waiter for several in self._waiting.values() for waiter in several]:
            waiter.cancel()
        await self.implementations.close()

    # -- the question -----------------------------------------------------------------------------------

    def _ask(self, questions: Iterable[Question]) -> None:
        for question in questions:
            if question.consent not in self._put:
                self._put.add(question.consent)
                self._questions.append(question)
        if self._questions and self._asking is None and self._client.message_actions:
            self._asking = asyncio.get_running_loop().create_task(self._ask_all())

    async def _ask_all(self) -> None:
        try:
            while self._questions:
                question = self._questions.pop(0)
                if self.implementations.waits_for(question):
                    self._open = question.consent
                    await self._ask_one(question)
                else:
                    self._put.discard(question.consent)
                self._over(question.consent)
        finally:
            self._asking = self._open = None

    def _over(self, consent: ConsentKey) -> None:
        """The question about it was answered or closed, or need not be put."""
        self._open = None
        for waiter in self._waiting.pop(consent, ()):
            if not waiter.done():
                waiter.set_result(None)

    async def _ask_one(self, question: Question) -> None:
        words = " ".join(_word(word) for word in question.key.words)
        params = {
            "type": int(MessageType.WARNING),
            "message": (
                f"This workspace wants to run the program {visible(question.consent.program)} in the directory "
                f"{visible(question.key.directory)}, to ask what Tools it serves, and to answer calls that you make. "
                f"Run it only if you trust it; once means until this session ends. The whole command: {words}"
            ),
            "actions": [{"title": title} for title in (RUN_ONCE, ALWAYS, NEVER)],
        }
        try:
            answer = await self._endpoint.request("window/showMessageRequest", params)
        except ResponseError:
            return
        title = optional(answer, "title", kind=str)
        if title == RUN_ONCE:
            self.implementations.allow_once(question)
        elif title in (ALWAYS, NEVER):
            kept = self.implementations.remember(question, Answer.ALWAYS if title == ALWAYS else Answer.NEVER)
            if not kept:
                self._endpoint.log(
                    MessageType.WARNING, "Your answer could not be kept, and holds for this session alone."
                )
        self._update_soon()

    # -- what is known ----------------------------------------------------------------------------------

    def _command_changed(self, _: CommandKey) -> None:
        self._wanted = None
        self._update_soon()

    def _update_soon(self) -> None:
        if self._updating is None:
            self._updating = asyncio.get_running_loop().call_soon(self._update)

    def _update(self) -> None:
        """Gives the project what is known now, and has findings made of it."""
        self._updating = None
        described = self.implementations.all_described()
        undescribed = self.implementations.undescribed()
        if described != self._project.described or undescribed != self._project.snapshot().undescribed:
            self._project.set_described(described, undescribed)
            self._changed()


def _word(word: str) -> str:
    """A word in full, for consent is given to all of it; only what cannot be seen as itself is escaped."""
    plain = word and visible(word) == word and not set(word) & set(" '\"\\`")
    return word if plain else visible(repr(word))


class _ProgressBar:
    """Work-done progress for batches of describe runs, where the client shows it."""

    def __init__(self, endpoint: Endpoint, shown_by_client: bool) -> None:
        self._endpoint = endpoint
        self._enabled = shown_by_client
        self._number = 0
        self._token: str | None = None
        self._last = Progress(0, 0)
        self._percentage = 0
        self._creating: asyncio.Task[None] | None = None

    def show(self, progress: Progress) -> None:
        """Shows how many of how many are done."""
        if not self._enabled:
            return
        self._last = progress
        if self._token is not None:
            self._report()
        elif progress.done < progress.total and self._creating is None:
            self._creating = asyncio.get_running_loop().create_task(self._create())

    async def _create(self) -> None:
        self._number += 1
        token = f"flow-describe-{self._number}"
        try:
            await self._endpoint.request("window/workDoneProgress/create", {"token": token})
        except ResponseError:
            return
        finally:
            self._creating = None
        if self._last.done >= self._last.total:
            return
        self._token = token
        self._percentage = 0
        self._send({"kind": "begin", "title": "Asking Tools what they serve", "percentage": 0})
        self._report()

    def _report(self) -> None:
        done, total = self._last.done, self._last.total
        if done >= total:
            self._send({"kind": "end"})
            self._token = None
        else:
            self._percentage = max(self._percentage, 100 * done // total)  # it never goes back, though more may come
            self._send({"kind": "report", "message": f"{done} of {total}", "percentage": self._percentage})

    def _send(self, value: dict[str, object]) -> None:
        self._endpoint.notify("$/progress", {"token": self._token, "value": value})
