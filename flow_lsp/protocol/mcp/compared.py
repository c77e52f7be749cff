"""Where an MCP tool's schemas and a declaration differ, in words: advice, never drift (decisions 11).

MCP schemas are no fingerprints, so that equal ones are not asked for. Said is what lets a call or its reply go wrong:
an argument that the tool may refuse, a result that may not decode; and, of parameters, what only one side has. *Here*
is the declaration, *there* the MCP tool. Each sentence is a clause without a full stop.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, NamedTuple

from flow_lsp.findings.model import shown
from flow_lsp.protocol.mcp.foreign import (
    ALL,
    NOTHING,
    SchemaDocument,
    allowed_values,
    properties_of,
    required_of,
)
from flow_lsp.protocol.mcp.tools import McpTool
from flow_lsp.signature.forms import EnumForm, Form, FormKind, HostForm, RecordForm, read_signature
from flow_lsp.signature.readable import namer, type_text
from flow_lsp.text.distance import nearest_name
from flow_lsp.values.canonical import canonical_text
from flow_lsp.values.strict_json import Json, JsonObject

ADVICE_LIMIT: Final = 20
_STEPS: Final = 5_000  # pairs of a type and a schema that are looked at
_PATH_LIMIT: Final = 400  # characters; what lies in the middle is then left out
_NAMES_LOOKED_AT: Final = 200

_PRIMITIVE_KINDS: Final = {
    "Int": frozenset({"integer"}),
    "Decimal": frozenset({"integer", "number"}),
    "Bool": frozenset({"boolean"}),
    "Unit": frozenset({"null"}),
    "Never": NOTHING,
    "json.Value": ALL,
}
_STRING: Final = frozenset({"string"})
_OBJECT: Final = frozenset({"object"})
_ARRAY: Final = frozenset({"array"})


class AdviceKind(StrEnum):
    """What differs."""

    PARAMETER = "parameter"  # one that only one side has
    REQUIRED = "required"  # optional on one side and required on the other
    TYPE = "type"  # values that one side allows and the other does not
    FIELD = "field"  # one that only one side has
    VALUES = "values"  # an enum's constructors and the texts allowed there
    NO_OUTPUT_SCHEMA = "no-output-schema"  # nothing promises a result that decodes
    TASK = "task"  # calls are taken in a way that this host does not make them


@dataclass(frozen=True, slots=True)
class Advice:
    """One difference. `path` says where: "parameter `limit`", "success type -> field `score`"."""

    path: str
    kind: AdviceKind
    sentence: str


class _Pair(NamedTuple):
    """A type of the declaration, and the schema that stands there. `given` where values come from there."""

    path: str
    label: str
    form: Form
    schema: Json
    document: SchemaDocument
    given: bool


def compared(signature: JsonObject, tool: McpTool, most: int = ADVICE_LIMIT) -> tuple[Advice, ...]:
    """What is to be said of a declaration with `signature`, as describe lists it, beside the MCP tool that answers
    it: at most `most` things. Never raises, whatever the tool's schemas are."""
    comparison = _Comparison(signature, most)
    if tool.needs_task:
        sentence = "the MCP tool takes calls as tasks alone, which this host does not make, so that each fails"
        comparison.add("MCP tool", AdviceKind.TASK, sentence)
    comparison.parameters(SchemaDocument(tool.input_schema))
    comparison.result(tool)
    comparison.run()
    return tuple(comparison.found)


class _Comparison:
    def __init__(self, signature: JsonObject, most: int) -> None:
        self._form = read_signature(signature)
        self._name = namer(self._form.bodies)
        self._most = most
        self._ahead: deque[_Pair] = deque()
        self._seen: set[tuple[str, int, bool]] = set()
        self.found: list[Advice] = []

    def add(self, path: str, kind: AdviceKind, sentence: str) -> None:
        if len(self.found) < self._most:
            self.found.append(Advice(_cut(path), kind, sentence))

    def parameters(self, document: SchemaDocument) -> None:
        """Both sides' parameters; the types of common ones are left to `run`."""
        schema = document.resolved(document.root)
        listed, required = properties_of(schema), frozenset(required_of(schema))
        declared = {name for name, _ in self._form.params}
        others = [name for name in listed if name not in declared][:_NAMES_LOOKED_AT]
        for name, form in self._form.params:
            path, optional = f"parameter `{shown(name)}`", form.kind is FormKind.OPTION
            if name not in listed:
                near = nearest_name(name, others)
                hint = f"; it has {shown(near)}" if near else ""
                sentence = f"parameter {shown(name)} ({self._text(form)}) is declared, and the MCP tool lists none"
                self.add(path, AdviceKind.PARAMETER, sentence + hint)
                continue
            if optional and name in required:
                sentence = f"parameter {shown(name)} is optional here ({self._text(form)}) and required there"
                self.add(path, AdviceKind.REQUIRED, sentence)
            item = form.items[0] if optional else form
            self._ahead.append(_Pair(path, f"parameter {shown(name)}", item, listed[name], document, False))
        for name in dict.fromkeys((*required_of(schema), *listed)):
            if name in declared:
                continue
            verb = "requires" if name in required else "also takes"
            words = document.words(listed[name]) if name in listed else "any value"
            sentence = f"the MCP tool {verb} parameter {shown(name)} ({words}), which is not declared"
            self.add(f"parameter `{shown(name)}`", AdviceKind.PARAMETER, sentence)

    def result(self, tool: McpTool) -> None:
        """What the tool promises of its result."""
        ok = self._form.ok
        if tool.output_schema is not None:
            document = SchemaDocument(tool.output_schema)
            self._ahead.append(_Pair("success type", "the success type", ok, document.root, document, True))
        elif "object" in self._kinds(ok):
            sentence = (
                f"the MCP tool has no outputSchema, so nothing promises that its result is {self._text(ok)}, as "
                "structured content or as JSON in its one text block; other text is BadReply"
            )
            self.add("success type", AdviceKind.NO_OUTPUT_SCHEMA, sentence)
        else:
            sentence = (
                f"the success type {self._text(ok)} is no object and the MCP tool has no outputSchema, so nothing "
                "promises that its one text block holds JSON; other text is BadReply"
            )
            self.add("success type", AdviceKind.NO_OUTPUT_SCHEMA, sentence)

    def run(self) -> None:
        """Compares what is ahead, and what that leads to."""
        for _ in range(_STEPS):
            if not self._ahead or len(self.found) >= self._most:
                return
            self._compare(self._ahead.popleft())

    def _compare(self, pair: _Pair) -> None:
        schema = pair.document.resolved(pair.schema)
        mine, theirs = self._kinds(pair.form), pair.document.kinds(schema)
        if schema is None or schema is True or mine == ALL:
            return
        surplus = theirs - mine if pair.given else mine - theirs
        if surplus and theirs != ALL:
            text = self._text(pair.form)
            if pair.given and surplus == {"null"}:
                self.add(pair.path, AdviceKind.TYPE, f"{pair.label} may be null there, which {text} does not take")
            else:
                words = pair.document.words(schema)
                self.add(pair.path, AdviceKind.TYPE, f"{pair.label} is {text} here and {words} there{_wrap(pair)}")
                return
        rest = pair.document.resolved(pair.document.without_null(schema)[0])
        if isinstance(rest, dict):
            self._inside(pair, rest)

    def _inside(self, pair: _Pair, schema: JsonObject) -> None:
        form = pair.form
        if form.kind is FormKind.TYPE:
            key = (form.name, id(schema), pair.given)
            if key in self._seen:
                return
            self._seen.add(key)
            body = self._form.bodies.get(form.name)
            if isinstance(body, RecordForm):
                self._record(pair, body, schema)
            elif isinstance(body, EnumForm):
                self._enum(pair, body, schema)
        elif form.kind in (FormKind.LIST, FormKind.SET) and "items" in schema:
            self._step(pair, "items", f"an item of {pair.label}", form.items[0], schema["items"])
        elif form.kind is FormKind.DICT and self._kinds(form) == _OBJECT and "additionalProperties" in schema:
            self._step(pair, "values", f"a value of {pair.label}", form.items[1], schema["additionalProperties"])
        elif form.kind is FormKind.TUPLE and isinstance(schema.get("prefixItems"), list):
            for place, (item, part) in enumerate(zip(form.items, schema["prefixItems"], strict=False), 1):
                self._step(pair, f"part {place}", f"part {place} of {pair.label}", item, part)

    def _step(self, pair: _Pair, step: str, label: str, form: Form, schema: Json) -> None:
        label = label if len(label) <= _PATH_LIMIT else f"a part of {_cut(pair.path)}"
        path = _cut(f"{pair.path} -> {step}")
        self._ahead.append(_Pair(path, label, form, schema, pair.document, pair.given))

    def _record(self, pair: _Pair, body: RecordForm, schema: JsonObject) -> None:
        owner = shown(self._name(pair.form.name))
        listed, required = properties_of(schema), frozenset(required_of(schema))
        if not listed:
            if pair.given and body.required:
                self.add(pair.path, AdviceKind.TYPE, f"{pair.label} is {owner} here and any object there")
            return
        for field in body.fields:
            path, label = f"{pair.path} -> field `{shown(field.name)}`", f"field {shown(field.name)} of {owner}"
            if field.name not in listed:
                self.add(path, AdviceKind.FIELD, f"{label} is declared and not listed there")
                continue
            if pair.given and field.required and field.name not in required:
                self.add(path, AdviceKind.REQUIRED, f"{label} is required here and may be left out there")
            elif not pair.given and not field.required and field.name in required:
                self.add(path, AdviceKind.REQUIRED, f"{label} is optional here and required there")
            self._step(pair, f"field `{shown(field.name)}`", label, field.form, listed[field.name])
        declared = {field.name for field in body.fields}
        for name in () if pair.given else required_of(schema):
            if name not in declared:
                path = f"{pair.path} -> field `{shown(name)}`"
                self.add(path, AdviceKind.FIELD, f"field {shown(name)} is required there, and {owner} has none")

    def _enum(self, pair: _Pair, body: EnumForm, schema: JsonObject) -> None:
        owner = shown(self._name(pair.form.name))
        bare = [one.name for one in body.constructors if one.positional is None and one.named is None]
        values = allowed_values(schema)
        if values is None:
            if pair.given and "string" in pair.document.kinds(schema) and not ("anyOf" in schema or "oneOf" in schema):
                listed = ", ".join(map(shown, bare[:6]))
                text = f"{pair.label} is one of {listed} here ({owner}) and any string there"
                self.add(pair.path, AdviceKind.VALUES, text)
            return
        texts = [value for value in values if isinstance(value, str)]
        mine, theirs = frozenset(bare), frozenset(texts)
        words = pair.document.words(schema)
        if pair.given:
            for text in texts:
                if text not in mine:
                    sentence = f"{pair.label} may be {shown(canonical_text(text))} there, no constructor of {owner}"
                    self.add(pair.path, AdviceKind.VALUES, sentence)
        else:
            for name in bare:
                if name not in theirs:
                    sentence = f"constructor {shown(name)} of {owner} is declared, and {pair.label} is {words} there"
                    self.add(pair.path, AdviceKind.VALUES, sentence)

    def _text(self, form: Form) -> str:
        return type_text(form, self._name)

    def _kinds(self, form: Form) -> frozenset[str]:
        """The kinds of JSON values that a value of `form` is encoded as."""
        if form.kind is FormKind.PRIMITIVE:
            return _PRIMITIVE_KINDS.get(form.name, _STRING)
        if form.kind is FormKind.OPTION:
            return _STRING | _OBJECT
        if form.kind is FormKind.DICT:
            return _OBJECT if form.items[0] == Form(FormKind.PRIMITIVE, "Text") else _ARRAY
        if form.kind in (FormKind.LIST, FormKind.SET, FormKind.TUPLE):
            return _ARRAY
        body = self._form.bodies.get(form.name) if form.kind is FormKind.TYPE else None
        if isinstance(body, RecordForm):
            return _OBJECT
        if isinstance(body, HostForm):
            return _STRING
        if isinstance(body, EnumForm):
            bare = [one.positional is None and one.named is None for one in body.constructors]
            return (_STRING if any(bare) else NOTHING) | (NOTHING if all(bare) else _OBJECT)
        return ALL


def _wrap(pair: _Pair) -> str:
    """What to do where a server puts a result that is no object into one, as some libraries do."""
    schema = pair.document.resolved(pair.schema)
    if pair.given and pair.path == "success type" and list(properties_of(schema)) == ["result"]:
        return ", with the value in its field result: declare a record with that field"
    return ""


def _cut(path: str) -> str:
    half = _PATH_LIMIT // 2
    return path if len(path) <= _PATH_LIMIT else f"{path[:half]} … {path[-half:]}"
