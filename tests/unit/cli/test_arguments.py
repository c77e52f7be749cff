"""The arguments: help with examples, wrong usage, versions, and the explanations of codes."""

from __future__ import annotations

import re
import shlex

import pytest
from support.command_line import Run

from flow_lsp import __version__
from flow_lsp.cli.arguments import parsers
from flow_lsp.findings.catalogue import RULES

COMMANDS = list(parsers()[1])


def test_the_help_lists_every_command(run: Run) -> None:
    ran = run("--help")
    assert ran.status == 0
    assert all(f"\n    {command}" in ran.out for command in COMMANDS)
    assert "exit status: 0 clean, 1 findings of severity error, 2 wrong usage or environment" in ran.out


@pytest.mark.parametrize("command", COMMANDS)
def test_the_help_of_every_command_has_examples(run: Run, command: str) -> None:
    ran = run(command, "--help")
    assert ran.status == 0
    assert "\nexamples:\n  flow-lsp" in ran.out
    assert ran.err == ""


@pytest.mark.parametrize("command", COMMANDS)
def test_every_example_in_the_help_can_be_read(command: str) -> None:
    main_parser, by_name = parsers()
    examples = [
        line.strip()
        for text in (main_parser.epilog, by_name[command].epilog)
        for line in (text or "").splitlines()
        if line.startswith("  flow-lsp ")
    ]
    assert examples
    for example in examples:
        written = re.split(r" [<>] | {2,}", example)[0]
        words = shlex.split(written)[1:]
        by_name[words[0]].parse_intermixed_args(words[1:])


def test_the_version_names_those_that_matter(run: Run) -> None:
    ran = run("--version")
    assert ran.status == 0
    package, process, mcp = ran.out.splitlines()
    assert package == f"flow-lsp {__version__} (Flow data version 0.1, Language Server Protocol 3.17)"
    assert process == "Tool process protocol: data version 0.1, with implementations of any 0.x"
    assert mcp == "MCP: revisions 2024-11-05, 2025-03-26, 2025-06-18, 2025-11-25"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["bogus"], "invalid choice: 'bogus'"),
        (["chekc"], "there is no command 'chekc': is `check` meant?"),
        (["check", "--bogus"], "unrecognized arguments: --bogus"),
        (["check", "--form", "json"], "unrecognized arguments: --form"),
        (["check", "--format", "xml"], "invalid choice: 'xml'"),
        (["check", "--timeout", "soon"], "a time is a number of seconds above 0 and up to 600"),
        (["check", "--timeout", "nan"], "a time is a number of seconds above 0 and up to 600"),
        (["check", "--timeout", "0"], "a time is a number of seconds above 0 and up to 600"),
        (["describe", "--format", "sarif"], "invalid choice: 'sarif'"),
        (["schema"], "the following arguments are required: FILE[:NAME]"),
        (["serve", "--tcp", "0"], "a port is a number from 1 to 65535"),
        (["serve", "--tcp", "x"], "a port is a number from 1 to 65535"),
        (["--tcp", "65536"], "a port is a number from 1 to 65535"),
        (["--tcp=-1"], "a port is a number from 1 to 65535"),
        (["serve", "--stdio", "--tcp", "5000"], "not allowed with argument"),
        (["explain", "drift", "more"], "unrecognized arguments: more"),
        (["explain", "drif"], "there is no finding with the code drif. Is drift meant?"),
        (["explain", "zzzzzzzzzzzz"], "`flow-lsp explain` lists all codes."),
        (["explain", "../drift"], "there is no finding with the code ../drift."),
    ],
)
def test_wrong_usage_is_status_two_and_says_what_is_right(run: Run, arguments: list[str], said: str) -> None:
    ran = run(*arguments)
    assert (ran.status, ran.out) == (2, "")
    assert said in ran.err


def test_explain_lists_every_code(run: Run) -> None:
    ran = run("explain")
    assert ran.status == 0
    assert [line.split()[0] for line in ran.out.splitlines()] == sorted(RULES)


@pytest.mark.parametrize("code", ["drift", "error[drift]", "warning[drift]: ", "[drift]"])
def test_explain_prints_the_page(run: Run, code: str) -> None:
    ran = run("explain", code)
    assert ran.status == 0
    assert ran.out.startswith("# drift\n")
    assert ran.out.endswith("\n")
    assert "## How to fix it" in ran.out
