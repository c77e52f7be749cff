"""How long the validation of a TypeSpec takes, of 1,000 declarations and of ten times as many.

    python benchmarks/typespecs.py [DECLARATIONS]

TypeSpecs of DECLARATIONS (1,000) and one of ten times as many: records, enums with each kind of payload, generic types
with fixed and permuted arguments, recursion through them, Sets and Dicts whose order must be found. Measured is
`read_spec` on JSON that was read already: exact shapes, names, references, arity, reach, recursion, order, instances.
Ten different small ones in a row and the large one take turns, several times each; the fastest counts. Both are as much
work, so that what else the machine does, which lengthens the seconds, meets both alike. Garbage is not collected
meanwhile, as in every command. `must`: ten times the declarations in at most 11 times the time.
"""

from __future__ import annotations

import gc
import sys
import time
from collections.abc import Sequence
from typing import Any

from flow_lsp.descriptions.problems import DescriptionProblem
from flow_lsp.descriptions.spec import read_spec

ROUNDS = 10


def named(declaration: str, *arguments: Any) -> dict[str, Any]:
    """A Named term."""
    return {"Named": {"declaration": declaration, "args": list(arguments)}}


def field(name: str, term: Any) -> dict[str, Any]:
    """A field, or a named part of a payload."""
    return {"name": name, "type": term, "doc": f"The {name}."}


def group(number: int, groups: int) -> dict[str, Any]:
    """Five declarations that name each other and those of the next group."""
    key, item, page, pair, problem = (f"{kind}{number}" for kind in ("key", "item", "page", "pair", "problem"))
    following = (number + 1) % groups
    own = [{"Param": {"owner": pair, "index": index}} for index in (0, 1)]
    element = {"Param": {"owner": page, "index": 0}}

    def template(local_id: str, generic: list[str], **body: Any) -> dict[str, Any]:
        return {
            "name": local_id.title(),
            "identity": f"acme/kit@1.2.0/shop.{local_id.title()}",
            "lexical_ordinal": 1,
            "generic": generic,
            "opaque": False,
            "kind": "record" if "fields" in body else "enum",
            "doc": "What the shop knows.",
            **body,
        }

    constructors = [
        {"name": "Offline", "doc": None, "payload": None},
        {"name": "Slow", "doc": None, "payload": {"positional": ["Duration", {"Option": named(problem)}]}},
        {"name": "Refused", "doc": None, "payload": {"named": [field("code", "Int"), field("of", named(key))]}},
    ]
    return {
        key: template(key, [], fields=[field("id", "Text"), field("parts", {"Tuple": ["Int", {"List": "Bytes"}]})]),
        item: template(
            item,
            [],
            fields=[
                field("key", named(key)),
                field("tags", {"Set": named(key)}),
                field("others", {"List": named(f"item{following}")}),
                field("page", {"Option": named(page, named(item))}),
                field("left", named(pair, "Int", {"Option": named(f"key{following}")})),
            ],
        ),
        page: template(
            page,
            ["T"],
            fields=[field("items", {"List": element}), field("next", {"Option": named(page, element)})],
        ),
        pair: template(
            pair,
            ["A", "B"],
            fields=[
                field("first", own[0]),
                field("second", {"Dict": [own[0], own[1]]}),
                field("turned", {"List": named(pair, own[1], own[0])}),
            ],
        ),
        problem: template(problem, [], constructors=constructors),
    }


def type_spec(declarations: int) -> dict[str, Any]:
    """A valid TypeSpec of that many declarations."""
    groups = declarations // 5
    problems = {"Tuple": [named(f"problem{number}") for number in range(groups)]}
    return {
        "generic": ["T"],
        "params": [{"name": "wanted", "type": {"Param": {"owner": "tool", "index": 0}}}],
        "ok": {"Dict": ["Text", named("page0", named("item0"))]},
        "err": problems,
        "declarations": {
            local_id: template for number in range(groups) for local_id, template in group(number, groups).items()
        },
    }


def seconds(specs: Sequence[dict[str, Any]]) -> float:
    """The processor time that one validation takes on average. The TypeSpecs must be valid."""
    gc.collect()
    gc.disable()
    before = time.process_time()
    found = [read_spec(spec) for spec in specs]
    taken = time.process_time() - before
    gc.enable()
    for one in found:
        if isinstance(one, DescriptionProblem):
            sys.exit(f"{one.pointer}: {one.sentence}")
    return taken / len(specs)


def main() -> None:
    """Print the table."""
    fewer = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000
    specs = {fewer: [type_spec(fewer) for _ in range(10)], fewer * 10: [type_spec(fewer * 10)]}
    fastest: dict[int, float] = {}
    for _ in range(ROUNDS):
        for count, several in specs.items():
            fastest[count] = min(seconds(several), fastest.get(count, float("inf")))
    print(f"{'declarations':>12}{'processor':>12}{'each, in us':>14}")
    for count, taken in fastest.items():
        print(f"{count:>12}{taken:>12.3f}{taken / count * 1e6:>14.1f}")
    ratio = fastest[fewer * 10] / fastest[fewer]
    print(f"\nten times the declarations take {ratio:>6.1f}   times as long; must be at most 11")


if __name__ == "__main__":
    main()
