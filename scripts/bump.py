"""Gives all parts of the project one version: `make bump VERSION=0.2.0`.

The version stands in `flow_lsp/__init__.py`, from where the Python package has it. What cannot read it there (the
VS Code extension, the Emacs package, examples in the pages, the changelog) is written here; PLACES lists all of it.
Nothing is written where one of them does not look as expected.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Final

NUMBERS: Final = r"(?:0|[1-9]\d{0,5})\.(?:0|[1-9]\d{0,5})\.(?:0|[1-9]\d{0,5})"
CHANGELOG: Final = "CHANGELOG.md"
UNRELEASED: Final = "## Unreleased\n"


class BumpError(Exception):
    """A sentence for whoever asked."""


def oldest_server(version: str) -> str:
    """The oldest server that an extension of `version` works with. Before 1.0.0 an editor part and a server may say
    something else to each other with every minor version, from then on with every major one."""
    major, minor, _ = version.split(".")
    return f"{major}.{minor}.0" if major == "0" else f"{major}.0.0"


def _same(version: str) -> str:
    return version


@dataclass(frozen=True, slots=True)
class Place:
    """Where a version stands: in `file`, once between `before` and `after`."""

    file: str
    before: str
    after: str
    value: Callable[[str], str] = _same

    def pattern(self) -> re.Pattern[str]:
        return re.compile(f"({self.before})({NUMBERS})({self.after})", re.MULTILINE)


PLACES: Final = (
    Place("flow_lsp/__init__.py", r'^__version__ = "', '"$'),
    Place("editors/vscode/package.json", r'\A\{\n(?:  .*\n)*?  "version": "', '"'),
    Place("editors/vscode/package-lock.json", r'\A\{\n  "name": "flow-lsp",\n  "version": "', '"'),
    Place("editors/vscode/package-lock.json", r'^    "": \{\n      "name": "flow-lsp",\n      "version": "', '"'),
    Place("editors/vscode/src/server/version.ts", r'^export const OLDEST = "', '"', value=oldest_server),
    Place("editors/emacs/flow-mode.el", r"^;; Version: +", "$"),
    Place("docs/command-line.md", r"^ +rev: v", "$"),
    Place("docs/json-output.md", r'^  "flow_lsp": "', '",$'),
)


def found_versions(root: Path) -> Iterator[tuple[Place, Path, str]]:
    """Each place that is in the tree at `root`, the file, and what stands there. Raises BumpError where a place does
    not look as expected."""
    for place in PLACES:
        file = root / place.file
        if not file.is_file():
            raise BumpError(f"{place.file} is missing.")
        found = place.pattern().findall(file.read_text(encoding="utf-8"))
        if len(found) != 1:
            raise BumpError(f"{place.file} holds no version where scripts/bump.py looks for it.")
        yield place, file, found[0][1]


def current_version(root: Path) -> str:
    """The version of the package in the tree at `root`."""
    return next(version for _, _, version in found_versions(root))


def released(changelog: str) -> list[str]:
    """The versions that the changelog has a heading for, the newest first."""
    return re.findall(rf"^## ({NUMBERS}) \(\d{{4}}-\d\d-\d\d\)$", changelog, re.MULTILINE)


def with_release(changelog: str, version: str, day: date) -> str:
    """The changelog with what was unreleased below a heading of its own. Raises BumpError where nothing was."""
    if changelog.count(UNRELEASED) != 1:
        raise BumpError(f"{CHANGELOG} has no heading `{UNRELEASED.strip()}`.")
    before, _, after = changelog.partition(UNRELEASED)
    if not after.split("\n## ")[0].strip():
        raise BumpError(f"{CHANGELOG} says of nothing that it is unreleased: there is nothing to release.")
    return f"{before}{UNRELEASED}\n## {version} ({day.isoformat()})\n{after}"


def bump(root: Path, version: str, day: date) -> list[Path]:
    """Writes `version` to every place of the tree at `root`; the files that changed.

    It is newer than the current version, or that version while it is not released. Raises BumpError, and writes
    nothing then.
    """
    if not re.fullmatch(NUMBERS, version):
        raise BumpError(f"{version[:80]!r} is no version: give three numbers, as in 0.2.0.")
    changelog = (root / CHANGELOG).read_text(encoding="utf-8")
    current = current_version(root)
    if version in released(changelog):
        raise BumpError(f"{version} is released already.")
    if _numbers(version) < _numbers(current):
        raise BumpError(f"{version} is older than {current}, which this is.")
    texts = {root / CHANGELOG: with_release(changelog, version, day)}
    for place, file, _ in found_versions(root):
        text = texts.get(file) or file.read_text(encoding="utf-8")
        texts[file] = place.pattern().sub(rf"\g<1>{place.value(version)}\g<3>", text)
    changed = [file for file, text in texts.items() if text != file.read_text(encoding="utf-8")]
    for file in changed:
        file.write_text(texts[file], encoding="utf-8", newline="")
    return sorted(changed)


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split("."))


def main() -> int:
    parser = argparse.ArgumentParser(description="Give all parts of the project one version.")
    parser.add_argument("version", help="three numbers, such as 0.2.0")
    parser.add_argument("--date", type=date.fromisoformat, default=date.today(), help="of the release (default: today)")
    parser.add_argument("--root", type=Path, default=Path(__file__).resolve().parents[1], help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    try:
        changed = bump(arguments.root, arguments.version, arguments.date)
    except BumpError as refused:
        print(f"bump: {refused}", file=sys.stderr)
        return 2
    for file in changed:
        print(file.relative_to(arguments.root).as_posix())
    return 0


if __name__ == "__main__":
    sys.exit(main())
