"""Rules about declarations behind an MCP server, and about the server ("Adapters"; decisions 11).

What differs between a declaration and an MCP tool's schemas is advice and never drift: MCP schemas are no fingerprints.
"""

from __future__ import annotations

from flow_lsp.findings.model import Rule, Severity

NO_MCP_TOOL = Rule(
    "unbound-no-mcp-tool",
    Severity.ERROR,
    "`{tool}` is unbound: the MCP server `{command}` ({server}) offers no tool `{tool}`.{hint_text}{as_of_text}",
    "A Tool of whose name its MCP server offers no tool.",
    "Adapters; decisions 11",
)
GENERIC = Rule(
    "unbound-generic",
    Severity.ERROR,
    "`{tool}` is unbound: it is generic, and MCP has no place for the types of a generic call. Declare it for one "
    "type, or bind this file to a command.",
    "A generic Tool that is bound to an MCP server.",
    "decisions 11",
)
MCP_FAILED = Rule(
    "mcp-failed",
    Severity.ERROR,
    "`{command}` was asked as an MCP server what tools it offers, and {reason_text}{remedy_text}{stderr_text}"
    "{as_of_text}",
    "An MCP server that gave no list of its tools.",
    "Adapters; decisions 11",
)
MCP_REVISION = Rule(
    "mcp-revision",
    Severity.ERROR,
    "The MCP server `{command}` {reason_text} Use a version of the server that speaks one of these.{as_of_text}",
    "An MCP server that speaks no revision of MCP which this host does.",
    "Adapters; decisions 11",
)
MCP_TASK = Rule(
    "mcp-task",
    Severity.WARNING,
    "Each call of `{tool}` fails: the MCP server `{command}` ({server}) takes its calls as tasks alone, which this "
    "host does not make. Use a tool of the server that can be called.{as_of_text}",
    "A Tool whose MCP tool takes calls as tasks alone.",
    "decisions 11",
)
MCP_DIFFERS = Rule(
    "mcp-differs",
    Severity.INFORMATION,
    "`{tool}` and its MCP tool at {server} differ: {differences_text}. Nothing is refused for it, since MCP schemas "
    "are no fingerprints; but a call may be, or its reply may not decode.{as_of_text}",
    "A Tool whose declaration and MCP tool differ.",
    "decisions 11",
)
MCP_NO_OUTPUT_SCHEMA = Rule(
    "mcp-no-output-schema",
    Severity.HINT,
    "`{tool}` of {server}: {reason_text}.{as_of_text}",
    "A Tool whose MCP tool does not say what it gives.",
    "decisions 11",
)

RULES = (NO_MCP_TOOL, GENERIC, MCP_FAILED, MCP_REVISION, MCP_TASK, MCP_DIFFERS, MCP_NO_OUTPUT_SCHEMA)
