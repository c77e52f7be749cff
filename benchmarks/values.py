"""Canonical text of about 1 MB beside other libraries, and what hostile texts cost.

    python benchmarks/values.py

Three values: the records of record_data, texts alone, numbers alone. The peers are rfc8785 and canonicaljson, and
`json.dumps(sort_keys=True)` as the floor; they are given floats where ours has Decimals. All run in turn in this
process, each several times, with the collector off; the fastest processor time counts. `must`: ahead of both
libraries, at most 1.5 times json.dumps. A number past the limits is read and refused in a time that does not grow with
its value.
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
from record_data import records

from flow_lsp.codecs.codec import Codecs
from flow_lsp.codecs.refusals import ValueRefused
from flow_lsp.types.terms import Primitive
from flow_lsp.values.canonical import canonical_text
from flow_lsp.values.strict_json import JsonRefused

ROUNDS = 9
HOSTILE = {
    "1e5000": "1e5000",
    "1e999999999": "1e999999999",
    "1e999999999999": "1e999999999999",
    "-7e-3000000000": "-7e-3000000000",
}


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


def canonical_table() -> bool:
    """Prints the table of canonical texts; whether all targets are met."""
    values: dict[str, Any] = {
        "records": records(),
        "texts": [f'a text of number {number}, with \u00fc and a " in it' for number in range(22_000)],
        "numbers": [Decimal(number * 7919 + 1).scaleb(-3) if number % 2 else number for number in range(130_000)],
    }
    print("| value | bytes | ours (ms) | rfc8785 | canonicaljson | json.dumps | of json.dumps | must |")
    print("|---|---|---|---|---|---|---|---|")
    met = True
    for name, value in values.items():
        floats = with_floats(value)
        best = fastest(
            {
                "ours": partial(canonical_text, value),
                "rfc8785": partial(rfc8785.dumps, floats),
                "canonicaljson": partial(canonicaljson.encode_canonical_json, floats),
                "json.dumps": partial(json.dumps, floats, sort_keys=True),
            }
        )
        ratio = best["ours"] / best["json.dumps"]
        met &= ratio <= 1.5 and best["ours"] < min(best["rfc8785"], best["canonicaljson"])
        others = " | ".join(f"{best[peer] * 1e3:.1f}" for peer in ("ours", "rfc8785", "canonicaljson", "json.dumps"))
        print(f"| {name} | {len(canonical_text(value)):,} | {others} | {ratio:.2f} | at most 1.5, ahead of both |")
    return met


def hostile_table() -> bool:
    """Prints what hostile texts cost; whether none costs ten times the first."""
    number, anything = (Codecs({}).codec(term) for term in (Primitive.DECIMAL, Primitive.JSON_VALUE))

    def refused(codec: Any, text: str) -> None:
        try:
            codec.read(text)
        except (JsonRefused, ValueRefused):
            return
        raise AssertionError(text)

    def hundred(text: str) -> Callable[[], object]:
        def all_refused() -> None:
            for _ in range(100):
                refused(number, text)

        return all_refused

    best = fastest({name: hundred(text) for name, text in HOSTILE.items()})
    print("\n| hostile number | microseconds to refuse |\n|---|---|")
    for name, seconds in best.items():
        print(f"| {name} | {seconds * 1e4:.1f} |")
    nested = {f"{levels:,}": partial(refused, anything, "[" * levels) for levels in (1_000, 1_000_000)}
    deep = fastest(nested, 3)
    print("\n| levels of nesting | milliseconds to refuse |\n|---|---|")
    for name, seconds in deep.items():
        print(f"| {name} | {seconds * 1e3:.2f} |")
    return max(best.values()) < 10 * min(best.values())


def main() -> int:
    """The exit status is 1 where a target is missed."""
    gc.disable()
    met = canonical_table()
    return 0 if hostile_table() and met else 1


if __name__ == "__main__":
    sys.exit(main())
