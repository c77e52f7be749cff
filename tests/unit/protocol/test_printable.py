"""What may be shown of foreign bytes."""

from __future__ import annotations

import pytest

from flow_lsp.protocol.printable import printable


@pytest.mark.parametrize(
    ("data", "shown"),
    [
        (b"plain text", "plain text"),
        (b"ends in CRLF\r", "ends in CRLF"),
        (b"", ""),
        ("Grüße, 世界 😋".encode(), "Grüße, 世界 😋"),
        (b"\x1b[2Jgone", r"\x1b[2Jgone"),
        (b"a\tb\x00c\x7f", r"a\tb\x00c\x7f"),
        ("a\u2028b\u202ec".encode(), r"a\u2028b\u202ec"),
        (b"\xff\xfe bad", "\ufffd\ufffd bad"),
        (b"\xed\xa0\x80", "\ufffd\ufffd\ufffd"),
    ],
)
def test_it_is_readable_and_can_move_no_cursor(data: bytes, shown: str) -> None:
    assert printable(data) == shown


def test_it_is_cut() -> None:
    assert printable(b"x" * 200) == "x" * 200
    assert printable(b"x" * 201) == "x" * 199 + "…"
    assert printable("😋".encode() * 5_000_000, 10) == "😋" * 9 + "…"
    assert printable(b"\x00" * 1000, 4) == r"\x00\x00\x00…"
