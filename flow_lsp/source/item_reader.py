"""Reads one record, enum, host type or `@tool` function (decisions 8).

A declaration that does not parse to its closing bracket declares nothing, and has one finding where it
went wrong.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from flow_lsp.findings import source_rules as rules
from flow_lsp.findings.model import Finding
from flow_lsp.source.borders import Border
from flow_lsp.source.cursor import CLOSING, Cursor, Refusal, quoted
from flow_lsp.source.import_reader import read_import
from flow_lsp.source.model import (
    ConstructorSyntax,
    EnumSyntax,
    FieldSyntax,
    HostSyntax,
    Item,
    ItemKind,
    ItemSyntax,
    NameSyntax,
    RecordSyntax,
    ToolSyntax,
    TypeSyntax,
)
from flow_lsp.source.slips import slip, slip_of_tool, slips_of_keywords
from flow_lsp.source.types_reader import read_type, read_type_parameters
from flow_lsp.text.spans import Span

Element = TypeVar("Element")

_KINDS = {
    "record": ItemKind.RECORD,
    "enum": ItemKind.ENUM,
    "host": ItemKind.HOST,
    "import": ItemKind.IMPORT,
    "fn": ItemKind.TOOL,
}


def read_item(text: str, border: Border) -> Item:
    """The item of `border`. One that is not owned, a plain function among them, is kept as `OTHER`."""
    size = border.end - border.start
    first = max(border.first, border.start) - border.start
    attribute = border.attribute.shifted(-border.start) if border.attribute is not None else None
    findings: list[Finding] = []
    if border.open_comment is not None:
        findings.append(rules.OPEN_COMMENT.at(border.open_comment.shifted(-border.start)))
    findings += _slips(text, border)
    if border.keyword is None or (border.keyword == "fn" and attribute is None):
        if attribute is None:
            return Item(ItemKind.OTHER, size, Span(first, size), findings=tuple(findings))
        lonely = rules.SYNTAX.at(
            attribute,
            problem_text="Expected `fn` and a function's name after `@tool`, which makes it a Tool.",
        )
        return Item(ItemKind.OTHER, size, Span(first, size), findings=(*findings, lonely), attribute=attribute)
    cursor = Cursor(text, border.start, border.keyword_end, border.end)
    doc = cursor.read_docs(list(border.docs)) if border.docs else None
    reading = _Reading(cursor, border)
    syntax: ItemSyntax | None = None
    try:
        syntax = reading.read()
    except Refusal as refusal:
        findings.append(refusal.finding)
    extent = Span(first, max(cursor.previous_end - border.start, first))
    if syntax is not None:
        findings += _misplaced(border, attribute)
        findings += _trailing(cursor, border, syntax)
    findings = [*cursor.problems, *findings]
    # Names in types; of an import that does not parse, what it may have meant to bind.
    counts = (syntax is None) == (border.keyword == "import")
    mentions = frozenset(cursor.mentions) if counts else frozenset()
    return Item(
        _KINDS[border.keyword],
        size,
        extent,
        reading.name,
        reading.name_span,
        doc,
        syntax,
        mentions,
        tuple(findings),
        attribute,
    )


def _slips(text: str, border: Border) -> list[Finding]:
    """What is skipped for one mistyped letter."""
    if border.first < 0:
        return []
    spans = list(slips_of_keywords(text, border.first, border.end))
    if border.keyword == "fn" and border.attribute is None:
        nearly = slip_of_tool(text, border.first, border.keyword_end)
        if nearly is not None and _is_declaration(text, border):
            spans.append(nearly)
    return [slip(text, span).shifted(-border.start) for span in spans]


def _is_declaration(text: str, border: Border) -> bool:
    """Whether the function of `border` parses and has no body, which is a Tool's form alone."""
    try:
        syntax = _Reading(Cursor(text, border.start, border.keyword_end, border.end), border).read()
    except Refusal:
        return False
    return isinstance(syntax, ToolSyntax) and syntax.body is None


def _misplaced(border: Border, attribute: Span | None) -> list[Finding]:
    """`@tool` and `opaque` where they mean nothing."""
    found = []
    if attribute is not None and border.keyword != "fn":
        text = f"`@tool` makes a function a Tool, and this is {_WHAT[border.keyword or '']}. Remove it."
        found.append(rules.SYNTAX.at(attribute, problem_text=text))
    if border.opaque is not None and border.keyword not in ("record", "enum"):
        what = _WHAT[border.keyword or ""]
        text = f"`opaque` stands before `record` or `enum`, and this is {what}. Remove it."
        found.append(rules.SYNTAX.at(border.opaque.shifted(-border.start), problem_text=text))
    return found


_WHAT = {
    "record": "a record",
    "enum": "an enum",
    "host": "a host type",
    "import": "an import",
    "fn": "a function",
}


def _trailing(cursor: Cursor, border: Border, syntax: ItemSyntax) -> list[Finding]:
    """What stands behind a complete declaration on its line; a body is reported by its own rule."""
    if cursor.kind in ("line", "end") or (isinstance(syntax, ToolSyntax) and syntax.body is not None):
        return []
    text = (
        f"`{quoted(cursor.spelling)}` stands behind {_WHAT[border.keyword or '']} that is complete. "
        "Start each declaration on a line of its own."
    )
    return [cursor.problem(text, cursor.start, cursor.end)]


class _Reading:
    """The reading of one item, and the name that is known even where the rest is refused."""

    def __init__(self, cursor: Cursor, border: Border) -> None:
        self.cursor = cursor
        self.border = border
        self.name: str | None = None
        self.name_span = Span(0, 0)

    def read(self) -> ItemSyntax:
        keyword = self.border.keyword
        if keyword == "import":
            return read_import(self.cursor, self.border.keyword_end)
        cursor = self.cursor
        if cursor.kind != "name":
            raise cursor.expected(f"a name after `{keyword}`")
        self.name, self.name_span = cursor.name(), cursor.span()
        cursor.advance()
        generic = read_type_parameters(cursor)
        opaque = self.border.opaque is not None
        if keyword == "record":
            return RecordSyntax(generic, self._fields(f"record {self.name}"), opaque)
        if keyword == "enum":
            return EnumSyntax(generic, self._constructors(), opaque)
        if keyword == "host":
            return HostSyntax(generic)
        return self._function(generic)

    def _open(self, mark: str, what: str) -> None:
        cursor = self.cursor
        if not self._goes_on_with(mark):
            raise cursor.expected(what)

    def _fields(self, owner: str) -> tuple[FieldSyntax, ...]:
        self._open("{", f"`{{` and the fields of `{quoted(owner)}`")
        return self._elements("}", lambda: self._field("field"), f"the fields of `{quoted(owner)}`")

    def _field(self, what: str) -> FieldSyntax:
        cursor = self.cursor
        doc = cursor.take_docs()
        self._skip_attributes()
        doc = cursor.take_docs() or doc
        if cursor.kind != "name":
            raise cursor.expected(f"a {what}'s name")
        name, span = cursor.name(), cursor.span()
        cursor.advance()
        if cursor.kind != ":":
            raise cursor.expected(f"`:` and a type after the {what} name `{quoted(name)}`")
        cursor.advance()
        return FieldSyntax(name, span, read_type(cursor, f"a type after `{quoted(name)}:`"), doc)

    def _skip_attributes(self) -> None:
        cursor = self.cursor
        while cursor.kind == "@":
            cursor.advance()
            if cursor.kind not in ("name", "keyword"):
                raise cursor.expected("an attribute's name after `@`")
            cursor.advance()
            if cursor.kind == "(":
                depth = 0
                while True:
                    if cursor.kind in ("(", "[", "{"):
                        depth += 1
                    elif cursor.kind in (")", "]", "}"):
                        depth -= 1
                    elif cursor.kind == "end":
                        raise cursor.expected("`)` at the end of the attribute")
                    cursor.advance()
                    if depth == 0:
                        break
            cursor.skip_lines()

    def _constructors(self) -> tuple[ConstructorSyntax, ...]:
        self._open("{", f"`{{` and the constructors of `enum {quoted(self.name or '')}`")
        return self._elements("}", self._constructor, f"the constructors of `enum {quoted(self.name or '')}`")

    def _constructor(self) -> ConstructorSyntax:
        cursor = self.cursor
        doc = cursor.take_docs()
        self._skip_attributes()
        doc = cursor.take_docs() or doc
        if cursor.kind != "name":
            raise cursor.expected("a constructor's name")
        name, span = cursor.name(), cursor.span()
        cursor.advance()
        if cursor.kind == "(":
            parts = self._elements(")", self._part, f"the parts of `{quoted(name)}`")
            return ConstructorSyntax(name, span, doc, positional=parts)
        if cursor.kind == "{":
            named = self._elements("}", lambda: self._field("part"), f"the parts of `{quoted(name)}`")
            return ConstructorSyntax(name, span, doc, named=named)
        return ConstructorSyntax(name, span, doc)

    def _part(self) -> TypeSyntax:
        self.cursor.take_docs()
        return read_type(self.cursor, "the type of a part")

    def _function(self, generic: tuple[NameSyntax, ...]) -> ToolSyntax:
        cursor = self.cursor
        self._open("(", f"`(` and the parameters of `{quoted(self.name or '')}`")
        params = self._elements(")", lambda: self._field("parameter"), f"the parameters of `{quoted(self.name or '')}`")
        result: TypeSyntax | None = None
        if self._goes_on_with("->"):
            cursor.advance()
            cursor.skip_lines()
            result = read_type(cursor, "a type after `->`: Result<T, E>")
        body = cursor.span() if self._goes_on_with("{") else None
        return ToolSyntax(generic, params, result, body)

    def _goes_on_with(self, mark: str) -> bool:
        """Whether `mark` comes next, here or on a later line; then the cursor stands on it."""
        cursor = self.cursor
        if cursor.kind == "line" and cursor.text.startswith(mark, _next_word(cursor)):
            cursor.skip_lines()
        return cursor.kind == mark

    def _elements(self, close: str, read: Callable[[], Element], what: str) -> tuple[Element, ...]:
        """Elements separated by commas or new lines, up to and with `close`; the cursor stands on the
        opening."""
        cursor = self.cursor
        opening = Span(cursor.start, cursor.end)
        mark = cursor.spelling
        cursor.advance()
        cursor.skip_lines()
        found: list[Element] = []
        while cursor.kind != close:
            if cursor.kind == "end":
                raise Refusal(cursor.problem(f"This `{mark}` has no `{close}`: {what} do not end.", *opening))
            found.append(read())
            separated = cursor.skip_lines()
            if cursor.kind == ",":
                separated = True
                cursor.advance()
                cursor.skip_lines()
            if not separated and cursor.kind != close and cursor.kind != "end":
                if cursor.kind in CLOSING:
                    raise cursor.expected(f"`{close}` at the end of {what}")
                raise cursor.expected(f"`,` or a new line or `{close}` in {what}")
        cursor.advance()
        return tuple(found)


def _next_word(cursor: Cursor) -> int:
    """The offset of the next thing that is no white space."""
    position = cursor.end
    text, limit = cursor.text, cursor.limit
    while position < limit and text[position].isspace():
        position += 1
    return position
