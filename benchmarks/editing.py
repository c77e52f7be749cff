"""What a person at the keyboard notices, as ratios to other servers in one run.

    python benchmarks/editing.py --harness DIR [--tables 100 1000 10000] [--rounds 3] [--flow-only]

DIR holds `lsp_bench.py`, a latency harness for any language server. The peers are taken from PATH or this
environment: `pip install tombi olpat ruff pygls`. Every table names a file that does not exist and a program that
is not there, so those two findings are off, as is asking the commands; all else is on.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

BIN = Path(sys.executable).parent
OPTIONS = {
    "flow": {
        "trust": "never",
        "diagnostics": {"severity": {"missing-file": "off", "program-not-found": "off", "not-run": "off"}},
    }
}
PEERS = {10000: ["floor", "tombi", "ruff"]}  # olpat takes seconds for each keystroke there
ALL_PEERS = ["floor", "tombi", "olpat", "ruff"]
FIGURES = [
    "first right diagnostics",
    "keystroke p50",
    "keystroke p95",
    "keystroke, steady p95",
    "burst",
    "burst publishes",
    "hover p95",
    "completion p95",
    "hover behind edit p95",
    "cpu ms per keystroke",
    "rss after open",
    "idle cpu %",
]


def servers(harness: Path, folder: Path) -> Path:
    """The harness's list of servers, with ours."""
    entries = json.loads((harness / "servers.json").read_text(encoding="utf-8"))
    entries["flow-lsp"] = {"command": [str(BIN / "flow-lsp")], "options": OPTIONS}
    path = folder / "servers.json"
    path.write_text(json.dumps(entries), encoding="utf-8")
    return path


def measure(harness: Path, arguments: list[str]) -> dict[str, dict[str, float]]:
    """Figures by server, each the median over the rounds, from one run of the harness."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "out.json"
        command = [sys.executable, str(harness / "lsp_bench.py"), "run", *arguments, "--json", str(out)]
        command += ["--servers", str(servers(harness, Path(folder)))]
        environment = os.environ | {"PATH": f"{BIN}{os.pathsep}{os.environ['PATH']}"}
        subprocess.run(command, env=environment, check=True, stdout=subprocess.DEVNULL)
        record = json.loads(out.read_text(encoding="utf-8"))
    return {name: figures(result) for name, result in record["servers"].items()}


def figures(result: dict[str, Any]) -> dict[str, float]:
    """One server's figures; what it has none of is left out."""
    found = {name: statistics.median(values) for name, values in result["rounds"].items() if values}
    for note, count in result.get("notes", {}).items():
        print(f"  note: {note}: {count}", file=sys.stderr)
    return found


def show(results: dict[str, dict[str, float]]) -> None:
    """A table with ours first, and each other server's figure with the ratio of ours to it."""
    ours = results["flow-lsp"]
    others = [name for name in results if name != "flow-lsp"]
    print("| figure (ms, MiB) | flow-lsp | " + " | ".join(f"{name} (ratio)" for name in others) + " |")
    print("|---|---|" + "---|" * len(others))
    for figure in FIGURES:
        if figure not in ours:
            continue
        cells = []
        for name in others:
            theirs = results[name].get(figure)
            ratio = f" ({ours[figure] / theirs:.3f})" if theirs else ""
            cells.append("-" if theirs is None else f"{theirs:.2f}{ratio}")
        print(f"| {figure} | {ours[figure]:.2f} | " + " | ".join(cells) + " |")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--harness", type=Path, required=True)
    parser.add_argument("--tables", type=int, nargs="*", default=[100, 1000, 10000])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--budget", type=float, default=60)
    parser.add_argument("--peers", nargs="*", help="instead of the usual ones")
    arguments = parser.parse_args()
    for tables in arguments.tables:
        names = PEERS.get(tables, ALL_PEERS) if arguments.peers is None else arguments.peers
        chosen = [word for name in ["flow-lsp", *names] for word in ("--server", name)]
        rounds = ["--tables", str(tables), "--rounds", str(arguments.rounds), "--budget", str(arguments.budget)]
        print(f"\n## {tables} tables\n")
        show(measure(arguments.harness.resolve(), [*chosen, *rounds]))


if __name__ == "__main__":
    main()
