"""Canonical text and strict reading of about 1 MB beside other libraries, and what hostile texts cost.

    python benchmarks/values.py

Values: the records of record_data, texts alone, numbers alone. `json.dumps(sort_keys=True)` and rfc8785 are given
floats where ours has Decimals, since they take no others. canonicaljson is measured with the same Decimals, which it
turns into floats one by one, and with floats from the start, where it is json.dumps. All run in turn in this process,
each several times, with the collector off; the fastest processor time counts.

`must`: ahead of rfc8785 and canonicaljson on the same value, and at most 1.5 times json.dumps. A number past the limits
is read, and refused as a Decimal and as an Int, in a time that does not grow with its value; so is deep nesting, but
for the reading of the bytes.
"""

from __future__ import annotations

import gc
import json
import sys
import time
from collections.abc import Callable, Mapping
from decimal import Decimal
from functools import partial
from typing import Any

import canonicaljson
import rfc8785
from record_data import record_text, records

from flow_lsp.codecs.codec import Codec, Codecs
from flow_lsp.codecs.refusals import ValueRefused
from flow_lsp.types.terms import Primitive
from flow_lsp.values.canonical import canonical_text
from flow_lsp.values.strict_json import JsonRefused, read_json

ROUNDS = 15
SMALL, HUGE = "1e5000", ("1e999999999999", "-7e-3000000000", "1e" + "9" * 30)
TIMES = 1_000  # how often a hostile number is read in one measure


def with_floats(value: Any) -> Any:
    """`value` as the peers take it."""
    if isinstance(value, dict):
        return {key: with_floats(item) for key, item in value.items()}
    if isinstance(value, list):
        return [with_floats(item) for item in value]
    return float(value) if isinstance(value, Decimal) else value


def fastest(runs: Mapping[str, Callable[[], object]], rounds: int = ROUNDS) -> dict[str, float]:
    """The least processor time of each, in seconds; they take turns."""
    best = dict.fromkeys(runs, float("inf"))
    for _ in range(rounds):
        for name, run in runs.items():
            start = time.process_time()
            run()
            best[name] = min(best[name], time.process_time() - start)
    return best


def values() -> dict[str, Any]:
    """The values that are written and read."""
    return {
        "records": records(),
        "texts": [f'a text of number {number}, with \u00fc and a " in it' for number in range(22_000)],
        "numbers": [Decimal(number * 7919 + 1).scaleb(-3) if number % 2 else number for number in range(130_000)],
    }


def canonical_table() -> bool:
    """Prints what canonical texts cost, in milliseconds; whether all targets are met."""
    print("| writing | bytes | ours | rfc8785 | canonicaljson | with floats | json.dumps | of json.dumps | must |")
    print("|---|---|---|---|---|---|---|---|---|")
    met = True
    for name, value in values().items():
        floats = with_floats(value)
        best = fastest(
            {
                "ours": partial(canonical_text, value),
                "rfc8785": partial(rfc8785.dumps, floats),
                "canonicaljson": partial(canonicaljson.encode_canonical_json, value),
                "with floats": partial(canonicaljson.encode_canonical_json, floats),
                "json.dumps": partial(json.dumps, floats, sort_keys=True),
            }
        )
        ratio = best["ours"] / best["json.dumps"]
        met &= ratio <= 1.5 and best["ours"] < min(best["rfc8785"], best["canonicaljson"])
        figures = " | ".join(f"{seconds * 1e3:.1f}" for seconds in best.values())
        print(f"| {name} | {len(canonical_text(value)):,} | {figures} | {ratio:.2f} | at most 1.5, ahead of both |")
    return met


def reading_table() -> None:
    """Prints what strict reading costs, in milliseconds. The peers keep the last of two equal keys, measure no depth
    and let halves of characters pass; one makes Decimals."""
    print("\n| reading | bytes | ours | json.loads | with Decimals | of json.loads | of that with Decimals |")
    print("|---|---|---|---|---|---|---|")
    for name, value in values().items():
        data = canonical_text(value).encode()
        best = fastest(
            {
                "ours": partial(read_json, data),
                "json.loads": partial(json.loads, data),
                "with Decimals": partial(json.loads, data, parse_float=Decimal),
            }
        )
        figures = " | ".join(f"{seconds * 1e3:.1f}" for seconds in best.values())
        ratios = " | ".join(f"{best['ours'] / best[peer]:.2f}" for peer in ("json.loads", "with Decimals"))
        print(f"| {name} | {len(data):,} | {figures} | {ratios} |")


def refused(codec: Codec, text: str) -> None:
    """Has `codec` refuse `text`."""
    try:
        codec.read(text)
    except (JsonRefused, ValueRefused):
        return
    raise AssertionError(text)


def repeated(run: Callable[[], object]) -> Callable[[], None]:
    """`run`, many times."""

    def all_times() -> None:
        for _ in range(TIMES):
            run()

    return all_times


def hostile_table() -> bool:
    """Prints what hostile texts cost; whether none grows with what it says."""
    decimal, whole, anything = (
        Codecs({}).codec(term) for term in (Primitive.DECIMAL, Primitive.INT, Primitive.JSON_VALUE)
    )
    print(f"\n| hostile number, microseconds | {SMALL} | 1e999999999999 | -7e-3000000000 | 1e999…9 | ratio | must |")
    print("|---|---|---|---|---|---|---|")
    met = True
    for what, run in (
        ("read", read_json),
        ("refused as a Decimal", partial(refused, decimal)),
        ("refused as an Int", partial(refused, whole)),
        ("refused in a json.Value", partial(refused, anything)),
    ):
        best = fastest({text: repeated(partial(run, text)) for text in (SMALL, *HUGE)}, 5)
        ratio = max(best[text] for text in HUGE) / best[SMALL]
        met &= ratio < 2
        figures = " | ".join(f"{seconds / TIMES * 1e6:.1f}" for seconds in best.values())
        print(f"| {what} | {figures} | {ratio:.2f} | below 2 |")
    print("\n| hostile text of 1 MB | milliseconds | of json.loads on as many bytes | must |\n|---|---|---|---|")
    floor = record_text(5_000).encode()
    texts = {
        "1,000,000 opened arrays": "[" * 1_000_000,
        "500,000 nested arrays": "[" * 500_000 + "]" * 500_000,
        "one number of 1,000,000 digits": "7" * 1_000_000,
        "one exponent of 1,000,000 digits": "1e" + "9" * 1_000_000,
        "30,000 numbers with exponents of 30 digits": f"[{','.join(['1e' + '9' * 30] * 30_000)}]",
        "objects that repeat a key": "[" + ",".join(['{"a":1,"a":2}'] * 70_000) + "]",
    }
    runs: dict[str, Callable[[], object]] = {name: partial(refused, anything, text) for name, text in texts.items()}
    best = fastest({**runs, "floor": partial(json.loads, floor)}, 5)
    for name in texts:
        ratio = best[name] / best["floor"]
        met &= ratio < 20
        print(f"| {name} | {best[name] * 1e3:.2f} | {ratio:.2f} | below 20 |")
    return met


def main() -> int:
    """The exit status is 1 where a target is missed."""
    canonicaljson.register_preserialisation_callback(Decimal, float)
    gc.disable()
    met = canonical_table()
    reading_table()
    return 0 if hostile_table() and met else 1


if __name__ == "__main__":
    sys.exit(main())
