"""The command line as data: every command with its options and examples."""

from __future__ import annotations

import argparse

_MAIN = """examples:
  flow-lsp check                          every Tool of this folder: bound? by what? does it still fit?
  flow-lsp check --trust --format github  the same in CI, as annotations
  flow-lsp tools src > listing.json       the Tools listing, for toolkits
  flow-lsp schema tools/search.flow:find  a Tool's JSON Schemas
  flow-lsp generate python -o tools --stub   typed Python to write an implementation with
  flow-lsp import-mcp 'uvx mcp-server-time' -o time.flow --manifest   put an MCP server behind Flow
  flow-lsp value check --type 'Set<Int>'  a JSON text against a type, and its canonical text
  flow-lsp doctor                         what would run, from where, and why it does not
  flow-lsp explain drift                  what a finding means and how to fix it

exit status: 0 clean, 1 findings of severity error, 2 wrong usage or environment
"""

_EXAMPLES = {
    "serve": """examples:
  flow-lsp serve              what an editor starts; `flow-lsp` alone is the same
  flow-lsp serve --tcp 9257   wait for one editor on 127.0.0.1:9257
""",
    "check": """examples:
  flow-lsp check                               this folder; asks before it runs a command
  flow-lsp check --trust --verbose             run all commands, and list every Tool with its state
  flow-lsp check --no-describe tools web       two workspace folders, nothing is run
  flow-lsp check --trust --watch               again at every change of a file or a program, until Ctrl-C
  flow-lsp check --workspace . a.flow b.flow   only these two files of this folder
  flow-lsp check --trust --format sarif > findings.sarif
  flow-lsp check --override 'search.find=python3 fake.py'
  flow-lsp check --no-describe --contracts contracts.json   by what `describe --record` wrote; nothing is run

Without a terminal to ask on, commands run only with --trust; what did not run is said.
exit status: 0 no finding of severity error, 1 some, 2 wrong usage or environment
""",
    "tools": """examples:
  flow-lsp tools > listing.json                    this folder
  flow-lsp tools --repository acme/kit@1.2.0 kit   with the identities of a published repository
  flow-lsp tools tools web                         two listings, one after the other

exit status: 0 complete, 1 `problems` is not empty, 2 wrong usage or environment
""",
    "schema": """examples:
  flow-lsp schema tools/search.flow:find   params, ok and err of a Tool
  flow-lsp schema tools/search.flow:Hit    the schema of a type
  flow-lsp schema tools/search.flow        all Tools and types of the file

exit status: 0 printed, 1 some signature is not known, 2 no such file or name
""",
    "fingerprint": """examples:
  flow-lsp fingerprint tools/search.flow                    each Tool's fingerprint and identity
  flow-lsp fingerprint --canonical tools/search.flow:find   one Tool's, and the text that is hashed

exit status: 0 printed, 1 some signature is not known, 2 no such file or name
""",
    "describe": """examples:
  flow-lsp describe                   ask on the terminal, run, and show what each command said
  flow-lsp describe --trust --format json
  flow-lsp describe --trust --record contracts.json   keep what each said, for `check --contracts`
  flow-lsp describe --command 'python3 serve.py'      ask one program, without a workspace and without a question
  flow-lsp describe --mcp 'uvx mcp-server-time'       the same of an MCP server: what tools it offers

exit status: 0 each command gave a listing, 1 one did not or was not run, 2 wrong usage or environment
""",
    "generate": """examples:
  flow-lsp generate python weather.flow -o weather --stub    types for its Tools, and a first main.py
  flow-lsp generate python weather.flow -o weather           the types anew; main.py stays yours
  flow-lsp generate python -o tools --vendor                 for this folder, with the run time beside it
  flow-lsp generate python listing.json -o tools --module shop_types
  flow-lsp generate python - -o tools < listing.json

Everything comes from a tools listing: the one named, or that of the sources named. A listing with a problem generates
nothing. What somebody changed is not written over without --force, and main.py never.
exit status: 0 written or unchanged, 1 the listing is refused, 2 wrong usage, or a file that is not written over
""",
    "import-mcp": """examples:
  flow-lsp import-mcp 'uvx mcp-server-time' -o time.flow               print the table for flow.toml
  flow-lsp import-mcp 'uvx mcp-server-time' -o time.flow --manifest    put it into flow.toml
  flow-lsp import-mcp 'npx -y @acme/search-mcp' -o tools/search.flow --manifest --timeout 120

COMMAND runs once, in the directory of the flow.toml that binds the file (the nearest one; without any, the working
directory). Naming it here is consent to that. The table alone goes to standard output, notes to standard error.
exit status: 0 written, 1 the server gave no tool to declare, 2 wrong usage, or a file that cannot be written
""",
    "doctor": """examples:
  flow-lsp doctor                     what would run for each table here, from where, and what is wrong with it
  flow-lsp doctor --trust             run each command and its --version without asking
  flow-lsp doctor --no-login-shell    leave out what your login shell has as PATH
  flow-lsp doctor --format json tools

The report is made to be passed on: of the environment it holds PATH alone, and what looks like a credential is masked.
exit status: 0 nothing wrong was found, 1 something was, 2 wrong usage or environment
""",
    "call": """examples:
  flow-lsp call search.flow:find --args '{"query": "flow", "limit": "None"}'
  flow-lsp call search.flow:find --args @arguments.json --timeout 30 --trust
  flow-lsp call tools.flow:echo --type 'T=List<Int>' --args - < arguments.json

The arguments are checked at the parameters' types before anything is started. The outcome is one line of JSON:
{"Ok": …}, {"Failed": …}, {"NotRun": reason}, {"Unknown": reason} or {"BadReply": reason}.
exit status: 0 Ok, 3 Failed, 4 NotRun, 5 Unknown, 6 BadReply, 2 wrong usage or environment
""",
    "value": """examples:
  flow-lsp value check --type 'Set<Int>' < numbers.json
  flow-lsp tools > listing.json
  flow-lsp value check --type 'search.Hit' --types listing.json < hit.json
  flow-lsp value check --type '{"List": "Instant"}' --reply < reply.json

TERM is a type as .flow source writes it, or a JSON type term. The canonical text goes to standard output, a refusal
with its JSON Pointer to standard error.
exit status: 0 it is a value of the type, 1 it is not, 2 wrong usage or environment
""",
    "typespec": """examples:
  flow-lsp typespec check spec.json                    is this a valid TypeSpec?
  flow-lsp typespec check spec.json --view call.json   and is that a call of its Tool?
  flow-lsp typespec check -                            the TypeSpec on standard input

FILE holds a TypeSpec ("Type descriptions"), and the view {"types": ..., "schema": ...} of a call of its Tool; a call
that is not generic has neither. What is wrong goes to standard error: the rule, the line, and the JSON Pointer.
exit status: 0 valid, 1 not, 2 wrong usage or a file that cannot be read
""",
    "explain": """examples:
  flow-lsp explain          every code in one list
  flow-lsp explain drift    its page: what it means, an example, how to fix it
""",
}


class _Formatter(argparse.RawDescriptionHelpFormatter):
    """Leaves the examples as they are, and room for the longest option."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, max_help_position=30)


def parsers() -> tuple[argparse.ArgumentParser, dict[str, argparse.ArgumentParser]]:
    """The parser of the whole command line, and those of the commands by name."""
    main_parser = argparse.ArgumentParser(
        prog="flow-lsp",
        description="Checks Flow Tool declarations (.flow) and their bindings (flow.toml): on the command line,\n"
        "and as a language server. Without a command it serves an editor over standard input and output.",
        epilog=_MAIN,
        formatter_class=_Formatter,
        allow_abbrev=False,
    )
    main_parser.add_argument("--version", action="store_true", help="print the versions and end")
    commands = main_parser.add_subparsers(dest="command", metavar="COMMAND", title="commands")

    serve = _command(commands, "serve", "serve an editor (the default)")
    where = serve.add_mutually_exclusive_group()
    where.add_argument("--stdio", action="store_true", help="over standard input and output (the default)")
    where.add_argument("--tcp", type=_port, metavar="PORT", help="on 127.0.0.1 alone, for debugging")

    check = _with_paths(_command(commands, "check", "say of every Tool whether it is bound, and whether it fits"))
    check.add_argument("--format", choices=["text", "json", "sarif", "github"], default="text", help="default: text")
    check.add_argument("-v", "--verbose", action="store_true", help="also list every Tool with its state (text format)")
    check.add_argument("--watch", action="store_true", help="stay, and check again at every change (text format)")
    _with_trust(check)
    check.add_argument("--no-describe", action="store_true", help="run nothing; check what the files alone tell")
    check.add_argument(
        "--contracts",
        action="append",
        default=[],
        metavar="FILE",
        help="what describe --record wrote; it counts where a command is not run (may be given several times)",
    )
    _with_override(check)

    _with_paths(_command(commands, "tools", "print the Tools listing as JSON"))
    for name, about in (
        ("schema", "print the JSON Schemas of Tools and types"),
        ("fingerprint", "print the fingerprints of Tools"),
    ):
        command = _command(commands, name, about)
        command.add_argument("target", metavar="FILE[:NAME]", help="a .flow file, and a name that it declares")
        _with_workspace(command)
        if name == "fingerprint":
            command.add_argument("--canonical", action="store_true", help="print the canonical signature too")

    describe = _with_paths(
        _command(commands, "describe", "run the commands and MCP servers of flow.toml, and print what each serves")
    )
    describe.add_argument("--format", choices=["text", "json"], default="text", help="default: text")
    _with_trust(describe)
    _with_override(describe)
    describe.add_argument("--record", metavar="FILE", help="write what each command said to this contracts file")
    describe.add_argument(
        "--command",
        dest="program",  # `command` is flow-lsp's own
        metavar="COMMAND",
        help="ask this command alone, in the working directory; naming it here is consent to run it",
    )
    describe.add_argument("--mcp", metavar="COMMAND", help="the same for an MCP server, which has 60 seconds")

    generating = _command(commands, "generate", "write typed Python to implement Tools with")
    generating.add_argument("language", choices=["python"], metavar="python", help="the language")
    generating.add_argument(
        "paths",
        nargs="*",
        metavar="PATH",
        help="a folder or .flow files (default: this folder), or one listing: a .json file, or - for standard input",
    )
    generating.add_argument("-o", "--output", required=True, metavar="DIR", help="the folder to write into")
    generating.add_argument(
        "--module", default="flow_tools", metavar="NAME", help="what the module is called (default: flow_tools)"
    )
    generating.add_argument("--stub", action="store_true", help="also write a first main.py, where there is none")
    generating.add_argument("--vendor", action="store_true", help="also write the run time: no package is needed then")
    generating.add_argument("--force", action="store_true", help="write over files that were changed, but for main.py")
    generating.add_argument("--format", choices=["text", "json"], default="text", help="default: text")
    _with_workspace(generating)

    importing = _command(commands, "import-mcp", "write declarations of an MCP server's tools, and bind them to it")
    importing.add_argument("server", metavar="COMMAND", help="what starts the server, as in a flow.toml")
    importing.add_argument(
        "-o", "--output", metavar="FILE", help="the .flow file to write (default: by the server's name, here)"
    )
    importing.add_argument(
        "--manifest", action="store_true", help="add the table to the nearest flow.toml, or make one"
    )
    importing.add_argument("--force", action="store_true", help="write over FILE")
    importing.add_argument(
        "--timeout", type=_seconds, metavar="SECONDS", help="how long the server may take to answer (default: 60)"
    )

    doctor = _with_paths(_command(commands, "doctor", "say what would run for each binding, and what is wrong with it"))
    doctor.add_argument("--format", choices=["text", "json"], default="text", help="default: text")
    _with_trust(doctor)
    doctor.add_argument(
        "--no-login-shell", action="store_true", help="do not start your login shell to see what PATH it makes"
    )
    _with_override(doctor)

    call = _command(commands, "call", "call a Tool, and print the outcome as JSON")
    call.add_argument("target", metavar="FILE:NAME", help="a .flow file, and a Tool that it declares")
    call.add_argument(
        "--args", required=True, metavar="JSON", help="the arguments: JSON, @FILE, or - for standard input"
    )
    call.add_argument(
        "--type", action="append", default=[], metavar="T=TYPE", help="the type for the Tool's type parameter T"
    )
    call.add_argument(
        "--timeout", type=_seconds, dest="wait", metavar="SECONDS", help="how long to wait for the outcome"
    )
    call.add_argument("--run", metavar="ID", help="the run's id (default: flow-lsp)")
    call.add_argument("--call", metavar="ID", help="the call's id (default: 1)")
    call.add_argument("--trust", action="store_true", help="run the command of the workspace without asking")
    call.add_argument("-v", "--verbose", action="store_true", help="say what the implementation logs, as it comes")
    _with_override(call)
    _with_workspace(call)

    value = _command(commands, "value", "check a JSON text against a type, and print its canonical text")
    value.add_argument("action", choices=["check"], metavar="check", help="read standard input and check it")
    value.add_argument("--type", required=True, metavar="TERM", help="the type, such as 'List<Int>'")
    value.add_argument("--types", metavar="FILE", help="the declarations that TERM names: a map of them, or a listing")
    value.add_argument("--reply", action="store_true", help="by the rules of a reply: no opaque type is built")

    typespec = _command(commands, "typespec", "check a TypeSpec, and a generic call's view of its types")
    typespec.add_argument("action", choices=["check"], metavar="check", help="read FILE and check it")
    typespec.add_argument("file", metavar="FILE", help="a TypeSpec as JSON; - is standard input")
    typespec.add_argument("--view", metavar="FILE", help="the members `types` and `schema` of a call of its Tool")

    explain = _command(commands, "explain", "print the page of a finding's code")
    explain.add_argument("code", nargs="?", metavar="CODE", help="such as drift; without it, all codes")
    return main_parser, dict(commands.choices)


def _command(
    commands: argparse._SubParsersAction[argparse.ArgumentParser], name: str, about: str
) -> argparse.ArgumentParser:
    return commands.add_parser(
        name,
        help=about,
        description=f"{about[0].upper()}{about[1:]}.",
        epilog=_EXAMPLES[name],
        formatter_class=_Formatter,
        allow_abbrev=False,
    )


def _with_paths(command: argparse.ArgumentParser) -> argparse.ArgumentParser:
    command.add_argument(
        "paths",
        nargs="*",
        metavar="PATH",
        help="a folder, a .flow file or a flow.toml (default: this folder); a folder named is a workspace folder",
    )
    _with_workspace(command)
    return command


def _with_workspace(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--workspace",
        metavar="FOLDER",
        help="the workspace folder, where PATHs only choose what is looked at; imports reach all of it",
    )
    command.add_argument(
        "--repository",
        action="append",
        default=[],
        metavar="NAME@VERSION[=FOLDER]",
        help="FOLDER (default: the workspace folder) is this repository at this version",
    )


def _with_override(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--override",
        action="append",
        default=[],
        metavar="IDENTITY=COMMAND",
        help="bind the Tool of that identity to a command, whatever flow.toml says",
    )


def _with_trust(command: argparse.ArgumentParser) -> None:
    command.add_argument("--trust", action="store_true", help="run the commands of the workspace without asking")
    command.add_argument(
        "--timeout", type=_seconds, metavar="SECONDS", help="how long a command may take to answer (default: 10)"
    )


def _port(text: str) -> int:
    if not (text.isascii() and text.isdigit()) or not 0 < int(text[:9]) < 65536:
        raise argparse.ArgumentTypeError("a port is a number from 1 to 65535")
    return int(text)


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = -1.0
    if not 0 < seconds <= 600:
        raise argparse.ArgumentTypeError("a time is a number of seconds above 0 and up to 600, such as 30")
    return seconds
