"""`flow-lsp`: reads the arguments and hands over to the command's own module, imported only then."""

from __future__ import annotations

import gc
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from flow_lsp import __version__

if TYPE_CHECKING:
    import argparse

CLEAN, FINDINGS, USAGE = 0, 1, 2
INTERRUPTED = 130  # as a shell says of a program that SIGINT ended

_MODULES = {"fingerprint": "schemas", "schema": "schemas", "import-mcp": "import_mcp"}
_EXACT_FORMATS = ("json", "sarif")


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one command; returns the exit status: 0 clean, 1 findings of severity error, 2 usage or environment.

    Without `arguments` those of the process are read, and the process is taken to be there for this command alone.
    Raises SystemExit as argparse does: for --help, and for arguments that cannot be read.
    """
    words = sys.argv[1:] if arguments is None else list(arguments)
    if not words or words[0] in ("serve", "--stdio") or words[0].startswith("--tcp"):
        return _serve(words)
    from flow_lsp.cli import terminal

    if arguments is None:
        gc.disable()  # the process ends with the command, soon, and so does what it made: there is nothing to collect
    try:
        return _run(words)
    except KeyboardInterrupt:
        return INTERRUPTED
    finally:
        terminal.finish()


def _serve(words: list[str]) -> int:
    """The editor's start is the one that must be quick: the common forms skip the argument parser."""
    port = None
    if words not in ([], ["serve"], ["--stdio"], ["serve", "--stdio"]):
        from flow_lsp.cli.arguments import parsers

        options = parsers()[1]["serve"].parse_args(words[1:] if words[0] == "serve" else words)
        port = options.tcp
    from flow_lsp.server.serve import serve

    try:
        return serve(port)
    except OSError as error:
        if port is None:
            raise
        print(f"flow-lsp: port {port} cannot be listened on: {error.strerror or error}.", file=sys.stderr)
        return USAGE


def _run(words: list[str]) -> int:
    from importlib import import_module

    from flow_lsp.cli import terminal
    from flow_lsp.cli.usage import UsageError

    options = _options(words)
    exact = options.command in ("call", "tools", "schema", "value") or getattr(options, "format", "") in _EXACT_FORMATS
    terminal.prepare(exact=exact)
    try:
        if options.version:
            return _version()
        if options.command is None:
            raise UsageError("name a command; `flow-lsp --help` lists them.")
        module = _MODULES.get(options.command, options.command)
        return int(import_module(f"flow_lsp.cli.{module}").run(options))
    except UsageError as problem:
        terminal.complain(str(problem))
        return USAGE
    except Exception:
        # A fault of ours must not look like findings.
        import traceback

        traceback.print_exc()
        terminal.complain(
            "this is a fault of flow-lsp itself, not of your files; please report it with the lines above."
        )
        return USAGE


def _options(words: list[str]) -> argparse.Namespace:
    from flow_lsp.cli.arguments import parsers

    main_parser, commands = parsers()
    if words[0] not in commands:
        from flow_lsp.text.distance import nearest_name

        near = nearest_name(words[0], commands)
        if near is not None and not words[0].startswith("-"):
            main_parser.error(f"there is no command {words[0]!r}: is `{near}` meant?")
        return main_parser.parse_args(words)
    parser = commands[words[0]]
    if "--" in words:  # what follows is no option; argparse cannot have that and the other
        options = parser.parse_args(words[1:])
    else:  # options may also stand between two paths
        options = parser.parse_intermixed_args(words[1:])
    options.command, options.version = words[0], False
    return options


def _version() -> int:
    from flow_lsp.cli.terminal import write
    from flow_lsp.protocol.mcp.revisions import REVISIONS
    from flow_lsp.values.data_version import DATA_VERSION

    major = DATA_VERSION.partition(".")[0]
    write(
        f"flow-lsp {__version__} (Flow data version {DATA_VERSION}, Language Server Protocol 3.17)\n"
        f"Tool process protocol: data version {DATA_VERSION}, with implementations of any {major}.x\n"
        f"MCP: revisions {', '.join(REVISIONS)}"
    )
    return CLEAN


if __name__ == "__main__":
    sys.exit(main())
