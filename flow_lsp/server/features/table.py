"""Which module answers which request, and what the server says of it in initialize. One is imported when it is first
asked, so that an editor's start waits for none."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final, cast

if TYPE_CHECKING:
    from flow_lsp.server.capabilities import ClientCapabilities
    from flow_lsp.server.language_server import LanguageServer

Answer = Callable[["LanguageServer", Any], Any]
"""Gives the result of a request with these params, or an awaitable of it. Raises ResponseError."""


@dataclass(frozen=True, slots=True)
class Feature:
    """The function `answer` of `module` of this package answers. `provider` is its member of the server's
    capabilities, None for what another feature says, and `options` the value of it, or a function of the client's
    capabilities that gives the value."""

    module: str
    provider: str | None = None
    options: object = True
    answer: str = "answer"


def rename_options(client: ClientCapabilities) -> object:
    """Options only for a client that knows them (LSP 3.17, "Rename Request")."""
    return {"prepareProvider": True} if client.prepares_rename else True


def token_options(_: ClientCapabilities) -> object:
    """The legend of semantic tokens, and what is answered of them."""
    from flow_lsp.analysis.navigation.token_types import MODIFIERS, TOKEN_TYPES

    legend = {"tokenTypes": list(TOKEN_TYPES), "tokenModifiers": list(MODIFIERS)}
    return {"legend": legend, "range": True, "full": {"delta": True}}


FEATURES: Final[Mapping[str, Feature]] = {
    "textDocument/codeAction": Feature(
        "code_action", "codeActionProvider", {"codeActionKinds": ["quickfix", "refactor", "source.fixAll.flow"]}
    ),
    "completionItem/resolve": Feature("source_completion", answer="resolved"),
    "textDocument/definition": Feature("definition", "definitionProvider"),
    "textDocument/typeDefinition": Feature("definition", "typeDefinitionProvider", answer="type_answer"),
    "textDocument/references": Feature("references", "referencesProvider"),
    "textDocument/documentHighlight": Feature("references", "documentHighlightProvider", answer="highlight_answer"),
    "textDocument/documentSymbol": Feature("symbols", "documentSymbolProvider"),
    "workspace/symbol": Feature("symbols", "workspaceSymbolProvider", answer="workspace_answer"),
    "textDocument/foldingRange": Feature("folding", "foldingRangeProvider"),
    "textDocument/selectionRange": Feature("selection", "selectionRangeProvider"),
    "textDocument/rename": Feature("rename", "renameProvider", rename_options),
    "textDocument/prepareRename": Feature("rename", answer="prepare_answer"),
    "textDocument/semanticTokens/full": Feature("semantic_tokens", "semanticTokensProvider", token_options),
    "textDocument/semanticTokens/full/delta": Feature("semantic_tokens", answer="delta_answer"),
    "textDocument/semanticTokens/range": Feature("semantic_tokens", answer="range_answer"),
    "textDocument/documentLink": Feature("links", "documentLinkProvider", {"resolveProvider": False}),
    "workspace/willRenameFiles": Feature("renamed_files"),
    "textDocument/signatureHelp": Feature(
        "signature_help", "signatureHelpProvider", {"triggerCharacters": ["<", ","], "retriggerCharacters": [">"]}
    ),
    "textDocument/inlayHint": Feature("inlay_hint", "inlayHintProvider"),
    "flow/tools": Feature("tool_view"),
}


def providers(client: ClientCapabilities) -> dict[str, object]:
    """The members of the server's capabilities that these features have, for this client."""
    return {
        feature.provider: feature.options(client) if callable(feature.options) else feature.options
        for feature in FEATURES.values()
        if feature.provider is not None
    }


@cache
def answer_of(method: str) -> Answer:
    """The function that answers `method`."""
    feature = FEATURES[method]
    module = import_module(f"flow_lsp.server.features.{feature.module}")
    return cast(Answer, getattr(module, feature.answer))
