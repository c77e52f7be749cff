"""Which types of two signatures correspond: the matching that differences are told by.

Two uses match where their forms do and each named type in the one has a counterpart in the other.
Counterparts are compared by the caller, once per pair; a use of counterparts with different bodies matches.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from flow_lsp.signature.forms import (
    Body,
    ConstructorForm,
    EnumForm,
    FieldForm,
    Form,
    FormKind,
    RecordForm,
    SignatureForm,
    key_base,
    renamed_key,
    short_key,
)

PAIRS_LIMIT = 10_000  # pairs of types that one question after equal shapes may look at


class Counterparts:
    """Matches the types of two signatures, `here` and `there`."""

    def __init__(self, here: SignatureForm, there: SignatureForm) -> None:
        self._here = here
        self._there = there
        self._known: dict[tuple[str, str], bool] = {}

    def match(self, here: Form, there: Form) -> list[tuple[str, str]] | None:
        """The pairs of named types in two matching uses, in order; None where the uses do not match."""
        pairs: list[tuple[str, str]] = []
        for one, other in _aligned(here, there):
            if one.kind is not other.kind or len(one.items) != len(other.items):
                return None
            if one.kind is FormKind.TYPE:
                if not self.correspond(one.name, other.name):
                    return None
                pairs.append((one.name, other.name))
            elif one.name != other.name:
                return None
        return pairs

    def correspond(self, here: str, there: str) -> bool:
        """Whether the types under these keys are meant as one: by name, or by shape where names differ."""
        if here == there:
            return True
        known = self._known.get((here, there))
        if known is None:
            if key_base(here) == key_base(there) and short_key(here) != short_key(there):
                known = False  # other arguments: another type
            elif short_key(here) == short_key(there):
                known = True  # moved
            else:
                known = self.equal_shapes(here, there)
            self._known[here, there] = known
        return known

    def equal_shapes(self, here: str, there: str) -> bool:
        """Whether these types have one shape, whatever they and the types in them are called."""
        assumed = {(here, there)}
        ahead = [(here, there)]
        while ahead:
            one, other = ahead.pop()
            mine, theirs = self._here.bodies.get(one), self._there.bodies.get(other)
            if mine is None or theirs is None:
                return False
            uses = _aligned_bodies(mine, theirs)
            if uses is None:
                return False
            for left, right in uses:
                for first, second in _aligned(left, right):
                    if first.kind is not second.kind or len(first.items) != len(second.items):
                        return False
                    if first.kind is FormKind.TYPE:
                        pair = (first.name, second.name)
                        if pair not in assumed:
                            if len(assumed) >= PAIRS_LIMIT:
                                return False
                            assumed.add(pair)
                            ahead.append(pair)
                    elif first.name != second.name:
                        return False
        return True


def with_names(signature: SignatureForm, names: Mapping[str, str]) -> SignatureForm:
    """`signature` with its type parameters called as `names` says."""

    def form(old: Form) -> Form:
        if old.kind is FormKind.PARAMETER:
            return Form(old.kind, names.get(old.name, old.name))
        if old.kind is FormKind.TYPE:
            return Form(old.kind, renamed_key(old.name, names))
        return Form(old.kind, old.name, tuple(map(form, old.items)))

    def record(old: RecordForm) -> RecordForm:
        fields = tuple(FieldForm(field.name, form(field.form), field.required, field.doc) for field in old.fields)
        return RecordForm(fields, old.required)

    def constructor(old: ConstructorForm) -> ConstructorForm:
        positional = None if old.positional is None else tuple(map(form, old.positional))
        named = None if old.named is None else record(old.named)
        return ConstructorForm(old.name, positional, named, old.doc)

    def body(old: Body) -> Body:
        if isinstance(old, RecordForm):
            return record(old)
        if isinstance(old, EnumForm):
            return EnumForm(tuple(map(constructor, old.constructors)))
        return old

    return SignatureForm(
        tuple(names.get(name, name) for name in signature.generic),
        tuple((name, form(type_)) for name, type_ in signature.params),
        form(signature.ok),
        form(signature.err),
        {renamed_key(key, names): body(old) for key, old in signature.bodies.items()},
        signature.docs,
    )


def _aligned(here: Form, there: Form) -> Iterator[tuple[Form, Form]]:
    """Two forms and their parts, pair by pair, as far as they have the same number of parts."""
    ahead = [(here, there)]
    while ahead:
        one, other = ahead.pop()
        yield one, other
        ahead.extend(zip(reversed(one.items), reversed(other.items), strict=False))


def _aligned_bodies(here: Body, there: Body) -> list[tuple[Form, Form]] | None:
    """The uses of types in two bodies, pair by pair; None where the bodies differ beside them."""
    if isinstance(here, RecordForm):
        return _aligned_records(here, there) if isinstance(there, RecordForm) else None
    if not isinstance(here, EnumForm) or not isinstance(there, EnumForm):
        return [] if here == there else None
    if len(here.constructors) != len(there.constructors):
        return None
    uses: list[tuple[Form, Form]] = []
    for one, other in zip(here.constructors, there.constructors, strict=True):
        if one.name != other.name:
            return None
        found: Sequence[tuple[Form, Form]] | None = None
        if one.named is not None and other.named is not None:
            found = _aligned_records(one.named, other.named)
        elif one.positional is not None and other.positional is not None:
            if len(one.positional) == len(other.positional):
                found = list(zip(one.positional, other.positional, strict=True))
        elif one.named is other.named and one.positional is other.positional:
            found = ()
        if found is None:
            return None
        uses.extend(found)
    return uses


def _aligned_records(here: RecordForm, there: RecordForm) -> list[tuple[Form, Form]] | None:
    theirs = {field.name: field.form for field in there.fields}
    if here.required != there.required or {field.name for field in here.fields} != theirs.keys():
        return None
    return [(field.form, theirs[field.name]) for field in here.fields]
