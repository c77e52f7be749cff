"""What the client can do, and what this server says of itself (LSP 3.17, "Initialize Request")."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from flow_lsp.server.features.table import providers
from flow_lsp.server.parameters import optional
from flow_lsp.text.lines import PositionEncoding

_FILES = {
    "filters": [
        {"scheme": "file", "pattern": {"glob": "**/*.flow", "matches": "file"}},
        {"scheme": "file", "pattern": {"glob": "**/flow.toml", "matches": "file"}},
        {"scheme": "file", "pattern": {"glob": "**", "matches": "folder"}},
    ]
}
FILE_OPERATIONS = dict.fromkeys(("willRename", "didCreate", "didRename", "didDelete"), _FILES)
_COMPLETION = ("capabilities", "textDocument", "completion")
TRIGGER_CHARACTERS = ['"', "[", ".", "/", "@", "<"]  # of completion


@dataclass(frozen=True, slots=True)
class ClientCapabilities:
    """What matters to this server of the capabilities that a client gave in initialize."""

    encoding: PositionEncoding = PositionEncoding.UTF16
    pulls_diagnostics: bool = False
    refreshes_diagnostics: bool = False
    only_pushed: bool = False
    related_information: bool = False
    unnecessary_tag: bool = False
    code_description: bool = False
    markdown_hover: bool = True
    configuration: bool = False
    registers_configuration: bool = False
    registers_watched_files: bool = False
    relative_patterns: bool = False
    work_done_progress: bool = False
    message_actions: bool = False
    snippets: bool = False
    shows_documents: bool = False
    refreshes_lenses: bool = False
    document_changes: bool = False
    creates_files: bool = False
    applies_edits: bool = False
    code_action_literals: bool = False
    definition_links: bool = False
    type_definition_links: bool = False
    hierarchical_symbols: bool = False
    line_folding_only: bool = False
    most_folds: int | None = None
    prepares_rename: bool = False
    change_annotations: bool = False
    multiline_tokens: bool = False
    insert_replace: bool = False
    markdown_documentation: bool = False
    resolves_documentation: bool = False
    default_edit_range: bool = False
    disabled_actions: bool = False
    refreshes_hints: bool = False
    refreshes_tokens: bool = False
    shows_diffs: bool = False
    views_tools: bool = False
    label_offsets: bool = False
    registers: frozenset[str] = frozenset()
    """The members of `textDocument` that can be registered dynamically, such as `hover`."""

    @classmethod
    def of(cls, params: object) -> ClientCapabilities:
        """The client's capabilities in the params of initialize, of whatever shape those are."""

        def can(*path: str) -> bool:
            return optional(params, "capabilities", *path, kind=bool) is True

        formats = optional(params, "capabilities", "textDocument", "hover", "contentFormat", kind=list)
        tags = optional(params, "capabilities", "textDocument", "publishDiagnostics", "tagSupport", kind=dict)
        documentation = optional(params, *_COMPLETION, "completionItem", "documentationFormat", kind=list)
        pulls = optional(params, "capabilities", "textDocument", "diagnostic", kind=dict) is not None
        refreshes = any(can("workspace", name, "refreshSupport") for name in ("diagnostics", "diagnostic"))
        return cls(
            encoding=agreed_encoding(optional(params, "capabilities", "general", "positionEncodings", kind=list)),
            # A client that cannot be told to pull again would show for ever what it was given first.
            pulls_diagnostics=pulls and refreshes,
            refreshes_diagnostics=refreshes,
            only_pushed=pulls and not refreshes,
            related_information=pulls or can("textDocument", "publishDiagnostics", "relatedInformation"),
            unnecessary_tag=pulls or 1 in (optional(tags, "valueSet", kind=list) or ()),
            code_description=pulls or can("textDocument", "publishDiagnostics", "codeDescriptionSupport"),
            markdown_hover=formats is None or "markdown" in formats,
            configuration=can("workspace", "configuration"),
            registers_configuration=can("workspace", "didChangeConfiguration", "dynamicRegistration"),
            registers_watched_files=can("workspace", "didChangeWatchedFiles", "dynamicRegistration"),
            relative_patterns=can("workspace", "didChangeWatchedFiles", "relativePatternSupport"),
            work_done_progress=can("window", "workDoneProgress"),
            message_actions=optional(params, "capabilities", "window", "showMessage", kind=dict) is not None,
            snippets=can(*_COMPLETION[1:], "completionItem", "snippetSupport"),
            shows_documents=can("window", "showDocument", "support"),
            refreshes_lenses=can("workspace", "codeLens", "refreshSupport"),
            document_changes=can("workspace", "workspaceEdit", "documentChanges"),
            applies_edits=can("workspace", "applyEdit"),
            creates_files="create"
            in (optional(params, "capabilities", "workspace", "workspaceEdit", "resourceOperations", kind=list) or ()),
            code_action_literals=optional(
                params, "capabilities", "textDocument", "codeAction", "codeActionLiteralSupport", kind=dict
            )
            is not None,
            definition_links=can("textDocument", "definition", "linkSupport"),
            type_definition_links=can("textDocument", "typeDefinition", "linkSupport"),
            hierarchical_symbols=can("textDocument", "documentSymbol", "hierarchicalDocumentSymbolSupport"),
            line_folding_only=can("textDocument", "foldingRange", "lineFoldingOnly"),
            most_folds=optional(params, "capabilities", "textDocument", "foldingRange", "rangeLimit", kind=int),
            prepares_rename=can("textDocument", "rename", "prepareSupport"),
            change_annotations=optional(
                params, "capabilities", "workspace", "workspaceEdit", "changeAnnotationSupport", kind=dict
            )
            is not None,
            multiline_tokens=can("textDocument", "semanticTokens", "multilineTokenSupport"),
            insert_replace=can(*_COMPLETION[1:], "completionItem", "insertReplaceSupport"),
            markdown_documentation="markdown" in (documentation or ()),
            default_edit_range="editRange"
            in (optional(params, *_COMPLETION, "completionList", "itemDefaults", kind=list) or ()),
            resolves_documentation="documentation" in resolved_later(params),
            disabled_actions=can("textDocument", "codeAction", "disabledSupport"),
            refreshes_hints=can("workspace", "inlayHint", "refreshSupport"),
            refreshes_tokens=can("workspace", "semanticTokens", "refreshSupport"),
            shows_diffs=can("experimental", "flowDiff"),
            views_tools=can("experimental", "flowTools"),
            label_offsets=can(
                "textDocument", "signatureHelp", "signatureInformation", "parameterInformation", "labelOffsetSupport"
            ),
            registers=frozenset(
                name
                for name in optional(params, "capabilities", "textDocument", kind=dict) or ()
                if can("textDocument", name, "dynamicRegistration")
            ),
        )


def resolved_later(params: object) -> Sequence[object]:
    """What of a CompletionItem the client asks for when it is needed. One that has completions and says nothing of it
    is of the time when it could be these alone (LSP 3.17, `resolveSupport`)."""
    item = optional(params, *_COMPLETION, "completionItem", kind=dict)
    if item is None:
        return ()
    if "resolveSupport" not in item:
        return ("documentation", "detail")
    return optional(item, "resolveSupport", "properties", kind=list) or ()


def agreed_encoding(offered: Sequence[object] | None) -> PositionEncoding:
    """The encoding of columns: UTF-8 if the client offers it, else its first that is known, else UTF-16."""
    known = [encoding for name in offered or () for encoding in PositionEncoding if name == encoding.value]
    if PositionEncoding.UTF8 in known:
        return PositionEncoding.UTF8
    return known[0] if known else PositionEncoding.UTF16


def workspace_folders(params: object) -> list[str]:
    """The URIs of the folders in the params of initialize; `rootUri` where there are no folders."""
    folders = optional(params, "workspaceFolders", kind=list)
    if folders is None:
        root = optional(params, "rootUri", kind=str)
        return [] if root is None else [root]
    return folder_uris(folders)


def folder_changes(params: object) -> tuple[list[str], list[str]]:
    """The URIs added and removed by workspace/didChangeWorkspaceFolders."""
    added = optional(params, "event", "added", kind=list) or []
    removed = optional(params, "event", "removed", kind=list) or []
    return folder_uris(added), folder_uris(removed)


def folder_uris(folders: list[object]) -> list[str]:
    """The URIs in a list of WorkspaceFolder; what has none is left out."""
    return [uri for folder in folders if (uri := optional(folder, "uri", kind=str)) is not None]


def initialize_result(client: ClientCapabilities, version: str, commands: Sequence[str] = ()) -> dict[str, Any]:
    """The answer to initialize. `version` is this program's, `commands` what executeCommand takes."""
    capabilities: dict[str, Any] = {
        "positionEncoding": client.encoding.value,
        "textDocumentSync": {"openClose": True, "change": 2, "save": {"includeText": False}},
        "hoverProvider": True,
        "completionProvider": {"triggerCharacters": TRIGGER_CHARACTERS, "resolveProvider": True},
        "codeLensProvider": {"resolveProvider": False},
        **providers(client),
        "workspace": {
            "workspaceFolders": {"supported": True, "changeNotifications": True},
            "fileOperations": FILE_OPERATIONS,
        },
    }
    if client.views_tools:
        capabilities["experimental"] = {"flowTools": True}
    if not client.only_pushed:  # such a client would show both what is pushed and what it pulls
        capabilities["diagnosticProvider"] = {
            "identifier": "flow",
            "interFileDependencies": True,
            "workspaceDiagnostics": True,
        }
    if commands:
        capabilities["executeCommandProvider"] = {"commands": list(commands), "workDoneProgress": True}
    return {"capabilities": capabilities, "serverInfo": {"name": "flow-lsp", "version": version}}
