"""Rules about bindings and what implementations say of themselves (sections "Binding", decisions 7, 10)."""

from __future__ import annotations

from flow_lsp.findings.model import Rule, Severity

NO_MANIFEST = Rule(
    "unbound-no-manifest",
    Severity.ERROR,
    "`{tool}` is unbound: there is no flow.toml in this file's directory or above it. {remedy_text}",
    "A Tool whose file no flow.toml stands above.",
    "Binding",
)
NO_TABLE = Rule(
    "unbound-no-table",
    Severity.ERROR,
    "`{tool}` is unbound: {manifest} has no table for this file. {remedy_text}{farther_text}",
    "A Tool whose file has no table in the nearest flow.toml.",
    "Binding",
)
NO_PROGRAM = Rule(
    "unbound-no-program",
    Severity.ERROR,
    "`{tool}` is unbound: its command `{command}` cannot start. {reason_text}",
    "A Tool whose table names a program that cannot be found or started.",
    "Binding; decisions 7",
)
UNSERVED = Rule(
    "unserved",
    Severity.ERROR,
    "`{tool}` is not served: `{command}` {served_text}. Add it to the implementation, or bind this file to "
    "another one.{as_of_text}",
    "A Tool that its implementation does not list.",
    "Binding; decisions 6",
)
DRIFT = Rule(
    "drift",
    Severity.ERROR,
    "`{tool}` no longer fits its implementation `{command}`: {differences_text}. Change the declaration here or "
    "the implementation there until both agree.{as_of_text}",
    "A Tool whose implementation serves another signature.",
    "Identity and fingerprints; Binding",
)
DESCRIBE_FAILED = Rule(
    "describe-failed",
    Severity.ERROR,
    "`{command}` was asked what it serves, and {reason_text}{stderr_text}{as_of_text}",
    "An implementation that gave no usable answer to describe.",
    "The Tool process protocol; decisions 7",
)
DATA_VERSION = Rule(
    "data-version",
    Severity.ERROR,
    "`{command}` {reason_text} Build it with a toolkit of this data version, or use a flow-lsp of its own.{as_of_text}",
    "An implementation of another major data version.",
    "Versioning; decisions 7",
)
SERVED_FINGERPRINT = Rule(
    "served-fingerprint",
    Severity.ERROR,
    "`{command}` lists `{identity}` with a fingerprint that is not its signature's: {reason_text}. Generate the "
    "listing from the declarations instead of writing it by hand.{as_of_text}",
    "A served fingerprint that is not the hash of the served signature.",
    "Identity and fingerprints",
)
OUTPUT_NOISE = Rule(
    "output-noise",
    Severity.WARNING,
    "`{command}` wrote {count_text} to its standard output that {verb_text}: `{line}`. Standard output is for the "
    "protocol alone: print to standard error instead.{as_of_text}",
    "An implementation that prints to its standard output.",
    "The Tool process protocol; decisions 7",
)
SERVED_UNDECLARED = Rule(
    "served-undeclared",
    Severity.HINT,
    "`{command}` serves {names_text}, which no file bound to it declares.{as_of_text}",
    "Tools that an implementation serves and nothing declares.",
    "Binding",
)
NOT_RUN = Rule(
    "not-run",
    Severity.HINT,
    "`{command}` has not been run, so it is not known whether its Tools fit. {reason_text}",
    "A command that was not run, and why.",
    "Binding; host policy",
)

RULES = (
    NO_MANIFEST,
    NO_TABLE,
    NO_PROGRAM,
    UNSERVED,
    DRIFT,
    DESCRIBE_FAILED,
    DATA_VERSION,
    SERVED_FINGERPRINT,
    OUTPUT_NOISE,
    SERVED_UNDECLARED,
    NOT_RUN,
)
