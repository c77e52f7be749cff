"""Rules about flow.toml (sections "flow.toml" and "Binding"; decisions 7 and 10).

All but SHADOWED, MISSING_FILE, PROGRAM_NOT_FOUND and UNREADABLE_MANIFEST are said from the text alone.
"""

from __future__ import annotations

from flow_lsp.findings.model import Rule, Severity

TOML = Rule(
    "toml",
    Severity.ERROR,
    "{problem_text}",
    "A manifest whose text is not TOML 1.0.",
    "decisions 10",
)
UNKNOWN_KEY = Rule(
    "unknown-key",
    Severity.ERROR,
    "`{key}` is no key of {where_text}. {remedy_text}",
    "A key that flow.toml does not have.",
    "flow.toml; decisions 10",
)
NOT_TABLE = Rule(
    "not-table",
    Severity.ERROR,
    "`{key}` must be a table, and is {kind_text}. {remedy_text}",
    "`tools`, or an entry of it, that is no table.",
    "flow.toml; decisions 10",
)
PATH = Rule(
    "path",
    Severity.ERROR,
    "`{key}` is no path of a .flow file below this directory: {reason_text}",
    "A table key that is no path inside the manifest's directory to a .flow file.",
    "flow.toml; decisions 10",
)
SAME_PATH = Rule(
    "same-path",
    Severity.ERROR,
    "`{key}` names the same file as `{first}`, which has a table already. Keep one of the two tables.",
    "Two table keys that name one file.",
    "decisions 10",
)
ONE_OF = Rule(
    "one-of",
    Severity.ERROR,
    "The table for `{key}` names {count_text}. {remedy_text}",
    "A table that names none or both of command and mcp.",
    "flow.toml; decisions 10",
)
VALUE = Rule(
    "value",
    Severity.ERROR,
    "`{key}` {reason_text}",
    "A command or mcp that is no string of at least one word.",
    "decisions 7 and 10",
)
SHADOWED = Rule(
    "shadowed",
    Severity.WARNING,
    "This table has no effect: the nearest flow.toml of `{key}` is {manifest}. Move the table there or remove it.",
    "A table for a file that has a nearer manifest.",
    "Binding; decisions 10",
    unnecessary=True,
)
MISSING_FILE = Rule(
    "missing-file",
    Severity.WARNING,
    "There is no file `{key}` below the directory of this flow.toml. Correct the key, create the file, or remove the "
    "table.",
    "A table for a file that does not exist.",
    "decisions 10",
)
PROGRAM_NOT_FOUND = Rule(
    "program-not-found",
    Severity.ERROR,
    "The program `{program}` cannot be started: {reason_text}",
    "A command whose program cannot be found or started.",
    "Binding; decisions 7",
)
UNREADABLE_MANIFEST = Rule(
    "unreadable-manifest",
    Severity.ERROR,
    "This flow.toml cannot be read, so nothing below it is bound: {reason_text}",
    "A flow.toml that cannot be read, is not UTF-8, or is no file.",
    "decisions 10",
)

RULES = (
    TOML,
    UNKNOWN_KEY,
    NOT_TABLE,
    PATH,
    SAME_PATH,
    ONE_OF,
    VALUE,
    SHADOWED,
    MISSING_FILE,
    PROGRAM_NOT_FOUND,
    UNREADABLE_MANIFEST,
)
