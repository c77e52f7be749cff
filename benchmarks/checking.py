"""How long `flow-lsp check --no-describe` takes on a whole workspace, beside mypy on Python of as many lines.

    python benchmarks/checking.py [FILES] [MANIFESTS]

FILES (1,000) `.flow` files under MANIFESTS (100) manifests, and ten times as many of both; each file declares
records, an enum and Tools, and imports one beside it. mypy checks as many Python files of as many lines, with as
many classes and functions, without a cache and with the one that its first run left. All run in this same run, each
several times in turn; the fastest counts. What else the machine does lengthens the seconds, so the ratios are those of
processor time; all are of one thread. `must`: ahead of mypy, and ten times the files in at most 11 times the time.
"""

from __future__ import annotations

import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

ROUNDS = 3

FLOW = """// What the shop of number {number} knows. Declarations alone; flow.toml says what answers.

import ./{neighbour}

/// A thing that one can buy.
pub record Item{number} {{
    title: Text
    price: Decimal
    /// How many are left, where that is known.
    left: Option<Int>
    tags: Set<Text>
}}

pub enum Problem{number} {{
    Offline
    Slow(Duration)
    Refused {{ code: Int, reason: Text }}
}}

pub record Order{number} {{
    items: List<Item{number}>
    placed: Instant
    before: Option<{neighbour}.Item{other}>
}}

/// Finds what fits a question.
@tool
pub fn find{number}(question: Text, limit: Int) -> Result<List<Item{number}>, Problem{number}>

/// Buys something.
@tool
pub fn buy{number}(order: Order{number}, note: Option<Text>) -> Result<Instant, Problem{number}>
"""

PYTHON = '''"""What the shop of number {number} knows. Functions alone; something else answers."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from {package}.{neighbour} import Item{other}

@dataclass
class Item{number}:
    title: str
    price: float
    left: int | None
    tags: set[str]

@dataclass
class Problem{number}:
    slow: timedelta
    code: int
    reason: str

@dataclass
class Order{number}:
    items: list[Item{number}]
    placed: datetime
    before: Item{other} | None

def find{number}(question: str, limit: int) -> list[Item{number}] | Problem{number}:
    """Finds what fits a question."""
    raise NotImplementedError

def buy{number}(order: Order{number}, note: str | None) -> datetime | Problem{number}:
    """Buys something."""
    raise NotImplementedError
'''


def write_flow(folder: Path, files: int, manifests: int) -> int:
    """Writes a workspace; how many lines its declarations have."""
    lines = 0
    for number in range(files):
        place = folder / f"project{number % manifests}"
        place.mkdir(parents=True, exist_ok=True)
        other = (number + manifests) % files
        text = FLOW.format(number=number, neighbour=f"shop{other}", other=other)
        lines += text.count("\n")
        (place / f"shop{number}.flow").write_text(text, encoding="utf-8")
    for number in range(manifests):
        tables = (
            f'[tools."shop{each}.flow"]\ncommand = "python3 serve.py"\n' for each in range(number, files, manifests)
        )
        (folder / f"project{number}" / "flow.toml").write_text("\n".join(tables), encoding="utf-8")
    return lines


def write_python(folder: Path, files: int, packages: int) -> int:
    """Writes as many modules; how many lines they have."""
    lines = 0
    for number in range(files):
        package = f"project{number % packages}"
        place = folder / package
        if not place.exists():
            place.mkdir(parents=True)
            (place / "__init__.py").write_text("", encoding="utf-8")
        other = (number + packages) % files
        text = PYTHON.format(number=number, neighbour=f"shop{other}", other=other, package=package)
        lines += text.count("\n")
        (place / f"shop{number}.py").write_text(text, encoding="utf-8")
    return lines


class Taken(NamedTuple):
    """What one run took, in seconds: of processor time, and until it ended."""

    processor: float
    wall: float


def timed(words: Sequence[str], folder: Path) -> Taken:
    """How long a command takes in `folder`. It must find nothing wrong."""
    begin, before = time.perf_counter(), _of_children()
    ran = subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False)
    taken = Taken(_of_children() - before, time.perf_counter() - begin)
    if ran.returncode != 0:
        sys.exit(f"{' '.join(words)} ended with {ran.returncode}:\n{ran.stdout[-2000:]}{ran.stderr[-2000:]}")
    return taken


def _of_children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def fastest(measures: dict[str, Callable[[], Taken]]) -> dict[str, Taken]:
    """The fastest of several rounds, in which the measures take turns."""
    found: dict[str, Taken] = {}
    for _ in range(ROUNDS):
        for name, measure in measures.items():
            taken = measure()
            found[name] = min(taken, found.get(name, taken))
    return found


def main() -> None:
    """Print the table."""
    files = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000
    manifests = int(sys.argv[2]) if len(sys.argv) > 2 else 100
    binaries = Path(sys.executable).parent
    check = [str(binaries / "flow-lsp"), "check", "--no-describe"]
    mypy = [str(binaries / "mypy"), "--no-error-summary", "--config-file="]
    with tempfile.TemporaryDirectory() as temporary:
        small, large, python = (Path(temporary) / name for name in ("small", "large", "python"))
        lines = {
            "flow": write_flow(small, files, manifests),
            "ten": write_flow(large, files * 10, manifests * 10),
            "mypy": write_python(python, files, manifests),
        }
        cold = [*mypy, "--cache-dir=/dev/null" if sys.platform != "win32" else "--cache-dir=nul", "."]
        warm = [*mypy, "--cache-dir=../cache", "."]
        timed(warm, python)
        taken = fastest(
            {
                "flow": lambda: timed(check, small),
                "ten": lambda: timed(check, large),
                "cold": lambda: timed(cold, python),
                "warm": lambda: timed(warm, python),
            }
        )
    print(f"{'':<44}{'files':>8}{'lines':>9}{'seconds':>9}{'processor':>11}")
    for name, key, count, source in (
        (f"flow-lsp check, {manifests} manifests", "flow", files, "flow"),
        (f"flow-lsp check, {manifests * 10} manifests", "ten", files * 10, "ten"),
        ("mypy, without a cache", "cold", files, "mypy"),
        ("mypy, with the cache of a run before", "warm", files, "mypy"),
    ):
        print(f"{name:<44}{count:>8}{lines[source]:>9}{taken[key].wall:>9.2f}{taken[key].processor:>11.2f}")
    used = {key: each.processor for key, each in taken.items()}
    print(f"\nof mypy's time without a cache  {used['flow'] / used['cold']:>6.2f}   must be below 1")
    print(f"of mypy's time with its cache   {used['flow'] / used['warm']:>6.2f}")
    print(f"ten times the files take        {used['ten'] / used['flow']:>6.1f}   times as long; must be at most 11")


if __name__ == "__main__":
    main()
