from __future__ import annotations

import pytest

from flow_lsp.server.messages import ErrorCode, ResponseError
from flow_lsp.server.parameters import content_changes, document_uri, member, optional, position
from flow_lsp.text.document import Change
from flow_lsp.text.lines import Position


def test_a_member_is_found_by_its_path():
    assert member({"a": {"b": "x"}}, "a", "b", kind=str) == "x"


@pytest.mark.parametrize("params", [None, [], "a", 5, {}, {"a": None}, {"a": []}, {"a": {"b": 1}}, {"a": {"b": None}}])
def test_what_is_not_there_is_invalid_params_and_says_what_is_needed(params):
    with pytest.raises(ResponseError) as caught:
        member(params, "a", "b", kind=str)
    assert caught.value.code == ErrorCode.INVALID_PARAMS
    assert caught.value.message == "The params need `a.b` to be a string."
    assert optional(params, "a", "b", kind=str) is None


@pytest.mark.parametrize(("value", "number"), [(3, 3), (3.0, 3), (-1, -1), (10**40, 10**40)])
def test_whole_numbers_in_any_spelling(value, number):
    assert member({"n": value}, "n", kind=int) == number


@pytest.mark.parametrize("value", [True, 3.5, float("inf"), float("nan"), "3", None])
def test_what_is_no_whole_number(value):
    assert optional({"n": value}, "n", kind=int) is None


def test_true_is_a_bool():
    assert optional({"n": True}, "n", kind=bool) is True


def test_a_position_and_a_uri():
    params = {"textDocument": {"uri": "u"}, "position": {"line": 1, "character": 2}}
    assert position(params) == Position(1, 2)
    assert document_uri(params) == "u"


def test_changes_with_and_without_a_range():
    place = {"line": 1, "character": 2}
    change = {"range": {"start": place, "end": place}, "text": "x"}
    assert content_changes({"contentChanges": [change, {"text": "y"}, {"text": "z", "range": None}]}) == [
        Change("x", Position(1, 2), Position(1, 2)),
        Change("y"),
        Change("z"),
    ]


@pytest.mark.parametrize(
    "change",
    [None, 5, {}, {"text": 1}, {"text": "x", "range": {}}, {"text": "x", "range": {"start": {"line": "1"}}}],
)
def test_one_change_that_is_none_refuses_all(change):
    with pytest.raises(ResponseError):
        content_changes({"contentChanges": [{"text": "y"}, change]})
