"""How a declaration's signature and a served one differ, in words.

*Here* is the declaration, *there* the implementation. Each sentence is a clause without a full stop, so that
several can stand in one message. A named type is compared once, however often it is used, and what differs in
it is said of the type. There is a difference exactly where the fingerprints differ.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from flow_lsp.findings.model import shown
from flow_lsp.signature.comparison import Counterparts, with_names
from flow_lsp.signature.first_difference import first_difference
from flow_lsp.signature.forms import (
    Body,
    ConstructorForm,
    EnumForm,
    Form,
    HostForm,
    RecordForm,
    SignatureForm,
    UnknownForm,
    key_base,
    read_signature,
    short_key,
)
from flow_lsp.signature.readable import namer, payload_text, type_text
from flow_lsp.signature.signature import SignatureProblem, bare_signature
from flow_lsp.values.canonical import canonical_text
from flow_lsp.values.strict_json import Json

DIFFERENCES_LIMIT = 20
_NAMES_SHOWN = 6
_PATH_LIMIT = 400  # characters; what lies between the root and the last types is then left out


class DifferenceKind(StrEnum):
    """What differs."""

    GENERIC = "generic"  # the Tool's type parameters
    PARAMETER = "parameter"  # a parameter that only one side has
    RENAMED = "renamed"  # a parameter or type of another name
    ORDER = "order"  # parameters, fields or constructors in another order
    TYPE = "type"  # another type at a use
    OPTIONAL = "optional"  # a field that is an Option on one side only
    FIELD = "field"  # a field that only one side has
    CONSTRUCTOR = "constructor"  # a constructor that only one side has
    PAYLOAD = "payload"  # a constructor with another payload
    MOVED = "moved"  # a type of the same name from another file
    BODY = "body"  # a record here and an enum there
    SCHEMA = "schema"  # what has no Flow words
    UNREADABLE = "unreadable"  # there is no signature there


@dataclass(frozen=True, slots=True)
class Difference:
    """One difference. `path` says how the Tool reaches it: "success type -> List<Hit> -> field `score`"."""

    path: str
    kind: DifferenceKind
    sentence: str


def differences(declared: Json, served: Json, most: int = DIFFERENCES_LIMIT) -> tuple[Difference, ...]:
    """What differs between two signatures as describe lists them, at most `most` differences.

    Empty exactly where both have one canonical signature. Never raises, whatever `served` is.
    """
    here, there = bare_signature(declared), bare_signature(served)
    if isinstance(here, SignatureProblem) or isinstance(there, SignatureProblem):
        problem = there if isinstance(there, SignatureProblem) else here
        assert isinstance(problem, SignatureProblem)
        sentence = problem.sentence.rstrip(".")
        return (Difference("", DifferenceKind.UNREADABLE, f"{sentence[:1].lower()}{sentence[1:]}"),)
    if canonical_text(here) == canonical_text(there):
        return ()
    comparison = _Comparison(read_signature(here), read_signature(there), most)
    comparison.run()
    if not comparison.found:
        pointer, mine, theirs = first_difference(here, there)
        comparison.add(
            f"`{shown(pointer)}`",
            DifferenceKind.SCHEMA,
            f"the schemas differ at `{shown(pointer)}`: {shown(mine)} here and {shown(theirs)} there",
        )
    return tuple(comparison.found)


class _Comparison:
    def __init__(self, here: SignatureForm, there: SignatureForm, most: int) -> None:
        self.found: list[Difference] = []
        self._most = most
        names: dict[str, str] = {}
        if len(here.generic) == len(there.generic) and set(here.generic) != set(there.generic):
            names = {theirs: mine for mine, theirs in zip(here.generic, there.generic, strict=True) if mine != theirs}
        self._named_there = there
        self.here = here
        self.there = with_names(there, names) if names else there
        self._counterparts = Counterparts(self.here, self.there)
        self._name_here = namer(self.here.bodies)
        self._name_there = namer(self.there.bodies)
        # Pairs of named types still to be compared, each with the path it was first met on.
        self._met: set[tuple[str, str]] = set()
        self._ahead: list[tuple[str, str, str]] = []

    def add(self, path: str, kind: DifferenceKind, sentence: str) -> None:
        if len(self.found) < self._most:
            self.found.append(Difference(path, kind, sentence))

    def run(self) -> None:
        self._generic(self.here.generic, self._named_there.generic)
        self._parameters()
        self._use("success type", "the success type", self.here.ok, self.there.ok)
        self._use("error type", "the error type", self.here.err, self.there.err)
        for mine, theirs, path in self._ahead:  # grows while it is walked
            if len(self.found) >= self._most:
                return
            self._type(mine, theirs, path)

    def _generic(self, here: Sequence[str], there: Sequence[str]) -> None:
        if len(here) == len(there) and set(here) != set(there):
            for mine, theirs in zip(here, there, strict=True):
                if mine != theirs:
                    self.add(
                        f"type parameter {shown(mine)}",
                        DifferenceKind.GENERIC,
                        f"type parameter {shown(mine)} is called {shown(theirs)} there",
                    )
        elif here != there:
            self.add(
                "type parameters",
                DifferenceKind.GENERIC,
                f"the type parameters are {_listed(here)} here and {_listed(there)} there",
            )

    def _parameters(self) -> None:
        here, there = dict(self.here.params), dict(self.there.params)
        names_here = list(here)
        names_there = list(there)
        for side, params, known in (("here", self.here.params, here), ("there", self.there.params, there)):
            if len(params) != len(known):
                self.add("parameters", DifferenceKind.PARAMETER, f"two parameters have one name {side}")
        renamed = self._renamed_parameters(here, there)
        for name in names_here:
            if name in there or name in renamed:
                continue
            self.add(
                f"parameter `{shown(name)}`",
                DifferenceKind.PARAMETER,
                f"parameter `{shown(name)}` is declared but not served",
            )
        back = {theirs: mine for mine, theirs in renamed.items()}
        for name in names_there:
            if name in here or name in back:
                continue
            self.add(
                f"parameter `{shown(name)}`",
                DifferenceKind.PARAMETER,
                f"parameter `{shown(name)}` ({type_text(there[name], self._name_there)}) is served but not declared",
            )
        for mine, theirs in renamed.items():
            self.add(
                f"parameter `{shown(mine)}`",
                DifferenceKind.RENAMED,
                f"parameter `{shown(mine)}` is called `{shown(theirs)}` there",
            )
        self._order(
            "parameters",
            "parameters",
            "",
            [name for name in names_here if name in there or name in renamed],
            [back.get(name, name) for name in names_there if name in here or name in back],
        )
        for name in names_here:
            counterpart = renamed.get(name, name)
            if counterpart in there:
                label = f"parameter `{shown(name)}`"
                self._use(label, label, here[name], there[counterpart])

    def _renamed_parameters(self, here: dict[str, Form], there: dict[str, Form]) -> dict[str, str]:
        """The parameters of another name there: at the same position, with a matching type."""
        renamed = {}
        for (mine, my_type), (theirs, their_type) in zip(here.items(), there.items(), strict=False):
            matching = mine not in there and theirs not in here
            if matching and self._counterparts.match(my_type, their_type) is not None:
                renamed[mine] = theirs
        return renamed

    def _order(self, path: str, what: str, of: str, here: Sequence[str], there: Sequence[str]) -> None:
        if here == there or set(here) != set(there) or len(here) != len(there):
            return
        moved = [mine for mine, theirs in zip(here, there, strict=True) if mine != theirs]
        if len(moved) == 2:
            sentence = f"{what} `{shown(moved[0])}` and `{shown(moved[1])}`{of} are in the other order there"
        else:
            sentence = f"{what}{of} are in another order: {_listed(here)} here and {_listed(there)} there"
        self.add(path, DifferenceKind.ORDER, sentence)

    def _use(self, path: str, label: str, here: Form, there: Form) -> None:
        """Compare a use of types; the named types in it are compared later, each pair once."""
        pairs = self._counterparts.match(here, there)
        if pairs is None:
            self.add(path, DifferenceKind.TYPE, f"{label} is {self._both(here, there)}")
            return
        if not pairs:
            return
        if len(path) > _PATH_LIMIT:
            path = f"{path.partition(' -> ')[0]} -> …"
        route = f"{path} -> {type_text(here, self._name_here)}"
        for pair in pairs:
            if pair not in self._met:
                self._met.add(pair)
                self._ahead.append((*pair, route))

    def _both(self, here: Form, there: Form) -> str:
        mine, theirs = type_text(here, self._name_here), type_text(there, self._name_there)
        if mine == theirs:  # one name for two types: say which
            mine, theirs = type_text(here, shown), type_text(there, shown)
        if mine == theirs:
            return f"{mine} on both sides, with a difference past what can be shown"
        return f"{mine} here and {theirs} there"

    def _type(self, mine: str, theirs: str, path: str) -> None:
        name = self._name_here(mine)
        if mine != theirs:
            self._moved(mine, theirs, path)
        here, there = self.here.bodies.get(mine), self.there.bodies.get(theirs)
        if here is None or there is None:
            if here is not there:
                side = "here" if here is None else "there"
                self.add(path, DifferenceKind.BODY, f"type {name} is named but not described {side}")
        elif isinstance(here, RecordForm) and isinstance(there, RecordForm):
            self._record(name, here, there, path)
        elif isinstance(here, EnumForm) and isinstance(there, EnumForm):
            self._enum(name, here, there, path)
        elif here != there:
            self.add(path, DifferenceKind.BODY, f"{name} is {_kind_text(here)} here and {_kind_text(there)} there")

    def _moved(self, mine: str, theirs: str, path: str) -> None:
        base_here, base_there = key_base(mine), key_base(theirs)
        if base_here == base_there:
            return  # an argument moved, which is said of the argument
        if short_key(base_here) == short_key(base_there):
            self.add(
                path,
                DifferenceKind.MOVED,
                f"{shown(short_key(base_here))} comes from `{_file(base_here)}` here and from "
                f"`{_file(base_there)}` there",
            )
        else:
            self.add(
                path,
                DifferenceKind.RENAMED,
                f"type {self._name_here(mine)} is called {self._name_there(theirs)} there",
            )

    def _record(self, owner: str, here: RecordForm, there: RecordForm, path: str) -> None:
        mine = {field.name: field for field in here.fields}
        theirs = {field.name: field for field in there.fields}
        for name in mine:
            if name not in theirs:
                self.add(
                    f"{path} -> field `{shown(name)}`",
                    DifferenceKind.FIELD,
                    f"field `{shown(name)}` of {owner} is declared but not served",
                )
        for name, field in theirs.items():
            if name not in mine:
                type_ = type_text(field.type, self._name_there)
                self.add(
                    f"{path} -> field `{shown(name)}`",
                    DifferenceKind.FIELD,
                    f"field `{shown(name)}` of {owner} ({type_}) is served but not declared",
                )
        for name, field in mine.items():
            other = theirs.get(name)
            if other is None:
                continue
            where, label = f"{path} -> field `{shown(name)}`", f"field `{shown(name)}` of {owner}"
            if field.required is other.required:
                self._use(where, label, field.type, other.type)
            elif self._counterparts.match(field.form, other.form) is None:
                self.add(where, DifferenceKind.TYPE, f"{label} is {self._both(field.type, other.type)}")
            else:
                option = type_text((other if field.required else field).type, self._name_here)
                sides = ("there", "here") if field.required else ("here", "there")
                self.add(
                    where,
                    DifferenceKind.OPTIONAL,
                    f"{label} is optional {sides[0]} ({option}) and required {sides[1]}",
                )
                self._use(where, label, field.form, other.form)
        both_required = set(here.required) & set(there.required)
        self._order(
            path,
            "fields",
            f" of {owner}",
            [name for name in here.required if name in both_required],
            [name for name in there.required if name in both_required],
        )

    def _enum(self, owner: str, here: EnumForm, there: EnumForm, path: str) -> None:
        mine = {constructor.name: constructor for constructor in here.constructors}
        theirs = {constructor.name: constructor for constructor in there.constructors}
        for name in mine:
            if name not in theirs:
                self.add(
                    f"{path} -> constructor {shown(name)}",
                    DifferenceKind.CONSTRUCTOR,
                    f"constructor {shown(name)} of {owner} is declared but not served",
                )
        for name in theirs:
            if name not in mine:
                self.add(
                    f"{path} -> constructor {shown(name)}",
                    DifferenceKind.CONSTRUCTOR,
                    f"constructor {shown(name)} of {owner} is served but not declared",
                )
        self._order(
            path,
            "constructors",
            f" of {owner}",
            [name for name in mine if name in theirs],
            [name for name in theirs if name in mine],
        )
        for name, constructor in mine.items():
            other = theirs.get(name)
            if other is not None:
                self._payload(owner, constructor, other, f"{path} -> constructor {shown(name)}")

    def _payload(self, owner: str, here: ConstructorForm, there: ConstructorForm, path: str) -> None:
        if here.named is not None and there.named is not None:
            self._record(f"{owner}.{shown(here.name)}", here.named, there.named, path)
            return
        mine, theirs = here.positional, there.positional
        if mine is not None and theirs is not None and len(mine) == len(theirs):
            matches = [self._counterparts.match(one, other) for one, other in zip(mine, theirs, strict=True)]
            if None not in matches:
                for one, other in zip(mine, theirs, strict=True):
                    self._use(path, "", one, other)
                return
        elif here.named is there.named and mine is theirs:
            return
        texts = (
            payload_text(here, self._name_here) or "nothing",
            payload_text(there, self._name_there) or "nothing",
        )
        if texts[0] == texts[1]:
            texts = payload_text(here, shown), payload_text(there, shown)
        self.add(
            path,
            DifferenceKind.PAYLOAD,
            f"constructor {shown(here.name)} of {owner} carries {_cut(texts[0])} here and {_cut(texts[1])} there",
        )


def _cut(text: str) -> str:
    return text if len(text) <= 300 else text[:299] + "…"


def _listed(names: Sequence[str]) -> str:
    listed = ", ".join(shown(name) for name in names[:_NAMES_SHOWN])
    return (listed + (", …" if len(names) > _NAMES_SHOWN else "")) or "none"


def _file(key: str) -> str:
    return shown(key.rpartition(".")[0] or key)


def _kind_text(body: Body) -> str:
    if isinstance(body, RecordForm):
        return "a record"
    if isinstance(body, EnumForm):
        return "an enum"
    if isinstance(body, HostForm):
        return "a host type"
    assert isinstance(body, UnknownForm)
    return f"in no Flow form ({shown(body.text)})"
