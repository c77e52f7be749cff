"""What the sessions share: editors that are started in a workspace, and that end cleanly."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest
from call_editor import CallingEditor, bind
from editor_session import Editor
from session_workspace import Workspace


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    """An empty folder to fill; its name holds what a URI must escape."""
    return Workspace(tmp_path / "work 100%#1")


@pytest.fixture
async def editor(workspace: Workspace, tmp_path: Path) -> AsyncIterator[Callable[[], Editor]]:
    """Makes editors of one user for the workspace: all that the test did not end itself end here."""
    made: list[Editor] = []

    def make() -> Editor:
        made.append(Editor(workspace, tmp_path / "state"))
        return made[-1]

    try:
        yield make
        for one in made:
            if hasattr(one, "process") and one.process.returncode is None:
                await one.leave()
    finally:
        for one in made:
            if hasattr(one, "process"):
                await one.abandon()


@pytest.fixture
async def one(workspace: Workspace, tmp_path: Path) -> AsyncIterator[CallingEditor]:
    """An editor that makes calls, in a workspace with the Tool `act`."""
    bind(workspace)
    made = CallingEditor(workspace, tmp_path / "state")
    try:
        yield made
        if made.process.returncode is None:
            await made.leave()
    finally:
        await made.abandon()
