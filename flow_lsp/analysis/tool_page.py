"""A Tool and every type that it reaches, as a page to read: sections of Flow text in pieces, which lead to each other,
and the same as Markdown.

Names and comments in it are as somebody wrote them. In pieces they stand on one line and can be seen; Markdown is
escaped as in hovers.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from flow_lsp.analysis.built_in_words import BUILT_IN_WORDS
from flow_lsp.analysis.hover import ToolState, shown_long, tool_state
from flow_lsp.analysis.lenses import advice_on
from flow_lsp.analysis.markdown import block, code, escaped, prose
from flow_lsp.analysis.snapshot import Snapshot
from flow_lsp.analysis.tool_pieces import Line, Piece, TypeWriter, joined_lines, line_text
from flow_lsp.analysis.tool_texts import schema_text
from flow_lsp.analysis.tool_tree import stable_word
from flow_lsp.findings.model import shown
from flow_lsp.source.standard import RESULT_ID
from flow_lsp.text.spans import Span
from flow_lsp.text.visible import visible
from flow_lsp.types.terms import Constructor, Field, Kind, Parameter, Template, TypeSpec

if TYPE_CHECKING:
    from flow_lsp.analysis.engine import Analysis, FileTool

TOOL_SECTION = "tool"
MOST_TYPES = 1_000
MOST_MEMBERS = 1_000
DOC_LINES = 40  # of a member
DOC_WIDTH = 400  # characters of one of them
LONGEST_DOC = 20_000  # characters of a section's
LINE_WIDTH = 96

_PLAIN = frozenset(("Int", "Bool", "Text", "List", "Result"))  # what they are in JSON needs no words


@dataclass(frozen=True, slots=True)
class Section:
    """One declaration. `place` is the path of its file and where its name stands, None for one of std's; `lines` are
    its Flow text; `notes` are sentences beside it."""

    id: str
    heading: str
    kind: str
    doc: str | None
    place: tuple[str, Span] | None
    lines: tuple[Line, ...]
    notes: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """The lines as one text."""
        return "\n".join(map(line_text, self.lines))


@dataclass(frozen=True, slots=True)
class ToolPage:
    """The page of a Tool: its own section, and one for each type, in the order in which they are mentioned."""

    title: str
    identity: str
    fingerprint: str
    state: str
    detail: str
    doc: str | None
    json: str
    sections: tuple[Section, ...]

    @property
    def markdown(self) -> str:
        """The page as Markdown in which no text of the declarations is markup."""
        tool, *types = self.sections
        facts = f"identity {code(visible(self.identity))}  \nfingerprint {code(self.fingerprint)}"
        parts = [f"# {escaped(visible(self.title))}", f"**{self.state}**: {prose(shown_long(self.detail))}"]
        parts += [*_body(tool), facts]
        for section in types:
            parts += [f"## {escaped(visible(section.heading))}", *_body(section)]
        return "\n\n".join(parts) + "\n"


def _body(section: Section) -> Iterator[str]:
    if section.doc:
        yield escaped(section.doc)
    yield block("flow", section.text)
    if section.notes:
        yield "\n".join(f"- {escaped(note)}" for note in section.notes)


def tool_page(analysis: Analysis, snapshot: Snapshot, key: str, tool: FileTool) -> ToolPage | None:
    """The page of `tool`, of the source `key`; None while its signature is not known. Linear in what it reaches."""
    spec, signature = tool.declaration.spec, tool.declared.signature
    if spec is None or signature is None:
        return None
    state = tool_state(snapshot, snapshot.binding_of(key), tool.declared)
    return ToolPage(
        tool.declared.name,
        tool.declared.identity,
        signature.fingerprint,
        stable_word(state),
        advice_on(analysis, snapshot, key, tool),
        _doc(tool.declaration.doc),
        schema_text(tool.declared, signature),
        tuple(_Pages(snapshot, key, tool, spec, state).sections()),
    )


class _Pages:
    def __init__(self, snapshot: Snapshot, key: str, tool: FileTool, spec: TypeSpec, state: ToolState) -> None:
        self._snapshot = snapshot
        self._key = key
        self._tool = tool
        self._spec = spec
        self._state = state
        self._write = TypeWriter(spec.declarations, MOST_TYPES)
        self._explained: set[str] = set(_PLAIN)

    def sections(self) -> Iterator[Section]:
        yield self._tool_section()
        for local_id in self._write.mentioned:  # grows while it is read
            yield self._type_section(local_id, self._spec.declarations[local_id])

    def _tool_section(self) -> Section:
        name, declaration = self._tool.declared.name, self._tool.declaration
        spec = self._spec
        generic = f"<{', '.join(spec.generic)}>" if spec.generic else ""
        head = f"fn {name}{generic}("
        params = [self._parameter(param) for param in declaration.params[:MOST_MEMBERS]]
        result: Line = (
            Piece(") -> Result<"),
            *self._write.term(spec.ok, spec.generic),
            Piece(", "),
            *self._write.term(spec.err, spec.generic),
            Piece(">"),
        )
        one_line: list[Piece] = [Piece(head)]
        for index, (_, line) in enumerate(params):
            one_line += (*([Piece(", ")] if index else ()), *line)
        one_line += result
        documented = any(docs for docs, _ in params)
        cut = len(declaration.params) - len(params)
        if documented or cut or sum(len(piece.text) for piece in one_line) > LINE_WIDTH:
            lines = [(Piece("@tool"),), (Piece(head),), *_members(params, cut), result]
        else:
            lines = [(Piece("@tool"),), tuple(one_line)]
        place = self._key, self._tool.declared.span
        notes = (*self._binding_notes(), *self._notes())
        return Section(TOOL_SECTION, name, "tool", _doc(declaration.doc), place, joined_lines(lines), notes)

    def _parameter(self, param: Parameter) -> tuple[Sequence[Line], Line]:
        line = (Piece(f"{param.name}: "), *self._write.term(param.type, self._spec.generic))
        return _comments(param.doc), line

    def _binding_notes(self) -> Iterator[str]:
        bound, described = self._state.bound, self._state.described
        if bound is not None:
            as_of = described.as_of_text if described is not None else ""
            yield f"Bound to {shown(bound.key.command)}{as_of}."

    def _type_section(self, local_id: str, template: Template) -> Section:
        generic = f"<{', '.join(template.generic)}>" if template.generic else ""
        name = self._write.name(local_id)
        opaque = "opaque " if template.opaque else ""
        head = f"{opaque}{template.kind} {template.name}{generic}"
        notes = []
        if template.opaque:
            notes.append("It is opaque: whoever gets a value may hand it on, and nobody makes one from JSON.")
        if template.kind is Kind.HOST:
            notes.append("A token of the host, which is handed back unchanged; a string in JSON.")
            lines: Sequence[Line] = ((Piece(head),),)
        elif template.kind is Kind.RECORD:
            fields = [self._field(field, template) for field in template.fields[:MOST_MEMBERS]]
            lines = _braced(head, fields, len(template.fields))
        else:
            constructors = [self._constructor(one, template) for one in template.constructors[:MOST_MEMBERS]]
            lines = _braced(head, constructors, len(template.constructors))
        notes += self._notes()
        place = None if local_id == RESULT_ID else _place(self._snapshot, local_id)
        section_id = self._write.section_id(local_id)
        kind, doc = str(template.kind), _doc(template.doc)
        return Section(section_id, name + generic, kind, doc, place, joined_lines(lines), tuple(notes))

    def _field(self, field: Field, owner: Template) -> tuple[Sequence[Line], Line]:
        return _comments(field.doc), (Piece(f"{field.name}: "), *self._write.term(field.type, owner.generic))

    def _constructor(self, one: Constructor, owner: Template) -> tuple[Sequence[Line], Line]:
        pieces = [Piece(one.name)]
        if one.positional is not None:
            opening = "("
            for term in one.positional[:MOST_MEMBERS]:
                pieces += (Piece(opening), *self._write.term(term, owner.generic))
                opening = ", "
            pieces.append(Piece(")" if one.positional else "()"))
        elif one.named is not None:
            opening = " { "
            for part in one.named[:MOST_MEMBERS]:
                pieces += (Piece(f"{opening}{part.name}: "), *self._write.term(part.type, owner.generic))
                opening = ", "
            pieces.append(Piece(" }" if one.named else " {}"))
        return _comments(one.doc), tuple(pieces)

    def _notes(self) -> list[str]:
        """What the built-in types are that were mentioned since the last time, and in no section before."""
        found = [name for name in self._write.take_built_in() if name not in self._explained]
        self._explained.update(found)
        return [f"{name}: {BUILT_IN_WORDS[name]}" for name in found]


def _place(snapshot: Snapshot, local_id: str) -> tuple[str, Span] | None:
    """Where the name of a declared type stands."""
    path, _, name = local_id.rpartition(":")
    source = snapshot.sources.get(path)
    index = source.declared.get(name) if source is not None else None
    if source is None or index is None:
        return None
    return path, source.items[index].name_span.shifted(source.starts[index])


def _braced(head: str, members: Sequence[tuple[Sequence[Line], Line]], count: int) -> Sequence[Line]:
    if not members:
        return ((Piece(f"{head} {{}}"),),)
    return ((Piece(f"{head} {{"),), *_members(members, count - len(members)), (Piece("}"),))


def _members(members: Sequence[tuple[Sequence[Line], Line]], cut: int) -> Iterator[Line]:
    for docs, line in members:
        yield from docs
        yield (Piece("    "), *line, Piece(","))
    if cut:
        yield (Piece(f"    // … and {cut} more"),)


def _comments(doc: str | None) -> Sequence[Line]:
    """A doc comment as Flow writes it, before a member."""
    if not doc:
        return ()
    lines = doc.split("\n", DOC_LINES)
    shown_lines = [f"    /// {visible(line[:DOC_WIDTH])}".rstrip() for line in lines[:DOC_LINES]]
    if len(lines) > DOC_LINES:
        shown_lines.append("    /// …")
    return [(Piece(line),) for line in shown_lines]


def _doc(doc: str | None) -> str | None:
    if not doc:
        return None
    text = doc if len(doc) <= LONGEST_DOC else doc[:LONGEST_DOC] + "…"
    return "\n".join(visible(line) for line in text.split("\n"))
