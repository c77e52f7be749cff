"""A signature as a person reads it: Flow types and declarations made from schemas.

What stands in a listing is hostile, so names are shown printable and cut, and texts are bounded.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from typing import TypeAlias

from flow_lsp.findings.model import shown
from flow_lsp.signature.forms import (
    Body,
    ConstructorForm,
    EnumForm,
    FieldForm,
    Form,
    FormKind,
    HostForm,
    RecordForm,
    SignatureForm,
    UnknownForm,
    read_form,
    read_signature,
    short_key,
)
from flow_lsp.signature.signature import SignatureProblem, bare_signature
from flow_lsp.values.strict_json import Json

TEXT_LIMIT = 160  # characters of one type
TYPES_SHOWN = 40
MEMBERS_SHOWN = 100
DOC_LINES_SHOWN = 12
LINE_WIDTH = 96

Namer: TypeAlias = Callable[[str], str]


def namer(keys: Collection[str]) -> Namer:
    """How to call the types under `keys`: by their short names, and by the whole key where a short name is
    that of several."""
    owners: dict[str, str] = {}
    ambiguous = set()
    for key in keys:
        short = short_key(key)
        if owners.setdefault(short, key) != key:
            ambiguous.add(short)

    def name(key: str) -> str:
        short = short_key(key)
        return shown(key if short in ambiguous else short)

    return name


def type_text(form: Form, name: Namer = short_key) -> str:
    """`form` as Flow writes the type, at most TEXT_LIMIT characters, cut with `…`."""
    parts: list[str] = []
    length = 0
    ahead: list[Form | str] = [form]
    while ahead:
        current = ahead.pop()
        if isinstance(current, Form):
            pieces = _pieces(current, name)
            if len(pieces) > 1:
                ahead.extend(reversed(pieces))
                continue
            current = str(pieces[0])
        parts.append(current)
        length += len(current)
        if length > TEXT_LIMIT:
            return "".join(parts)[: TEXT_LIMIT - 1] + "…"
    return "".join(parts)


def schema_type(schema: Json) -> str:
    """The Flow type that `schema` stands for at a use."""
    return type_text(read_form(schema))


def payload_text(constructor: ConstructorForm, name: Namer = short_key) -> str:
    """A constructor's payload as Flow writes it; empty where it has none."""
    if constructor.named is not None:
        fields = [f"{shown(field.name)}: {type_text(field.type, name)}" for field in constructor.named.fields]
        return f"{{ {', '.join(fields)} }}" if fields else "{}"
    if constructor.positional is not None:
        return f"({', '.join(type_text(form, name) for form in constructor.positional)})"
    return ""


def readable_declaration(name: str, signature: Json, docs: bool = True) -> str:
    """The Tool `name` with `signature`, as listed, in Flow: its `fn`, and the types that it reaches.

    With `docs`, doc comments stand before what they are of. A text of several lines without a line end.
    """
    problem = bare_signature(signature)
    if isinstance(problem, SignatureProblem):
        return f"// {problem.sentence}"
    assert isinstance(signature, dict)
    return readable_form(name, read_signature(signature), docs)


def readable_form(name: str, form: SignatureForm, docs: bool = True) -> str:
    """The Tool `name` with a signature that was read back, in Flow; its types in their order."""
    call = namer(form.bodies)
    blocks = ["\n".join(_function(name, form, call))]
    for count, (key, body) in enumerate(form.bodies.items()):
        if count == TYPES_SHOWN:
            blocks.append(f"// … and {len(form.bodies) - count} more types")
            break
        blocks.append("\n".join(_declaration(call(key), body, form.docs.get(key), call, docs)))
    return "\n\n".join(blocks)


def _pieces(form: Form, name: Namer) -> Sequence[Form | str]:
    if form.kind is FormKind.PRIMITIVE:
        return (form.name,)
    if form.kind is FormKind.TYPE:
        return (shown(name(form.name)),)
    if form.kind in (FormKind.PARAMETER, FormKind.JSON):
        return (shown(form.name),)
    opening, closing = ("(", ")") if form.kind is FormKind.TUPLE else (f"{form.kind.value}<", ">")
    pieces: list[Form | str] = [opening]
    for item in form.items:
        pieces += (item, ", ")
    if not form.items:
        return (opening + closing,)
    pieces[-1] = closing
    return pieces


def _function(name: str, form: SignatureForm, call: Namer) -> list[str]:
    generic = f"<{', '.join(map(shown, form.generic))}>" if form.generic else ""
    result = f"Result<{type_text(form.ok, call)}, {type_text(form.err, call)}>"
    params = [f"{shown(param)}: {type_text(type_, call)}" for param, type_ in form.params[:MEMBERS_SHOWN]]
    if len(form.params) > MEMBERS_SHOWN:
        params.append("…")
    line = f"fn {shown(name)}{generic}({', '.join(params)}) -> {result}"
    if len(line) <= LINE_WIDTH or not params:
        return [line]
    return [f"fn {shown(name)}{generic}(", *(f"    {param}," for param in params), f") -> {result}"]


def _declaration(name: str, body: Body, doc: str | None, call: Namer, docs: bool) -> Iterator[str]:
    yield from _doc_lines(doc, "", docs)
    if isinstance(body, HostForm):
        yield f"host {name}"
    elif isinstance(body, UnknownForm):
        yield f"// {name} is in no Flow form: {shown(body.text)}"
    elif isinstance(body, RecordForm):
        members = [line for field in body.fields[:MEMBERS_SHOWN] for line in _field(field, call, docs)]
        yield from _braces(f"record {name}", members, len(body.fields))
    else:
        yield from _braces(f"enum {name}", list(_constructors(body, call, docs)), len(body.constructors))


def _constructors(body: EnumForm, call: Namer, docs: bool) -> Iterator[str]:
    for constructor in body.constructors[:MEMBERS_SHOWN]:
        yield from _doc_lines(constructor.doc, "    ", docs)
        payload = payload_text(constructor, call)
        space = " " if payload.startswith("{") else ""
        yield f"    {shown(constructor.name)}{space}{payload},"


def _field(field: FieldForm, call: Namer, docs: bool) -> Iterator[str]:
    yield from _doc_lines(field.doc, "    ", docs)
    yield f"    {shown(field.name)}: {type_text(field.type, call)},"


def _braces(head: str, members: list[str], count: int) -> Iterator[str]:
    if not members:
        yield f"{head} {{}}"
        return
    yield f"{head} {{"
    yield from members
    if count > MEMBERS_SHOWN:
        yield f"    // … and {count - MEMBERS_SHOWN} more"
    yield "}"


def _doc_lines(doc: str | None, indent: str, docs: bool) -> Iterator[str]:
    if not docs or not doc:
        return
    lines = doc.split("\n", DOC_LINES_SHOWN)
    for line in lines[:DOC_LINES_SHOWN]:
        text = "".join(letter if letter.isprintable() else " " for letter in line[:400])
        yield f"{indent}/// {text}".rstrip()
    if len(lines) > DOC_LINES_SHOWN:
        yield f"{indent}/// …"
