"""What std 0.1.0 declares: json.Value, which is a primitive, and result.Result<T, E> (decisions 6)."""

from __future__ import annotations

from flow_lsp.source.targets import Target, TargetKind
from flow_lsp.types.facts import Facts, template_facts
from flow_lsp.types.terms import Constructor, Kind, Param, Template

NAME = "std"
VERSION = "0.1.0"
RESULT_PATH = "std/result"
RESULT_ID = f"{RESULT_PATH}:Result"

RESULT = Template(
    "Result",
    f"{NAME}@{VERSION}/result.Result",
    1,
    ("T", "E"),
    False,
    Kind.ENUM,
    None,
    constructors=(
        Constructor("Ok", positional=(Param(RESULT_ID, 0),)),
        Constructor("Err", positional=(Param(RESULT_ID, 1),)),
    ),
)
RESULT_FACTS: Facts = template_facts(RESULT)
RESULT_TARGET = Target(TargetKind.RESULT, "Result", 2, RESULT_PATH)

MODULES: dict[str, dict[str, Target]] = {
    "json": {"Value": Target(TargetKind.PRIMITIVE, "json.Value", 0)},
    "result": {"Result": RESULT_TARGET},
}
"""The modules of std, and the types that each declares."""
