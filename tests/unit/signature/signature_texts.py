"""A small notation for declarations in these tests: one line per type, types as Flow writes them.

    record k.Hit: title Text, score Option<Decimal>
    enum k.Problem: Offline, Slow(Duration), Refused{code Int, reason Text}
    host k.Session
    find<T>: q Text, limit Int -> List<k.Hit> ! k.Problem

A type's text before its name is its file, so that `k.Hit` is both its identity and how it is named here.
"""

from __future__ import annotations

import re

from flow_lsp.signature.signature import Signature, signature_of
from flow_lsp.types.terms import (
    Constructor,
    DictOf,
    Field,
    FunctionOf,
    Kind,
    ListOf,
    Named,
    OptionOf,
    Param,
    Parameter,
    Primitive,
    SetOf,
    TaskOf,
    Template,
    Term,
    TupleOf,
    TypeSpec,
)

_SIMPLE = {"List": ListOf, "Set": SetOf, "Option": OptionOf, "Task": TaskOf}


def signature(text: str) -> Signature:
    """The signature of the Tool that the last line of `text` declares."""
    made = signature_of(spec(text))
    assert isinstance(made, Signature), made.sentence
    return made


def spec(text: str) -> TypeSpec:
    """The TypeSpec of the Tool that the last line of `text` declares, with all types of `text`."""
    *types, tool = (line.strip() for line in text.strip().split("\n"))
    declarations = {}
    for line in types:
        local_id, template = _template(line)
        declarations[local_id] = template
    head, _, rest = tool.partition(":")
    generic = _generic(head)
    params, _, result = rest.partition("->")
    ok, _, err = result.partition("!")
    scope = {name: Param("tool", index) for index, name in enumerate(generic)}
    return TypeSpec(
        generic,
        tuple(Parameter(field.name, field.type) for field in _fields(params, scope)),
        _term(ok, scope),
        _term(err, scope),
        declarations,
    )


def _generic(head: str) -> tuple[str, ...]:
    return tuple(name.strip() for name in re.findall(r"<(.*)>", head)[0].split(",")) if "<" in head else ()


def _template(line: str) -> tuple[str, Template]:
    head, _, body = line.partition(":")
    kind, name = head.split(" ", 1)
    identity = re.sub("<.*", "", name)
    generic = _generic(name)
    scope = {parameter: Param(identity, index) for index, parameter in enumerate(generic)}
    return identity, Template(
        name=identity.rpartition(".")[2],
        identity=identity,
        lexical_ordinal=1,
        generic=generic,
        opaque=False,
        kind=Kind(kind),
        fields=tuple(_fields(body, scope)) if kind == "record" else (),
        constructors=tuple(_constructor(part, scope) for part in _split(body)) if kind == "enum" else (),
    )


def _constructor(text: str, scope: dict[str, Param]) -> Constructor:
    name = re.match(r"\w+", text)
    assert name is not None
    rest = text[name.end() :]
    if rest.startswith("("):
        return Constructor(name.group(), positional=tuple(_term(part, scope) for part in _split(rest[1:-1])))
    if rest.startswith("{"):
        return Constructor(name.group(), named=tuple(_fields(rest[1:-1], scope)))
    return Constructor(name.group())


def _fields(text: str, scope: dict[str, Param]) -> list[Field]:
    return [Field(name, _term(type_, scope)) for name, type_ in (part.split(" ", 1) for part in _split(text))]


def _split(text: str) -> list[str]:
    parts, depth, start = [], 0, 0
    for index, letter in enumerate(text):
        depth += letter in "<({"
        depth -= letter in ">)}"
        if letter == "," and not depth:
            parts.append(text[start:index].strip())
            start = index + 1
    return [*parts, text[start:].strip()] if text.strip() else []


def _term(text: str, scope: dict[str, Param]) -> Term:
    text = text.strip()
    if text in scope:
        return scope[text]
    if text in list(Primitive):
        return Primitive(text)
    if text.startswith("fn("):
        inside, _, result = text[3:].rpartition(")=")
        return FunctionOf(tuple(_term(part, scope) for part in _split(inside)), _term(result, scope))
    if text.startswith("("):
        return TupleOf(tuple(_term(part, scope) for part in _split(text[1:-1])))
    name, _, inside = text.partition("<")
    args = tuple(_term(part, scope) for part in _split(inside[:-1])) if inside else ()
    if name in _SIMPLE:
        return _SIMPLE[name](args[0])
    if name == "Dict":
        return DictOf(*args)
    return Named(name, args)
