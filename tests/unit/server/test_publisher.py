from __future__ import annotations

import json

import pytest

from flow_lsp.server.publisher import Publisher, publish_params

A, B = ("1",), ("2", "3")


class Client:
    """What was sent, in order, and a publisher that sends it."""

    def __init__(self, **options) -> None:
        self.sent: list[tuple] = []
        self.publisher = Publisher(lambda *message: self.sent.append(message), **options)

    def take(self) -> list[tuple]:
        self.publisher.flush()
        taken, self.sent[:] = list(self.sent), []
        return taken

    def opened(self, version=1, revision=1, uri="u") -> None:
        self.publisher.opened("k", uri, version, revision)

    def put(self, items, revision=1, producer="check") -> bool:
        return self.publisher.put("k", producer, items, revision, "u")

    def report(self, previous=None) -> dict:
        return json.loads(self.publisher.report("k", previous).text)

    def workspace(self, **previous) -> list[dict]:
        return [json.loads(item) for item in self.publisher.workspace_report(previous)]


@pytest.fixture
def client():
    return Client()


def test_an_open_document_is_published_once_for_each_text_with_its_version(client):
    client.opened(version=5)
    assert client.take() == []
    client.put(())
    assert client.take() == [("u", 5, ())]
    client.put(())
    assert client.take() == []
    client.publisher.changed("k", 6, 2)
    assert client.take() == []
    client.put((), 2)
    assert client.take() == [("u", 6, ())]


def test_another_set_for_the_same_text_is_published(client):
    client.opened()
    client.put(A)
    client.put(B)
    assert client.take() == [("u", 1, B)]
    client.put(A)
    assert client.take() == [("u", 1, A)]


def test_a_set_for_an_older_text_is_dropped(client):
    client.opened()
    client.publisher.changed("k", 2, 2)
    assert not client.put(A, 1)
    assert client.take() == []
    assert client.put(B, 2)
    assert client.take() == [("u", 2, B)]


def test_the_sets_of_all_producers_go_out_together(client):
    client.opened()
    client.put(A, 1, "check")
    client.put(B, 1, "describe")
    assert client.take() == [("u", 1, A + B)]
    client.publisher.changed("k", 2, 2)
    client.put(A, 2, "check")
    assert client.take() == [], "what describe said is of the text before"
    client.put((), 2, "describe")
    assert client.take() == [("u", 2, A)]


def test_one_version_for_two_texts_is_published_for_both(client):
    client.opened(version=6)
    client.put(A)
    client.take()
    client.publisher.changed("k", 6, 2)
    assert not client.put(B, 1)
    client.put(A, 2)
    assert client.take() == [("u", 6, A)]


def test_closing_clears_and_nothing_follows(client):
    client.opened()
    client.put(A)
    client.take()
    client.publisher.closed("k")
    assert not client.put(B, 1)
    assert client.take() == [("u", None, ())]
    assert not client.put(B, 1)
    assert client.take() == []


def test_closing_what_shows_nothing_sends_nothing(client):
    client.opened()
    client.put(())
    client.take()
    client.publisher.closed("k")
    assert client.take() == []
    assert client.publisher._entries == {}


def test_a_closed_file_goes_on_with_what_is_on_the_disk_without_being_cleared_between(client):
    client.opened()
    client.put(A)
    client.take()
    client.publisher.closed("k")
    client.put(B, None)
    assert client.take() == [("u", None, B)]


def test_a_file_that_is_not_open_is_published_without_a_version_and_only_when_it_changes(client):
    assert not client.put((), None)
    client.put(A, None)
    assert client.take() == [("u", None, A)]
    client.put(A, None)
    assert client.take() == []
    client.publisher.gone("k")
    assert client.take() == [("u", None, ())]
    assert client.publisher._entries == {}


def test_what_is_known_of_a_file_stays_until_its_open_text_was_checked(client):
    client.put(A, None)
    client.take()
    client.opened()
    assert client.take() == []
    assert not client.put(B, None), "the disk does not count while it is open"
    client.publisher.gone("k")
    client.put(B)
    assert client.take() == [("u", 1, B)]


def test_another_spelling_is_cleared_under_the_old_one(client):
    client.put(A, None)
    client.take()
    client.opened(uri="U")
    client.put(A)
    assert client.take() == [("u", None, ()), ("U", 1, A)]


def test_reopening_publishes_again_whatever_the_version(client):
    client.opened(version=5)
    client.put(A)
    client.take()
    client.publisher.closed("k")
    client.opened(version=5, revision=2)
    client.put(A, 2)
    assert client.take() == [("u", 5, A)]


def test_documents_that_nobody_knows_are_no_matter(client):
    client.publisher.changed("other", 1, 1)
    client.publisher.closed("other")
    client.publisher.gone("other")
    assert not client.publisher.put("other", "check", A, 4)
    assert client.take() == []
    assert json.loads(client.publisher.report("other").text) == {"kind": "full", "items": []}


# -- pulling -----------------------------------------------------------------------------------------------


@pytest.fixture
def pulling():
    return Client(pulls=True, refreshes=True, session="s")


def test_a_client_that_pulls_open_documents_is_not_pushed_them(pulling):
    pulling.put(A, None)
    assert pulling.take() == [("u", None, A)]
    pulling.opened()
    assert pulling.take() == [("u", 1, ())]
    pulling.put(A)
    assert pulling.take() == []
    assert pulling.report() == {"kind": "full", "resultId": "s1", "items": [1]}
    pulling.publisher.closed("k")
    pulling.put(B, None)
    assert pulling.take() == [("u", None, B)]


def test_an_unchanged_set_is_reported_as_such(pulling):
    pulling.opened()
    pulling.put(A)
    first = pulling.report()
    pulling.publisher.changed("k", 2, 2)
    pulling.put(A, 2)
    assert pulling.report(first["resultId"]) == {"kind": "unchanged", "resultId": first["resultId"]}
    pulling.put(B, 2)
    second = pulling.report(first["resultId"])
    assert second["items"] == [2, 3]
    assert second["resultId"] != first["resultId"]


def test_the_workspace_report_names_every_file_once(pulling):
    pulling.opened()
    pulling.put(A)
    pulling.publisher.put("l", "check", B, None, "v")
    pulling.publisher.put("m", "check", A, None, "w")
    pulling.publisher.gone("m")
    items = pulling.workspace(gone=("x", "s9"))
    assert items == [
        {"uri": "u", "version": 1, "kind": "full", "resultId": "s1", "items": [1]},
        {"uri": "v", "version": None, "kind": "full", "resultId": "s2", "items": [2, 3]},
        {"uri": "x", "version": None, "kind": "full", "items": []},
    ]
    again = pulling.workspace(k=("u", "s1"), l=("v", "s1"))
    assert [item["kind"] for item in again] == ["unchanged", "full"]


def test_a_file_whose_problems_went_is_reported_empty_to_who_had_them(pulling):
    pulling.put(A, None)
    (had,) = pulling.workspace()
    pulling.publisher.gone("k")
    pulling.take()
    (item,) = pulling.workspace(k=("u", had["resultId"]))
    assert item["items"] == []
    pulling.take()
    assert pulling.workspace() == []


def test_a_client_that_pulls_the_workspace_is_not_pushed_files_any_more(pulling):
    pulling.put(A, None)
    assert pulling.take() == [("u", None, A)]
    pulling.workspace()
    assert pulling.take() == [("u", None, ())]
    pulling.put(B, None)
    assert pulling.take() == []


def test_a_client_that_cannot_be_told_to_ask_again_is_pushed_files_all_the_same():
    client = Client(pulls=True)
    client.workspace()
    client.put(A, None)
    assert client.take() == [("u", None, A)]


def test_a_refresh_is_due_when_another_set_belongs_to_the_text_that_was_pulled(pulling):
    pulling.opened()
    pulling.put(A)
    assert not pulling.publisher.take_refresh(), "the client asks by itself"
    pulling.report()
    assert not pulling.publisher.take_refresh()
    pulling.put(B)
    assert pulling.publisher.take_refresh()
    assert not pulling.publisher.take_refresh(), "once is enough"
    pulling.publisher.changed("k", 2, 2)
    pulling.put(A, 2)
    assert not pulling.publisher.take_refresh(), "the client asks by itself after its edit"


def test_a_refresh_is_due_when_a_pulled_file_changed(pulling):
    pulling.put(A, None)
    assert not pulling.publisher.take_refresh(), "files are pushed to who never pulled them"
    pulling.workspace()
    assert not pulling.publisher.take_refresh()
    pulling.put(B, None)
    assert pulling.publisher.take_refresh()
    assert not pulling.publisher.take_refresh()
    pulling.publisher.gone("k")
    assert pulling.publisher.take_refresh()


def test_a_client_that_is_pushed_everything_needs_no_refresh(client):
    client.opened()
    client.put(A)
    client.report()
    client.put(B)
    assert not client.publisher.take_refresh()


def test_the_params_as_they_are_sent():
    assert json.loads(publish_params('u"', 3, ("1", "2")).text) == {
        "uri": 'u"',
        "version": 3,
        "diagnostics": [1, 2],
    }
    assert json.loads(publish_params("u", None, ()).text) == {"uri": "u", "diagnostics": []}
