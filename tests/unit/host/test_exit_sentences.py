"""How a process that did not answer is said to have ended."""

from __future__ import annotations

import pytest

from flow_lsp.host.describe import exit_sentence


@pytest.mark.parametrize(
    ("status", "sentence"),
    [
        (0, "ended with exit status 0 before it answered."),
        (127, "ended with exit status 127 before it answered."),
        (-9, "was ended by SIGKILL before it answered."),
        (-50, "was ended by signal 50 before it answered."),
    ],
)
def test_a_status_is_told_in_words(status: int, sentence: str) -> None:
    assert exit_sentence(status) == sentence
