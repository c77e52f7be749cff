"""Looking at the file that a command starts: where on PATH it is, what it is a link to, what its first line says.

Nothing is started here.
"""

from __future__ import annotations

import os
import sys

from flow_lsp.files.paths import resolved, with_slashes
from flow_lsp.files.reading import ReadProblem, read_beginning
from flow_lsp.findings.model import shown
from flow_lsp.host.doctor.model import FirstLine, PathEntry, ProgramFacts
from flow_lsp.processes.programs import Program, ProgramProblem, resolve_program

_FIRST_LINE = 256  # bytes; Linux reads no more of one
_OTHERS = 3  # files of one name further on in PATH that are named


def look_at_program(directory: str, word: str) -> ProgramFacts:
    """What `word`, the first of a command that runs in `directory`, comes to."""
    found = resolve_program(directory, word)
    if isinstance(found, ProgramProblem):
        return ProgramFacts(problem=found)
    entry, others = _entries(directory, word, found.path)
    real = resolved(found.path)
    leads_to = real if real != with_slashes(found.path) else None
    return ProgramFacts(found.path, None, entry, others, leads_to, _first_line(directory, found.path))


def path_entries(path_variable: str | None = None) -> list[PathEntry]:
    """The entries of a PATH, that of this process where it is None, in order, with what is odd about them."""
    text = os.environ.get("PATH", "") if path_variable is None else path_variable
    seen: set[str] = set()
    found = []
    for entry in text.split(os.pathsep) if text else []:
        found.append(PathEntry(entry, _oddity(entry, seen)))
        seen.add(entry)
    return found


def _oddity(entry: str, seen: set[str]) -> str:
    if not entry:
        return "empty: the directory that a command runs in"
    if entry in seen:
        return "a second time"
    if not os.path.isabs(entry):
        return "relative: it counts from the directory that a command runs in"
    if not os.path.exists(entry):
        return "does not exist"
    return "" if os.path.isdir(entry) else "is no directory"


def _entries(directory: str, word: str, path: str) -> tuple[str | None, tuple[str, ...]]:
    """The entry of PATH that has the program at `path`, and the programs of that name in later ones."""
    entry, others = None, []
    for each in os.environ.get("PATH", "").split(os.pathsep):
        found = resolve_program(directory, word, each)
        if not isinstance(found, Program):
            continue
        if os.path.dirname(word):
            return None, ()  # it is named with its path
        if entry is None and found.path == path:
            entry = each
        elif found.path != path and found.path not in others:
            others.append(found.path)
    return entry, tuple(others[:_OTHERS])


def _first_line(directory: str, path: str) -> FirstLine | None:
    if sys.platform == "win32":
        return None
    data = read_beginning(path, _FIRST_LINE)
    if isinstance(data, ReadProblem) or not data.startswith(b"#!"):
        return None
    line, end, _ = data.partition(b"\n")
    text = line.decode("utf-8", "replace")
    if not end and len(data) == _FIRST_LINE:
        return FirstLine(text, None, "Its first line is longer than the system reads.", "Shorten it.")
    if text.endswith("\r"):
        problem = "Its first line ends with a carriage return, which the system takes for a part of it."
        return FirstLine(text[:-1], None, problem, "Save the file with LF line ends.")
    words = text[2:].split()
    if not words:
        problem = "Its first line names no interpreter."
        return FirstLine(text, None, problem, "Name one, as in #!/usr/bin/env python3.")
    return _interpreter(directory, text, words)


def _interpreter(directory: str, text: str, words: list[str]) -> FirstLine:
    program = words[0]
    if os.path.basename(program) == "env":
        rest = [word for word in words[1:] if not word.startswith("-") and "=" not in word]
        if os.path.exists(program) and rest:
            found = resolve_program(directory, rest[0])
            if isinstance(found, Program):
                return FirstLine(text, found.path)
            problem = f"Its first line asks for {shown(rest[0])}, which is in no directory of PATH."
            return FirstLine(text, None, problem, "Install it, or have the first line ask for what is there.")
    path = os.path.join(directory, program)
    if os.path.isfile(path):
        return FirstLine(text, path)
    problem = f"Its first line names the interpreter {shown(program)}, which does not exist."
    return FirstLine(text, None, problem, "Install it, or correct the first line of the file.")
