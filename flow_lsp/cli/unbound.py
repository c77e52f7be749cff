"""The tables that files without a binding need, for a program that was just written."""

from __future__ import annotations

import os

from flow_lsp.binding.model import Unbound
from flow_lsp.cli.terminal import printable, write
from flow_lsp.cli.workspace import Workspace, shown_path
from flow_lsp.files.paths import with_slashes
from flow_lsp.manifest.model import BindingKind
from flow_lsp.manifest.paths import can_be_named
from flow_lsp.manifest.toml_writing import table_text


def write_tables_to_add(opened: Workspace, program: str) -> None:
    """Prints, for each file of `opened` whose Tools nothing answers, the table that binds it to the Python program at
    the path `program`, under the manifest that it belongs to."""
    snapshot = opened.project.snapshot()
    tables: dict[str, list[str]] = {}
    for key in opened.sources:
        binding = snapshot.binding_of(key)
        path = opened.project.files.spelling(key)
        if not isinstance(binding, Unbound) or not opened.tools_of(key) or not can_be_named(binding.key):
            continue
        directory = path.removesuffix(binding.key).rstrip("/") or "/"
        try:
            script = with_slashes(os.path.relpath(os.path.realpath(program), os.path.realpath(directory)))
        except ValueError:  # on another drive
            continue
        words = f"{snapshot.environment.python(directory)} " + (f'"{script}"' if " " in script else script)
        table = table_text(binding.key, BindingKind.COMMAND, words)
        tables.setdefault(f"{directory.rstrip('/')}/flow.toml", []).append(table.rstrip("\n"))
    for manifest, those in tables.items():
        write(f"\nNext, bind them in {printable(shown_path(manifest))}:\n" + "\n\n".join(map(_printable_lines, those)))


def _printable_lines(text: str) -> str:
    return "\n".join(map(printable, text.split("\n")))
