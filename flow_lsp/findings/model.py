"""Rules and findings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import IntEnum

from flow_lsp.text.spans import Span
from flow_lsp.text.visible import visible

SHOWN = 80  # how many characters of a name or value from outside a sentence repeats


class Severity(IntEnum):
    """The LSP's DiagnosticSeverity."""

    ERROR = 1
    WARNING = 2
    INFORMATION = 3
    HINT = 4


def shown(value: object) -> str:
    """`value` as a sentence may repeat it: at most 80 characters before escapes, all of which can be seen
    (`visible`), so that every sentence can be sent as UTF-8 and none can move a terminal's cursor."""
    text = str(value)
    return visible(text if len(text) <= SHOWN else text[: SHOWN - 1] + "…")


@dataclass(frozen=True)
class Rule:
    """One kind of finding. `code` is stable and never used again for another rule.

    `message` is the sentence with `{names}` for what the finding says of its case; `section` names the
    part of the specification that the rule realizes.
    """

    code: str
    severity: Severity
    message: str
    summary: str
    section: str
    since: str = "0.1.0"
    unnecessary: bool = False

    def at(self, span: Span, related: tuple[Related, ...] = (), **arguments: object) -> Finding:
        """A finding of this rule at `span`, its sentence completed from `arguments`."""
        return Finding(self, span, {name: str(value) for name, value in arguments.items()}, related)


@dataclass(frozen=True, slots=True)
class Related:
    """Another place that explains a finding: `path` is the file's absolute path with `/`."""

    path: str
    span: Span
    message: str


@dataclass(frozen=True, slots=True)
class Finding:
    """Something said at a place of one file. `arguments` are the case's own words, in full."""

    rule: Rule
    span: Span
    arguments: Mapping[str, str] = field(default_factory=dict)
    related: tuple[Related, ...] = ()

    @property
    def message(self) -> str:
        """The sentence, the same for editor, command line and JSON. Words from outside are cut to
        80 printable characters, but for arguments whose name ends in `_text`, which are our own."""
        return self.rule.message.format_map(
            {name: value if name.endswith("_text") else shown(value) for name, value in self.arguments.items()}
        )

    def shifted(self, by: int) -> Finding:
        """The same finding in a text that has `by` more code points before it."""
        return Finding(self.rule, self.span.shifted(by), self.arguments, self.related) if by else self
