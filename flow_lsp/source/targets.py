"""What a name in a type may mean, and the names that are built in (decisions 8, "Type descriptions")."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from flow_lsp.types.terms import Primitive


class TargetKind(StrEnum):
    """What a name stands for."""

    PRIMITIVE = "primitive"
    LIST = "List"
    SET = "Set"
    DICT = "Dict"
    OPTION = "Option"
    TASK = "Task"
    RESULT = "Result"
    DECLARED = "declared"
    UNKNOWN = "unknown"  # not to be known, and said elsewhere


class Target(NamedTuple):
    """What one name means. `path` is the file that declares it; `name` a primitive's name, or the
    declaration's."""

    kind: TargetKind
    name: str
    arity: int = 0
    path: str = ""

    @property
    def local_id(self) -> str:
        """The local id of a declared type: names hold no colon, so it can be taken apart again."""
        return f"{self.path}:{self.name}"


UNKNOWN = Target(TargetKind.UNKNOWN, "")

COMPOUNDS = {
    "List": Target(TargetKind.LIST, "List", 1),
    "Set": Target(TargetKind.SET, "Set", 1),
    "Dict": Target(TargetKind.DICT, "Dict", 2),
    "Option": Target(TargetKind.OPTION, "Option", 1),
    "Task": Target(TargetKind.TASK, "Task", 1),
}
PRIMITIVES = {
    primitive.value: Target(TargetKind.PRIMITIVE, primitive.value)
    for primitive in Primitive
    if primitive is not Primitive.JSON_VALUE
}
BUILT_IN = {**PRIMITIVES, **COMPOUNDS}  # and Result, which std declares

FOREIGN_HABITS = {
    **dict.fromkeys(("string", "str", "varchar", "char", "text"), "Text"),
    **dict.fromkeys(("integer", "int", "int32", "int64", "i32", "i64", "u32", "u64", "long", "bigint", "usize"), "Int"),
    **dict.fromkeys(("float", "double", "number", "f32", "f64", "real", "numeric", "bigdecimal"), "Decimal"),
    **dict.fromkeys(("boolean", "bool"), "Bool"),
    **dict.fromkeys(("binary", "blob", "bytearray", "buffer"), "Bytes"),
    **dict.fromkeys(("datetime", "timestamp", "date", "time"), "Instant"),
    **dict.fromkeys(("timedelta", "timespan", "interval"), "Duration"),
    **dict.fromkeys(("void", "none", "null", "nil"), "Unit"),
    **dict.fromkeys(("map", "hashmap", "dictionary", "object", "mapping", "btreemap"), "Dict"),
    **dict.fromkeys(("array", "vec", "vector", "seq", "sequence", "slice"), "List"),
    **dict.fromkeys(("hashset", "btreeset", "frozenset"), "Set"),
    **dict.fromkeys(("optional", "maybe", "nullable"), "Option"),
    **dict.fromkeys(("promise", "future", "awaitable"), "Task"),
    **dict.fromkeys(("either",), "Result"),
}
"""What other languages call a type, in lower case, and Flow's word for it."""
