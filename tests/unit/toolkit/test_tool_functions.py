"""The functions of the object that is served: looked at before anything is answered."""

from __future__ import annotations

import functools
from typing import Any

import pytest

from flow_lsp.toolkit.functions import tool_functions

METHODS = {"tools.find": ("find", ("query", "limit"))}


def given(function: Any) -> Any:
    """What is said of an object whose `find` is `function`."""
    return tool_functions(METHODS, type("Given", (), {"find": function})())


class Callable:
    def __call__(self, query: str, limit: int) -> str:
        return query


@functools.wraps(given)
def wrapped(query: str, limit: int) -> str:
    return query


FITS: list[Any] = [
    lambda self, query, limit: 0,
    lambda self, *, query, limit: 0,
    lambda self, limit, query, more=1: 0,
    lambda self, query=1, limit=2: 0,
    lambda self, /, **everything: 0,
    lambda *_, **everything: 0,
    lambda self, *, query, limit, more=1: 0,
    staticmethod(lambda query, limit: 0),
    classmethod(lambda cls, query, limit: 0),
    functools.partial(lambda query, limit, more: 0, more=1),
    Callable(),
]


@pytest.mark.parametrize("function", FITS)
def test_functions_that_take_the_parameters_by_name(function: Any) -> None:
    found = given(function)
    assert isinstance(found, dict)
    assert list(found) == ["tools.find"]
    found["tools.find"](query="q", limit=1)


@pytest.mark.parametrize(
    ("function", "problem"),
    [
        (lambda self, query: 0, "`find` takes no argument `limit`"),
        (lambda self: 0, "`find` takes no argument `query`"),
        (lambda query, limit: 0, "`find` takes no argument `query`"),  # `query` is bound to the object
        (lambda self, query, /, limit: 0, "`find` takes no argument `query`"),
        (lambda self, query, limit, more: 0, "`find` needs an argument `more`, which the Tool does not have"),
        (lambda self, query, limit, *, more: 0, "`find` needs an argument `more`, which the Tool does not have"),
        (lambda self, first, /, **more: 0, "`find` needs an argument `first`, which the Tool does not have"),
        (staticmethod(lambda query: 0), "`find` takes no argument `limit`"),
        (functools.partial(lambda query: 0), "`find` cannot be called with the Tool's parameters"),
        (7, "`find` is no function"),
    ],
)
def test_functions_that_do_not(function: Any, problem: str) -> None:
    assert problem in given(function)


def test_a_module_or_any_other_object_may_be_served() -> None:
    from types import SimpleNamespace

    assert tool_functions(METHODS, SimpleNamespace(find=lambda query, limit: 0))
    assert "the class Callable: give `Callable()`" in str(tool_functions(METHODS, Callable))
    assert "`find` is missing" in str(tool_functions(METHODS, object()))


def test_many_problems_are_counted() -> None:
    methods = {f"tools.f{number}": (f"f{number}", ()) for number in range(30)}
    sentence = tool_functions(methods, object())
    assert isinstance(sentence, str)
    assert sentence.count("is missing") == 20
    assert sentence.endswith(" and 10 more.")
