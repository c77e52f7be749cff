from __future__ import annotations

import pytest

from flow_lsp.server.capabilities import (
    ClientCapabilities,
    folder_changes,
    initialize_result,
    workspace_folders,
)
from flow_lsp.text.lines import PositionEncoding


@pytest.mark.parametrize(
    ("offered", "agreed"),
    [
        (None, "utf-16"), ([], "utf-16"), (["utf-8", "utf-16"], "utf-8"), (["utf-16", "utf-8"], "utf-8"),
        (["utf-32"], "utf-32"), (["utf-16", "utf-32"], "utf-16"), (["utf-32", "utf-16"], "utf-32"),
        (["utf-7"], "utf-16"), ([5, None, []], "utf-16"), ("utf-8", "utf-16"),
    ],
)  # fmt: skip
def test_the_encoding_that_is_agreed_is_announced(offered, agreed):
    client = ClientCapabilities.of({"capabilities": {"general": {"positionEncodings": offered}}})
    assert client.encoding is PositionEncoding(agreed)
    assert initialize_result(client, "1")["capabilities"]["positionEncoding"] == agreed


@pytest.mark.parametrize("params", [None, [], {}, {"capabilities": None}, {"capabilities": {"textDocument": 5}}])
def test_capabilities_of_any_shape_give_a_client_that_can_do_little(params):
    assert ClientCapabilities.of(params) == ClientCapabilities()


def test_capabilities_are_read():
    client = ClientCapabilities.of(
        {
            "capabilities": {
                "textDocument": {
                    "publishDiagnostics": {"relatedInformation": True, "tagSupport": {"valueSet": [1, 2]}},
                    "hover": {"contentFormat": ["plaintext"]},
                    "completion": {"completionItem": {"snippetSupport": True}},
                },
                "workspace": {
                    "configuration": True,
                    "didChangeConfiguration": {"dynamicRegistration": True},
                    "didChangeWatchedFiles": {"dynamicRegistration": True, "relativePatternSupport": True},
                },
                "window": {"workDoneProgress": True, "showMessage": {}},
            }
        }
    )
    assert client == ClientCapabilities(
        related_information=True,
        unnecessary_tag=True,
        markdown_hover=False,
        configuration=True,
        registers_configuration=True,
        registers_watched_files=True,
        relative_patterns=True,
        work_done_progress=True,
        message_actions=True,
        snippets=True,
        resolves_documentation=True,
    )


@pytest.mark.parametrize(
    ("item", "later"),
    [
        ({}, True), ({"resolveSupport": {"properties": ["documentation"]}}, True),
        ({"resolveSupport": {"properties": ["command"]}}, False), ({"resolveSupport": None}, False), (None, False),
    ],
)  # fmt: skip
def test_documentation_is_left_out_of_lists_for_clients_that_ask_for_it_when_it_is_needed(item, later):
    client = ClientCapabilities.of({"capabilities": {"textDocument": {"completion": {"completionItem": item}}}})
    assert client.resolves_documentation is later


def test_a_client_that_pulls():
    client = ClientCapabilities.of(
        {
            "capabilities": {
                "textDocument": {"diagnostic": {}},
                "workspace": {"diagnostics": {"refreshSupport": True}},
            }
        }
    )
    assert client.pulls_diagnostics
    assert client.refreshes_diagnostics


@pytest.mark.parametrize(
    ("params", "folders"),
    [
        (None, []), ({}, []), ({"rootUri": None, "workspaceFolders": None}, []), ({"rootUri": "r"}, ["r"]),
        ({"rootUri": "r", "workspaceFolders": []}, []), ({"workspaceFolders": [{"uri": "a"}, {}, 5]}, ["a"]),
    ],
)  # fmt: skip
def test_folders(params, folders):
    assert workspace_folders(params) == folders


@pytest.mark.parametrize(
    ("params", "changes"),
    [
        (None, ([], [])), ({"event": {"added": [], "removed": None}}, ([], [])),
        ({"event": {"added": [{"uri": "a"}], "removed": [{"uri": "b"}, 5]}}, (["a"], ["b"])),
    ],
)  # fmt: skip
def test_changed_folders(params, changes):
    assert folder_changes(params) == changes


def test_commands_are_announced_where_there_are_any():
    assert "executeCommandProvider" not in initialize_result(ClientCapabilities(), "1")["capabilities"]
    result = initialize_result(ClientCapabilities(), "1.2", ["flow.describe"])
    provider = result["capabilities"]["executeCommandProvider"]
    assert provider == {"commands": ["flow.describe"], "workDoneProgress": True}
    assert result["serverInfo"] == {"name": "flow-lsp", "version": "1.2"}


def test_what_a_client_can_do_with_calls_is_read_from_its_capabilities():
    given = {
        "window": {"showDocument": {"support": True}},
        "workspace": {"codeLens": {"refreshSupport": True}},
        "textDocument": {
            "hover": {"dynamicRegistration": True},
            "completion": {"dynamicRegistration": False},
            "codeLens": 1,
            "synchronization": {"dynamicRegistration": "yes"},
        },
    }
    client = ClientCapabilities.of({"capabilities": given})
    assert (client.shows_documents, client.refreshes_lenses) == (True, True)
    assert client.registers == {"hover"}
    nothing = ClientCapabilities.of({"capabilities": {"textDocument": []}})
    assert (nothing.shows_documents, nothing.refreshes_lenses, nothing.registers) == (False, False, frozenset())


def test_renamed_created_and_deleted_files_are_wanted():
    operations = initialize_result(ClientCapabilities(), "1")["capabilities"]["workspace"]["fileOperations"]
    assert sorted(operations) == ["didCreate", "didDelete", "didRename", "willRename"]
    patterns = [(one["pattern"]["glob"], one["pattern"]["matches"]) for one in operations["willRename"]["filters"]]
    assert patterns == [("**/*.flow", "file"), ("**/flow.toml", "file"), ("**", "folder")]
    assert ClientCapabilities.of({"capabilities": {"workspace": {"applyEdit": True}}}).applies_edits


def test_what_is_said_of_navigation_goes_by_the_client():
    little = initialize_result(ClientCapabilities(), "1")["capabilities"]
    assert little["renameProvider"] is True
    for name in ("definition", "typeDefinition", "references", "documentHighlight", "documentSymbol", "workspaceSymbol",
                 "foldingRange", "selectionRange"):  # fmt: skip
        assert little[f"{name}Provider"] is True
    tokens = little["semanticTokensProvider"]
    assert (tokens["range"], tokens["full"]) == (True, {"delta": True})
    assert "struct" in tokens["legend"]["tokenTypes"]
    given = {
        "textDocument": {
            "definition": {"linkSupport": True},
            "documentSymbol": {"hierarchicalDocumentSymbolSupport": True},
            "foldingRange": {"lineFoldingOnly": True, "rangeLimit": 7},
            "rename": {"prepareSupport": True},
            "semanticTokens": {"multilineTokenSupport": True},
        },
        "workspace": {"workspaceEdit": {"changeAnnotationSupport": {}}},
    }
    client = ClientCapabilities.of({"capabilities": given})
    assert initialize_result(client, "1")["capabilities"]["renameProvider"] == {"prepareProvider": True}
    assert (client.definition_links, client.type_definition_links, client.hierarchical_symbols) == (True, False, True)
    assert (client.line_folding_only, client.most_folds, client.multiline_tokens) == (True, 7, True)
    assert client.change_annotations
