"""One thing that may be typed in a `.flow` file, as the features that offer it hand it on."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from flow_lsp.analysis.edits import TextEdit
from flow_lsp.text.spans import Span


class OfferKind(StrEnum):
    """What is offered."""

    TYPE = "type"
    ENUM = "enum"
    BUILT_IN = "built-in"
    PARAMETER = "type-parameter"
    MODULE = "module"
    FILE = "file"
    FOLDER = "folder"
    KEYWORD = "keyword"
    SNIPPET = "snippet"


class DeclaredName(NamedTuple):
    """A type by the path of the file that declares it, and its name there."""

    path: str
    name: str


@dataclass(slots=True)  # a hundred are made for each key that is pressed, and freezing one doubles what it costs
class Offer:
    """`text` in place of what stands at `span`, which ends at the cursor; `word` is all of the word there.

    `snippet` is the same with places to fill in, as the LSP writes them, empty where there are none; `edits` are what
    else is to change; `typed` is what a person would type to find it. What a type is documented by is `declared`, where
    a file declares it, and `doc` of anything else. Offers are made in the order of their use.
    """

    label: str
    kind: OfferKind
    span: Span
    word: Span
    text: str
    snippet: str = ""
    detail: str = ""
    doc: str | None = None
    typed: str = ""
    edits: tuple[TextEdit, ...] = ()
    declared: DeclaredName | None = None


@dataclass(frozen=True, slots=True)
class Offers:
    """All that is offered at a place; not `complete` where more would be with more of a word."""

    offers: tuple[Offer, ...] = ()
    complete: bool = True
