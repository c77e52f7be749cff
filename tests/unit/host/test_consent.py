"""Whether a command may run."""

from __future__ import annotations

import json
import threading
from pathlib import Path

import pytest

from flow_lsp.host.consent import Answer, ConsentKey, ConsentStore, Decision, TrustPolicy, consent_key

KEY = ConsentKey("/srv/app", ("python", "tool.py"), "/usr/bin/python")


@pytest.fixture
def store(tmp_path: Path) -> ConsentStore:
    return ConsentStore(str(tmp_path / "consent"))


def kept_file(tmp_path: Path, key: ConsentKey = KEY) -> Path:
    return tmp_path / "consent" / f"{key.digest}.json"


def test_an_unknown_command_is_asked_about(store: ConsentStore) -> None:
    assert store.answer(KEY) is None
    assert store.decide(KEY, TrustPolicy.ASK) is Decision.ASK


@pytest.mark.parametrize(("answer", "decision"), [(Answer.ALWAYS, Decision.ALLOWED), (Answer.NEVER, Decision.DENIED)])
def test_an_answer_is_remembered_by_every_later_process(
    store: ConsentStore, tmp_path: Path, answer: Answer, decision: Decision
) -> None:
    assert store.remember(KEY, answer)
    later = ConsentStore(str(tmp_path / "consent"))
    assert later.decide(KEY, TrustPolicy.ASK) is decision
    later.forget(KEY)
    assert store.decide(KEY, TrustPolicy.ASK) is Decision.ASK


def test_policies_go_before_answers_and_an_untrusted_workspace_before_all(store: ConsentStore) -> None:
    assert store.decide(KEY, TrustPolicy.ALWAYS) is Decision.ALLOWED
    store.remember(KEY, Answer.ALWAYS)
    assert store.decide(KEY, TrustPolicy.NEVER) is Decision.DENIED
    for policy in TrustPolicy:
        assert store.decide(KEY, policy, workspace_trusted=False) is Decision.DENIED


@pytest.mark.parametrize(
    "other",
    [
        ConsentKey("/srv/app2", KEY.words, KEY.program),
        ConsentKey(KEY.directory, ("python", "tool.py", "--more"), KEY.program),
        ConsentKey(KEY.directory, ("python tool.py",), KEY.program),
        ConsentKey(KEY.directory, KEY.words, "/home/someone/bin/python"),
    ],
)
def test_consent_is_asked_again_when_any_part_changes(store: ConsentStore, other: ConsentKey) -> None:
    store.remember(KEY, Answer.ALWAYS)
    assert other.digest != KEY.digest
    assert store.decide(other, TrustPolicy.ASK) is Decision.ASK


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"not json",
        b"\xff\xfe",
        b"null",
        b"[]",
        b'{"answer": "always"}',
        b"[" * 100_000,
        b'{"version": 1, "directory": "/srv/app", "words": ["python", "tool.py"], "answer": "always"}',
    ],
)
def test_a_damaged_file_is_no_consent(store: ConsentStore, tmp_path: Path, content: bytes) -> None:
    store.remember(KEY, Answer.ALWAYS)
    kept_file(tmp_path).write_bytes(content)
    assert store.decide(KEY, TrustPolicy.ASK) is Decision.ASK


@pytest.mark.parametrize(
    "change",
    [
        {"answer": "yes"},
        {"answer": None},
        {"answer": ["always"]},
        {"words": ["rm"]},
        {"program": "/bin/rm"},
        {"version": 2},
    ],
)
def test_a_file_that_says_another_thing_than_its_name_is_no_consent(
    store: ConsentStore, tmp_path: Path, change: dict[str, object]
) -> None:
    store.remember(KEY, Answer.ALWAYS)
    content = json.loads(kept_file(tmp_path).read_bytes())
    kept_file(tmp_path).write_text(json.dumps({**content, **change}))
    assert store.answer(KEY) is None


def test_names_that_are_no_utf_8_can_be_consented_to(store: ConsentStore) -> None:
    odd = ConsentKey("/srv/\udcff", ("tööl", "\udc80"), "/bin/tööl")
    assert store.remember(odd, Answer.ALWAYS)
    assert store.answer(odd) is Answer.ALWAYS


def test_a_directory_counts_by_its_real_path(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to("real")
    key = consent_key(str(tmp_path / "link"), ("a",), "/bin/a")
    assert key == consent_key(str(tmp_path / "real"), ("a",), "/bin/a")
    assert key.directory == str((tmp_path / "real").resolve())


def test_processes_that_answer_at_once_do_not_disturb_each_other(tmp_path: Path) -> None:
    keys = [ConsentKey("/srv/app", (str(number),), "/bin/a") for number in range(40)]
    stores = [ConsentStore(str(tmp_path / "consent")) for _ in range(4)]

    def answer_all(store: ConsentStore) -> None:
        for key in keys:
            store.remember(key, Answer.ALWAYS)

    threads = [threading.Thread(target=answer_all, args=(store,)) for store in stores]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert {stores[0].answer(key) for key in keys} == {Answer.ALWAYS}
    assert len(list((tmp_path / "consent").iterdir())) == 40


def test_without_a_place_to_keep_it_consent_is_asked_for_each_time(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    store = ConsentStore(str(tmp_path / "file" / "consent"))
    assert not store.remember(KEY, Answer.ALWAYS)
    assert store.decide(KEY, TrustPolicy.ASK) is Decision.ASK


def test_it_is_kept_in_the_state_directory_by_default(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("FLOW_LSP_STATE_DIRECTORY", str(tmp_path))
    ConsentStore().remember(KEY, Answer.NEVER)
    assert kept_file(tmp_path).exists()
