"""Types, members and declarations as one file writes them, with the imports that takes."""

from __future__ import annotations

from collections.abc import Collection

from flow_lsp.analysis.import_plans import ImportPlan
from flow_lsp.analysis.redeclaring.generics import DEPTH_LIMIT, key_arguments, ordered_fields
from flow_lsp.analysis.redeclaring.homes import STANDARD_RESULT, Homes, Impossible, Target
from flow_lsp.analysis.redeclaring.members import INDENT, Fresh
from flow_lsp.findings.model import shown
from flow_lsp.importing.comments import doc_lines
from flow_lsp.importing.names import is_free_name, is_name
from flow_lsp.signature.forms import (
    ConstructorForm,
    EnumForm,
    FieldForm,
    Form,
    FormKind,
    HostForm,
    RecordForm,
    key_base,
)
from flow_lsp.source.declarations import CheckedFile
from flow_lsp.source.targets import TargetKind
from flow_lsp.types.terms import Primitive


class FileWriter:
    """What the file of `checked` is to say. `pairs_as_lists`: an array of pairs is a List, whatever its keys are."""

    def __init__(self, homes: Homes, checked: CheckedFile, plan: ImportPlan, *, pairs_as_lists: bool) -> None:
        self._homes = homes
        self._checked = checked
        self._pairs_as_lists = pairs_as_lists
        self.plan = plan

    def type(self, form: Form, hidden: Collection[str], depth: int = 0) -> str:
        """`form` as the file writes it; `hidden` are the type parameters in scope. Raises Impossible."""
        if depth > DEPTH_LIMIT:
            raise Impossible("A type there is nested too deep.")
        match form.kind:
            case FormKind.PRIMITIVE:
                if form.name == Primitive.JSON_VALUE:
                    return self.plan.spell_standard("json", "Value")
                return self._built_in(form.name, hidden)
            case FormKind.PARAMETER:
                if form.name not in hidden:
                    raise Impossible(f"The type parameter `{shown(form.name)}` is none of the declaration's.")
                return form.name
            case FormKind.TYPE:
                return self._named(form.name, hidden, depth)
            case FormKind.JSON:
                raise Impossible(f"A type there is in no Flow form: {shown(form.name)}.")
        inner = [self.type(item, hidden, depth + 1) for item in form.items]
        if form.kind is FormKind.TUPLE:
            return f"({', '.join(inner)})"
        if form.kind is FormKind.DICT and self._pairs_as_lists and form.items[0] != _TEXT:
            return f"{self._built_in('List', hidden)}<({', '.join(inner)})>"
        return f"{self._built_in(form.kind.value, hidden)}<{', '.join(inner)}>"

    def _built_in(self, name: str, hidden: Collection[str]) -> str:
        target = self._checked.file.scope.look_up(name)
        if name in hidden or target is None or target.kind in (TargetKind.DECLARED, TargetKind.UNKNOWN):
            raise Impossible(f"`{name}` means something else in {shown(self._checked.path.rpartition('/')[2])}.")
        return name

    def _named(self, key: str, hidden: Collection[str], depth: int) -> str:
        arguments = key_arguments(key) or ()
        base = key_base(key)
        if base == STANDARD_RESULT:
            target = self._checked.file.scope.look_up("Result")
            is_free = "Result" not in hidden and target is not None and target.kind is TargetKind.RESULT
            spelling: str | None = "Result" if is_free else self.plan.spell_standard("result", "Result")
        else:
            path, name = self._homes.place(base)
            spelling = self.plan.spell(path, name, hidden)
        if spelling is None:
            raise Impossible(f"No import can give `{shown(base)}` to {shown(self._checked.path.rpartition('/')[2])}.")
        inner = [self.type(argument, hidden, depth + 1) for argument in arguments]
        return f"{spelling}<{', '.join(inner)}>" if inner else spelling

    def field(self, field: FieldForm, hidden: Collection[str]) -> Fresh:
        """A field, part or parameter."""
        if not is_name(field.name):
            raise Impossible(f"`{shown(field.name)}` is no name that a field or parameter can have.")
        return Fresh(f"{field.name}: {self.type(field.type, hidden)}", tuple(doc_lines(field.doc)))

    def payload(self, constructor: ConstructorForm, hidden: Collection[str]) -> str:
        """A constructor's payload; empty where it has none."""
        if constructor.named is not None:
            parts = [self.field(part, hidden).text for part in constructor.named.fields]
            return f" {{ {', '.join(parts)} }}" if parts else " {}"
        if constructor.positional is not None:
            return f"({', '.join([self.type(part, hidden) for part in constructor.positional])})"
        return ""

    def constructor(self, constructor: ConstructorForm, hidden: Collection[str]) -> Fresh:
        """A constructor."""
        if not is_free_name(constructor.name):
            raise Impossible(f"`{shown(constructor.name)}` is no name that a constructor can have.")
        text = f"{constructor.name}{self.payload(constructor, hidden)}"
        return Fresh(text, tuple(doc_lines(constructor.doc)))

    def declaration(self, target: Target, before: str, line_end: str, *, docs: bool = True) -> str:
        """A whole declaration, with what stands `before` its keyword, and with the served docs."""
        hidden = target.parameters
        lines = doc_lines(target.doc) if docs else []
        generic = f"<{', '.join(hidden)}>" if hidden else ""
        head, members = self.body(target, hidden)
        head = f"{before}{head} {target.name}{generic}"
        if members is None:
            lines.append(head)
        elif not members:
            lines.append(f"{head} {{}}")
        else:
            inner = [INDENT + line for one in members for line in (*one.doc, f"{one.text},")]
            lines += [f"{head} {{", *inner, "}"]
        return line_end.join(lines)

    def body(self, target: Target, hidden: Collection[str]) -> tuple[str, list[Fresh] | None]:
        """The keyword of a declaration, and its members; None for a host type."""
        body = target.body
        if isinstance(body, HostForm):
            return "host", None
        if isinstance(body, RecordForm):
            return "record", [self.field(field, hidden) for field in ordered_fields(body)]
        assert isinstance(body, EnumForm)
        return "enum", [self.constructor(constructor, hidden) for constructor in body.constructors]


_TEXT = Form(FormKind.PRIMITIVE, "Text")
