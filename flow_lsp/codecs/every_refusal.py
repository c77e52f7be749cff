"""All that is wrong with a JSON value, where a decoder stops at the first fault.

What a decoder refuses is put right with a template, and the value decoded again: so the sentences are the decoder's
own, and each is about a fault of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from flow_lsp.codecs.inside import Parts, Place, inside, inside_all, members
from flow_lsp.codecs.nodes import Node, Nodes, Shape
from flow_lsp.codecs.refusals import RefusalKind, ValueRefused
from flow_lsp.codecs.template import Templates
from flow_lsp.findings.model import shown
from flow_lsp.values.strict_json import Json, read_json

Steps: TypeAlias = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class Refused:
    """One fault: as ValueRefused has it, with the keys and places that lead to it."""

    kind: RefusalKind
    sentence: str
    steps: Steps


@dataclass(frozen=True, slots=True)
class Unused:
    """A member that a record, or a payload with named parts, does not have: it is ignored. `owner`, and the `word` for
    a member of it, are for sentences; `known` are the names that there are."""

    steps: Steps
    name: str
    owner: str
    word: str
    known: tuple[str, ...]


def every_refusal(
    nodes: Nodes, templates: Templates, place: Place, decode: Callable[[Json], object], value: Json, most: int
) -> list[Refused]:
    """What is wrong with `value`, which `decode` takes for one of `place`; at most `most` faults, and no more where one
    cannot be put right. `value` is changed. Costs as many times `decode` as there are faults, and once more.

    Where no value can stand, such as inside an item of a type that has none, what is around it is put right as a whole.
    """
    found: list[Refused] = []
    changed: set[Steps] = set()  # the values inside which something was put right
    for _ in range(2 * most):
        if len(found) >= most:
            break
        try:
            decode(value)
            break
        except ValueRefused as refused:
            one = Refused(refused.kind, refused.sentence, steps_of(refused.pointer, value))
        try:
            at = _collection(nodes, place, one.steps) if one.kind is RefusalKind.ORDER else one.steps
            if one.kind is not RefusalKind.ORDER or at not in changed:  # else it is out of order because of us
                if one in found:
                    break
                found.append(one)
            value = _put_right(nodes, templates, place, value, one.kind, at)
        except _CannotBe:
            break
        changed.update(at[:count] for count in range(len(at) + (one.kind is RefusalKind.MISSING)))
    return found


def unused_members(nodes: Nodes, place: Place, value: Json, most: int) -> list[Unused]:
    """The members anywhere in `value` that nothing of `place` has, in the order of the text; at most `most`."""
    found: list[Unused] = []
    ahead: list[tuple[Place, Any, Steps]] = [(place, value, ())]
    while ahead and len(found) < most:
        here, current, steps = ahead.pop()
        if isinstance(here, Node) and here.shape is Shape.JSON:
            continue
        if isinstance(current, list):
            within = [(inside(nodes, here, index), item, index) for index, item in enumerate(current)]
        elif isinstance(current, dict):
            owner, word = _owner(here)
            if owner:
                known = {member.name: member for member in members(nodes, here)}
                names = tuple(known)
                found += [Unused(steps, name, owner, word, names) for name in current if name not in known]
                within = [(known.get(name), item, name) for name, item in current.items()]
            else:
                within = [(inside(nodes, here, name), item, name) for name, item in current.items()]
        else:
            continue
        ahead += [(part.place, item, (*steps, step)) for part, item, step in reversed(within) if part is not None]
    return found[:most]


def steps_of(pointer: str, value: Json) -> Steps:
    """A JSON Pointer into `value` as keys and places."""
    steps: list[str | int] = []
    current: Any = value
    for token in pointer.split("/")[1:]:
        key = token.replace("~1", "/").replace("~0", "~")
        step: str | int = int(key) if isinstance(current, list) and key.isdecimal() else key
        steps.append(step)
        current = _at(current, step)
    return tuple(steps)


# -- putting right ------------------------------------------------------------------------------------------------


class _CannotBe(Exception):  # noqa: N818 - there is no value to put there
    pass


def _owner(place: Place) -> tuple[str, str]:
    """What has members of its own and ignores others, with the word for one of them; empty where there is no such."""
    if isinstance(place, Parts):
        return (place.name, place.word) if place.named else ("", "")
    return (f"the record {shown(place.name)}", "field") if place.shape is Shape.RECORD else ("", "")


def _put_right(nodes: Nodes, templates: Templates, place: Place, value: Json, kind: RefusalKind, steps: Steps) -> Json:
    """`value` with a template at `steps`, or with templates of what is missing there."""
    found = inside_all(nodes, place, steps)
    if found is None:
        raise _CannotBe
    at = _end(value, steps)
    if kind is RefusalKind.MISSING and isinstance(at, dict):
        missing = [member for member in members(nodes, found.place) if not member.optional and member.name not in at]
        texts = [(member.name, templates.text(member.place)) for member in missing]
        if all(text is not None for _, text in texts):
            at.update((name, read_json(text or "")) for name, text in texts)
            return value
    for count in range(len(steps), -1, -1):
        around = inside_all(nodes, place, steps[:count])
        text = templates.text(around.place) if around is not None else None
        if text is not None:
            return _replaced(value, steps[:count], read_json(text))
    raise _CannotBe


def _collection(nodes: Nodes, place: Place, steps: Steps) -> Steps:
    """The beginning of `steps`, to an item that is out of order, that leads to its Set or Dict. It is replaced whole:
    of items that are put right, there is nothing to say of their order."""
    for count in range(len(steps) - 1, -1, -1):
        found = inside_all(nodes, place, steps[:count])
        if found is not None and isinstance(found.place, Node) and found.place.shape in (Shape.SET, Shape.DICT):
            return steps[:count]
    raise _CannotBe


def _replaced(value: Json, steps: Sequence[str | int], new: Json) -> Json:
    if not steps:
        return new
    around: Any = _end(value, steps[:-1])  # the decoder has been there
    around[steps[-1]] = new
    return value


def _end(value: Json, steps: Sequence[str | int]) -> Json:
    current: Any = value
    for step in steps:
        current = _at(current, step)
    return current  # type: ignore[no-any-return]


def _at(value: Any, step: str | int) -> Any:
    if isinstance(value, dict) and isinstance(step, str):
        return value.get(step)
    if isinstance(value, list) and isinstance(step, int) and 0 <= step < len(value):
        return value[step]
    return None
