"""Rules about the arguments of a call, as a person writes them in an editor ("Decoding"; decisions 1 to 4)."""

from __future__ import annotations

from flow_lsp.findings.model import Rule, Severity

CALL_TOOL = Rule(
    "call-tool",
    Severity.ERROR,
    "{reason_text} Nothing can be called with these arguments.",
    "Arguments of a Tool that cannot be called as it stands.",
    "The Tool process protocol",
)
ARGUMENTS_JSON = Rule(
    "arguments-json",
    Severity.ERROR,
    "This is no JSON as values are written: {reason_text}",
    "Arguments whose text is no JSON.",
    "The canonical form; decisions 3",
)
ARGUMENT = Rule(
    "argument",
    Severity.ERROR,
    "{reason_text}",
    "An argument that is missing, or is no value of its parameter's type.",
    "Decoding; decisions 1, 3 and 4",
)
TYPE_ARGUMENT = Rule(
    "type-argument",
    Severity.ERROR,
    "{reason_text}",
    "A type parameter of a generic Tool without a type that can stand for it.",
    "Type descriptions",
)
UNUSED_ARGUMENT = Rule(
    "unused-argument",
    Severity.HINT,
    "`{name}` is not used: {owner_text} has no such {word}.{hint_text}",
    "A member that no parameter, field or part goes by.",
    "Decoding; decisions 1 and 3",
    unnecessary=True,
)

RULES = (CALL_TOOL, ARGUMENTS_JSON, ARGUMENT, TYPE_ARGUMENT, UNUSED_ARGUMENT)
