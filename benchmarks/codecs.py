"""Strict reading with typed decoding, and typed encoding, of about 1 MB of records, beside cattrs.

    python benchmarks/codecs.py

The peer is `json.loads` and cattrs structuring into dataclasses of the same shape, and the way back: cattrs
unstructuring and `json.dumps`. Its converters are made once, as our codecs are. What it reads it does not check: a
number becomes a float before it becomes a Decimal, and of two equal keys the last one wins. All run in turn in this
process, each several times, with the collector off; the fastest processor time counts.
"""

from __future__ import annotations

import gc
import json
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from enum import Enum

import cattrs
from record_data import DECLARATIONS, RECORD, record_text

from flow_lsp.codecs.codec import Codecs
from flow_lsp.codecs.writing import Representation
from flow_lsp.types.terms import ListOf

ROUNDS = 15


@dataclass
class Position:
    """A nested record."""

    x: int
    y: int


class State(Enum):
    """An enum without payloads."""

    Open = "Open"
    Closed = "Closed"
    Hidden = "Hidden"


@dataclass
class Record:
    """The record of the data, as cattrs structures it."""

    id: int
    title: str
    price: Decimal
    live: bool
    tags: list[str]
    at: Position
    state: State
    note: str | None = None


@dataclass(frozen=True, slots=True)
class OurRecord:
    """The same, as a toolkit's generated class would be."""

    id: int
    title: str
    price: Decimal
    live: bool
    note: str | None
    tags: tuple[str, ...]
    at: object
    state: object


def main() -> int:
    """Prints the table; the exit status is 1 where a target is missed."""
    data = record_text().encode()
    codec = Codecs(DECLARATIONS).codec(ListOf(RECORD))
    classes = {
        "record": Representation(OurRecord, ("id", "title", "price", "live", "note", "tags", "at", "state")),
    }
    with_classes = Codecs(DECLARATIONS, representations=classes).codec(ListOf(RECORD))
    converter = cattrs.Converter()
    converter.register_structure_hook(Decimal, lambda value, _: Decimal(str(value)))
    converter.register_unstructure_hook(Decimal, float)

    def peer_read() -> list[Record]:
        return converter.structure(json.loads(data), list[Record])

    value, class_value, theirs = codec.read(data), with_classes.read(data), peer_read()
    assert codec.encode(value).encode() == data
    assert with_classes.encode(class_value).encode() == data
    runs: dict[str, Callable[[], object]] = {
        "read": lambda: codec.read(data),
        "read into dataclasses": lambda: with_classes.read(data),
        "peer reads": peer_read,
        "encode": lambda: codec.encode(value),
        "encode dataclasses": lambda: with_classes.encode(class_value),
        "peer encodes": lambda: json.dumps(converter.unstructure(theirs)),
        "json.loads alone": lambda: json.loads(data),
    }
    best = dict.fromkeys(runs, float("inf"))
    gc.collect()
    gc.disable()
    for _ in range(ROUNDS):
        for name, run in runs.items():
            start = time.process_time()
            run()
            best[name] = min(best[name], time.process_time() - start)
    print(f"{len(data):,} bytes; milliseconds of processor time\n")
    print("| what | ours | peer | ratio | must |")
    print("|---|---|---|---|---|")
    missed = False
    for name, peer in (
        ("read", "peer reads"),
        ("read into dataclasses", "peer reads"),
        ("encode", "peer encodes"),
        ("encode dataclasses", "peer encodes"),
    ):
        ratio = best[name] / best[peer]
        missed |= ratio >= 1
        print(f"| {name} | {best[name] * 1e3:.1f} | {best[peer] * 1e3:.1f} | {ratio:.2f} | below 1 |")
    print(f"\njson.loads alone takes {best['json.loads alone'] * 1e3:.1f}.")
    return int(missed)


if __name__ == "__main__":
    sys.exit(main())
