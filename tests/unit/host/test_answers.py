"""The last good answer of each command, kept across sessions."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest
from support.mcp_answers import offering

from flow_lsp.binding.model import CommandKey
from flow_lsp.host.answers import AnswerStore
from flow_lsp.manifest.model import BindingKind
from flow_lsp.protocol.listing import read_listing
from flow_lsp.protocol.outcome import DescribeFailure, DescribeListing, DescribeOutcome, FailureKind

SIGNATURE = {
    "params": [["q", {"type": "string", "description": "what to look for, 😋 and \u2028"}]],
    "ok": {"type": "integer"},
    "err": {"not": {}},
    "generic": [],
}
WORDS = ("python", "tool.py")


def listing() -> DescribeListing:
    bare = {**SIGNATURE, "params": [["q", {"type": "string"}]]}
    text = json.dumps(bare, sort_keys=True, separators=(",", ":"))
    fingerprint = "sha256:" + hashlib.sha256(text.encode()).hexdigest()
    wrong = {"tool": "a.wrong", "fingerprint": "sha256:00", "signature": SIGNATURE}
    read = read_listing(
        {
            "data": "0.1",
            "tools": [{"tool": "a.find", "fingerprint": fingerprint, "signature": SIGNATURE}, wrong],
        }
    )
    assert isinstance(read, DescribeListing)
    return read


GOOD = DescribeOutcome(listing=listing(), program="/usr/bin/python", started_at=1_700_000_000.75)


@pytest.fixture
def store(tmp_path: Path) -> AnswerStore:
    return AnswerStore(str(tmp_path / "answers"))


def kept_file(tmp_path: Path) -> Path:
    [file] = (tmp_path / "answers").iterdir()
    return file


def test_a_good_answer_is_recalled_with_its_time(store: AnswerStore, tmp_path: Path) -> None:
    assert store.recall(CommandKey("/srv/app", WORDS)) is None
    assert store.remember(CommandKey("/srv/app", WORDS), GOOD)
    recalled = AnswerStore(str(tmp_path / "answers")).recall(CommandKey("/srv/app", WORDS))
    assert recalled is not None
    assert (recalled.answer, recalled.program, recalled.time) == (
        GOOD.listing,
        GOOD.program,
        1_700_000_000.0,
    )
    assert recalled.outcome == DescribeOutcome(listing=GOOD.listing, program=GOOD.program, started_at=1_700_000_000.0)


def test_answers_of_other_commands_are_others(store: AnswerStore) -> None:
    store.remember(CommandKey("/srv/app", WORDS), GOOD)
    assert store.recall(CommandKey("/srv/other", WORDS)) is None
    assert store.recall(CommandKey("/srv/app", ("python tool.py",))) is None
    store.forget(CommandKey("/srv/app", WORDS))
    assert store.recall(CommandKey("/srv/app", WORDS)) is None


def test_a_failure_does_not_replace_a_good_answer(store: AnswerStore) -> None:
    store.remember(CommandKey("/srv/app", WORDS), GOOD)
    failed = DescribeOutcome(failure=DescribeFailure(FailureKind.EXITED, "ended."))
    assert not store.remember(CommandKey("/srv/app", WORDS), failed)
    recalled = store.recall(CommandKey("/srv/app", WORDS))
    assert recalled is not None
    assert recalled.answer == GOOD.listing


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{",
        b"null",
        b"[]",
        b"\xff",
        b"[" * 200_000,
        b'{"directory":"/srv/app","words":["python","tool.py"]}',
    ],
)
def test_a_damaged_file_is_no_answer(store: AnswerStore, tmp_path: Path, content: bytes) -> None:
    store.remember(CommandKey("/srv/app", WORDS), GOOD)
    kept_file(tmp_path).write_bytes(content)
    assert store.recall(CommandKey("/srv/app", WORDS)) is None


@pytest.mark.parametrize(
    "change",
    [
        {"directory": "/elsewhere"},
        {"words": ["python"]},
        {"words": "python"},
        {"program": 1},
        {"time": "yesterday"},
        {"time": -1},
        {"time": 10**400},
        {"time": True},
        {"result": None},
        {"result": {"data": "0.1"}},
        {"result": {"data": "1.0", "tools": []}},
    ],
)
def test_a_hostile_file_is_checked_like_a_fresh_answer(
    store: AnswerStore, tmp_path: Path, change: dict[str, object]
) -> None:
    store.remember(CommandKey("/srv/app", WORDS), GOOD)
    kept = kept_file(tmp_path)
    kept.write_text(json.dumps({**json.loads(kept.read_bytes()), **change}))
    assert store.recall(CommandKey("/srv/app", WORDS)) is None


def test_a_kept_fingerprint_is_recomputed(store: AnswerStore, tmp_path: Path) -> None:
    store.remember(CommandKey("/srv/app", WORDS), GOOD)
    kept = kept_file(tmp_path)
    content = json.loads(kept.read_bytes())
    content["result"]["tools"][0]["fingerprint"] = "sha256:" + "1" * 64
    kept.write_text(json.dumps(content))
    recalled = store.recall(CommandKey("/srv/app", WORDS))
    assert recalled is not None
    assert recalled.answer.tools[0].problem is not None


def test_a_path_that_is_no_utf_8_is_not_kept_and_no_error(store: AnswerStore) -> None:
    store.remember(CommandKey("/srv/\udcff", WORDS), GOOD)
    assert store.recall(CommandKey("/srv/\udcff", WORDS)) is None


def test_numbers_inside_a_signature_stay_exact(store: AnswerStore) -> None:
    from flow_lsp.values.strict_json import read_json

    signature = read_json(json.dumps({**SIGNATURE, "ok": {"x": 0}}).replace('"x": 0', '"x": 1.50, "y": 1e999'))
    read = read_listing({"data": "0.1", "tools": [{"tool": "a", "fingerprint": "", "signature": signature}]})
    assert isinstance(read, DescribeListing)
    store.remember(CommandKey("/srv/app", WORDS), DescribeOutcome(listing=read, program="p"))
    recalled = store.recall(CommandKey("/srv/app", WORDS))
    assert recalled is not None
    assert recalled.answer.tools[0].recomputed == read.tools[0].recomputed


def test_it_is_kept_in_the_state_directory_by_default(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("FLOW_LSP_STATE_DIRECTORY", str(tmp_path))
    AnswerStore().remember(CommandKey("/srv/app", WORDS), GOOD)
    assert kept_file(tmp_path).exists()


MCP_KEY = CommandKey("/srv/app", WORDS, BindingKind.MCP)
SCHEMA = {"type": "object", "properties": {"n": {"maximum": 5}}}
MCP_ANSWER = DescribeOutcome(
    mcp=offering({"name": "find", "inputSchema": SCHEMA}, "other"), program="p", started_at=1_700_000_000.75
)


def test_an_mcp_server_s_answer_is_recalled_and_is_none_of_the_command_of_these_words(store: AnswerStore) -> None:
    assert store.remember(MCP_KEY, MCP_ANSWER)
    recalled = store.recall(MCP_KEY)
    assert recalled is not None
    assert recalled.outcome == DescribeOutcome(mcp=MCP_ANSWER.mcp, program="p", started_at=1_700_000_000.0)
    assert store.recall(CommandKey("/srv/app", WORDS)) is None
    store.remember(CommandKey("/srv/app", WORDS), GOOD)
    assert store.recall(MCP_KEY) == recalled


@pytest.mark.parametrize(
    "result",
    [
        None,
        {"data": "0.1", "tools": []},
        {"server": {"name": "x", "version": "1", "revision": "2099-01-01"}, "tools": []},
        {"server": {"name": "x", "version": "1", "revision": "2025-11-25"}, "tools": [{"name": "find"}]},
    ],
)
def test_a_hostile_answer_of_an_mcp_server_is_none(store: AnswerStore, tmp_path: Path, result: object) -> None:
    store.remember(MCP_KEY, MCP_ANSWER)
    kept = kept_file(tmp_path)
    kept.write_text(json.dumps({**json.loads(kept.read_bytes()), "result": result}))
    assert store.recall(MCP_KEY) is None
