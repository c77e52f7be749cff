"""The program that a listing describes, validated in all that is used of it before a line is generated.

"It validates every consumed type part before generating source; missing parts are invalid, not silently omitted."
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from flow_lsp.descriptions.graphs import DescriptionGraph
from flow_lsp.descriptions.listing import read_listing
from flow_lsp.descriptions.problems import DescriptionProblem, in_words
from flow_lsp.findings.model import shown
from flow_lsp.schema.projection import Projector
from flow_lsp.signature.identity import parse_identity
from flow_lsp.signature.signature import Signature, SignatureFault, SignatureProblem, signature_of
from flow_lsp.text.visible import visible
from flow_lsp.types.terms import Declarations, Term, TypeSpec
from flow_lsp.values.data_version import DATA_VERSION, same_major
from flow_lsp.values.strict_json import Json, JsonObject

REASONS_LIMIT: Final = 50
_MESSAGE: Final = 1_000  # characters of a problem's message


@dataclass(frozen=True, slots=True)
class ProgramTool:
    """One Tool: its identity, what people call it, its types, and the signature that these come to. `entry` is its
    entry of the listing."""

    identity: str
    name: str
    doc: str | None
    param_docs: tuple[str | None, ...]
    spec: TypeSpec
    signature: Signature
    entry: JsonObject


@dataclass(frozen=True, slots=True)
class ProgramTypes:
    """All Tools of a listing, and the declarations that they reach, in the order in which they do."""

    tools: tuple[ProgramTool, ...]
    types: Declarations


@dataclass(frozen=True, slots=True)
class GenerationRefused:
    """Why nothing is generated: all reasons, as sentences."""

    reasons: tuple[str, ...]


def read_program(listing: Json) -> ProgramTypes | GenerationRefused:
    """The program of `listing` (decisions 9), or every reason why nothing can be generated from it. Never raises."""
    reasons = list(_listing_reasons(listing))
    if reasons or not isinstance(listing, dict):
        return GenerationRefused(_bounded(reasons))
    found = read_listing(listing)
    if isinstance(found, DescriptionProblem):
        sentence = found.sentence if found.pointer == "" else f"{found.sentence} (at {shown(found.pointer)})"
        return GenerationRefused((sentence,))
    entries = listing["tools"]
    assert isinstance(entries, list)
    projector = Projector(found.types)
    tools: list[ProgramTool] = []
    any_opaque = any(template.opaque for template in found.types.values())
    first = 0  # the number of the first root of a Tool
    for entry, spec in zip(entries, found.specs, strict=True):
        assert isinstance(entry, dict)
        name = shown(entry["name"])
        roots = range(first, first + len(spec.params) + 2)
        first = roots.stop
        reasons += _opaque_reasons(found.graph, roots, listing) if any_opaque else []
        signature = signature_of(spec, projector)
        if isinstance(signature, SignatureProblem):
            uncoded = _in_words(map(found.graph.uncoded_root, roots), listing)
            no_fingerprint = f"The Tool `{name}` has no fingerprint: {signature.sentence}"
            reasons += uncoded if signature.fault is SignatureFault.NO_ENCODING and uncoded else [no_fingerprint]
        elif signature.fingerprint != entry["fingerprint"]:
            reasons.append(
                f"The Tool `{name}` is listed with the fingerprint `{shown(entry['fingerprint'])}`, and its types come "
                f"to `{signature.fingerprint}`. Make the listing again."
            )
        else:
            tools.append(_tool(entry, spec, signature))
    if reasons:
        return GenerationRefused(_bounded(reasons))
    order = found.graph.reached(range(first))
    return ProgramTypes(tuple(tools), {local_id: found.types[local_id] for local_id in order})


def roots_of(spec: TypeSpec) -> list[Term]:
    """The types of a Tool's parameters, and those that it gives."""
    return [*[param.type for param in spec.params], spec.ok, spec.err]


def _tool(entry: JsonObject, spec: TypeSpec, signature: Signature) -> ProgramTool:
    identity, name, doc, params = entry["tool"], entry["name"], entry["doc"], entry["params"]
    assert isinstance(identity, str)
    assert isinstance(name, str)
    assert isinstance(doc, str | None)
    assert isinstance(params, list)
    docs = [param.get("doc") for param in params if isinstance(param, dict)]
    param_docs = tuple([text if isinstance(text, str) else None for text in docs])
    return ProgramTool(identity, name, doc, param_docs, spec, signature, entry)


def _listing_reasons(listing: Json) -> Iterator[str]:
    """What is wrong with the listing beside its types."""
    if not isinstance(listing, dict):
        yield "A tools listing is expected, and this is no object."
        return
    for member in ("data", "tools", "types", "problems"):
        if member not in listing:
            yield f"A tools listing needs the member `{member}`."
    data, problems, tools = listing.get("data"), listing.get("problems", []), listing.get("tools")
    if "data" in listing and not (isinstance(data, str) and same_major(data, DATA_VERSION)):
        yield (
            f"The listing has the data version `{shown(data)}`, and this is generated from {DATA_VERSION} alone. Make "
            "it with a version of flow-lsp or of the compiler that has it."
        )
    if not isinstance(problems, list):
        yield "The member `problems` of a tools listing is an array."
    else:
        yield from map(_problem_sentence, problems)
    if isinstance(tools, list):
        yield from _entry_reasons(tools)
        if not tools and listing.get("problems") == []:
            yield "The listing has no Tool, so there is nothing to generate."


def _problem_sentence(problem: Json) -> str:
    if isinstance(problem, dict) and isinstance(problem.get("message"), str):
        message = visible(str(problem["message"])[:_MESSAGE])
        return f"{shown(problem.get('file'))}:{shown(problem.get('line'))}: {message}"
    return "The listing has a problem in a form that is not known."


def _entry_reasons(tools: Sequence[Json]) -> Iterator[str]:
    identities: Counter[str] = Counter()
    for place, entry in enumerate(tools):
        if not isinstance(entry, dict):
            continue  # read_listing says so
        missing = [member for member in ("tool", "name", "doc", "fingerprint") if member not in entry]
        if missing:
            yield f"The entry {place + 1} of the listing's tools needs the member `{missing[0]}`."
            continue
        identity, name = entry["tool"], entry["name"]
        if not (isinstance(identity, str) and isinstance(name, str) and isinstance(entry["fingerprint"], str)):
            yield f"The members `tool`, `name` and `fingerprint` of the listing's entry {place + 1} are strings."
            continue
        if not isinstance(entry["doc"], str | None):
            yield f"The doc of the Tool `{shown(name)}` is a string or null."
        parts = parse_identity(identity)
        if parts is None:
            yield f"The identity `{shown(identity)}` of the Tool `{shown(name)}` is none."
        elif parts.name != name:
            yield f"The Tool with the identity `{shown(identity)}` cannot be called `{shown(name)}`."
        identities[identity] += 1
    yield from (
        f"The listing has {count} Tools of the identity `{shown(identity)}`."
        for identity, count in identities.items()
        if count > 1
    )


def _opaque_reasons(graph: DescriptionGraph, roots: range, listing: Json) -> list[str]:
    """Why what a Tool gives cannot be built from its reply (decisions 8); its last two roots are that."""
    return _in_words(map(graph.opaque_root, roots[-2:]), listing)


def _in_words(problems: Iterable[DescriptionProblem | None], listing: Json) -> list[str]:
    return [in_words(problem, listing, "/types").sentence for problem in problems if problem is not None]


def _bounded(reasons: list[str]) -> tuple[str, ...]:
    if len(reasons) > REASONS_LIMIT:
        reasons = [*reasons[:REASONS_LIMIT], f"There are {len(reasons) - REASONS_LIMIT} more reasons."]
    return tuple(reasons)
