"""Rules about `.flow` declarations: what does not parse, does not resolve, or may not cross (decisions 5,
6, 8)."""

from __future__ import annotations

from flow_lsp.findings.model import Rule, Severity

SYNTAX = Rule(
    "syntax",
    Severity.ERROR,
    "{problem_text}",
    "A declaration that does not parse; it declares nothing until it does.",
    "decisions 8",
)
NESTING = Rule(
    "nesting",
    Severity.ERROR,
    "This type is nested more than {limit} levels deep, which is not read. Give the inner part a name of "
    "its own, as a record or an enum.",
    "A type written deeper than is read.",
    "decisions 8",
)
MISSPELT = Rule(
    "misspelt",
    Severity.WARNING,
    "`{word}` declares nothing, so this is skipped. Is `{meant}` meant?",
    "A word before a declaration that is nearly `@tool`, `record` or `enum`.",
    "decisions 8",
)
OPEN_COMMENT = Rule(
    "open-comment",
    Severity.WARNING,
    "This comment does not end, so everything after it is skipped. Close it with `*/`.",
    "A block comment that runs to the end of the file.",
    "decisions 8",
)
UNREADABLE_SOURCE = Rule(
    "unreadable-source",
    Severity.ERROR,
    "This file cannot be read as Flow text: {reason_text}",
    "A `.flow` file that cannot be read, or is not UTF-8.",
    "decisions 8",
)
UNKNOWN_TYPE = Rule(
    "unknown-type",
    Severity.ERROR,
    "There is no type `{name}` here. {remedy_text}",
    "A type that is not declared, imported or built in.",
    "decisions 8",
)
IMPORT = Rule(
    "import",
    Severity.ERROR,
    "{problem_text}",
    "An import whose file is not found, or a name that the file does not declare.",
    "decisions 8",
)
UNUSED_IMPORT = Rule(
    "unused-import",
    Severity.HINT,
    "Nothing in this file uses `{name}`. Remove it from the import.",
    "An import that nothing uses.",
    "decisions 8",
    unnecessary=True,
)
ARITY = Rule(
    "arity",
    Severity.ERROR,
    "`{name}` takes {expected_text}, and {given_text} here.",
    "A type with too many or too few type arguments.",
    "Type descriptions; decisions 8",
)
RESULT = Rule(
    "result",
    Severity.ERROR,
    "The Tool `{tool}` {problem_text}. A Tool's result is Result<T, E>: what it gives on success, and its "
    "declared error, or Never where it has none.",
    "A `@tool` function whose result is no Result.",
    "decisions 8",
)
BODY = Rule(
    "body",
    Severity.ERROR,
    "The Tool `{tool}` has a body. A `@tool` function is a declaration alone: remove the body, or remove "
    "`@tool` if Flow code is to run.",
    "A `@tool` function with a body.",
    "decisions 8",
)
CROSSING = Rule(
    "crossing",
    Severity.ERROR,
    "The Tool `{tool}` cannot be called: {place_text} holds {what_text}, which has no encoding and cannot "
    "cross to an implementation. {remedy_text}",
    "A Tool that takes or gives a function, a task, or a type that is no data.",
    "The value encoding; decisions 8",
)
OPAQUE = Rule(
    "opaque",
    Severity.ERROR,
    "The Tool `{tool}` cannot give {what_text} back: {place_text} holds it, and an opaque type cannot be "
    "built by decoding a reply. Return a record that is not opaque, or a host type.",
    "An opaque type in a Tool's success or error type.",
    "decisions 3, 8",
)
DUPLICATE_NAME = Rule(
    "duplicate-name",
    Severity.ERROR,
    "{what_text} `{name}` stands here a second time. Rename or remove one of the two.",
    "A name twice where names must differ.",
    "Type descriptions; decisions 6",
)
REPEATED_NAME = Rule(
    "repeated-name",
    Severity.WARNING,
    "`{name}` is {how_text} in this file already, and that is what the name means here. Rename one of the "
    "two, or remove this one.",
    "A type or import that an earlier one of the same name hides.",
    "decisions 6",
)
PARAMETER_NAME = Rule(
    "parameter-name",
    Severity.ERROR,
    "A type parameter may not be called `{name}`, which is the name of a primitive type. Choose another "
    "name, such as T.",
    "A type parameter with a primitive type's name.",
    "decisions 5",
)
ENDLESS_VALUE = Rule(
    "endless-value",
    Severity.ERROR,
    "No value of `{name}` can ever be made: {path_text}, with no List, Set, Dict, Option or enum between. "
    "Make one of these fields an Option or a List.",
    "A type that must contain itself.",
    "decisions 8",
)
GROWING_TYPE = Rule(
    "growing-type",
    Severity.ERROR,
    "`{name}` needs ever new types: {path_text}. Let the type inside repeat its parameters as they are.",
    "A generic type that holds itself with ever larger arguments.",
    "decisions 8",
)
TYPE_LIMIT = Rule(
    "type-limit",
    Severity.ERROR,
    "The Tool `{tool}` reaches more than {limit} different instances of generic types, which is not "
    "described. Use fewer type parameters, or named types in place of arguments.",
    "A Tool whose generic types multiply beyond any use.",
    "Type descriptions",
)
NO_ORDER = Rule(
    "no-order",
    Severity.ERROR,
    "{place_text} must have an order, and {what_text} has none. {remedy_text}",
    "A Set's items or a Dict's keys of a type that has no order.",
    "decisions 2",
)
SAME_KEY = Rule(
    "same-key",
    Severity.ERROR,
    "The Tool `{tool}` reaches two different types that are both called {identity} in its signature, so it "
    "has no fingerprint. Use one of them alone, or rename one.",
    "Two types of one Tool that come out under one key.",
    "Identity and fingerprints; decisions 5",
)

RULES = (
    SYNTAX,
    NESTING,
    MISSPELT,
    OPEN_COMMENT,
    UNREADABLE_SOURCE,
    UNKNOWN_TYPE,
    IMPORT,
    UNUSED_IMPORT,
    ARITY,
    RESULT,
    BODY,
    CROSSING,
    OPAQUE,
    DUPLICATE_NAME,
    REPEATED_NAME,
    PARAMETER_NAME,
    ENDLESS_VALUE,
    GROWING_TYPE,
    TYPE_LIMIT,
    NO_ORDER,
    SAME_KEY,
)
