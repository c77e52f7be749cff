"""From what was found to what is wrong, and what to do about it next."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator

from flow_lsp.analysis.snapshot import Described, Standing
from flow_lsp.binding.model import CommandKey
from flow_lsp.findings.model import shown
from flow_lsp.host.doctor.model import LoginShell, ProgramFacts, Trouble
from flow_lsp.manifest.model import BindingKind
from flow_lsp.processes.programs import Program, ProgramProblem, ProgramProblemKind, resolve_program
from flow_lsp.protocol.outcome import DescribeFailure, DescribeOutcome, FailureKind
from flow_lsp.text.secrets import masked, masked_words
from flow_lsp.text.visible import visible

_ASSIGNMENT = re.compile(r"[A-Za-z_]\w*=")
_UNEXPANDED = re.compile(r"^~|\$[A-Za-z_{(]")
_OF_A_SHELL = {".", "alias", "cd", "eval", "exec", "export", "set", "source", "ulimit", "unset"}
_OPERATORS = {"&&", "||", "|", ";", "&", ">", ">>", "<", "2>&1", "2>"}
_WRONG_FINGERPRINTS = 3  # that are named

_NEXT = {
    FailureKind.CLOSED_OUTPUT: "Have it answer on its standard output, and keep that open until its input ends.",
    FailureKind.TIMED_OUT: "Have it answer before it does anything slow, and flush its standard output after each "
    "message; or allow more time: --timeout on the command line, flow.describe.timeout in an editor.",
    FailureKind.TOO_LARGE: "Split it into several commands, each with fewer Tools.",
    FailureKind.INVALID: "Have a toolkit answer describe, or compare its answer with schemas/describe.schema.json.",
    FailureKind.ERROR_RESPONSE: "It has to know the method describe: see whether it is the program that is meant, and "
    "whether it is built with a toolkit.",
    FailureKind.DATA_VERSION: "Build it with a toolkit of this host's data version, or use a flow-lsp of its own.",
    FailureKind.NOT_STARTED: "Correct the file that is started; the facts above say what it is.",
}

_NO_MCP = (
    "See whether it is an MCP server that speaks over its standard input and output; some want an argument to do so."
)
_NEXT_FOR_MCP = {
    **_NEXT,
    FailureKind.TIMED_OUT: "Allow it more time if it is fetched when it starts, as by npx or uvx: --timeout on the "
    f"command line, flow.describe.timeout in an editor. {_NO_MCP}",
    FailureKind.TOO_LARGE: "Have it list its tools on several pages.",
    FailureKind.INVALID: _NO_MCP,
    FailureKind.ERROR_RESPONSE: _NO_MCP,
    FailureKind.MCP_REVISION: "Use a version of the server that speaks one of these revisions.",
}

_NEXT_FOR_PROGRAM = {
    ProgramProblemKind.NO_DIRECTORY: "Create the directory, or give yourself permission to enter it.",
    ProgramProblemKind.NOT_FOUND: "Correct its path, which counts from the directory that the command runs in.",
    ProgramProblemKind.NO_NAME: "Name a program as the first word of the command.",
}


def troubles(key: CommandKey, program: ProgramFacts, described: Described, login: LoginShell) -> Iterator[Trouble]:
    """What is wrong with one command, most of it by what it said when it was asked."""
    if program.problem is not None:
        yield _of_program(key, program.problem, login)
        return
    outcome = described.outcome if described.standing is Standing.CURRENT else None
    first = program.first_line
    if first is not None and first.problem is not None and (outcome is None or outcome.failure is not None):
        yield Trouble(first.problem, first.remedy)  # why it fails, if it does, and so the only thing that is said
        return
    if outcome is None:
        return
    if outcome.failure is not None:
        yield _of_failure(key, outcome, outcome.failure)
    yield from _of_answer(outcome)


def _of_program(key: CommandKey, problem: ProgramProblem, login: LoginShell) -> Trouble:
    word = key.words[0]
    name = shown(masked_words(key.words)[0])  # here, for a sentence does not tell where a word ends
    if _ASSIGNMENT.match(word):
        return Trouble(
            f"{name} is taken for the program, for no shell runs the command.",
            "Set the variable where flow-lsp or the editor is started, or put the word env in front.",
        )
    if _UNEXPANDED.search(word):
        return Trouble(
            f"{name} is taken as it stands, for no shell runs the command.",
            "Write the whole path of the program, or a name that PATH has.",
        )
    if problem.kind is not ProgramProblemKind.NOT_ON_PATH:
        what, _, remedy = problem.sentence.replace(shown(word), name).partition(". ")
        return Trouble(f"{what.rstrip('.')}.", _NEXT_FOR_PROGRAM.get(problem.kind, remedy))
    what = f"{name} is in no directory of PATH."
    if word in _OF_A_SHELL:
        return Trouble(
            what, f"{name} is a command of a shell, and no shell runs this. Put it into a script and name that."
        )
    there = resolve_program(key.directory, word, login.path) if login.path is not None else None
    if isinstance(there, Program):
        return Trouble(
            what,
            f"Your login shell finds {visible(there.path)}: start the editor from a terminal, or add that directory to "
            "the PATH that it is given.",
        )
    if os.path.isfile(os.path.join(key.directory, word)):
        return Trouble(what, f"A file of that name is in the directory that it runs in: write ./{name} in flow.toml.")
    return Trouble(what, "Install it, or write its path in flow.toml.")


def _of_failure(key: CommandKey, outcome: DescribeOutcome, failure: DescribeFailure) -> Trouble:
    what = f"Asked what it serves, it {failure.sentence}"
    missing = _missing_file(key)
    odd = next((word for word in masked_words(key.words)[1:] if word in _OPERATORS or _UNEXPANDED.search(word)), None)
    if outcome.run_time_remedy:
        return Trouble(what, outcome.run_time_remedy)
    if odd is not None:
        return Trouble(
            what, f"The word {shown(odd)} is passed as it stands, for no shell runs the command. Use a script."
        )
    if missing is not None:
        return Trouble(
            what, f"{shown(missing)} is no file in the directory that it runs in: correct the command or the path."
        )
    following = _NEXT_FOR_MCP if key.kind is BindingKind.MCP else _NEXT
    if failure.kind in following:
        return Trouble(what, following[failure.kind])
    said = (
        "What it wrote to standard error says why; to"
        if outcome.stderr_tail
        else "It wrote nothing to standard error. To"
    )
    return Trouble(what, f"{said} see more, run the command yourself in that directory.")


def _missing_file(key: CommandKey) -> str | None:
    """The first word behind the program that looks like a file of the workspace and is none."""
    for word in key.words[1:]:
        if word.startswith("-"):
            return None  # what follows may belong to an option
        if re.fullmatch(r"[\w./-]+\.(?:py|js|mjs|ts|rb|sh|pl|lua|jar|php|wasm)", word):
            return None if os.path.exists(os.path.join(key.directory, word)) else word
    return None


def _of_answer(outcome: DescribeOutcome) -> Iterator[Trouble]:
    if outcome.noise_count:
        one = outcome.noise_count == 1
        lines = "a line that is no message" if one else f"{outcome.noise_count} lines that are no messages"
        first = f", such as `{shown(masked(outcome.noise[0]))}`" if outcome.noise else ""
        yield Trouble(
            f"It wrote {lines} to its standard output{first}.",
            "Have it print to standard error: standard output is for the protocol alone.",
        )
    if outcome.mcp is not None and not outcome.mcp.tools:
        yield Trouble(
            "It offers no tools.", "See whether it is the server that is meant, and whether it has to be told what for."
        )
    if outcome.listing is None:
        return
    if not outcome.listing.tools:
        yield Trouble(
            "It lists no Tool.", "See whether it is the program that is meant, and built from these declarations."
        )
    wrong = [served.identity for served in outcome.listing.tools if served.problem is not None]
    if wrong:
        names = ", ".join(f"`{shown(name)}`" for name in wrong[:_WRONG_FINGERPRINTS])
        more = f" and {len(wrong) - _WRONG_FINGERPRINTS} more" if len(wrong) > _WRONG_FINGERPRINTS else ""
        yield Trouble(
            f"It lists {names}{more} with a fingerprint that is not the signature's.",
            "Generate the listing from the declarations instead of writing it by hand.",
        )
