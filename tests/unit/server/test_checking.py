"""What is checked when, without a connection."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from flow_lsp.analysis.engine import Analysis
from flow_lsp.files.uris import uri_of
from flow_lsp.files.workspace import WorkspaceFiles
from flow_lsp.host.project import Project
from flow_lsp.server import checking, slices
from flow_lsp.server.capabilities import ClientCapabilities
from flow_lsp.server.checking import Checker
from flow_lsp.server.documents import Document, Documents
from flow_lsp.server.publisher import Publisher

UNKNOWN = "record Hit { x: Txt }\n"


class Session:
    """A checker on a folder; `sent` holds how many diagnostics were last published, by file name."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.sent: dict[str, int] = {}
        self.faults: list[str] = []
        self.rounds = 0
        self.documents = Documents()
        self.analysis = Analysis()
        self.project = Project(WorkspaceFiles([str(folder)]))
        self.publisher = Publisher(self._send)
        self.checker = Checker(
            self.project, self.analysis, self.documents, self.publisher, lambda code: code, ClientCapabilities(),
            lambda what, error: self.faults.append(f"{what}: {error}"),
        )  # fmt: skip
        self.checker.on_checked = self._checked
        self.checker.ready = True

    def _send(self, uri: str, version: int | None, items: tuple[str, ...]) -> None:
        self.sent[uri.rpartition("/")[2]] = len(items)

    def _checked(self) -> None:
        self.rounds += 1

    def open(self, name: str, text: str) -> Document:
        item = {"uri": uri_of(str(self.folder / name)), "text": text, "version": 1, "languageId": "flow"}
        document = self.documents.open({"textDocument": item})
        self.publisher.opened(document.key, document.uri, document.version, document.revision)
        self.checker.edited(document)
        return document


@pytest.fixture
async def session(tmp_path: Path):
    session = Session(tmp_path)
    yield session
    session.checker.close()


async def test_a_fault_in_one_file_is_told_and_hides_no_other(session: Session, monkeypatch: pytest.MonkeyPatch):
    for name in ("a.flow", "b.flow", "c.flow"):
        (session.folder / name).write_text(UNKNOWN)
    session.project.load()
    sound = session.analysis.source_findings

    def broken(snapshot: Any, key: str) -> Any:
        if key.endswith(("b.flow", "open2.flow")):
            raise RuntimeError("on purpose")
        return sound(snapshot, key)

    monkeypatch.setattr(session.analysis, "source_findings", broken)
    for name in ("open1.flow", "open2.flow", "open3.flow"):
        session.open(name, UNKNOWN)
    session.checker.check_edited()
    assert session.sent == {"open1.flow": 1, "open3.flow": 1}
    await session.checker.check_all()
    assert session.sent == {"open1.flow": 1, "open3.flow": 1, "a.flow": 1, "c.flow": 1}
    assert len(session.faults) == 3
    assert all("on purpose" in fault for fault in session.faults)


async def test_all_texts_count_before_the_first_is_checked(session: Session):
    session.open("a.flow", "import ./b.{Hit}\nrecord A { x: Hit }\n")
    session.open("b.flow", "record Hit { x: Int }\n")
    session.checker.check_edited()
    assert session.sent == {"a.flow": 0, "b.flow": 0}


async def test_what_a_client_asks_for_is_of_all_texts_as_they_are(session: Session):
    first = session.open("a.flow", "import ./b.{Hit}\nrecord A { x: Hit }\n")
    session.open("b.flow", "record Hit { x: Int }\n")
    assert not session.checker.findings(first)


async def test_asking_for_the_workspace_in_the_middle_of_a_round_ends_the_round(session: Session):
    for number in range(20):
        (session.folder / f"f{number}.flow").write_text(UNKNOWN)
    session.project.load()
    session.checker._steps = session.checker._all_steps()
    next(session.checker._steps)
    await session.checker.check_all()
    assert (len(session.sent), session.rounds) == (20, 1)
    await session.checker.check_all()
    assert session.rounds == 1


async def test_while_the_workspace_is_checked_for_a_client_others_have_their_turns(
    session: Session, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(slices, "SLICE", -1.0)  # every step ends its slice
    for number in range(3):
        (session.folder / f"f{number}.flow").write_text(UNKNOWN)
    session.project.load()
    first, second = session.open("f0.flow", ""), session.open("f1.flow", "")
    asked = asyncio.create_task(session.checker.check_all())
    await asyncio.sleep(0)
    assert not asked.done()
    # One is closed before it was looked at.
    session.documents.close({"textDocument": {"uri": second.uri}})
    session.publisher.closed(second.key)
    session.project.touch([session.project.files.drop_overlay(str(session.folder / "f1.flow"))])
    session.checker.closed(second)
    await asked
    assert session.documents.with_key(first.key) is first
    assert not session.project.files.is_open(str(session.folder / "f1.flow"))
    assert session.sent == {"f0.flow": 0, "f1.flow": 1, "f2.flow": 1}
    assert session.faults == []


async def test_a_round_does_not_clear_what_came_while_it_was_under_way(session: Session):
    (session.folder / "a.flow").write_text(UNKNOWN)
    session.project.load()
    steps = session.checker._all_steps()
    next(steps)
    (session.folder / "new.flow").write_text(UNKNOWN)
    (session.folder / "a.flow").unlink()
    for name in ("a.flow", "new.flow"):
        session.project.touch(session.project.files.refresh(str(session.folder / name)))
    session.project.drop_gone()
    for _ in session.checker._all_steps():
        pass
    for _ in steps:
        pass
    session.publisher.flush()
    assert session.sent == {"new.flow": 1}


async def test_a_round_that_a_cancelled_request_took_over_is_begun_again(
    session: Session, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(slices, "SLICE", -1.0)
    monkeypatch.setattr(checking, "QUIET", 0.0)
    for number in range(3):
        (session.folder / f"f{number}.flow").write_text(UNKNOWN)
    session.project.load()
    session.checker._steps = session.checker._all_steps()
    asked = asyncio.create_task(session.checker.check_all())
    await asyncio.sleep(0)
    asked.cancel()
    await asyncio.wait({asked})
    assert asked.cancelled()
    deadline = asyncio.get_running_loop().time() + 20
    while not session.rounds:
        assert asyncio.get_running_loop().time() < deadline
        await asyncio.sleep(0)
    assert session.sent == {"f0.flow": 1, "f1.flow": 1, "f2.flow": 1}


async def test_nothing_is_checked_any_more_once_it_is_closed(session: Session):
    session.checker.close()
    session.checker.schedule(0.0)
    assert session.checker._timer is None
