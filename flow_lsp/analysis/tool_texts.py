"""What is shown of a Tool as a text of its own: its declaration beside what is served, and its schemas."""

from __future__ import annotations

import json
from dataclasses import dataclass

from flow_lsp.analysis.checks.implementations import DeclaredTool
from flow_lsp.analysis.redeclaring.generics import ordered_fields
from flow_lsp.findings.model import shown
from flow_lsp.protocol.outcome import ServedTool
from flow_lsp.signature.forms import Body, RecordForm, SignatureForm, read_signature
from flow_lsp.signature.readable import readable_form
from flow_lsp.signature.signature import Signature, SignatureProblem, bare_signature
from flow_lsp.values.layout import laid_out
from flow_lsp.values.strict_json import Json


@dataclass(frozen=True, slots=True)
class ChangedTexts:
    """A Tool in Flow, as it is declared and as it is served; alike but for what differs."""

    declared: str
    served: str


def changed_texts(tool: DeclaredTool, signature: Signature, served: ServedTool) -> ChangedTexts:
    """Both texts, without doc comments, which are no difference: types and fields of the served one stand in the order
    of the declared one, as far as that says nothing else."""
    here = _form(signature.served)
    there = _form(served.signature)
    assert not isinstance(here, SignatureProblem)
    declared = readable_form(tool.name, here, docs=False)
    if isinstance(there, SignatureProblem):
        return ChangedTexts(f"{declared}\n", f"// {there.sentence}\n")
    text = readable_form(tool.name, _like(there, here), docs=False)
    if text == declared:
        text = f"// The fingerprint there is {shown(served.fingerprint)}; what differs is past what is shown.\n{text}"
    return ChangedTexts(f"{declared}\n", f"{text}\n")


def _form(signature: Json) -> SignatureForm | SignatureProblem:
    bare = bare_signature(signature)
    return bare if isinstance(bare, SignatureProblem) else read_signature(bare)


def _like(there: SignatureForm, here: SignatureForm) -> SignatureForm:
    """`there` with its types and fields in the order of `here`."""
    keys = [key for key in here.bodies if key in there.bodies]
    keys += [key for key in there.bodies if key not in here.bodies]
    bodies = {key: _body_like(there.bodies[key], here.bodies.get(key)) for key in keys}
    return SignatureForm(there.generic, there.params, there.ok, there.err, bodies, there.docs)


def _body_like(body: Body, like: Body | None) -> Body:
    if not isinstance(body, RecordForm):
        return body
    names = [field.name for field in like.fields] if isinstance(like, RecordForm) else []
    return RecordForm(tuple(ordered_fields(body, names)), body.required)


def schema_text(tool: DeclaredTool, signature: Signature) -> str:
    """The schemas of a Tool's parameters, success and error as one JSON document, laid out to be read."""
    served = signature.served
    members = {
        "tool": tool.identity,
        "fingerprint": signature.fingerprint,
        "generic": served["generic"],
        "params": dict(map(tuple, served["params"])),
        "ok": served["ok"],
        "err": served["err"],
    }
    return laid_out(json.dumps(members, ensure_ascii=False, separators=(",", ":"))) + "\n"
