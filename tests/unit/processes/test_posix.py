"""Why the system refuses to start a program, said truly."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from flow_lsp.processes import posix
from flow_lsp.processes.posix import group_is_alive, signal_group, start_failure


@pytest.mark.parametrize(
    ("number", "said"),
    [
        (errno.EACCES, "there is no permission to execute"),
        (errno.ENOEXEC, "is no program for this system"),
        (errno.E2BIG, "too long"),
        (errno.EMFILE, "too many files are open"),
        (errno.ENFILE, "too many files are open"),
        (errno.ETXTBSY, os.strerror(errno.ETXTBSY)),
    ],
)
def test_every_refusal_is_a_predicate_with_its_cause(tmp_path: Path, number: int, said: str) -> None:
    sentence = start_failure(OSError(number, os.strerror(number)), "/bin/tool", str(tmp_path))
    assert sentence.startswith("could not be started: ")
    assert said in sentence
    assert sentence.endswith(".")


def test_what_is_missing_is_named(tmp_path: Path) -> None:
    missing = OSError(errno.ENOENT, "No such file or directory")
    there = tmp_path / "tool"
    there.touch()
    assert "the directory /no/such does not exist" in start_failure(missing, str(there), "/no/such")
    assert "/bin/no-such does not exist" in start_failure(missing, "/bin/no-such", str(tmp_path))
    assert "names an interpreter" in start_failure(missing, str(there), str(tmp_path))


def test_names_in_a_sentence_can_move_no_cursor(tmp_path: Path) -> None:
    sentence = start_failure(OSError(errno.EACCES, "no"), "/bin/\x1b[2J", str(tmp_path))
    assert sentence.isprintable()


def test_a_group_of_another_user_counts_as_out_of_reach(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(group: int, number: int) -> None:
        raise PermissionError

    monkeypatch.setattr(os, "killpg", refuse)
    assert not signal_group(12345, 0)
    assert not group_is_alive(12345)


def test_without_proc_a_group_is_alive_as_long_as_it_takes_signals(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "killpg", lambda group, number: None)
    monkeypatch.setattr(posix.sys, "platform", "darwin")
    assert group_is_alive(12345)


def test_without_a_process_descriptor_there_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    assert posix.exit_descriptor(2**22 + 1) is None
    monkeypatch.delattr(os, "pidfd_open")
    assert posix.exit_descriptor(os.getpid()) is None
