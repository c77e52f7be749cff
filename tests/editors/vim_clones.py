"""Vim with the clients that no package registry has, run by hand: `pytest tests/editors/vim_clones.py`.

The source of each is in .tools/vim/NAME: a clone of its repository, of coc.nvim the branch `release`.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from test_vim import ROOT, example, play

CLONES = ROOT / ".tools" / "vim"

__all__ = ["example"]


def clone(client: str) -> dict[str, Path]:
    """The client as `play` takes it."""
    assert (CLONES / client).is_dir(), f"There is no .tools/vim/{client}: clone it there."
    return {client: CLONES / client}


@pytest.mark.parametrize("client", ["vim_lsp", "yegappan"])
def test_without_a_question_that_can_be_put_nothing_runs(client: str, example: Path, tmp_path: Path) -> None:
    play("untrusted.vim", example, tmp_path, clone(client), trust="ask")


@pytest.mark.parametrize("client", ["vim_lsp", "yegappan", "coc"])
def test_the_example_is_judged(client: str, example: Path, tmp_path: Path) -> None:
    play("story.vim", example, tmp_path, clone(client))
