"""Which Flow type a JSON Schema stands for, and what must be declared for it.

| schema | type |
|---|---|
| string, integer, number, boolean, null | Text, Int, Decimal, Bool, Unit |
| string with texts that are all names | an enum of them; another set of texts is Text, with a note |
| array | List of its items' type |
| object with properties | a record; a property that need not be there is an Option |
| object with additionalProperties alone | Dict<Text, …> |
| anything, several kinds, a reference to nothing | json.Value, but for the first with a note |

Null beside another type is an Option where a parameter or its field is meant, since None is left out then and the
tool does without. In a result null does not decode as an Option (decisions 3), and inside a List an Option would be
encoded as an enum: there it is json.Value. So each value that the schema of a result allows decodes, and each value
of a parameter's type that is not None is one that its schema allows, as far as types can say it.
"""

from __future__ import annotations

from collections import deque
from enum import Enum, auto
from typing import Final, NamedTuple

from flow_lsp.findings.model import shown
from flow_lsp.importing.names import TypeNames, camel, is_free_name, is_name
from flow_lsp.importing.plans import JSON, EnumPlan, FieldPlan, Plan, RecordPlan, without_circles
from flow_lsp.protocol.mcp.foreign import ALL, SchemaDocument, allowed_values, properties_of, required_of
from flow_lsp.values.strict_json import Json, JsonObject

TYPES_LIMIT: Final = 500  # declared for one schema
MEMBERS_LIMIT: Final = 1_000  # of one record or enum
_DEPTH: Final = 16  # Lists and Dicts inside each other

_SCALARS: Final = {
    frozenset({"string"}): "Text",
    frozenset({"integer"}): "Int",
    frozenset({"number"}): "Decimal",
    frozenset({"integer", "number"}): "Decimal",
    frozenset({"boolean"}): "Bool",
    frozenset({"null"}): "Unit",
}
_COMPOSED: Final = ("anyOf", "oneOf", "allOf", "if", "not", "dependentSchemas")


class Direction(Enum):
    """Where values go."""

    TAKEN = auto()  # arguments, to the tool
    GIVEN = auto()  # results, from it


class Typed(NamedTuple):
    """A type's text; the record that it is, or empty; and why it is no better one, as a sentence, or empty.

    `or_null` says that null is allowed as well, which the type leaves out: only where that was asked for.
    """

    text: str
    record: str = ""
    note: str = ""
    or_null: bool = False


class FlowTypes:
    """Types one schema of a tool, whose name as part of a type's is `prefix`. `plans` are what is to be declared."""

    def __init__(self, root: Json, direction: Direction, prefix: str, names: TypeNames) -> None:
        self._document = SchemaDocument(root)
        self._direction = direction
        self._prefix = prefix
        self._names = names
        self._known: dict[int, Typed] = {}  # by the identity of schemas, which the document keeps
        self._open: set[int] = set()  # the schemas that are being typed, the same way
        self._ahead: deque[tuple[RecordPlan, JsonObject]] = deque()
        self.plans: list[Plan] = []

    def root_type(self, hint: str) -> Typed:
        """The type of the root; what it needs is in `plans` afterwards."""
        found = self._typed(self._document.root, hint, False, 0)
        self._finish()
        return found

    def root_fields(self, hint: str) -> tuple[list[FieldPlan], list[str]] | str:
        """The root's properties as fields, with notes about those left out; or why it cannot be had so, as a
        clause."""
        root = self._document.resolved(self._document.root)
        if not isinstance(root, dict) or "object" not in self._document.kinds(root):
            return "its inputSchema is no object's"
        problem = self._no_record(root)
        if problem:
            return problem
        record = RecordPlan(hint)
        self._fill(record, root)
        self._finish()
        return record.fields, record.notes

    def _finish(self) -> None:
        while self._ahead:
            self._fill(*self._ahead.popleft())
        without_circles([plan for plan in self.plans if isinstance(plan, RecordPlan)])

    def _fill(self, record: RecordPlan, schema: JsonObject) -> None:
        required = frozenset(required_of(schema))
        for name, inner in properties_of(schema).items():
            if is_name(name):
                record.fields.append(self._field(name, inner, name in required, record.name + camel(name)))
            else:
                record.notes.append(f"`{shown(name)}` is left out: it is no Flow name.")

    def _field(self, name: str, schema: Json, required: bool, hint: str) -> FieldPlan:
        taken = self._direction is Direction.TAKEN
        found = self._typed(schema, hint, taken, 0)
        notes = [found.note] if found.note else []
        optional = not required
        if found.or_null and required:
            optional = True
            notes.append("The tool wants it always, and takes null, which cannot be passed: pass Some.")
        doc = _description(schema)
        if optional:
            return FieldPlan(name, f"Option<{found.text}>", "", doc, notes)
        return FieldPlan(name, found.text, found.record, doc, notes)

    def _typed(self, schema: Json, hint: str, may_be_null: bool, depth: int) -> Typed:
        """The type of `schema`. `may_be_null` where the caller says null otherwise than by the type."""
        document = self._document
        found = document.resolved(schema)
        if found is None:
            return Typed(JSON, note="Any JSON value: what its schema refers to is not there.")
        kinds = document.kinds(found)
        if not kinds:
            return Typed(JSON, note="Any JSON value: its schema allows none.")
        rest, or_null = document.without_null(found)
        if or_null:
            if not may_be_null:
                words = document.words(found)
                return Typed(JSON, note=f"Any JSON value: {words}, and null is no Option here.")
            inner = self._typed(rest, hint, False, depth)
            return inner if inner.text == JSON else inner._replace(or_null=True)
        if not isinstance(found, dict) or kinds == ALL:
            return Typed(JSON, note="" if not isinstance(found, dict) or _is_free(found) else self._mixed(found))
        if id(found) in self._open:
            return Typed(JSON, note="Any JSON value: what its schema says holds itself.")
        if id(found) not in self._known:
            self._open.add(id(found))
            made = self._anew(found, kinds, self._hint(schema, hint), depth, _description(found, schema))
            self._open.discard(id(found))
            if depth and "<" in made.text:
                return made  # how deep it may go on depends on where it stands
            self._known[id(found)] = made
        return self._known[id(found)]

    def _anew(self, schema: JsonObject, kinds: frozenset[str], hint: str, depth: int, doc: str | None) -> Typed:
        values = allowed_values(schema)
        if values is not None and kinds != {"null"}:
            return self._values(values, kinds, hint, doc)
        scalar = _SCALARS.get(kinds)
        if scalar is not None:
            return Typed(scalar)
        if kinds == {"array"}:
            return self._array(schema, hint, depth)
        if kinds == {"object"}:
            return self._object(schema, hint, depth, doc)
        return Typed(JSON, note=self._mixed(schema))

    def _values(self, values: list[Json], kinds: frozenset[str], hint: str, doc: str | None) -> Typed:
        names = [value for value in values if isinstance(value, str) and is_free_name(value)]
        if len(names) == len(values) <= MEMBERS_LIMIT and self._room():
            plan = EnumPlan(self._names.new(hint), names, doc)
            self.plans.append(plan)
            return Typed(plan.name)
        words = self._document.words({"enum": values})
        return Typed(_SCALARS.get(kinds, JSON), note=f"O{words[1:]}." if len(values) > 1 else f"Only {words}.")

    def _array(self, schema: JsonObject, hint: str, depth: int) -> Typed:
        items = schema.get("items", True)
        if isinstance(items, list) or "prefixItems" in schema:
            return Typed(f"List<{JSON}>", note="Its items have types by their places.")
        if depth >= _DEPTH:
            return Typed(JSON, note="Any JSON value: it is nested too deep.")
        inner = self._typed(items, hint + "Item", False, depth + 1)
        return Typed(f"List<{inner.text}>", note=inner.note)

    def _object(self, schema: JsonObject, hint: str, depth: int, doc: str | None) -> Typed:
        if properties_of(schema) or schema.get("additionalProperties") is False:
            problem = self._no_record(schema)
            if problem or not self._room():
                return Typed(JSON, note=f"Any JSON value: {problem or 'there are too many types'}.")
            plan = RecordPlan(self._names.new(hint), doc)
            if any(word in schema for word in _COMPOSED) and self._direction is Direction.TAKEN:
                plan.notes.append("Its schema says more than these fields.")
            self.plans.append(plan)
            self._ahead.append((plan, schema))
            return Typed(plan.name, plan.name)
        if any(word in schema for word in _COMPOSED):
            return Typed(f"Dict<Text, {JSON}>", note="Its schema is put together of several.")
        if depth >= _DEPTH:
            return Typed(JSON, note="Any JSON value: it is nested too deep.")
        inner = self._typed(schema.get("additionalProperties", True), hint + "Value", False, depth + 1)
        return Typed(f"Dict<Text, {inner.text}>", note=inner.note)

    def _no_record(self, schema: JsonObject) -> str:
        """Why the object of `schema` can be no record, as a clause; empty where it can."""
        names = properties_of(schema)
        if len(names) > MEMBERS_LIMIT:
            return f"it has more than {MEMBERS_LIMIT} properties"
        for name in required_of(schema) if self._direction is Direction.TAKEN else ():
            if name not in names or not is_name(name):
                why = "is not described" if name not in names else "is no Flow name"
                return f"the property `{shown(name)}` that it requires {why}"
        return ""

    def _hint(self, schema: Json, hint: str) -> str:
        """The name of the type of `schema`: of what it refers to, where that has a name."""
        called = camel(self._document.reference(schema).rpartition("/")[2])
        return self._prefix + called if called else hint

    def _mixed(self, schema: Json) -> str:
        words = self._document.words(schema)
        return f"Any JSON value: {words if words != 'any value' else 'its schema is put together of several'}."

    def _room(self) -> bool:
        return len(self.plans) < TYPES_LIMIT


def _is_free(schema: JsonObject) -> bool:
    """Whether `schema` allows everything because it says nothing."""
    return not any(word in schema for word in ("type", "enum", "const", *_COMPOSED))


def _description(schema: Json, site: Json = None) -> str | None:
    """The description of `schema`; None where it is `site` itself, whose description stands elsewhere."""
    if not isinstance(schema, dict) or schema is site:
        return None
    found = schema.get("description")
    return found if isinstance(found, str) else None
