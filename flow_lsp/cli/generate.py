"""`flow-lsp generate python`: typed Python for the Tools of a listing, and what an author starts with.

Everything that can be refused is before anything is written, and what is written is written as one.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from flow_lsp.cli.json_input import STANDARD_INPUT, read_json_input
from flow_lsp.cli.terminal import amount, complain, complain_lines, json_text, printable, write
from flow_lsp.cli.unbound import write_tables_to_add
from flow_lsp.cli.usage import UsageError
from flow_lsp.cli.vendoring import PACKAGE, RECORD, digest, package_directory, recorded, runtime_files
from flow_lsp.cli.workspace import Workspace, open_each, shown_path
from flow_lsp.files.paths import absolute, is_unicode
from flow_lsp.files.several import put_all
from flow_lsp.findings.model import shown
from flow_lsp.generating.generate import Generated, generate, module_name_problem
from flow_lsp.generating.header import Origin, origin_of, with_plain_line_ends
from flow_lsp.values.strict_json import Json

_MAIN: Final = "main.py"
_SEVERAL: Final = 10  # files in the way that are named


class State(StrEnum):
    """What became of a file."""

    WRITTEN = "written"
    UNCHANGED = "unchanged"
    KEPT = "kept"  # the author's own
    REMOVED = "removed"  # of an older run time


@dataclass(slots=True)
class _Plan:
    """What is to be done in `directory`; paths are below it, with `/`. `in_the_way` are sentences."""

    directory: str
    states: dict[str, State] = field(default_factory=dict)
    files: dict[str, bytes] = field(default_factory=dict)
    in_the_way: list[str] = field(default_factory=list)

    @property
    def removed(self) -> list[str]:
        return [path for path, state in self.states.items() if state is State.REMOVED]


def run(options: argparse.Namespace) -> int:
    """Writes; the exit status is 1 where the listing is refused, with every reason. Raises UsageError for arguments
    that cannot be used, and for files that are not written over."""
    problem = module_name_problem(options.module)
    if problem is not None:
        raise UsageError(f"--module: {problem}")
    directory = _directory(options.output)
    listing, reasons, opened = _listing(options)
    made = None
    if not reasons:
        found = generate(listing, options.module)
        if isinstance(found, Generated):
            made = found
        else:
            reasons = list(found.reasons)
    if made is None:
        return _refused(reasons, options.format)
    plan = _plan(made, directory, options)
    if plan.in_the_way:
        lines = plan.in_the_way[:_SEVERAL]
        if len(plan.in_the_way) > _SEVERAL:
            lines.append(f"And {len(plan.in_the_way) - _SEVERAL} more files like these.")
        raise UsageError("nothing is written.\n" + "\n".join(f"  {line}" for line in lines))
    failed = put_all(directory, plan.files, plan.removed) if plan.files or plan.removed else None
    if failed is not None:
        raise UsageError(f"nothing is written in {printable(shown_path(directory))}. {failed}")
    _say(plan, made, options.format)
    if options.format == "text" and opened is not None and plan.states.get(_MAIN) is State.WRITTEN:
        write_tables_to_add(opened, os.path.join(directory, _MAIN))
    return 0


# -- the listing --------------------------------------------------------------------------------------------------


def _listing(options: argparse.Namespace) -> tuple[Json, list[str], Workspace | None]:
    """The listing that the arguments name, or are the sources of; why it is not complete; and the sources."""
    paths = options.paths
    named = [path for path in paths if path == STANDARD_INPUT or (path.endswith(".json") and not os.path.isdir(path))]
    if named:
        if len(paths) > 1:
            raise UsageError(f"{shown(named[0])} is a listing, which stands alone: name it, or sources.")
        if options.workspace is not None or options.repository:
            raise UsageError("--workspace and --repository are for .flow files; a listing says what it is of.")
        return read_json_input(named[0])[1], [], None
    opened = open_each(options)
    if len(opened) > 1:
        raise UsageError(
            "several workspace folders give one listing each: generate from one at a time, or name the folder around "
            "them with --workspace."
        )
    reasons = [f"{printable(shown_path(problem.path))}: {problem.sentence}" for problem in opened[0].problems]
    return opened[0].listing(), reasons, opened[0]


def _refused(reasons: list[str], format_name: str) -> int:
    complain_lines([f"  {printable(reason)}" for reason in reasons])
    complain("nothing is generated from this listing.")
    if format_name == "json":
        write(json_text({"version": 1, "tools": 0, "types": 0, "files": [], "reasons": reasons}))
    return 1


# -- where it goes ------------------------------------------------------------------------------------------------


def _directory(output: str) -> str:
    if not output or "\0" in output or not is_unicode(output):
        raise UsageError(f"-o {shown(output)!r} is no path of a folder.")
    full = absolute(output)
    if os.path.lexists(full) and not os.path.isdir(full):
        raise UsageError(f"-o {shown(output)} is no folder.")
    return full


def _plan(made: Generated, directory: str, options: argparse.Namespace) -> _Plan:
    plan = _Plan(directory)
    module = f"{made.name}.py"
    data = made.module.encode("utf-8")
    there = _there(plan, module)
    if there is not None and with_plain_line_ends(there) != data and not options.force:
        origin = origin_of(there)
        if origin is Origin.EDITED:
            plan.in_the_way.append(
                f"{_shown(plan, module)} was changed since it was generated. Move what you changed to a file of your "
                "own, and pass --force to write over it."
            )
        elif origin is Origin.FOREIGN:
            plan.in_the_way.append(
                f"{_shown(plan, module)} is there already, and flow-lsp did not write it. Name another module with "
                "--module, or pass --force to write over it."
            )
    _put(plan, module, data, there)
    copied = os.path.join(directory, PACKAGE)
    if options.stub:
        if os.path.isfile(os.path.join(directory, _MAIN)):
            plan.states[_MAIN] = State.KEPT
        else:
            vendored = options.vendor or os.path.isdir(copied)
            _put(plan, _MAIN, made.main(vendored=vendored).encode("utf-8"), _there(plan, _MAIN))
    if options.vendor:
        if os.path.realpath(copied) == package_directory():
            raise UsageError(
                f"-o {shown(options.output)}: {PACKAGE} is there as the very package that is to be copied."
            )
        _plan_runtime(plan, options.force)
    elif os.path.isfile(os.path.join(copied, RECORD)):
        complain(f"{_shown(plan, PACKAGE)} is a copy of the run time; pass --vendor to renew it.")
    return plan


def _plan_runtime(plan: _Plan, force: bool) -> None:
    files = runtime_files()
    record = _there(plan, f"{PACKAGE}/{RECORD}")
    ours = {} if record is None else recorded(record)
    for name, data in files.items():
        path = f"{PACKAGE}/{name}"
        there = record if name == RECORD else _there(plan, path)
        if there is not None and digest(there) != digest(data) and not force:
            known = ours.get(name) if name != RECORD else digest(there) if ours else None
            if known != digest(there):
                why = (
                    "was changed since flow-lsp wrote it"
                    if known
                    else "is there already, and flow-lsp did not write it"
                )
                plan.in_the_way.append(f"{_shown(plan, path)} {why}. Pass --force to write over it.")
        _put(plan, path, data, there)
    for name, known in ours.items():
        path = f"{PACKAGE}/{name}"
        if name not in files and os.path.isfile(os.path.join(plan.directory, path)):
            there = _there(plan, path)
            if there is not None and digest(there) == known:
                plan.states[path] = State.REMOVED


def _put(plan: _Plan, path: str, data: bytes, there: bytes | None) -> None:
    if there is not None and with_plain_line_ends(there) == with_plain_line_ends(data):
        plan.states[path] = State.UNCHANGED
    else:
        plan.states[path] = State.WRITTEN
        plan.files[path] = data


def _there(plan: _Plan, path: str) -> bytes | None:
    """What the file at `path` holds; None where there is none. What is no file, or stands behind a link, is noted as
    being in the way: it is written over in no case."""
    steps = path.split("/")
    for count in range(1, len(steps) + 1):
        full = os.path.join(plan.directory, *steps[:count])
        if not os.path.lexists(full):
            return None
        wanted = os.path.isfile if count == len(steps) else os.path.isdir
        if os.path.islink(full) or not wanted(full):
            what = "a link" if os.path.islink(full) else "no file" if count == len(steps) else "no folder"
            sentence = f"{_shown(plan, '/'.join(steps[:count]))} is {what}. Remove it, or name another folder with -o."
            if sentence not in plan.in_the_way:
                plan.in_the_way.append(sentence)
            return None
    try:
        with open(os.path.join(plan.directory, *steps), "rb") as file:
            return file.read()
    except OSError as error:
        plan.in_the_way.append(f"{_shown(plan, path)} cannot be read: {error.strerror or error}.")
        return None


def _shown(plan: _Plan, path: str) -> str:
    return printable(shown_path(os.path.join(plan.directory, *path.split("/"))))


# -- what is said -------------------------------------------------------------------------------------------------


def _say(plan: _Plan, made: Generated, format_name: str) -> None:
    if format_name == "json":
        files = [
            {"path": shown_path(os.path.join(plan.directory, *path.split("/"))), "state": str(state)}
            for path, state in plan.states.items()
        ]
        write(json_text({"version": 1, "tools": made.tools, "types": made.types, "files": files, "reasons": []}))
        return
    write("\n".join(_lines(plan, made)))


def _lines(plan: _Plan, made: Generated) -> Iterator[str]:
    own = {path: state for path, state in plan.states.items() if "/" not in path}
    for path, state in own.items():
        words = f"{state}, as it is yours" if state is State.KEPT else str(state)
        if path == f"{made.name}.py":
            words += f" ({amount(made.tools, 'Tool')}, {amount(made.types, 'type')})"
        yield f"{_shown(plan, path)}: {words}"
    copied = [state for path, state in plan.states.items() if "/" in path]
    if copied:
        counts = [(state, copied.count(state)) for state in State if state in copied]
        said = ", ".join(f"{amount(count, 'file')} {state}" for state, count in counts)
        yield f"{_shown(plan, PACKAGE)}: {said}"
