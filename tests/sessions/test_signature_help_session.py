"""textDocument/signatureHelp inside type arguments."""

from __future__ import annotations

from typing import Any

import pytest
from lsprotocol import types
from session_client import capabilities
from session_workspace import Workspace

TEXT = "record 𝔘nd<𝔗, E> { a: Dict<Text, Int> }\nrecord A { b: 𝔘nd<Int, > }\n"


async def helped(one: Any, line: int, character: int) -> types.SignatureHelp | None:
    params = types.SignatureHelpParams(one.identifier("a.flow"), types.Position(line, character))
    return await one.answer(one.client.text_document_signature_help_async(params))


@pytest.mark.parametrize("offsets", [True, False])
async def test_the_active_parameter_of_a_type(editor, workspace: Workspace, offsets: bool):
    can = capabilities(("utf-8",))
    can.text_document.signature_help = types.SignatureHelpClientCapabilities(
        signature_information=types.ClientSignatureInformationOptions(
            parameter_information=types.ClientSignatureParameterInformationOptions(label_offset_support=offsets)
        )
    )
    one = editor()
    await one.start(can)
    provider = one.result.capabilities.signature_help_provider
    assert tuple(provider.trigger_characters) == ("<", ",")
    one.open("a.flow", TEXT)
    found = await helped(one, 1, 26)
    assert found is not None
    assert (found.active_signature, found.active_parameter) == (0, 1)
    (signature,) = found.signatures
    assert signature.label == "𝔘nd<𝔗, E>"
    labels = [parameter.label for parameter in signature.parameters]
    assert labels == ([(5, 7), (9, 10)] if offsets else ["𝔗", "E"])
    inner = await helped(one, 0, 35)
    assert inner is not None
    assert inner.signatures[0].parameters[0].documentation == "The type of the keys; it must have an order."
    assert await helped(one, 1, 0) is None
    one.open("flow.toml", "")
    params = types.SignatureHelpParams(one.identifier("flow.toml"), types.Position(0, 0))
    assert await one.answer(one.client.text_document_signature_help_async(params)) is None
