"""Copies of this tree as a clone has it: what is tracked, or would be, and nothing that was built."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
_BUILT = shutil.ignore_patterns(".*_cache", ".hypothesis", ".tools", ".venv", "__pycache__", "build", "dist")


def is_checkout() -> bool:
    """Whether git knows this tree; an unpacked sdist has none."""
    return (ROOT / ".git").exists()


def tracked() -> list[str]:
    """The paths of a clone of this checkout, with files that are new and not ignored."""
    words = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=True, timeout=60).stdout
    return sorted({path for path in listed.split("\0") if path and (ROOT / path).is_file()})


def copy_tree(folder: Path) -> Path:
    """Makes `folder`, a copy of this tree."""
    if not is_checkout():
        shutil.copytree(ROOT, folder, ignore=_BUILT)
        return folder
    for path in tracked():
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / path, target)
        shutil.copymode(ROOT / path, target)
    return folder
