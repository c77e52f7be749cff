"""About 1 MB of records of ordinary data, the same in every run, and their declarations."""

from __future__ import annotations

import random
from decimal import Decimal
from typing import Any

from flow_lsp.types.terms import Constructor, Field, Kind, ListOf, Named, OptionOf, Primitive, Template
from flow_lsp.values.canonical import canonical_text

RECORDS = 6_000
RECORD = Named("record", ())
DECLARATIONS = {
    "position": Template(
        "Position",
        "bench.Position",
        1,
        (),
        False,
        Kind.RECORD,
        None,
        (Field("x", Primitive.INT), Field("y", Primitive.INT)),
    ),
    "state": Template(
        "State",
        "bench.State",
        1,
        (),
        False,
        Kind.ENUM,
        None,
        (),
        (Constructor("Open"), Constructor("Closed"), Constructor("Hidden")),
    ),
    "record": Template(
        "Record",
        "bench.Record",
        1,
        (),
        False,
        Kind.RECORD,
        None,
        (
            Field("id", Primitive.INT),
            Field("title", Primitive.TEXT),
            Field("price", Primitive.DECIMAL),
            Field("live", Primitive.BOOL),
            Field("note", OptionOf(Primitive.TEXT)),
            Field("tags", ListOf(Primitive.TEXT)),
            Field("at", Named("position", ())),
            Field("state", Named("state", ())),
        ),
    ),
}


def records(count: int = RECORDS) -> list[dict[str, Any]]:
    """So many records as JSON values: ints, Decimals, texts, a text that is absent in a third of them."""
    drawn = random.Random(7)
    made: list[dict[str, Any]] = []
    for number in range(count):
        record: dict[str, Any] = {
            "id": number * 7919,
            "title": f"The title of number {number}, as long as titles are",
            "price": Decimal(drawn.randrange(1, 100_000)).scaleb(-2),
            "live": drawn.random() < 0.5,
            "tags": ["red", "green", f"tag{number}"],
            "at": {"x": number, "y": -number},
            "state": drawn.choice(["Open", "Closed", "Hidden"]),
        }
        if number % 3:
            record["note"] = "a note that somebody wrote"
        made.append(record)
    return made


def record_text(count: int = RECORDS) -> str:
    """The canonical text of `records(count)`."""
    return canonical_text(records(count))  # type: ignore[arg-type]
