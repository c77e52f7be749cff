"""What clients are told while they run that they should send (LSP 3.17, "Register Capability").

A client asks only about the documents that its own configuration names. Where it can, it is told here of those too
that hold the arguments of calls.
"""

from __future__ import annotations

from typing import Any

from flow_lsp.files.paths import ARGUMENTS_SUFFIX
from flow_lsp.server.capabilities import TRIGGER_CHARACTERS, ClientCapabilities
from flow_lsp.server.endpoint import Endpoint

_SELECTOR = [{"scheme": "file", "pattern": f"**/*{ARGUMENTS_SUFFIX}"}]
_METHODS: dict[str, tuple[tuple[str, dict[str, Any]], ...]] = {
    "synchronization": (
        ("textDocument/didOpen", {}),
        ("textDocument/didChange", {"syncKind": 2}),
        ("textDocument/didSave", {"includeText": False}),
        ("textDocument/didClose", {}),
    ),
    "hover": (("textDocument/hover", {}),),
    "completion": (("textDocument/completion", {"triggerCharacters": TRIGGER_CHARACTERS}),),
    "codeLens": (("textDocument/codeLens", {"resolveProvider": False}),),
    "diagnostic": (
        (
            "textDocument/diagnostic",
            {"identifier": "flow-call", "interFileDependencies": True, "workspaceDiagnostics": False},
        ),
    ),
}


def register_configuration(endpoint: Endpoint, client: ClientCapabilities) -> None:
    """Has the client tell when the settings change, where it has to be asked for that."""
    if client.registers_configuration:
        registration = {
            "id": "flow-configuration",
            "method": "workspace/didChangeConfiguration",
            "registerOptions": {"section": "flow"},
        }
        endpoint.request("client/registerCapability", {"registrations": [registration]})


def register_call_documents(endpoint: Endpoint, client: ClientCapabilities) -> None:
    """Has the client send these documents, and ask about them, for each of these that it registers."""
    methods = [
        (method, options)
        for name, several in _METHODS.items()
        if name in client.registers and not (name == "diagnostic" and client.only_pushed)
        for method, options in several
    ]
    if methods:
        registrations = [
            {
                "id": f"flow-call-{method}",
                "method": method,
                "registerOptions": {"documentSelector": _SELECTOR, **options},
            }
            for method, options in methods
        ]
        endpoint.request("client/registerCapability", {"registrations": registrations})
