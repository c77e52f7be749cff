"""What is judged before any substitution: names in their scopes, and owners, indices, arity and references of terms.

Every check gives the first problem in the order of the description, its pointer counted from the whole.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from flow_lsp.descriptions.problems import DescriptionProblem, DescriptionRule, counted
from flow_lsp.findings.model import shown
from flow_lsp.types.inner import inner_terms
from flow_lsp.types.instances import member_terms
from flow_lsp.types.shapes import TERM_NESTING, pointer_token
from flow_lsp.types.terms import (
    TOOL_OWNER,
    Declarations,
    DictOf,
    FunctionOf,
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
from flow_lsp.values.numbers import number_text

_PRIMITIVES = frozenset(primitive.value for primitive in Primitive)


@dataclass(frozen=True, slots=True)
class Root:
    """A term that a description begins at, and the pointer to it."""

    pointer: str
    term: Term


# -- names ---------------------------------------------------------------------------------------------


def repeated_name(names: Sequence[str], pointer: str, what: str) -> DescriptionProblem | None:
    """The second of two equal `names` of one scope, with a place for each at `pointer`, where `{}` is its index."""
    if len(set(names)) == len(names):
        return None
    seen: set[str] = set()
    index = next(index for index, name in enumerate(names) if name in seen or seen.add(name))  # type: ignore[func-returns-value]
    return DescriptionProblem(
        DescriptionRule.DUPLICATE,
        pointer.format(index),
        f"The name `{shown(names[index])}` stands twice among the {what}.",
    )


def generic_problem(generic: Sequence[str], pointer: str) -> DescriptionProblem | None:
    """What is wrong with the names of type parameters, an array at `pointer`."""
    for index, name in enumerate(generic):
        if name in _PRIMITIVES:
            return DescriptionProblem(
                DescriptionRule.DUPLICATE,
                f"{pointer}/{index}",
                f"A type parameter may not be called `{name}`, which is the name of a primitive type.",
            )
    return repeated_name(generic, pointer + "/{}", "type parameters")


def names_problem(declarations: Declarations, at: str) -> DescriptionProblem | None:
    """The first name that stands twice in a scope of a declaration, or is taken; `at` is the map's pointer."""
    for local_id, template in declarations.items():
        found = _template_names_problem(template)
        if local_id == TOOL_OWNER:
            found = DescriptionProblem(
                DescriptionRule.OWNER, "", f"No local id is `{TOOL_OWNER}`, which owns the Tool's type parameters."
            )
        if found is not None:
            return found.under(at + pointer_token(local_id))
    return None


def _template_names_problem(template: Template) -> DescriptionProblem | None:
    found = generic_problem(template.generic, "/generic") if template.generic else None
    if found is None and template.fields:
        found = repeated_name([field.name for field in template.fields], "/fields/{}/name", "fields")
    if found is None and template.constructors:
        names = [constructor.name for constructor in template.constructors]
        found = repeated_name(names, "/constructors/{}/name", "constructors")
    if found is not None:
        return found
    for index, constructor in enumerate(template.constructors):
        if constructor.named:
            names = [part.name for part in constructor.named]
            found = repeated_name(names, "/payload/named/{}/name", "parts of the payload")
            if found is not None:
                return found.under(f"/constructors/{index}")
    return None


def conflict(declarations: Declarations, at: str) -> DescriptionProblem | None:
    """The second of two templates of one identity, its version included, and ordinal."""
    seen: dict[tuple[str, int], str] = {}
    for local_id, template in declarations.items():
        first = seen.setdefault((template.identity, template.lexical_ordinal), local_id)
        if first != local_id:
            return DescriptionProblem(
                DescriptionRule.CONFLICT,
                at + pointer_token(local_id),
                f"The identity `{shown(template.identity)}` with the lexical_ordinal "
                f"{shown(number_text(template.lexical_ordinal))} "
                f"is that of `{shown(first)}` already.",
            )
    return None


# -- terms ---------------------------------------------------------------------------------------------


class TermRules:
    """The rules of single terms over one map."""

    def __init__(self, declarations: Declarations) -> None:
        self._declarations = declarations

    def problem(self, roots: Iterable[Root], tool_parameters: int | None, at: str | None) -> DescriptionProblem | None:
        """The first problem of a term of `roots`, whose Tool has so many type parameters, or which are concrete where
        that is None; then of one of the declarations, whose map stands at `at`, unless that is None."""
        for root in roots:
            found = self._term(root.term, None if tool_parameters is None else TOOL_OWNER, tool_parameters or 0)
            if found is not None:
                return found.under(root.pointer)
        if at is None:
            return None
        for local_id, template in self._declarations.items():
            for index, term in enumerate(member_terms(template)):
                if term.__class__ is Primitive:
                    continue
                found = self._term(term, local_id, len(template.generic))
                if found is not None:
                    return found.under(at + pointer_token(local_id) + member_pointer(template, index))
        return None

    def _term(self, term: Term, owner: str | None, parameters: int, depth: int = 1) -> DescriptionProblem | None:
        """What is wrong with `term` where `owner` has so many type parameters. Recurs once per level."""
        if isinstance(term, Primitive):
            return None
        if depth > TERM_NESTING:
            return DescriptionProblem(DescriptionRule.SHAPE, "", f"This type is nested more than {TERM_NESTING} deep.")
        found: DescriptionProblem | None = None
        if isinstance(term, Param):
            return _parameter_problem(term, owner, parameters)
        if isinstance(term, Named):
            found = self._named_problem(term)
        if found is not None:
            return found
        for index, part in enumerate(inner_terms(term)):
            found = self._term(part, owner, parameters, depth + 1)
            if found is not None:
                return found.under(inner_pointer(term, index))
        return None

    def _named_problem(self, term: Named) -> DescriptionProblem | None:
        template = self._declarations.get(term.declaration)
        if template is None:
            return DescriptionProblem(
                DescriptionRule.REFERENCE,
                "/Named/declaration",
                f"There is no declaration `{shown(term.declaration)}`.",
            )
        if len(term.args) != len(template.generic):
            return DescriptionProblem(
                DescriptionRule.ARITY,
                "/Named/args",
                f"`{shown(template.name)}` takes {counted(len(template.generic), 'type argument')}, and "
                f"{len(term.args)} {'is' if len(term.args) == 1 else 'are'} given.",
            )
        return None


def _parameter_problem(term: Param, owner: str | None, parameters: int) -> DescriptionProblem | None:
    if owner is None:
        return DescriptionProblem(
            DescriptionRule.OWNER, "/Param", "A call's types are concrete: no type parameter may be left in them."
        )
    if term.owner != owner:
        return DescriptionProblem(
            DescriptionRule.OWNER,
            "/Param/owner",
            f"A type parameter here is owned by `{shown(owner)}`, and not by `{shown(term.owner)}`.",
        )
    if not 0 <= term.index < parameters:
        return DescriptionProblem(
            DescriptionRule.INDEX,
            "/Param/index",
            f"`{shown(owner)}` has {counted(parameters, 'type parameter')}, counted from 0, and none of the index "
            f"{shown(number_text(term.index))}.",
        )
    return None


_TAGS: dict[type[Term], str] = {ListOf: "List", SetOf: "Set", OptionOf: "Option", TaskOf: "Task"}


def inner_pointer(term: Term, index: int) -> str:
    """The pointer from the JSON of `term` to that of the `index`-th of its `inner_terms`."""
    match term:
        case Named():
            return f"/Named/args/{index}"
        case DictOf():
            return f"/Dict/{index}"
        case TupleOf():
            return f"/Tuple/{index}"
        case FunctionOf(params, _):
            return f"/Function/params/{index}" if index < len(params) else "/Function/result"
        case _:
            return f"/{_TAGS[type(term)]}"


def member_pointers(template: Template) -> Iterator[str]:
    """The pointers from the JSON of `template` to those of its `member_terms`."""
    for index in range(len(template.fields)):
        yield f"/fields/{index}/type"
    for number, constructor in enumerate(template.constructors):
        payload = f"/constructors/{number}/payload"
        for index in range(len(constructor.positional or ())):
            yield f"{payload}/positional/{index}"
        for index in range(len(constructor.named or ())):
            yield f"{payload}/named/{index}/type"


def member_pointer(template: Template, index: int) -> str:
    """The `index`-th of the `member_pointers`."""
    return next(pointer for at, pointer in enumerate(member_pointers(template)) if at == index)
