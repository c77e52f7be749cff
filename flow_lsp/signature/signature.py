"""The canonical signature and the fingerprint ("Identity and fingerprints").

`signature_of` computes them from a declaration's types, `served_fingerprint` from what an implementation
lists. Both strip and write by the same code, so that a listing made from a declaration has the declaration's
own.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from flow_lsp.findings.model import shown
from flow_lsp.schema.projection import ProjectionProblem, Projector, RootSchema
from flow_lsp.schema.stripping import MergedKeys, stripped
from flow_lsp.types.terms import TypeSpec
from flow_lsp.values.canonical import canonical_text, canonical_text_of_schema
from flow_lsp.values.strict_json import Json, JsonObject


class SignatureFault(StrEnum):
    """Why there is no signature."""

    NO_ENCODING = "no-encoding"  # a value would hold a function, a task or nondata
    REFERENCE = "reference"  # a name or parameter that the declarations do not have
    SAME_KEY = "same-key"  # two types come out under one key
    TOO_LARGE = "too-large"  # more or larger types than any message holds
    TEXT = "text"  # a name that UTF-8 cannot write
    SHAPE = "shape"  # what is served is no signature


@dataclass(frozen=True, slots=True)
class SignatureProblem:
    """Why there is no signature or fingerprint; `sentence` is a sentence with a full stop."""

    fault: SignatureFault
    sentence: str


@dataclass(frozen=True)
class Signature:
    """A declaration's signature.

    `served` is as describe lists it, descriptions and versions included; its parts are shared with other
    signatures, so nobody changes them. `canonical` is the canonical signature's text, `fingerprint` its hash.
    """

    served: JsonObject
    canonical: str
    fingerprint: str


def signature_of(spec: TypeSpec, projector: Projector | None = None) -> Signature | SignatureProblem:
    """The signature of a Tool with the types `spec`, or why it has none. Never raises.

    Tools of one declarations map share their work through `projector`, whose declarations must hold all of
    `spec`'s; without one, `spec`'s own are projected.
    """
    projector = projector or Projector(spec.declarations)
    roots: list[RootSchema] = []
    for term in (*(param.type for param in spec.params), spec.ok, spec.err):
        root = projector.project(term, spec.generic)
        if isinstance(root, ProjectionProblem):
            return SignatureProblem(SignatureFault(root.fault.value), root.sentence)
        roots.append(root)
    problem = _same_key(roots)
    if problem is not None:
        return problem
    *params, ok, err = map(_root_text, roots)
    pairs = ",".join(
        f"[{canonical_text_of_schema(param.name)},{text}]" for param, text in zip(spec.params, params, strict=True)
    )
    generic = canonical_text_of_schema(list(spec.generic))
    canonical = f'{{"err":{err},"generic":{generic},"ok":{ok},"params":[{pairs}]}}'
    fingerprint = _fingerprint(canonical)
    if isinstance(fingerprint, SignatureProblem):
        return fingerprint
    *param_roots, ok_root, err_root = roots
    served: JsonObject = {
        "params": [[param.name, root.schema] for param, root in zip(spec.params, param_roots, strict=True)],
        "ok": ok_root.schema,
        "err": err_root.schema,
        "generic": list(spec.generic),
    }
    return Signature(served, canonical, fingerprint)


def bare_signature(signature: Json) -> JsonObject | SignatureProblem:
    """What is hashed of a listed `signature`: its four members, without descriptions and versions."""
    if not isinstance(signature, dict):
        return _shape("it is no object")
    for member in ("params", "ok", "err", "generic"):
        if member not in signature:
            return _shape(f'it has no member "{member}"')
    params, generic = signature["params"], signature["generic"]
    if not isinstance(generic, list) or not all(isinstance(name, str) for name in generic):
        return _shape('its "generic" is no array of names')
    if not isinstance(params, list):
        return _shape('its "params" is no array')
    keys: dict[str, str] = {}
    pairs: list[Json] = []
    try:
        for index, pair in enumerate(params):
            if not isinstance(pair, list) or len(pair) != 2 or not isinstance(pair[0], str):
                return _shape(f"its parameter {index + 1} is no pair of a name and a schema")
            if not isinstance(pair[1], dict | bool):
                return _shape(f"the schema of its parameter `{shown(pair[0])}` is no schema")
            pairs.append([pair[0], stripped(pair[1], keys)])
        for member in ("ok", "err"):
            if not isinstance(signature[member], dict | bool):
                return _shape(f'its "{member}" is no schema')
        ok, err = stripped(signature["ok"], keys), stripped(signature["err"], keys)
    except MergedKeys as merged:
        return SignatureProblem(
            SignatureFault.SAME_KEY,
            f"Its types `{shown(merged.first)}` and `{shown(merged.second)}` have one name without their versions.",
        )
    return {"params": pairs, "ok": ok, "err": err, "generic": generic}


def served_fingerprint(signature: Json) -> str | SignatureProblem:
    """The fingerprint of `signature` as an implementation lists it, or why it has none. Never raises."""
    bare = bare_signature(signature)
    if isinstance(bare, SignatureProblem):
        return bare
    return _fingerprint(canonical_text(bare))


def _fingerprint(canonical: str) -> str | SignatureProblem:
    try:
        data = canonical.encode("utf-8")
    except UnicodeEncodeError as error:
        where = shown(canonical[max(0, error.start - 30) : error.start + 10])
        return SignatureProblem(
            SignatureFault.TEXT, f"A name holds half a character, which UTF-8 cannot write: `{where}`."
        )
    return f"sha256:{hashlib.sha256(data).hexdigest()}"


def _root_text(root: RootSchema) -> str:
    """The canonical text of a stripped root. `$defs` is the first of its keywords in code-point order."""
    text = canonical_text_of_schema(stripped(root.root))
    if not root.types:
        return text
    members = ",".join(
        f"{canonical_text_of_schema(key)}:{body}" for key, body in sorted(type_.bare_member for type_ in root.types)
    )
    return f'{{"$defs":{{{members}}},{text[1:]}'


def _same_key(roots: Iterable[RootSchema]) -> SignatureProblem | None:
    found: dict[str, object] = {}
    full: dict[str, str] = {}
    for root in roots:
        for type_ in root.types:
            bare = type_.bare_member[0]
            if found.setdefault(bare, type_) is type_:
                full[bare] = type_.key
                continue
            first, second = full[bare], type_.key
            names = f"`{shown(first)}` and `{shown(second)}`" if first != second else "declared in two places"
            return SignatureProblem(
                SignatureFault.SAME_KEY,
                f"Two different types of this Tool are both called `{shown(bare)}` in its signature "
                f"({names}), so it has no fingerprint. Use one of the two.",
            )
    return None


def _shape(reason: str) -> SignatureProblem:
    return SignatureProblem(SignatureFault.SHAPE, f"What is listed is no signature: {reason}.")
