"""Identities that files give, and where imports lead."""

from __future__ import annotations

import pytest

from flow_lsp.source.homes import ImportTarget, Repository, file_identity, import_target
from flow_lsp.source.model import ImportSyntax
from flow_lsp.source.reader import read_source

REPOSITORIES = [
    Repository("acme", "1.0.0", "/r/acme"),
    Repository("acme/kit", "1.2.0", "/r/kit"),
    Repository("acme/kit-x", "2.0.0", "/w/vendored/"),
]
FOLDERS = ["/w", "/w/inner"]


def target(importing: str, text: str) -> ImportTarget:
    syntax = read_source(f"import {text} as m").items[0].syntax
    assert isinstance(syntax, ImportSyntax)
    return import_target(importing, syntax, REPOSITORIES, FOLDERS)


@pytest.mark.parametrize(
    ("path", "repository", "identity"),
    [
        ("tools/search.flow", None, "tools/search.find"),
        ("search.flow", ("acme/kit", "1.2.0"), "acme/kit@1.2.0/search.find"),
        ("a@b#c<d>,100%.flow", None, "a%40b%23c%3Cd%3E%2C100%25.find"),
        ("größe x.flow", None, "größe x.find"),
        ("a.flow.flow", None, "a.flow.find"),
    ],
)
def test_identities(path: str, repository: tuple[str, str] | None, identity: str) -> None:
    assert file_identity(path, repository).identity("find") == identity


@pytest.mark.parametrize(
    ("importing", "text", "path"),
    [
        ("/w/a.flow", "./types", "/w/types.flow"),
        ("/w/x/a.flow", "../types", "/w/types.flow"),
        ("/w/x/y/a.flow", "../../z/types", "/w/z/types.flow"),
        ("/w/a.flow", "../types", None),
        ("/w/inner/a.flow", "../types", None),
        ("/w/inner/b/a.flow", "../types", "/w/inner/types.flow"),
        ("/r/kit/b/a.flow", "../types", "/r/kit/types.flow"),
        ("/r/kit/a.flow", "../types", None),
        ("/elsewhere/a.flow", "./types", "/elsewhere/types.flow"),
        ("/elsewhere/a.flow", "../types", None),
        ("/w/a.flow", "acme/kit/search", "/r/kit/search.flow"),
        ("/w/a.flow", "acme/kit-x/a/b", "/w/vendored/a/b.flow"),
        ("/w/a.flow", "acme/kitten", "/r/acme/kitten.flow"),
        ("/w/a.flow", "acme/kit", "/r/acme/kit.flow"),
        ("/w/a.flow", "other/kit", None),
        ("C:/w/a.flow", "./types", "C:/w/types.flow"),
        ("untitled:1", "acme/kit/search", "/r/kit/search.flow"),
    ],
)
def test_where_imports_lead(importing: str, text: str, path: str | None) -> None:
    found = target(importing, text)
    assert found.path == path
    assert (found.problem_text is None) == (path is not None)


def test_a_document_without_a_place_leads_nowhere_and_nothing_is_said() -> None:
    assert target("untitled:Untitled-1", "./types") == ImportTarget(None)
