"""Keys of generic types taken apart, and the bodies of their instances put together again to that of one declaration.

A signature holds each instance of a generic type as a type of its own, `page.Page<Int>`; a declaration is of all.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from flow_lsp.signature.forms import (
    Body,
    ConstructorForm,
    EnumForm,
    FieldForm,
    Form,
    FormKind,
    RecordForm,
    key_base,
)
from flow_lsp.types.terms import Primitive

DEPTH_LIMIT = 60  # arguments inside each other
_NAME = re.compile(r"[^<>,()]+")
_COMPOUNDS = {kind.value: kind for kind in (FormKind.LIST, FormKind.SET, FormKind.OPTION, FormKind.DICT)}
_PRIMITIVES = frozenset(primitive.value for primitive in Primitive)


def key_arguments(key: str) -> tuple[Form, ...] | None:
    """The arguments that `key` carries, none for a type that is not generic; None where they cannot be read."""
    base = key_base(key)
    if base == key:
        return ()
    reader = _KeyReader(key, len(base))
    found = reader.several("<", ">", 0)
    return found if found is not None and reader.place == len(key) else None


class _KeyReader:
    def __init__(self, key: str, place: int) -> None:
        self._key = key
        self.place = place

    def several(self, opening: str, closing: str, depth: int) -> tuple[Form, ...] | None:
        if depth > DEPTH_LIMIT or not self._passes(opening):
            return None
        found: list[Form] = []
        while True:
            one = self._one(depth)
            if one is None:
                return None
            found.append(one)
            if self._passes(closing):
                return tuple(found)
            if not self._passes(","):
                return None

    def _passes(self, mark: str) -> bool:
        if not self._key.startswith(mark, self.place):
            return False
        self.place += 1
        return True

    def _one(self, depth: int) -> Form | None:
        start = self.place
        if self._key.startswith("(", start):
            items = self.several("(", ")", depth + 1)
            return None if items is None else Form(FormKind.TUPLE, items=items)
        match = _NAME.match(self._key, start)
        if match is None:
            return None
        self.place = match.end()
        name = match.group()
        arguments: tuple[Form, ...] | None = ()
        if self._key.startswith("<", self.place):
            arguments = self.several("<", ">", depth + 1)
            if arguments is None:
                return None
        if name in _COMPOUNDS and arguments:
            return Form(_COMPOUNDS[name], items=arguments)
        if name in _PRIMITIVES:
            return Form(FormKind.PRIMITIVE, name)
        if "." in name:
            return Form(FormKind.TYPE, self._key[start : self.place])
        return None if arguments else Form(FormKind.PARAMETER, name)


def form_key(form: Form) -> str:
    """`form` as a key writes an argument."""
    inner = ",".join(map(form_key, form.items))
    if form.kind is FormKind.TUPLE:
        return f"({inner})"
    return f"{form.kind.value}<{inner}>" if form.items else form.name


def replaced(form: Form, what: Callable[[Form], Form | None], depth: int = 0) -> Form:
    """`form` with each part for which `what` gives another replaced by that, the outer before the inner; the arguments
    of named types are such parts."""
    other = what(form)
    if other is not None or depth > DEPTH_LIMIT:
        return form if other is None else other
    if form.kind is FormKind.TYPE and "<" in form.name:
        arguments = key_arguments(form.name)
        if arguments:
            inner = ",".join(form_key(replaced(argument, what, depth + 1)) for argument in arguments)
            return Form(FormKind.TYPE, f"{key_base(form.name)}<{inner}>")
    if form.items:
        return Form(form.kind, form.name, tuple([replaced(item, what, depth + 1) for item in form.items]))
    return form


def with_arguments(body: Body, values: Mapping[str, Form]) -> Body:
    """`body` with its type parameters replaced."""

    def value(form: Form) -> Form | None:
        return values.get(form.name) if form.kind is FormKind.PARAMETER else None

    return mapped(body, lambda form: replaced(form, value)) if values else body


def mapped(body: Body, change: Callable[[Form], Form]) -> Body:
    """`body` with each type in it changed."""
    if isinstance(body, RecordForm):
        return RecordForm(tuple([_field(field, change) for field in body.fields]), body.required)
    if isinstance(body, EnumForm):
        return EnumForm(tuple([_constructor(constructor, change) for constructor in body.constructors]))
    return body


def _field(field: FieldForm, change: Callable[[Form], Form]) -> FieldForm:
    return FieldForm(field.name, change(field.form), field.required, field.doc)


def _constructor(constructor: ConstructorForm, change: Callable[[Form], Form]) -> ConstructorForm:
    positional = None if constructor.positional is None else tuple(map(change, constructor.positional))
    named = None
    if constructor.named is not None:
        fields = tuple([_field(field, change) for field in constructor.named.fields])
        named = RecordForm(fields, constructor.named.required)
    return ConstructorForm(constructor.name, positional, named, constructor.doc)


def uses(body: Body) -> list[Form]:
    """Every type that is used in `body`, in its order."""
    found: list[Form] = []

    def note(form: Form) -> Form:
        found.append(form)
        return form

    mapped(body, note)
    return found


def same_body(one: Body, other: Body) -> bool:
    """Whether two bodies have one schema: optional fields may stand anywhere."""
    if isinstance(one, RecordForm) and isinstance(other, RecordForm):
        return _fields(one) == _fields(other) and one.required == other.required
    if not isinstance(one, EnumForm) or not isinstance(other, EnumForm):
        return one == other
    return len(one.constructors) == len(other.constructors) and all(
        same_constructor(mine, theirs) for mine, theirs in zip(one.constructors, other.constructors, strict=True)
    )


def same_constructor(one: ConstructorForm, other: ConstructorForm) -> bool:
    """Whether two constructors have one name and payload."""
    if one.name != other.name or one.positional != other.positional:
        return False
    if one.named is None or other.named is None:
        return one.named is other.named
    return same_body(one.named, other.named)


def _fields(record: RecordForm) -> dict[str, tuple[Form, bool]]:
    return {field.name: (field.form, field.required) for field in record.fields}


def general_body(
    names: Sequence[str], instances: Sequence[tuple[Sequence[Form], Body]], declared: Body | None
) -> Body | None:
    """The body of a type with the parameters `names` whose `instances`, each with its arguments, are these. Where the
    `declared` body says the same of a use, it stays; None where the instances are of no one declaration."""
    if not names:
        return instances[0][1]
    shapes = [mapped(body, lambda _: Form(FormKind.PARAMETER, "")) for _, body in instances]
    if any(not same_body(shapes[0], shape) for shape in shapes[1:]):
        return None
    columns = [_by_place(body) for _, body in instances]
    known = _by_place(declared) if declared is not None else {}
    arguments = [given for given, _ in instances]
    found: list[Form] = []
    for place in _by_place(instances[0][1]):
        general = _general(names, arguments, [column[place] for column in columns], known.get(place))
        if general is None:
            return None
        found.append(general)
    forms = iter(found)
    return mapped(instances[0][1], lambda _: next(forms))


def _by_place(body: Body) -> dict[tuple[str, ...], Form]:
    """The uses in `body` by where they stand, in its order."""
    if isinstance(body, RecordForm):
        return {(field.name,): field.form for field in body.fields}
    found: dict[tuple[str, ...], Form] = {}
    for constructor in body.constructors if isinstance(body, EnumForm) else ():
        for number, form in enumerate(constructor.positional or ()):
            found[constructor.name, str(number)] = form
        for field in constructor.named.fields if constructor.named is not None else ():
            found[constructor.name, field.name] = field.form
    return found


def _general(
    names: Sequence[str], arguments: Sequence[Sequence[Form]], wanted: Sequence[Form], known: Form | None
) -> Form | None:
    """The use that is `wanted` of each instance once its arguments stand for `names`; `known` is the declared one."""

    def abstract(which: Callable[[Form], bool]) -> Form:
        parameters = {argument: name for name, argument in zip(names, arguments[0], strict=True) if which(argument)}
        return replaced(
            wanted[0], lambda form: Form(FormKind.PARAMETER, parameters[form]) if form in parameters else None
        )

    tries = [
        *([known] if known is not None else []),
        abstract(lambda form: form.kind is FormKind.TYPE),
        wanted[0],
        abstract(lambda _: True),
    ]
    for general in tries:
        if all(
            replaced(general, dict(_values(names, given)).get) == each
            for given, each in zip(arguments, wanted, strict=True)
        ):
            return general
    return None


def _values(names: Sequence[str], arguments: Sequence[Form]) -> list[tuple[Form, Form]]:
    return [(Form(FormKind.PARAMETER, name), argument) for name, argument in zip(names, arguments, strict=True)]


def ordered_fields(record: RecordForm, names: Sequence[str] = ()) -> list[FieldForm]:
    """The record's fields in an order of which its required ones are: that of `names`, those that are declared, as far
    as it agrees; a new field stands behind the one that it is listed behind."""
    fields = {field.name: field for field in record.fields}
    kept = [name for name in names if name in fields]
    required = list(record.required)
    among = [name for name in kept if name in required]
    order = kept if among == [name for name in required if name in among] else []
    for listed in (required, [field.name for field in record.fields]):
        place = 0
        for name in listed:
            if name in order:
                place = order.index(name) + 1
            else:
                order.insert(place, name)
                place += 1
        if [name for name in order if name in required] != [name for name in required if name in order]:
            order = []  # what was declared does not agree with what is new
            for name in required:
                order.append(name)
    return [fields[name] for name in order]
