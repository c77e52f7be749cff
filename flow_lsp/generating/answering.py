"""What a generated process answers and reads values by, as canonical JSON in pieces, one for each Tool and type."""

from __future__ import annotations

from collections.abc import Sequence
from json.encoder import encode_basestring
from typing import Final

from flow_lsp.generating.program import ProgramTool, ProgramTypes
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
    Primitive,
    SetOf,
    TaskOf,
    Template,
    Term,
    TupleOf,
)
from flow_lsp.values.canonical import canonical_text_of_schema
from flow_lsp.values.data_version import DATA_VERSION

_PRIMITIVES: Final = {primitive: encode_basestring(primitive.value) for primitive in Primitive}


def described(program: ProgramTypes) -> list[str]:
    """The `tools` of a describe response."""
    texts = [
        canonical_text_of_schema(
            {"tool": tool.identity, "fingerprint": tool.signature.fingerprint, "signature": tool.signature.served}
        )
        for tool in program.tools
    ]
    return _pieces("[", texts, "]")


def listed(program: ProgramTypes) -> list[str]:
    """The listing as far as a process needs it: without docs, which are in describe, and without places, which change
    although nothing does."""
    tools = [_tool(tool) for tool in program.tools]
    types = [
        f"{encode_basestring(local_id)}:{_template(template)}" for local_id, template in sorted(program.types.items())
    ]
    pieces = _pieces(f'{{"data":{encode_basestring(DATA_VERSION)},"tools":[', tools, "]")
    return [*pieces, *_pieces(',"types":{', types, "}}")]


def _pieces(before: str, texts: Sequence[str], after: str) -> list[str]:
    if not texts:
        return [before + after]
    pieces = [f"{text}," for text in texts[:-1]] + [texts[-1] + after]
    pieces[0] = before + pieces[0]
    return pieces


def _tool(tool: ProgramTool) -> str:
    spec = tool.spec
    params = ",".join([f'{{"name":{encode_basestring(one.name)},"type":{_term(one.type)}}}' for one in spec.params])
    return (
        f'{{"err":{_term(spec.err)},"fingerprint":{encode_basestring(tool.signature.fingerprint)},'
        f'"generic":{_names(spec.generic)},"name":{encode_basestring(tool.name)},"ok":{_term(spec.ok)},'
        f'"params":[{params}],"tool":{encode_basestring(tool.identity)}}}'
    )


def _template(template: Template) -> str:
    body = fields = ""
    if template.kind is Kind.RECORD:
        fields = f'"fields":{_fields(template.fields)},'
    elif template.kind is Kind.ENUM:
        body = f'"constructors":[{",".join([_constructor(each) for each in template.constructors])}],'
    return (
        f'{{{body}"doc":null,{fields}"generic":{_names(template.generic)},'
        f'"identity":{encode_basestring(template.identity)},"kind":"{template.kind.value}",'
        f'"lexical_ordinal":{canonical_text_of_schema(template.lexical_ordinal)},'
        f'"name":{encode_basestring(template.name)},"opaque":{"true" if template.opaque else "false"}}}'
    )


def _constructor(constructor: Constructor) -> str:
    payload = "null"
    if constructor.positional is not None:
        payload = f'{{"positional":{_terms(constructor.positional)}}}'
    elif constructor.named is not None:
        payload = f'{{"named":{_fields(constructor.named)}}}'
    return f'{{"doc":null,"name":{encode_basestring(constructor.name)},"payload":{payload}}}'


def _fields(fields: Sequence[Field]) -> str:
    written = [f'{{"doc":null,"name":{encode_basestring(each.name)},"type":{_term(each.type)}}}' for each in fields]
    return f"[{','.join(written)}]"


def _names(names: Sequence[str]) -> str:
    return f"[{','.join(map(encode_basestring, names))}]"


def _terms(terms: Sequence[Term]) -> str:
    return f"[{','.join(map(_term, terms))}]"


def _term(term: Term) -> str:
    if term.__class__ is Primitive:
        return _PRIMITIVES[term]
    match term:
        case Named(declaration, args):
            return f'{{"Named":{{"args":{_terms(args)},"declaration":{encode_basestring(declaration)}}}}}'
        case ListOf(item):
            return f'{{"List":{_term(item)}}}'
        case OptionOf(item):
            return f'{{"Option":{_term(item)}}}'
        case Param(owner, index):
            return f'{{"Param":{{"index":{index},"owner":{encode_basestring(owner)}}}}}'
        case SetOf(item):
            return f'{{"Set":{_term(item)}}}'
        case DictOf(key, value):
            return f'{{"Dict":[{_term(key)},{_term(value)}]}}'
        case TupleOf(items):
            return f'{{"Tuple":{_terms(items)}}}'
        case FunctionOf(params, result):
            return f'{{"Function":{{"params":{_terms(params)},"result":{_term(result)}}}}}'
        case TaskOf(item):
            return f'{{"Task":{_term(item)}}}'
        case _:
            raise AssertionError(term)
