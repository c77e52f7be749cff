"""From text to items: `read_source` (decisions 8). Tolerant, linear, and quick after an edit.

The texts before and after the edit are compared; only the items that the edit touches are read again,
until the reading is back in step with an old border. All other items are the same objects as before.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right

from flow_lsp.source.borders import read_border
from flow_lsp.source.item_reader import read_item
from flow_lsp.source.model import Item, SourceFile
from flow_lsp.text.changes import common_prefix, common_suffix

BYTE_ORDER_MARK = "\ufeff"
LOOK_BACK = 2  # an item's end is decided by the word after it, which may end where the edit begins


def read_source(text: str, previous: SourceFile | None = None) -> SourceFile:
    """The declarations of `text`. `previous` is an earlier reading of the same file, and changes nothing
    but the time it takes: equal items of both are the same objects. Never raises."""
    lead = 1 if text.startswith(BYTE_ORDER_MARK) else 0
    if previous is None or previous.lead != lead or not previous.items:
        return SourceFile(text, tuple(_read_items(text, lead)), lead)
    if previous.text == text:
        return previous
    items, starts = previous.items, previous.starts
    before = common_prefix(previous.text, text)
    edit_end = len(text) - common_suffix(previous.text, text, before)
    shift = len(text) - len(previous.text)
    first = max(0, bisect_right(starts, before, 0, len(items)) - 1 - LOOK_BACK)
    fresh: list[Item] = []
    kept: tuple[Item, ...] = ()
    position = starts[first]
    while position < len(text):
        if position >= edit_end:
            step = bisect_left(starts, position - shift, 0, len(items))
            if step < len(items) and starts[step] == position - shift:
                kept = items[step:]
                break
        border = read_border(text, position)
        old = first + len(fresh)
        if (
            old < len(items)
            and starts[old] == position
            and border.end == starts[old + 1]
            and previous.text[position : border.end] == text[position : border.end]
        ):
            fresh.append(items[old])
        else:
            fresh.append(read_item(text, border))
        position = border.end
    return SourceFile(text, (*items[:first], *fresh, *kept), lead)


def _read_items(text: str, position: int) -> list[Item]:
    found = []
    while position < len(text):
        border = read_border(text, position)
        found.append(read_item(text, border))
        position = border.end
    return found
