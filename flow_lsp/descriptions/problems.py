"""What is wrong with a type description: its rule, its place, and a sentence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from flow_lsp.findings.model import shown
from flow_lsp.types.shapes import ShapeProblem
from flow_lsp.types.terms import Binding, Declarations, Field, Parameter


class DescriptionRule(StrEnum):
    """Which rule is broken: the classes of the conformance cases, and a bound of our own."""

    SHAPE = "shape"  # a member is missing, additional or of the wrong JSON type
    TERM = "term"  # an unknown primitive, compound, kind or payload
    DUPLICATE = "duplicate"  # a name twice in one scope, or a type parameter with a primitive's name
    ARITY = "arity"  # a wrong number of arguments or parts
    REFERENCE = "reference"  # a Named term that names no template
    OWNER = "owner"  # a Param of another owner than its place's; a declaration that is called as the Tool is
    INDEX = "index"  # a Param index that is negative, not whole or past the parameters
    EXTRA = "extra"  # a declaration that no root reaches
    CONFLICT = "conflict"  # two templates of one identity and ordinal; a served template and a view's that disagree
    RECURSION = "recursion"  # ever new instantiations; a type that must contain itself
    ORDER = "order"  # a Set item or Dict key without an order
    MISMATCH = "mismatch"  # bindings, parameters or roots that are not the served signature's
    CROSSING = "crossing"  # a value root that no codec can be made for
    SCHEMA = "schema"  # a schema view that is not the success type's
    LIMIT = "limit"  # more instances of generic types than can be gone through


@dataclass(frozen=True, slots=True)
class DescriptionProblem:
    """Why a description is invalid. `pointer` is a JSON Pointer into what was checked, `sentence` a sentence with a
    full stop that names the declaration and the member."""

    rule: DescriptionRule
    pointer: str
    sentence: str

    def under(self, pointer: str) -> DescriptionProblem:
        """The same problem of a value that stands at `pointer` in a larger one."""
        return replace(self, pointer=pointer + self.pointer)


def counted(count: int, word: str) -> str:
    """`count` and `word`, in the plural where there is not one."""
    return f"{count} {word}" if count == 1 else f"{count} {word}s"


def of_shape(problem: ShapeProblem, at: str = "") -> DescriptionProblem:
    """`problem` of what stands at `at`."""
    return DescriptionProblem(DescriptionRule(problem.rule.value), at + problem.pointer, problem.sentence)


def in_words(problem: DescriptionProblem, value: Any, declarations: str) -> DescriptionProblem:
    """`problem` with the declaration and the member that its pointer leads to in `value` named first. `declarations`
    is the pointer to the declarations map in `value`."""
    where = _where(problem.pointer, value, declarations)
    if not where:
        return problem
    sentence = problem.sentence
    return replace(problem, sentence=f"In {where}: {sentence[0].lower()}{sentence[1:]}")


def names_alone(roots: Mapping[str, Sequence[Parameter | Binding]], declarations: Declarations) -> dict[str, Any]:
    """As much JSON of a description as `in_words` needs: the names in it."""

    def named(several: Sequence[Parameter | Binding | Field]) -> list[dict[str, Any]]:
        return [{"name": one.name} for one in several]

    described: dict[str, Any] = {member: named(several) for member, several in roots.items()}
    described["declarations"] = {
        local_id: {
            "name": template.name,
            "fields": named(template.fields),
            "constructors": [
                {"name": constructor.name, "payload": {"named": named(constructor.named or ())}}
                for constructor in template.constructors
            ],
        }
        for local_id, template in declarations.items()
    }
    return described


_MEMBERS = {
    "params": "the parameter",
    "bindings": "the binding",
    "tools": "the Tool",
    "fields": "the field",
    "constructors": "the constructor",
    "named": "the part",
}
_TERMS = {"type": "", "positional": "", "ok": "the success type", "err": "the error type"}


def _where(pointer: str, value: Any, declarations: str) -> str:
    """The innermost named thing on the way of `pointer`, and those around it: the field `a` of `Page`."""
    around = ""
    if pointer.startswith(declarations + "/"):
        for step in _steps(declarations):
            value = value.get(step) if isinstance(value, dict) else None
        local_id, *steps = _steps(pointer[len(declarations) :])
        value = value.get(local_id) if isinstance(value, dict) else None
        around = f"`{shown(_name(value) or local_id)}`"
    else:
        steps = _steps(pointer)
    innermost, before = "", ""
    for step in steps:
        if step in _TERMS:
            if _TERMS[step]:
                innermost = _TERMS[step] + (f" of {around}" if around else "")
            break
        if isinstance(value, list) and step.isdecimal() and int(step) < len(value):
            value = value[int(step)]
            name = _name(value)
            if name is not None and before in _MEMBERS:
                innermost = f"{_MEMBERS[before]} `{shown(name)}`" + (f" of {around}" if around else "")
                around = innermost
        elif isinstance(value, dict) and step in value:
            value = value[step]
        else:
            break
        before = step
    return innermost or (f"the declaration {around}" if around else "")


def _name(value: Any) -> str | None:
    name = value.get("name") if isinstance(value, dict) else None
    return name if isinstance(name, str) else None


def _steps(pointer: str) -> list[str]:
    return [token.replace("~1", "/").replace("~0", "~") for token in pointer.split("/")[1:]]
