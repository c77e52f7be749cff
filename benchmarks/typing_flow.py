"""Typing in a `.flow` file of 2,000 lines, beside ruff on Python of as many lines, in one run.

    python benchmarks/typing_flow.py --harness DIR [--lines 2000] [--rounds 3]

DIR holds `lsp_bench.py`, a latency harness for any language server. The file declares a record, an enum and a Tool
in turn, each group using its own types and the record of the one before; a keystroke makes a type's name unknown, or
right again. No manifest binds the Tools, so that one finding is off; all else is on.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from editing import show

BIN = Path(sys.executable).parent
OPTIONS = {"flow": {"trust": "never", "diagnostics": {"severity": {"unbound-no-manifest": "off"}}}}
LINES_OF_BLOCK = 4


def flow_document(docs: Any, blocks: int, bad: bool = True) -> Any:
    """The document: blocks of four lines, each with one place where a typed letter makes an error."""
    lines: list[str] = []
    found = []
    for number in range(blocks):
        first = len(lines)
        group = number // 3
        near = f"R{max(0, group - 1):05d}"  # each group uses its own types, and the record of the one before
        last = "Txt" if bad and number == blocks - 1 else "Text"
        if number % 3 == 0:
            lines += [
                f"/// Record {group}.",
                f"record R{group:05d} {{ text: {last}, tags: List<Text>, kind: E{group:05d} }}",
            ]
        elif number % 3 == 1:
            lines += [f"/// Enum {group}.", f"enum E{group:05d} {{ Nothing, Some({last}), Both(Int, {last}) }}"]
        else:
            result = f"Result<List<R{group:05d}>, E{group:05d}>"
            lines += ["@tool", f"fn tool{group:05d}(query: {last}, of: Option<{near}>) -> {result}"]
        column = lines[-1].index(last)
        toggle = docs.Toggle(first + 1, column, "x", 0)
        place = (first + 1, column + 1)
        lines += ["", ""]
        found.append(docs.Block(first, first + 2, toggle, toggle, "", place, place))
    return docs.Document("\n".join(lines) + "\n", found, blocks - 1 if bad else None)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--harness", type=Path, required=True)
    parser.add_argument("--lines", type=int, default=2000)
    parser.add_argument("--rounds", type=int, default=3)
    arguments = parser.parse_args()
    sys.path.insert(0, str(arguments.harness.resolve()))
    docs: Any = import_module("docs")
    lsp_bench: Any = import_module("lsp_bench")

    docs.MAKERS["flow"] = lambda count, bad=True: flow_document(docs, count * 3 // LINES_OF_BLOCK, bad)
    docs.FILE_NAMES["flow"] = "a.flow"
    ours = lsp_bench.Spec("flow-lsp", [str(BIN / "flow-lsp")], document="flow", language="flow", options=OPTIONS)
    ruff = lsp_bench.Spec("ruff", [str(BIN / "ruff"), "server"], document="python", language="python")
    want = SimpleNamespace(
        rounds=arguments.rounds, edits=120, asks=100, burst=200, idle=0, wait=30, budget=60, file=None,
        tables=arguments.lines // 3, stderr=asyncio.subprocess.DEVNULL,
    )  # fmt: skip
    results, _ = asyncio.run(lsp_bench.measure([ours, ruff], want))
    print(f"\n## {arguments.lines} lines\n")
    show({name: {row: value for row in result.rounds if (value := lsp_bench.figure(result, row)) is not None}
          for name, result in results.items()})  # fmt: skip


if __name__ == "__main__":
    main()
