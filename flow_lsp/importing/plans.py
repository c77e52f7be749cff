"""What is to be declared for one tool's schema: records and enums, before they are text."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias

from flow_lsp.importing.comments import doc_lines, note_lines

INDENT = "    "
JSON = "json.Value"


@dataclass(slots=True)
class FieldPlan:
    """A field or parameter. `record` is the name of the record that each value of it holds, so that a circle of such
    fields would have no value; empty where there is none."""

    name: str
    type: str
    record: str = ""
    doc: str | None = None
    notes: list[str] = field(default_factory=list)

    def lines(self) -> list[str]:
        """It as indented text."""
        return [
            *note_lines(self.notes, INDENT),
            *doc_lines(self.doc, INDENT),
            f"{INDENT}{self.name}: {self.type},",
        ]


@dataclass(slots=True)
class RecordPlan:
    """A record. `notes` stand in it and say what is left out."""

    name: str
    doc: str | None = None
    fields: list[FieldPlan] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def lines(self) -> list[str]:
        """It as text."""
        inner = [*note_lines(self.notes, INDENT), *(line for one in self.fields for line in one.lines())]
        head = f"pub record {self.name} {{"
        return [*doc_lines(self.doc), *([head, *inner, "}"] if inner else [head + "}"])]


@dataclass(slots=True)
class EnumPlan:
    """An enum whose constructors are the texts that are allowed."""

    name: str
    constructors: list[str]
    doc: str | None = None

    def lines(self) -> list[str]:
        """It as text."""
        inner = [f"{INDENT}{constructor}," for constructor in self.constructors]
        return [*doc_lines(self.doc), f"pub enum {self.name} {{", *inner, "}"]


Plan: TypeAlias = RecordPlan | EnumPlan


def without_circles(records: list[RecordPlan]) -> None:
    """Ends each circle of records that always hold each other: the field that closes it becomes json.Value."""
    by_name = {record.name: record for record in records}
    done: set[str] = set()
    for start in by_name:
        if start in done:
            continue
        path = {start}  # the records that are being looked into, each with the fields still to be followed
        stack = [(start, iter(by_name[start].fields))]
        while stack:
            name, fields = stack[-1]
            follow = next((one for one in fields if one.record and one.record not in done), None)
            if follow is None:
                stack.pop()
                path.discard(name)
                done.add(name)
            elif follow.record in path:
                follow.notes.append(f"{follow.record}, which would hold itself without end: any JSON value.")
                follow.type, follow.record = JSON, ""
            else:
                path.add(follow.record)
                stack.append((follow.record, iter(by_name[follow.record].fields)))
