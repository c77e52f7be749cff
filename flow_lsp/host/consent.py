"""Whether a command may run: the user's policy, and what the user answered before.

Realizes "Binding authenticates nothing. Whether the host runs an implementation automatically, asks first, or
isolates it is host policy". Consent is given to one command in one directory that comes to one program; when
any of the three changes, it is another command and is asked about again. It is kept outside every workspace,
so that no workspace can bring its own.
"""

from __future__ import annotations

import hashlib
import json
import os
import time
from dataclasses import dataclass
from enum import StrEnum

from flow_lsp.host.store import FileStore, state_directory


class TrustPolicy(StrEnum):
    """The user's setting `flow.trust`. Never read from a workspace."""

    ASK = "ask"
    ALWAYS = "always"
    NEVER = "never"


class Answer(StrEnum):
    """What the user answered for one command, to be remembered."""

    ALWAYS = "always"
    NEVER = "never"


class Decision(StrEnum):
    """Whether a command may run now."""

    ALLOWED = "allowed"
    DENIED = "denied"
    ASK = "ask"


@dataclass(frozen=True, slots=True)
class ConsentKey:
    """What consent is given to: a manifest's directory by its real path, the words, the resolved program."""

    directory: str
    words: tuple[str, ...]
    program: str

    @property
    def digest(self) -> str:
        """A name for the key: the SHA-256, in hexadecimal, of its canonical JSON."""
        return hashlib.sha256(_canonical([self.directory, list(self.words), self.program])).hexdigest()


def consent_key(directory: str, words: tuple[str, ...], program: str) -> ConsentKey:
    """The key for a command that runs in `directory`, links in which are followed."""
    return ConsentKey(os.path.realpath(directory), words, program)


class ConsentStore:
    """The remembered answers, in `directory`, or in the user's state directory where it is None."""

    def __init__(self, directory: str | None = None) -> None:
        self._directory = directory
        self._files: FileStore | None = None

    def answer(self, key: ConsentKey) -> Answer | None:
        """What the user answered for `key`; None where that is not known, or what is kept is not to be relied
        on."""
        data = self._store().read(_name(key))
        if data is None:
            return None
        try:
            kept = json.loads(data)
        except (ValueError, RecursionError):
            return None
        if not isinstance(kept, dict) or any(kept.get(name) != value for name, value in _content(key).items()):
            return None
        try:
            return Answer(str(kept.get("answer")))
        except ValueError:
            return None

    def remember(self, key: ConsentKey, answer: Answer) -> bool:
        """Keep `answer` for `key`; whether that was possible."""
        content = {**_content(key), "answer": str(answer), "time": int(time.time())}
        return self._store().write(_name(key), json.dumps(content, indent=1).encode())

    def forget(self, key: ConsentKey) -> None:
        """Ask about `key` again."""
        self._store().remove(_name(key))

    def decide(self, key: ConsentKey, policy: TrustPolicy, *, workspace_trusted: bool = True) -> Decision:
        """Whether the command of `key` may run now.

        An editor that says its workspace is untrusted runs nothing, and neither does the policy `never`;
        `always` runs everything; `ask` goes by what the user answered, and asks where that is not known.
        """
        if not workspace_trusted or policy is TrustPolicy.NEVER:
            return Decision.DENIED
        if policy is TrustPolicy.ALWAYS:
            return Decision.ALLOWED
        answer = self.answer(key)
        if answer is None:
            return Decision.ASK
        return Decision.ALLOWED if answer is Answer.ALWAYS else Decision.DENIED

    def _store(self) -> FileStore:
        if self._files is None:
            directory = self._directory or state_directory("consent")
            self._files = FileStore(directory, size_limit=256 * 1024, count_limit=10_000)
        return self._files


def _name(key: ConsentKey) -> str:
    return f"{key.digest}.json"


def _content(key: ConsentKey) -> dict[str, object]:
    return {"version": 1, "directory": key.directory, "words": list(key.words), "program": key.program}


def _canonical(value: object) -> bytes:
    # Only strings in arrays: with these options their JSON text is the canonical one but for escapes of
    # non-ASCII characters, and a path that is no UTF-8, held as lone surrogates, can be written too.
    return json.dumps(value, separators=(",", ":")).encode("ascii")
