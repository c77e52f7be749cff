"""The commands of a workspace: which may run, what they said, and how that is to be read.

Joins consent, the describe jobs and the remembered answers into one `Described` for each command. Nothing is started
without consent, and an answer that is not of the program as it stands is never given as current.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from flow_lsp.analysis.snapshot import Described, Standing
from flow_lsp.binding.model import CommandKey
from flow_lsp.host.answers import AnswerStore
from flow_lsp.host.consent import Answer, ConsentKey, ConsentStore, Decision, TrustPolicy, consent_key
from flow_lsp.host.describe import DescribeLimits, describe_program
from flow_lsp.host.describe_jobs import DescribeJobs, Progress
from flow_lsp.manifest.model import BindingKind
from flow_lsp.processes.programs import Program, command_stamps, resolve_program
from flow_lsp.protocol.outcome import DescribeOutcome


@dataclass(frozen=True, slots=True)
class Question:
    """A command that waits for the user's consent: all of it, as it would run."""

    key: CommandKey
    consent: ConsentKey


@dataclass(frozen=True, slots=True)
class Reasons:
    """Why a command was not run, in the words of where that is read: of one that waits for the user's answer, and of
    one that was answered with never."""

    waiting: str
    never: str


IN_AN_EDITOR = Reasons(
    waiting="It waits for your consent: describe it again to be asked.",
    never="You answered that it never runs here; describe it again to be asked anew.",
)


@dataclass(slots=True)
class _Known:
    """What is remembered of one command beside its job."""

    decision: Decision | None = None
    consent: ConsentKey | None = None  # of the program as it was last looked for
    asked: ConsentKey | None = None  # what an answer was last asked of
    remembered: DescribeOutcome | None = None
    recalled: bool = False


class Implementations:
    """All commands that were asked about. `on_change(key)` is called when one's `described` may be another."""

    def __init__(
        self,
        *,
        policy: TrustPolicy,
        timeout: float,
        workspace_trusted: bool = True,
        on_change: Callable[[CommandKey], None] | None = None,
        on_progress: Callable[[Progress], None] | None = None,
        limits: DescribeLimits | None = None,
        reasons: Reasons = IN_AN_EDITOR,
    ) -> None:
        """`timeout` is in seconds. With `workspace_trusted` false nothing ever runs."""
        self._reasons = reasons
        self.policy = policy
        self.timeout = timeout
        self.workspace_trusted = workspace_trusted
        self._limits = limits
        self._consent = ConsentStore()
        self._answers = AnswerStore()
        self._once: set[ConsentKey] = set()
        self._known: dict[CommandKey, _Known] = {}
        self._on_change = on_change or (lambda _: None)
        self._to_recall: list[tuple[CommandKey, _Known]] = []
        self._recalling: asyncio.Task[None] | None = None
        self._jobs: DescribeJobs[CommandKey] = DescribeJobs(
            self._run, stamps=_stamps, on_change=self._job_changed, on_progress=on_progress
        )

    # -- asking for answers -----------------------------------------------------------------------------

    def want(self, keys: Iterable[CommandKey], cause: str) -> list[Question]:
        """Have answers of `keys`, where consent allows; the questions to put to the user for the others.

        An answer that is still current is not asked for again.
        """
        questions = []
        for key in keys:
            known = self._decided(key)
            if known.decision is Decision.ALLOWED:
                if known.asked != known.consent or not self._jobs.state(key).current:
                    known.asked = known.consent
                    self._jobs.request(key, cause)
            elif known.decision is not None:
                self._recall(key, known)
                if known.decision is Decision.ASK:
                    assert known.consent is not None
                    questions.append(Question(key, known.consent))
        return questions

    def refresh(self, keys: Iterable[CommandKey], cause: str, *, at_once: bool = False) -> list[Question]:
        """Have new answers of `keys`; the questions to put to the user for those without consent."""
        questions = []
        for key in keys:
            if key in self._known:
                self._known[key].decision = None
            known = self._decided(key)
            if known.decision is Decision.ALLOWED:
                known.asked = known.consent
                self._jobs.refresh(key, cause, at_once=at_once)
            else:
                questions.extend(self.want([key], cause))
        return questions

    def allow_once(self, question: Question) -> None:
        """The user agreed for this session."""
        self._once.add(question.consent)
        self._answered(question)

    def remember(self, question: Question, answer: Answer) -> bool:
        """The user answered for good; whether that could be kept."""
        kept = self._consent.remember(question.consent, answer)
        if answer is Answer.ALWAYS and not kept:
            self._once.add(question.consent)
        self._answered(question)
        return kept

    def forget_decisions(self) -> None:
        """Looks at the policy and the user's answers again: a setting changed, or a program."""
        for known in self._known.values():
            known.decision = None
            known.consent = None
        for key in self._jobs.known():
            if self._decided(key).decision is not Decision.ALLOWED:
                self._jobs.cancel(key)

    def keep_only(self, keys: Iterable[CommandKey]) -> None:
        """Lets go of commands that no manifest names any more; what runs for them is ended."""
        kept = set(keys)
        for key in [key for key in self._jobs.known() if key not in kept]:
            self._jobs.forget(key)
        for key in [key for key in self._known if key not in kept]:
            del self._known[key]

    async def idle(self) -> None:
        """Waits until nothing is under way."""
        await self._jobs.idle()
        if self._recalling is not None:
            await asyncio.wait({self._recalling})

    async def close(self) -> None:
        """Ends everything; no process is left when this returns."""
        if self._recalling is not None:
            self._recalling.cancel()
        await self._jobs.close()

    # -- what is known ------------------------------------------------------------------------------------

    def described(self, key: CommandKey) -> Described:
        """What is known of `key`, and how far it can be relied on."""
        known = self._known.get(key)
        if known is None:
            return Described(Standing.UNKNOWN)
        state = self._jobs.state(key)
        outcome = state.result or known.remembered
        as_of = _when(outcome.started_at) if outcome is not None else ""
        if known.decision is not Decision.ALLOWED and known.decision is not None:
            return Described(Standing.NOT_TRUSTED, outcome, as_of, self._reason(known.decision))
        if state.running:
            return Described(Standing.RUNNING, outcome, as_of)
        if state.current:
            return Described(Standing.CURRENT, outcome, as_of)
        if outcome is not None:
            return Described(Standing.REMEMBERED, outcome, as_of)
        return Described(Standing.UNKNOWN)

    def all_described(self) -> dict[CommandKey, Described]:
        """`described` of every command of which more is known than `undescribed` says."""
        default = self.undescribed()
        found = ((key, self.described(key)) for key in self._known)
        return {key: described for key, described in found if described != default}

    def undescribed(self) -> Described:
        """What is known of a command that nothing is known of."""
        if not self.workspace_trusted or self.policy is TrustPolicy.NEVER:
            return Described(Standing.NOT_TRUSTED, None, "", self._reason(Decision.DENIED))
        return Described(Standing.UNKNOWN)

    def _reason(self, decision: Decision) -> str:
        if not self.workspace_trusted:
            return "The editor does not trust this workspace."
        if self.policy is TrustPolicy.NEVER:
            return "The setting flow.trust is never."
        return self._reasons.never if decision is Decision.DENIED else self._reasons.waiting

    # -- inside -------------------------------------------------------------------------------------------

    def _decided(self, key: CommandKey) -> _Known:
        known = self._known.setdefault(key, _Known())
        if known.decision is None and (not self.workspace_trusted or self.policy is TrustPolicy.NEVER):
            known.decision = Decision.DENIED  # whatever it comes to, so nothing need be looked for
        elif known.decision is None:
            program = resolve_program(key.directory, key.words[0])
            if not isinstance(program, Program):
                return known  # it cannot start, and that is said elsewhere
            known.consent = consent_key(key.directory, key.words, program.path)
            known.decision = self._consent.decide(known.consent, self.policy, workspace_trusted=self.workspace_trusted)
            if known.decision is Decision.ASK and known.consent in self._once:
                known.decision = Decision.ALLOWED
        return known

    def forget_answer(self, key: CommandKey) -> None:
        """Has the user asked again about a command that was answered with never."""
        known = self._decided(key)
        if known.consent is not None and known.decision is Decision.DENIED:
            self._consent.forget(known.consent)
            known.decision = None

    def allowed(self, key: CommandKey) -> Program | None:
        """The program of `key`, where it may run now: what the answer of the user was about must be what starts."""
        program = resolve_program(key.directory, key.words[0])
        known = self._known.get(key)
        if known is None or not isinstance(program, Program):
            return None
        now = consent_key(key.directory, key.words, program.path)
        if known.decision is not Decision.ALLOWED or known.consent != now:  # it may have waited for its turn
            known.decision = None
            if self._decided(key).decision is not Decision.ALLOWED:
                self._on_change(key)
                return None
        return program

    def barrier(self, key: CommandKey, *, by_person: bool = False) -> Question | str | None:
        """What keeps the command of `key` from running now, to answer a call: a question for the user, a sentence, or
        nothing. `by_person`: an answer of never is forgotten, for the user asks for it."""
        known = self._known.get(key)
        if known is not None:
            known.decision = None  # the program may be another one by now
        if by_person:
            self.forget_answer(key)
        known = self._decided(key)
        if known.decision is Decision.ALLOWED:
            return None
        if known.decision is Decision.ASK:
            assert known.consent is not None
            return Question(key, known.consent)
        if known.decision is not None:
            return self._reason(known.decision)
        program = resolve_program(key.directory, key.words[0])
        return "Its program was not there a moment ago." if isinstance(program, Program) else program.sentence

    def refusal(self, key: CommandKey) -> str | None:
        """Why the command of `key` may not run now, as a sentence; None where it may."""
        found = self.barrier(key)
        return self._reason(Decision.ASK) if isinstance(found, Question) else found

    def waits_for(self, question: Question) -> bool:
        """Whether the command of `question`, as it would run, is still one that consent is asked for."""
        known = self._known.get(question.key)
        return known is not None and known.decision is Decision.ASK and known.consent == question.consent

    def _answered(self, question: Question) -> None:
        """Looks again at all that is the very command: nothing where nothing is bound to it any more, two keys where it
        is to answer as itself and as an MCP server."""
        keys = [key for key, known in self._known.items() if key == question.key or known.consent == question.consent]
        for key in keys:
            self._known[key].decision = None
        self.want(keys, "the user agreed")
        for key in keys:
            self._on_change(key)

    async def _run(self, key: CommandKey) -> DescribeOutcome | None:
        """One run, if it is still allowed."""
        program = self.allowed(key)
        if program is None:
            return None
        outcome = await describe(key, program, timeout=self.timeout, limits=self._limits)
        if outcome.answer is not None:
            await asyncio.to_thread(self._answers.remember, key, outcome)
        return outcome

    def _job_changed(self, key: CommandKey) -> None:
        self._on_change(key)

    def _recall(self, key: CommandKey, known: _Known) -> None:
        """Looks for the last answer of an earlier session, one command after another in a thread."""
        if known.recalled:
            return
        known.recalled = True
        self._to_recall.append((key, known))
        if self._recalling is None:
            self._recalling = asyncio.get_running_loop().create_task(self._recall_all())

    async def _recall_all(self) -> None:
        try:
            while self._to_recall:
                batch, self._to_recall = self._to_recall, []
                keys = [key for key, _ in batch]
                for (key, known), found in zip(batch, await asyncio.to_thread(self._found, keys), strict=True):
                    known.remembered = found
                    if found is not None:
                        self._on_change(key)
        finally:
            self._recalling = None

    def _found(self, keys: list[CommandKey]) -> list[DescribeOutcome | None]:
        answers = [self._answers.recall(key) for key in keys]
        return [answer.outcome if answer is not None else None for answer in answers]


async def describe(
    key: CommandKey, program: Program, *, timeout: float, limits: DescribeLimits | None = None
) -> DescribeOutcome:
    """Asks what `key`, whose first word comes to `program`, serves: as what it is bound as."""
    if key.kind is BindingKind.MCP:
        from flow_lsp.host.describe_mcp import describe_mcp  # an editor's start need not wait for it

        return await describe_mcp(key.directory, key.words, program, timeout=timeout, limits=limits)
    return await describe_program(key.directory, key.words, program, timeout=timeout, limits=limits)


async def _stamps(key: CommandKey) -> object:
    program = resolve_program(key.directory, key.words[0])
    return command_stamps(key.directory, key.words, program) if isinstance(program, Program) else None


def _when(started_at: float) -> str:
    """A moment in words: the time alone where it was today, else with the date."""
    moment = time.localtime(started_at)
    today = time.localtime()
    same_day = (moment.tm_year, moment.tm_yday) == (today.tm_year, today.tm_yday)
    return time.strftime("%H:%M:%S" if same_day else "%Y-%m-%d %H:%M", moment)
