"""Implementations in Python, begun and kept in step from the editor: what `flow-lsp generate python` writes, as one
change that can be undone ("Toolkits")."""

from __future__ import annotations

import re
from collections.abc import Iterator
from posixpath import basename, dirname, join, relpath
from typing import TYPE_CHECKING, Final

from flow_lsp.analysis.edits import Change, TextEdit, in_one_file
from flow_lsp.analysis.fixes.model import Fix, FixContext
from flow_lsp.analysis.manifest_edits import added_table
from flow_lsp.binding.model import Bound, CommandKey, Unbound, UnboundReason, table_command
from flow_lsp.binding.nearest import MANIFEST_NAME, overridden, table_key
from flow_lsp.findings import binding_rules
from flow_lsp.findings.model import Finding, shown
from flow_lsp.generating.generate import DEFAULT_MODULE, MAIN, Generated, generate
from flow_lsp.generating.header import Origin, origin_of
from flow_lsp.manifest.model import BindingKind
from flow_lsp.manifest.paths import can_be_named
from flow_lsp.manifest.toml_writing import table_text
from flow_lsp.manifest.words import Words, split_words
from flow_lsp.text.changes import common_prefix, common_suffix
from flow_lsp.text.paths import joined, parent
from flow_lsp.text.spans import Span

if TYPE_CHECKING:
    from collections.abc import Sequence

MOST_NAMES: Final = 100  # of a new package that are tried
_UNBOUND: Final = (binding_rules.NO_MANIFEST.code, binding_rules.NO_TABLE.code)
_UNFIT: Final = (binding_rules.DRIFT.code, binding_rules.UNSERVED.code)
_NO_NAME: Final = re.compile(r"[^A-Za-z0-9_]+")
_PLAIN: Final = re.compile(r"[\w./@%+=:,-]+", re.ASCII)
_IMPORT: Final = re.compile(r"^\s*(?:from|import)\s+([A-Za-z_]\w*)", re.MULTILINE)


def at_place(context: FixContext, span: Span) -> Iterator[Fix]:
    """At an unbound Tool a first implementation, at one that no longer fits the types generated anew; each once."""
    begun = False
    updated: set[str] = set()
    for finding in context.analysis.findings(context.snapshot, context.key):
        if finding.span.start > span.end or span.start > finding.span.end:
            continue
        if finding.rule.code in _UNBOUND and not begun:
            begun = True
            yield from _implementation(context, finding)
        elif finding.rule.code in _UNFIT:
            for path, fix in _updates(context, finding):
                if path not in updated:
                    updated.add(path)
                    yield fix


# -- a first implementation -----------------------------------------------------------------------------


def _implementation(context: FixContext, finding: Finding) -> Iterator[Fix]:
    title = "Generate Python implementation"
    binding = context.snapshot.binding_of(context.key)
    if not isinstance(binding, Unbound) or not can_be_named(binding.key):
        return
    home = parent(context.key) if binding.manifest is None else parent(binding.manifest)
    made = _generated(context, [context.key], home)
    if isinstance(made, str):
        yield Fix(title, finding=finding, disabled=made)
        return
    directory = _new_directory(context)
    if directory is None:
        return
    windows = any(file.manifest is not None and file.manifest.windows for file in context.snapshot.manifests.values())
    words = [context.snapshot.environment.python(home), relpath(joined(directory, f"{MAIN}.py"), home)]
    command = _command(words, windows)
    if command is None:
        return
    created = {joined(directory, f"{made.name}.py"): made.module, joined(directory, f"{MAIN}.py"): made.main()}
    where = shown(relpath(directory, parent(context.key)))
    if binding.reason is UnboundReason.NO_MANIFEST:
        created[joined(home, MANIFEST_NAME)] = table_text(table_key(context.key, home), BindingKind.COMMAND, command)
        yield Fix(f"{title} in {where}, with a new flow.toml", Change(created=created), finding)
        return
    file = context.snapshot.manifests[home]
    edits = None
    if file.manifest is not None and not file.refuses:
        edits = added_table(file.manifest, binding.key, BindingKind.COMMAND, command)
    if edits is not None:
        yield Fix(f"{title} in {where}", Change({file.path: edits}, created), finding)


def _new_directory(context: FixContext) -> str | None:
    """A directory beside the source in which nothing of ours stands; None where every name is taken."""
    stem = _NO_NAME.sub("_", basename(context.key).removesuffix(".flow")).strip("_") or "flow"
    exists = context.snapshot.environment.exists
    for number in range(1, MOST_NAMES):
        name = f"{stem}_tools" if number == 1 else f"{stem}_tools_{number}"
        directory = joined(parent(context.key), name)
        files = (f"{MAIN}.py", f"{DEFAULT_MODULE}.py", "__init__.py")
        if not any(exists(joined(directory, file)) for file in files):
            return directory
    return None


def _command(words: Sequence[str], windows: bool) -> str | None:
    """A command line of these words; None where they cannot be written in one."""
    text = " ".join(word if _PLAIN.fullmatch(word) else f'"{word}"' for word in words)
    split = split_words(text, windows)
    return text if isinstance(split, Words) and split.words == tuple(words) else None


# -- generated types that are behind --------------------------------------------------------------------


def _updates(context: FixContext, finding: Finding) -> Iterator[tuple[str, Fix]]:
    """The generated modules of the implementation that answers the Tool of `finding`, each with its fix."""
    key = _command_at(context, finding)
    if key is None or key.kind is not BindingKind.COMMAND:
        return
    for path, text in _generated_modules(context, key):
        sources = _bound_to(context, key)
        made = _generated(context, sources, key.directory, basename(path).removesuffix(".py"))
        where = shown(relpath(path, parent(context.key)))
        if isinstance(made, str):
            yield path, Fix(f"Update generated types in {where}", finding=finding, disabled=made)
        elif made.module != text:
            change = in_one_file(path, _difference(text, made.module))
            yield path, Fix(f"Update generated types in {where}", change, finding)


def _command_at(context: FixContext, finding: Finding) -> CommandKey | None:
    for tool in context.analysis.tools(context.snapshot, context.key):
        span = tool.declared.span
        if span.start <= finding.span.end and finding.span.start <= span.end:
            binding = context.snapshot.binding_of(context.key)
            bound = overridden(binding, tool.declared.identity, context.snapshot.settings.overrides)
            return bound.key if isinstance(bound, Bound) else None
    return None


def _generated_modules(context: FixContext, key: CommandKey) -> Iterator[tuple[str, str]]:
    """The modules, as they were generated, that a script of the command imports from beside it, with their texts."""
    environment = context.snapshot.environment
    seen: set[str] = set()
    for word in key.words:
        if not word.endswith(".py"):
            continue
        script = join(key.directory, word)
        text = environment.text(script)
        for name in dict.fromkeys([DEFAULT_MODULE, *_IMPORT.findall(text or "")]):
            path = join(dirname(script), f"{name}.py")
            if path in seen or not environment.exists(path):
                continue
            seen.add(path)
            module = environment.text(path)
            if module is not None and origin_of(module.encode("utf-8", "surrogatepass")) is Origin.GENERATED:
                yield path, module


def _bound_to(context: FixContext, key: CommandKey) -> list[str]:
    """The sources that the manifest of `key` binds to it."""
    file = context.snapshot.manifests.get(key.directory)
    tables = file.manifest.tables if file is not None and file.manifest is not None else ()
    found = {
        joined(key.directory, table.path)
        for table in tables
        if table.path is not None and table_command(key.directory, table) == key
    }
    return sorted(path for path in found | {context.key} if path in context.snapshot.sources)


def _generated(
    context: FixContext, sources: Sequence[str], folder: str, module: str = DEFAULT_MODULE
) -> Generated | str:
    """The module for the Tools of `sources`, or a sentence that says why there is none."""
    made = generate(context.analysis.listing(context.snapshot, sources, folder), module)
    return made if isinstance(made, Generated) else made.reasons[0]


def _difference(before: str, after: str) -> TextEdit:
    start = common_prefix(before, after)
    end = common_suffix(before, after, start)
    return TextEdit(Span(start, len(before) - end), after[start : len(after) - end])
