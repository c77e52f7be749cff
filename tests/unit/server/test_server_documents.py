from __future__ import annotations

import pytest

from flow_lsp.server.documents import Documents, Language
from flow_lsp.server.messages import ResponseError


def opening(uri: str, text: str = "", version: object = 1, language: str = "flow") -> dict:
    return {"textDocument": {"uri": uri, "languageId": language, "version": version, "text": text}}


def changing(uri: str, *changes: object, version: object = 2) -> dict:
    return {"textDocument": {"uri": uri, "version": version}, "contentChanges": list(changes)}


def insertion(line: int, character: int, text: str) -> dict:
    place = {"line": line, "character": character}
    return {"range": {"start": place, "end": place}, "text": text}


def test_changes_are_applied_in_order_each_to_the_text_of_the_one_before():
    documents = Documents()
    documents.open(opening("file:///a.flow", "ab"))
    assert documents.change(changing("file:///a.flow", insertion(0, 0, "X"))).text.text == "Xab"
    changed = documents.change(changing("file:///a.flow", insertion(0, 1, "\n"), insertion(1, 0, "Y")))
    assert changed.text.text == "X\nYab"


def test_one_document_however_its_uri_is_spelt_and_the_clients_spelling_is_kept():
    documents = Documents()
    opened = documents.open(opening("file:///c%3A/p/flow.toml"))
    for spelling in ("file:///C:/p/flow.toml", "file:///c:/p/flow.toml", "FILE:///c%3a/p/%66low.toml"):
        assert documents.get(spelling) is opened
    assert opened.uri == "file:///c%3A/p/flow.toml"
    assert documents.with_key(opened.key) is opened
    assert len(documents) == 1


@pytest.mark.parametrize(
    ("uri", "language", "wanted", "path"),
    [
        ("file:///p/flow.toml", "toml", Language.MANIFEST, "/p/flow.toml"),
        ("file:///p/a.flow", "plaintext", Language.FLOW, "/p/a.flow"),
        ("file:///p/pyproject.toml", "toml", Language.OTHER, "/p/pyproject.toml"),
        ("file:///p/notflow.toml", "toml", Language.OTHER, "/p/notflow.toml"),
        ("untitled:Untitled-1", "flow", Language.FLOW, None),
        ("git:/p/a.flow?ref", "flow", Language.FLOW, None),
        ("vscode-notebook-cell:/p/n#1", "flow", Language.FLOW, None),
        ("untitled:flow.toml", "toml", Language.OTHER, None),
        ("file:///p/%zz.flow", "flow", Language.FLOW, None),
        ("", "", Language.OTHER, None),
        ("\ud800", "flow", Language.FLOW, None),
    ],
)
def test_what_a_document_is_read_as(uri, language, wanted, path):
    document = Documents().open(opening(uri, language=language))
    assert (document.language, document.path) == (wanted, path)


def test_an_old_version_is_applied_and_has_a_revision_of_its_own():
    documents = Documents()
    revisions = [documents.open(opening("file:///a.flow", "", 5)).revision]
    for version, text in ((6, "six"), (6, "other"), (4, "older"), (None, "none"), ("7", "text")):
        document = documents.change(changing("file:///a.flow", {"text": text}, version=version))
        assert document.text.text == text
        revisions.append(document.revision)
    assert document.version == 4
    assert revisions == sorted(set(revisions))


def test_a_reopened_document_starts_afresh():
    documents = Documents()
    first = documents.open(opening("file:///a.flow", "one", 9))
    documents.close({"textDocument": {"uri": "file:///a.flow"}})
    assert documents.get("file:///a.flow") is None
    again = documents.open(opening("file:///a.flow", "two", 1))
    assert (again.version, again.text.text) == (1, "two")
    assert again.revision > first.revision
    assert documents.open(opening("file:///a.flow", "three", 1)).text.text == "three"
    assert len(documents) == 1


def test_a_document_never_opened_is_named_in_the_refusal():
    documents = Documents()
    for refused in (documents.change, documents.close, documents.asked):
        with pytest.raises(ResponseError, match=r"file:///never\.flow is not open"):
            refused(changing("file:///never.flow", {"text": "x"}))


def test_a_change_that_is_none_changes_nothing():
    documents = Documents()
    document = documents.open(opening("file:///a.flow", "x"))
    revision = document.revision
    with pytest.raises(ResponseError):
        documents.change(changing("file:///a.flow", {"text": "y"}, {"range": 5}))
    assert (document.text.text, document.revision, document.version) == ("x", revision, 1)
