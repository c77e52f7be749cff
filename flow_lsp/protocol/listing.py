"""A describe result, checked in full.

Realizes "The Tool process protocol" (describe), "Versioning" and decisions 7: another major data version
refuses the binding as such, whatever the rest looks like; then the shape counts; two entries of one identity
refuse it; and each entry's fingerprint must be that of its signature, or that entry alone is no proof of a
fit.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from flow_lsp.findings.model import shown
from flow_lsp.protocol.describe_schema import DESCRIBE_RESULT
from flow_lsp.protocol.outcome import DescribeFailure, DescribeListing, FailureKind, ServedTool
from flow_lsp.values.data_version import DATA_VERSION, parse_data_version, same_major
from flow_lsp.values.strict_json import Json, JsonObject

if TYPE_CHECKING:
    from jsonschema import Draft202012Validator, ValidationError

_NO_VERSION = f'is not MAJOR.MINOR, such as "{DATA_VERSION}", at /data'
_JSON_TYPES = {"object": "an object", "array": "an array", "string": "a string"}


def read_listing(result: Json, data_version: str = DATA_VERSION) -> DescribeListing | DescribeFailure:
    """The listing that `result` is, for a host of `data_version`; or why it is none. Never raises.

    The first call imports jsonschema, and each call hashes every signature: keep it off an event loop's
    thread.
    """
    other = _other_major(result, data_version)
    if other is not None:
        return DescribeFailure(
            FailureKind.DATA_VERSION,
            f"speaks data version {shown(other)}, of another major than this host's {data_version}.",
        )
    problem = _shape_problem(result)
    if problem is not None:
        return _invalid(f"its result {problem}")
    answer: JsonObject = cast(JsonObject, result)  # its shape has just been seen
    seen: dict[str, int] = {}
    tools = []
    for index, entry in enumerate(answer["tools"]):
        tool = _served_tool(entry)
        if tool.identity in seen:
            return _invalid(
                f"it lists {shown(tool.identity)} twice, as entries {seen[tool.identity] + 1} and {index + 1}"
            )
        seen[tool.identity] = index
        tools.append(tool)
    return DescribeListing(answer["data"], tuple(tools))


def _invalid(reason: str) -> DescribeFailure:
    return DescribeFailure(FailureKind.INVALID, f"answered describe wrongly: {reason}.")


def _other_major(result: Json, data_version: str) -> str | None:
    """The data version that `result` names, where its major is not that of `data_version`."""
    data = result.get("data") if isinstance(result, dict) else None
    if not isinstance(data, str):
        return None
    return None if parse_data_version(data) is None or same_major(data, data_version) else data


def _served_tool(entry: JsonObject) -> ServedTool:
    from flow_lsp.signature.signature import SignatureProblem, served_fingerprint

    identity, listed, signature = entry["tool"], entry["fingerprint"], entry["signature"]
    recomputed = served_fingerprint(signature)
    if isinstance(recomputed, SignatureProblem):
        return ServedTool(
            identity, listed, signature, None, f"its signature has none: {recomputed.sentence.rstrip('.')}"
        )
    if recomputed == listed:
        return ServedTool(identity, listed, signature, recomputed)
    return ServedTool(
        identity,
        listed,
        signature,
        recomputed,
        f"fingerprint mismatch: it lists {shown(listed)}, and its signature has {recomputed}",
    )


_validator: Draft202012Validator | None = None


def _shape_problem(result: Json) -> str | None:
    """What is wrong with the shape of `result`, as a predicate; None where nothing is."""
    global _validator  # noqa: PLW0603, RUF100
    if _validator is None:
        from jsonschema import Draft202012Validator

        _validator = Draft202012Validator(DESCRIBE_RESULT)
    error = next(_validator.iter_errors(result), None)
    if error is not None:
        return _predicate(error)
    # Python's `$` passes over a last line feed, which that of JSON Schema does not.
    if parse_data_version(cast(JsonObject, result)["data"]) is None:
        return _NO_VERSION
    return None


def _predicate(error: ValidationError) -> str:
    where = "".join(f"/{part}" for part in error.absolute_path)
    place = f" at {where}" if where else ""
    wanted: Any = error.validator_value
    if error.validator == "required":
        missing = next(name for name in wanted if name not in cast(JsonObject, error.instance))
        return f'has no member "{missing}"{place}'
    if error.validator == "type":
        names = [wanted] if isinstance(wanted, str) else list(wanted)
        return f"is not {' or '.join(_JSON_TYPES.get(name, f'a {name}') for name in names)}{place}"
    if error.validator == "pattern":
        return _NO_VERSION
    if error.validator == "minLength":
        return f"is empty{place}"
    return f"is not a pair of a name and a schema{place}"
