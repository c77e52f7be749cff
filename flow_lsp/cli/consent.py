"""Whether a command may run now, asked on the terminal where the user has not said yet."""

from __future__ import annotations

from flow_lsp.binding.model import CommandKey
from flow_lsp.cli.implementations import ask_person, can_ask
from flow_lsp.host.consent import Answer, ConsentStore, Decision, TrustPolicy, consent_key
from flow_lsp.processes.programs import Program, resolve_program


class Consent:
    """Decides for one command line. An answer of "once" holds for it alone."""

    def __init__(self, policy: TrustPolicy) -> None:
        self._policy = policy
        self._store = ConsentStore()

    def refusal(self, key: CommandKey, purpose: str) -> str | None:
        """Why the command of `key` may not run, as a sentence; None where it may. `purpose` says what for."""
        program = resolve_program(key.directory, key.words[0])
        if not isinstance(program, Program):
            return program.sentence
        asked = consent_key(key.directory, key.words, program.path)
        decision = self._store.decide(asked, self._policy)
        if decision is Decision.ALLOWED:
            return None
        if decision is Decision.DENIED:
            return "You answered that its command never runs here; pass --trust to run it."
        if not can_ask():
            return "Its command is not run without consent: pass --trust, or run this on a terminal to be asked."
        answer = ask_person(key.words, asked.program, asked.directory, purpose)
        if answer in (Answer.ALWAYS, Answer.NEVER):
            self._store.remember(asked, Answer(answer))
        return None if answer in ("once", Answer.ALWAYS) else "You did not agree that its command runs."
