"""The story of tests/editors/editor_story.py in a real VS Code. With FLOW_PICTURES, a folder, it is pictured there."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from editor_story import make_story
from vscode_session import BOUND, PRODUCT, ROOT, SYSTEM, Session

PICTURES = os.environ.get("FLOW_PICTURES")
COLOURS = "128"  # enough for an editor's window, and a third of the bytes


@pytest.mark.timeout(BOUND + 60)
def test_from_unbound_tools_to_a_call(tmp_path: Path) -> None:
    if PICTURES is None:
        workspace = make_story(tmp_path.resolve() / "weather")
        Session("story.mjs", workspace).run()
        return
    with readable_folder() as folder:
        workspace = make_story(folder / "weather")
        pictures = ROOT / PICTURES
        pictures.mkdir(parents=True, exist_ok=True)
        session = Session("story.mjs", workspace, name="pictures", path=f"{folder / 'bin'}:{SYSTEM}")
        session.arguments["pictures"] = str(pictures)
        session.run()
        for picture in pictures.glob("*.png"):
            shrink(picture)


@contextmanager
def readable_folder() -> Iterator[Path]:
    """A folder with a short name, for pictures show it; its `bin` starts what is in the environment of the wheel."""
    folder = Path(tempfile.gettempdir()).resolve() / "flow"
    folder.mkdir()
    try:
        (folder / "bin").mkdir()
        for name in ("flow-lsp", "python3"):
            program = folder / "bin" / name
            program.write_text(f'#!/bin/sh\nexec "{PRODUCT / name}" "$@"\n')
            program.chmod(0o755)
        yield folder
    finally:
        shutil.rmtree(folder)


def shrink(picture: Path) -> None:
    """Takes the colours out of a picture that nobody sees."""
    assert shutil.which("pngquant"), (
        "Pictures are made small with pngquant: install it, as with apt-get install pngquant."
    )
    words = ["pngquant", "--force", "--strip", "--nofs", "--output", str(picture), COLOURS, str(picture)]
    subprocess.run(words, check=True, timeout=60)
