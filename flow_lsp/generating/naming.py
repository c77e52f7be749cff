"""What everything that stands in a generated module is called: types, constructors, failures, functions, parameters."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Final

from flow_lsp.generating.names import (
    OF_FIELDS,
    OF_MEMBERS,
    OF_PARAMETERS,
    OF_TYPES,
    Wanted,
    camel,
    distinct,
    given_names,
    python_name,
    wanted,
)
from flow_lsp.generating.program import ProgramTool, ProgramTypes, roots_of
from flow_lsp.signature.identity import parse_identity
from flow_lsp.types.inner import inner_terms
from flow_lsp.types.terms import TOOL_OWNER, Kind, Named, Param, Primitive, Template, Term

_LONGEST_ORDINAL: Final = 1_000


@dataclass(frozen=True, slots=True)
class ToolNames:
    """What one Tool is called in Python. `failure` is None for a Tool without an error."""

    method: str
    parameters: tuple[str, ...]
    failure: str | None


@dataclass(frozen=True, slots=True)
class ModuleNames:
    """The names of a module, by local ids, and for type parameters by their names in Flow."""

    types: dict[str, str]
    constructors: dict[str, tuple[str, ...]]
    variables: dict[str, str]
    tools: tuple[ToolNames, ...]


def module_names(program: ProgramTypes) -> ModuleNames:
    """The names for all of `program`. Types are named first, so that what is made of their names gives way to them."""
    types = _type_names(program)
    taken: set[str] = {*OF_TYPES, *types.values()}
    constructors = _constructor_names(program, types, taken)
    variables = _variable_names(program, taken)
    annotated = {types[local_id] for tool in program.tools for local_id in _named(tool)}
    annotated |= {variables[name] for tool in program.tools for name in tool.spec.generic}
    methods = _method_names(program, annotated)
    failures = _failure_names(program, methods, taken)
    tools = [
        ToolNames(
            method,
            tuple(distinct([param.name for param in tool.spec.params], "argument", OF_PARAMETERS)),
            failures.get(tool.identity),
        )
        for tool, method in zip(program.tools, methods, strict=True)
    ]
    return ModuleNames(types, constructors, variables, tuple(tools))


def member_names(names: Sequence[str], annotated: AbstractSet[str]) -> tuple[str, ...]:
    """The names of a class's members, in whose annotations the names `annotated` stand."""
    return tuple(distinct(names, "field", OF_FIELDS, annotated))


# -- types --------------------------------------------------------------------------------------------------------


def _type_names(program: ProgramTypes) -> dict[str, str]:
    identities = Counter((template.identity, template.lexical_ordinal) for template in program.types.values())
    wishes: list[Wanted] = []
    places = _Places()
    capitals: dict[str, str] = {}
    for local_id, template in program.types.items():
        identity, origin = template.identity, _origin(template)
        if identities[identity, template.lexical_ordinal] > 1:  # two files of one path
            origin = f"{origin} {local_id}"
        name = python_name(template.name, "Type", OF_TYPES)
        exact = name == template.name
        if template.lexical_ordinal > 1:
            name, exact = f"{name}{_ordinal(template)}", False
        qualified = [capitals.get(place) or capitals.setdefault(place, camel(place)) for place in places.of(identity)]
        wishes.append(Wanted((name, *[place + name for place in qualified]), origin, exact))
    return dict(zip(program.types, given_names(wishes, OF_TYPES), strict=True))


def _origin(template: Template) -> str:
    return f"{template.identity}#{_ordinal(template)}"


def _ordinal(template: Template) -> str:
    """The ordinal in text, which Python writes up to a length."""
    ordinal = template.lexical_ordinal
    return str(ordinal) if ordinal < _LONGEST_ORDINAL else f"x{ordinal:x}"


class _Places:
    """Ever longer names for where declarations stand: their file, its path, its path in its repository."""

    def __init__(self) -> None:
        self._known: dict[tuple[str | None, str], tuple[str, str, str]] = {}

    def of(self, identity: str) -> tuple[str, ...]:
        """The names for the place of `identity`, as parts of a function's name; none where it is no identity."""
        parts = parse_identity(identity)
        if parts is None:
            return ()
        key = parts.repository, parts.file
        known = self._known.get(key)
        if known is None:
            segments = [python_name(segment, "file", ()) for segment in parts.file.split("/")]
            around = [python_name(each, "repository", ()) for each in (parts.repository or "").split("/") if each]
            path = "_".join(segments)
            known = self._known[key] = (segments[-1], path, "_".join([*around, path]))
        return known


def _constructor_names(program: ProgramTypes, types: dict[str, str], taken: set[str]) -> dict[str, tuple[str, ...]]:
    """The classes of each enum's constructors. They are added to `taken`."""
    wishes: list[Wanted] = []
    counts: dict[str, int] = {}
    for local_id, template in program.types.items():
        if template.kind is not Kind.ENUM:
            continue
        counts[local_id] = len(template.constructors)
        for constructor in template.constructors:
            name = python_name(constructor.name, "Case", ())
            candidates = (types[local_id] + camel(name), f"{types[local_id]}_{name}")
            wishes.append(Wanted(candidates, f"{local_id} {constructor.name}", camel(name) == constructor.name))
    found = iter(_taken(given_names(wishes, taken), taken))
    return {local_id: tuple([next(found) for _ in range(count)]) for local_id, count in counts.items()}


def _variable_names(program: ProgramTypes, taken: set[str]) -> dict[str, str]:
    """The type variables; parameters of one name share one."""
    kinds = (Kind.RECORD, Kind.ENUM)
    owners = [template.generic for template in program.types.values() if template.kind in kinds and template.generic]
    owners += [tool.spec.generic for tool in program.tools]
    generic = list(dict.fromkeys(name for owner in owners for name in owner))
    wishes = [wanted(name, "T", OF_TYPES, name, f"{python_name(name, 'T', OF_TYPES)}_") for name in generic]
    return dict(zip(generic, _taken(given_names(wishes, taken), taken), strict=True))


# -- Tools --------------------------------------------------------------------------------------------------------


def _method_names(program: ProgramTypes, annotated: AbstractSet[str]) -> list[str]:
    wishes: list[Wanted] = []
    places = _Places()
    for tool in program.tools:
        name = python_name(tool.name, "tool", OF_MEMBERS)
        qualified = [f"{place}_{name}" for place in places.of(tool.identity)]
        wishes.append(Wanted((name, *qualified), tool.identity, name == tool.name))
    return given_names(wishes, OF_MEMBERS | annotated)


def _failure_names(program: ProgramTypes, methods: Sequence[str], taken: set[str]) -> dict[str, str]:
    """The exceptions of the Tools that have an error, by identity."""
    failing = [(tool, camel(method)) for tool, method in zip(program.tools, methods, strict=True) if has_error(tool)]
    wishes = [
        Wanted((f"{name}Failed", f"{name}ToolFailed"), tool.identity, name == tool.name) for tool, name in failing
    ]
    found = _taken(given_names(wishes, taken), taken)
    return {tool.identity: name for (tool, _), name in zip(failing, found, strict=True)}


def has_error(tool: ProgramTool) -> bool:
    """Whether the Tool declares an error that can be."""
    return tool.spec.err is not Primitive.NEVER


def tool_parameters(term: Term) -> list[int]:
    """The places of the Tool's type parameters that stand in `term`, ascending."""
    return sorted({inner.index for inner in _inside(term) if isinstance(inner, Param) and inner.owner == TOOL_OWNER})


def _named(tool: ProgramTool) -> Iterable[str]:
    return (inner.declaration for term in roots_of(tool.spec) for inner in _inside(term) if isinstance(inner, Named))


def _inside(term: Term) -> list[Term]:
    found = [term]
    for inner in found:  # grows while it is read
        found += inner_terms(inner)
    return found


def _taken(names: list[str], taken: set[str]) -> list[str]:
    taken.update(names)
    return names
