from __future__ import annotations

import json

import pytest

from flow_lsp.server.messages import ResponseError
from flow_lsp.server.publisher import Publisher
from flow_lsp.server.pulling import FILES_AT_ONCE, document_answer, workspace_answer


@pytest.fixture
def publisher():
    """A publisher that knows 250 files with a finding each."""
    publisher = Publisher(lambda *_: None, pulls=True, refreshes=True)
    for number in range(250):
        uri = f"file:///p/{number}.flow"
        publisher.put(uri, "check", (str(number),), None, uri)
    return publisher


def ask(publisher, params) -> tuple[list[dict], dict]:
    notified = []
    answer = workspace_answer(publisher, params, lambda method, told: notified.append((method, json.loads(told.text))))
    assert {method for method, _ in notified} <= {"$/progress"}
    return [told for _, told in notified], json.loads(answer.text)


def test_a_document_under_any_spelling_of_its_uri(publisher):
    full = json.loads(document_answer(publisher, {"textDocument": {"uri": "FILE:///p/%37.flow"}}).text)
    assert full["items"] == [7]
    params = {"textDocument": {"uri": "file:///p/7.flow"}, "previousResultId": full["resultId"]}
    assert json.loads(document_answer(publisher, params).text)["kind"] == "unchanged"


@pytest.mark.parametrize("params", [None, {}, {"textDocument": {"uri": None}}])
def test_params_without_a_document_are_refused(publisher, params):
    with pytest.raises(ResponseError):
        document_answer(publisher, params)


def test_the_workspace_in_one_answer(publisher):
    told, answer = ask(publisher, {"previousResultIds": []})
    assert told == []
    assert [item["items"] for item in answer["items"]] == [[number] for number in range(250)]


@pytest.mark.parametrize("token", ["t", "", 7, 0])
def test_the_workspace_in_parts(publisher, token):
    told, answer = ask(publisher, {"previousResultIds": [], "partialResultToken": token})
    assert answer == {"items": []}
    assert [part["token"] for part in told] == [token] * 3
    assert max(len(part["value"]["items"]) for part in told) == FILES_AT_ONCE
    assert [item["items"] for part in told for item in part["value"]["items"]] == [[n] for n in range(250)]


def test_what_the_client_has_is_unchanged_and_what_is_gone_is_empty(publisher):
    first = ask(publisher, {})[1]["items"]
    previous = [{"uri": item["uri"], "value": item["resultId"]} for item in first]
    previous[3]["uri"] = "FILE:///p/%33.flow"
    gone = {"uri": "file:///p/gone.flow", "value": "9"}
    items = ask(publisher, {"previousResultIds": [*previous, gone]})[1]["items"]
    assert [item["kind"] for item in items] == ["unchanged"] * 250 + ["full"]
    assert items[-1]["uri"] == gone["uri"]
    assert items[-1]["items"] == []


@pytest.mark.parametrize("ids", [None, 5, [None, 5, {}, {"uri": 1, "value": "x"}, {"uri": "u", "value": 2}]])
def test_results_of_any_shape_are_as_none(publisher, ids):
    params = {"previousResultIds": ids, "partialResultToken": None}
    assert {item["kind"] for item in ask(publisher, params)[1]["items"]} == {"full"}
