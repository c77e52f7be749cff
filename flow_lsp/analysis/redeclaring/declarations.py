"""Edits of one declaration: what it is, to what it is to be."""

from __future__ import annotations

from collections.abc import Sequence

from flow_lsp.analysis.edits import TextEdit
from flow_lsp.analysis.fixes.source_files import closing_of
from flow_lsp.analysis.import_plans import line_end_of
from flow_lsp.analysis.redeclaring.generics import ordered_fields, same_constructor
from flow_lsp.analysis.redeclaring.homes import Impossible, Target
from flow_lsp.analysis.redeclaring.members import Brackets, Fresh, Kept, Member, Wanted, member_edits
from flow_lsp.analysis.redeclaring.writing import FileWriter
from flow_lsp.findings.model import shown
from flow_lsp.signature.forms import ConstructorForm, EnumForm, FieldForm, Form, FormKind, RecordForm, SignatureForm
from flow_lsp.source.model import (
    ConstructorSyntax,
    EnumSyntax,
    FieldSyntax,
    ImportSyntax,
    Item,
    NamedType,
    RecordSyntax,
    SourceFile,
    ToolSyntax,
)
from flow_lsp.source.token_stream import tokens
from flow_lsp.text.spans import Span


class DeclarationEditor:
    """Edits the declaration of `item`, which starts at `start` of its file."""

    def __init__(self, source: SourceFile, index: int, writer: FileWriter, *, anew: bool) -> None:
        self._text = source.text
        self._item: Item = source.items[index]
        self._start = source.starts[index]
        self._limit = self._start + self._item.size
        self._writer = writer
        self._anew = anew

    def _placed(self, span: Span) -> Span:
        return span.shifted(self._start)

    def _brackets(self, mark: str, after: int, members: Sequence[Member], padding: str) -> Brackets:
        opening = next((token.start for token in tokens(self._text, after, self._limit) if token.kind == mark), -1)
        closed = closing_of(self._text, opening, self._limit) if opening >= 0 else -1
        if closed < 0:
            raise Impossible(f"The declaration of `{shown(self._item.name)}` does not end.")
        inner = Span(opening + 1, closed - 1)
        return Brackets(self._text, inner, members, padding, line_end_of(self._text))

    def _behind_name(self) -> int:
        """Behind the declaration's name and type parameters."""
        syntax = self._item.syntax
        assert syntax is not None
        assert not isinstance(syntax, ImportSyntax)
        spans = [parameter.span for parameter in syntax.generic]
        return self._placed(spans[-1] if spans else self._item.name_span).end

    def _member(self, field: FieldSyntax) -> Member:
        """A field as it stands; brackets that only group its type are part of it."""
        start, end = self._placed(field.span).start, self._placed(field.type.span).end
        depth = 0
        for token in tokens(self._text, self._placed(field.span).end, self._limit):
            if token.start >= end and (depth <= 0 or token.kind not in (")", "line", "comment")):
                break
            depth += (token.kind == "(") - (token.kind == ")")
            if token.start >= end and token.kind == ")":
                end = token.end
        return Member(start, end)

    # -- a Tool -----------------------------------------------------------------------------------------------------

    def tool(self, here: SignatureForm, there: SignatureForm) -> list[TextEdit]:
        """The edits that make the Tool's own line say what `there` does."""
        syntax = self._item.syntax
        assert isinstance(syntax, ToolSyntax)
        hidden = there.generic
        edits = self._generic(syntax, here.generic, there.generic)
        declared = dict(here.params)
        index_of = {param.name: index for index, param in enumerate(syntax.params)}
        members = [self._member(param) for param in syntax.params]
        wanted: list[Wanted] = []
        for number, (name, form) in enumerate(there.params):
            if name in declared:
                change = () if declared[name] == form else (self._retyped(syntax.params[index_of[name]], form, hidden),)
                wanted.append(Kept(index_of[name], change))
                continue
            mine = here.params[number] if number < len(here.params) else None
            if mine is not None and mine[0] not in dict(there.params) and mine[1] == form:
                renamed = TextEdit(self._placed(syntax.params[number].span), name)
                self._writer.field(FieldForm(name, form, True), hidden)  # whether it is a name
                wanted.append(Kept(number, (renamed,)))
            else:
                wanted.append(Fresh(self._writer.field(FieldForm(name, form, True), hidden).text))
        brackets = self._brackets("(", self._behind_name(), members, "")
        edits += self._changed(brackets, wanted)
        result = syntax.result
        if not isinstance(result, NamedType) or result.arguments is None or len(result.arguments) != 2:
            raise Impossible(f"The result of `{shown(self._item.name)}` is no Result.")
        for argument, mine_, theirs in zip(result.arguments, (here.ok, here.err), (there.ok, there.err), strict=True):
            if mine_ != theirs:
                edits.append(TextEdit(self._placed(argument.span), self._writer.type(theirs, hidden)))
        return edits

    def _generic(self, syntax: ToolSyntax, here: Sequence[str], there: Sequence[str]) -> list[TextEdit]:
        if tuple(here) == tuple(there):
            return []
        for name in there:
            self._writer.field(FieldForm(name, _ANY_PARAMETER, True), (_ANY_PARAMETER.name,))
        text = f"<{', '.join(there)}>" if there else ""
        if not syntax.generic:
            end = self._placed(self._item.name_span).end
            return [TextEdit(Span(end, end), text)]
        last = self._behind_name()
        closing = self._text.index(">", last) + 1
        return [TextEdit(Span(self._placed(self._item.name_span).end, closing), text)]

    def _retyped(self, field: FieldSyntax, form: Form, hidden: Sequence[str]) -> TextEdit:
        return TextEdit(self._placed(field.type.span), self._writer.type(form, hidden))

    def _changed(self, brackets: Brackets, wanted: Sequence[Wanted]) -> list[TextEdit]:
        untouched = [Kept(index) for index in range(len(brackets.members))]
        return [] if list(wanted) == untouched else member_edits(brackets, wanted, anew=self._anew)

    # -- a type -----------------------------------------------------------------------------------------------------

    def type(self, target: Target) -> list[TextEdit]:
        """The edits that make the type what it is to be."""
        syntax, body, declared = self._item.syntax, target.body, target.declared
        if isinstance(syntax, RecordSyntax) and isinstance(body, RecordForm) and isinstance(declared, RecordForm):
            return self._record(syntax.fields, self._behind_name(), declared, body, target.parameters)
        if isinstance(syntax, EnumSyntax) and isinstance(body, EnumForm) and isinstance(declared, EnumForm):
            return self._enum(syntax, declared, body, target.parameters)
        return self._whole(target)

    def _record(
        self, fields: Sequence[FieldSyntax], after: int, here: RecordForm, there: RecordForm, hidden: Sequence[str]
    ) -> list[TextEdit]:
        declared = {field.name: field for field in here.fields}
        index_of = {field.name: index for index, field in enumerate(fields)}
        wanted: list[Wanted] = []
        for field in ordered_fields(there, [field.name for field in fields]):
            mine = declared.get(field.name)
            if mine is None:
                wanted.append(self._writer.field(field, hidden))
            elif (mine.form, mine.required) == (field.form, field.required):
                wanted.append(Kept(index_of[field.name]))
            else:
                edit = self._retyped(fields[index_of[field.name]], field.type, hidden)
                wanted.append(Kept(index_of[field.name], (edit,)))
        brackets = self._brackets("{", after, [self._member(field) for field in fields], " ")
        return self._changed(brackets, wanted)

    def _enum(self, syntax: EnumSyntax, here: EnumForm, there: EnumForm, hidden: Sequence[str]) -> list[TextEdit]:
        declared = {constructor.name: constructor for constructor in here.constructors}
        index_of = {constructor.name: index for index, constructor in enumerate(syntax.constructors)}
        ends = [self._constructor_end(constructor) for constructor in syntax.constructors]
        wanted: list[Wanted] = []
        for constructor in there.constructors:
            mine = declared.get(constructor.name)
            if mine is None:
                wanted.append(self._writer.constructor(constructor, hidden))
                continue
            index = index_of[constructor.name]
            edits = self._payload(syntax.constructors[index], ends[index], mine, constructor, hidden)
            wanted.append(Kept(index, tuple(edits)))
        members = [
            Member(self._placed(constructor.span).start, end)
            for constructor, end in zip(syntax.constructors, ends, strict=True)
        ]
        return self._changed(self._brackets("{", self._behind_name(), members, " "), wanted)

    def _payload(
        self, syntax: ConstructorSyntax, end: int, here: ConstructorForm, there: ConstructorForm, hidden: Sequence[str]
    ) -> list[TextEdit]:
        if same_constructor(here, there):
            return []
        name_end = self._placed(syntax.span).end
        if syntax.named is not None and here.named is not None and there.named is not None:
            return self._record(syntax.named, name_end, here.named, there.named, hidden)
        stands, mine, theirs = syntax.positional or (), here.positional or (), there.positional or ()
        if stands and len(stands) == len(mine) == len(theirs):
            return [
                TextEdit(self._placed(part.span), self._writer.type(new, hidden))
                for part, old, new in zip(stands, mine, theirs, strict=True)
                if old != new
            ]
        return [TextEdit(Span(name_end, end), self._writer.payload(there, hidden))]

    def _constructor_end(self, constructor: ConstructorSyntax) -> int:
        end = self._placed(constructor.span).end
        if constructor.positional is None and constructor.named is None:
            return end
        mark = "(" if constructor.positional is not None else "{"
        opening = next((token.start for token in tokens(self._text, end, self._limit) if token.kind == mark), -1)
        return closing_of(self._text, opening, self._limit)

    def _whole(self, target: Target) -> list[TextEdit]:
        """All of a declaration that becomes one of another kind, but for what stands before its keyword."""
        extent = self._placed(self._item.extent)
        name = self._placed(self._item.name_span)
        words = [token for token in tokens(self._text, extent.start, name.start) if token.kind == "keyword"]
        line_end = line_end_of(self._text)
        text = self._writer.declaration(target, "", line_end, docs=False)
        edits = [TextEdit(Span(words[-1].start, extent.end), text)]
        opaque = next((one for one in words if self._text[one.start : one.end] == "opaque"), None)
        if opaque is not None and text.startswith("host"):
            edits.append(TextEdit(Span(opaque.start, words[words.index(opaque) + 1].start), ""))
        return edits


_ANY_PARAMETER = Form(FormKind.PARAMETER, "T")
