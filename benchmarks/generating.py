"""How long Python is generated for 500 Tools with 2,000 types, compared with writing and compiling the same text.

    python benchmarks/generating.py [TOOLS]

The program is one of a large service: groups of four types (a record of scalars, one that refers to others, a generic
page, an enum with each kind of payload), each with a Tool that takes and gives types of its own group and the next.
Measured is the processor time from the bytes of the listing to the texts: strict reading, validation with every rule,
each signature and fingerprint, names, text. The peer is what no generator can leave out: writing that text to a file
and `compile()`, which Python does with it at its first import. Both take turns, several times each; the fastest counts.
Garbage is not collected meanwhile, as in every command. `must`: at most 2 times as long.
"""

from __future__ import annotations

import gc
import json
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from flow_lsp.generating.generate import Generated, generate
from flow_lsp.source.listing import tools_listing
from flow_lsp.source.program import check_file
from flow_lsp.source.reader import read_source

ROUNDS = 15

GROUP = """
/// What is kept of an order.
record Order{n} {{
  id: Text
  /// When it was placed.
  placed: Instant
  total: Decimal
  note: Option<Text>
  paid: Bool
}}
/// An order and what belongs to it.
record Entry{n} {{
  order: Order{n}
  others: List<Order{next}>
  tags: Set<Text>
  counts: Dict<Text, Int>
  last: Option<Duration>
}}
record Page{n}<T> {{ items: List<T>, next: Option<Text> }}
/// Why there is none.
enum Problem{n} {{
  Offline
  /// Try again after that time.
  Slow(Duration)
  Range(Int, Int)
  Refused {{ code: Int, reason: Text }}
}}
/// Finds entries by words.
@tool
fn find{n}(
  /// Words of the title.
  query: Text
  order: Order{n}
  limit: Option<Int>
) -> Result<Page{n}<Entry{n}>, Problem{n}>
"""


class OneFile:
    """A workspace of one text."""

    def __init__(self, text: str) -> None:
        self._source = read_source(text)

    def source(self, path: str) -> Any:  # noqa: ARG002
        """The file, whatever it is called."""
        return self._source

    def home(self, path: str) -> Any:  # noqa: ARG002
        """Where it stands."""
        from flow_lsp.source.homes import file_identity

        return file_identity("shop.flow")

    def import_target(self, importing: str, item: Any) -> Any:
        """It imports nothing."""
        raise NotImplementedError


def listing(tools: int) -> bytes:
    """The listing of so many groups, as `flow-lsp tools` prints it."""
    text = "".join(GROUP.format(n=number, next=(number + 1) % tools) for number in range(tools))
    checked = check_file(OneFile(text), "/w/shop.flow")
    assert checked is not None
    found = tools_listing([checked], "/w")
    if found["problems"]:
        sys.exit(found["problems"][0]["message"])
    return json.dumps(found, indent=2, ensure_ascii=False).encode()


def made(data: bytes) -> Generated:
    """What is generated from a listing."""
    from flow_lsp.values.strict_json import read_json

    found = generate(read_json(data))
    if not isinstance(found, Generated):
        sys.exit(found.reasons[0])
    return found


def seconds(work: Callable[[], object]) -> float:
    """The processor time that `work` takes."""
    gc.collect()
    gc.disable()
    before = time.process_time()
    work()
    taken = time.process_time() - before
    gc.enable()
    return taken


def main() -> None:
    """Print the table."""
    tools = int(sys.argv[1]) if len(sys.argv) > 1 else 500
    data = listing(tools)
    text = made(data).module
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "flow_tools.py"

        def write_and_compile() -> None:
            path.write_bytes(text.encode())
            compile(text, str(path), "exec", dont_inherit=True)

        ours = theirs = float("inf")
        for _ in range(ROUNDS):
            ours = min(ours, seconds(lambda: made(data)))
            theirs = min(theirs, seconds(write_and_compile))
    print(f"{tools} Tools, {tools * 4} types: {len(text):,} characters, {text.count(chr(10)):,} lines")
    print(f"{'generate':>24}{ours * 1000:>10.1f} ms\n{'write and compile':>24}{theirs * 1000:>10.1f} ms")
    print(f"\ngenerating takes {ours / theirs:>6.2f}   times as long; must be at most 2")


if __name__ == "__main__":
    main()
