"""What may be shown of bytes that came from outside: bounded, printable, never able to move a cursor."""

from __future__ import annotations

from flow_lsp.text.visible import visible


def printable(data: bytes, limit: int = 200) -> str:
    """`data` as text of at most `limit` characters before escapes, cut with `…`.

    Bytes that are no UTF-8 become U+FFFD; what is not printable is written as an escape. White space at the
    end, such as the CR of a CRLF, is left out.
    """
    text = data[: 4 * limit + 4].decode("utf-8", "replace")
    if len(text) > limit:
        text = text[: limit - 1] + "…"
    else:
        text = text.rstrip()
    return visible(text)
