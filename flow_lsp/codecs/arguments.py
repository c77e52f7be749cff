"""A call's `args`: an object with a member for every parameter ("The Tool process protocol"; decisions 1).

It is no record: an Option parameter is there too, as `"None"` or `{"Some": v}`.
"""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from typing import Any

from flow_lsp.codecs.codec import Codec
from flow_lsp.codecs.refusals import RefusalKind, ValueRefused, refuse_type
from flow_lsp.findings.model import shown
from flow_lsp.text.distance import nearest_name
from flow_lsp.values.canonical import canonical_text
from flow_lsp.values.strict_json import Json


class ArgumentsCodec:
    """Decodes and encodes the arguments of one Tool. `parameters` are its names and codecs in declaration order."""

    def __init__(self, parameters: Sequence[tuple[str, Codec]]) -> None:
        self.parameters = tuple(parameters)
        ordered = sorted(self.parameters, key=lambda parameter: parameter[0])
        self._written = [(name, f"{canonical_text(name)}:", codec) for name, codec in ordered]
        self._expected = [name for name, _ in self.parameters]
        self._names = frozenset(self._expected)
        self._optional = frozenset(name for name, codec in self.parameters if codec.node.left_out)

    def decode(self, args: Json) -> dict[str, Any]:
        """The arguments by name, in declaration order; members that name no parameter are ignored.

        Raises ValueRefused, whose pointer leads into `args`.
        """
        args = present(args, self._expected, self._optional)
        found: dict[str, Any] = {}
        for name, codec in self.parameters:
            try:
                found[name] = codec.decode(args[name])
            except ValueRefused as refused:
                refused.inside(name)
                raise
        return found

    def encode(self, arguments: Mapping[str, Any]) -> str:
        """The canonical text of `args`; raises ValueRefused where an argument is missing or no value of its type."""
        texts: list[str] = []
        for name, key, codec in self._written:
            if name not in arguments:
                raise ValueRefused(RefusalKind.MISSING, _missing([name], (), self._optional))
            try:
                texts.append(key + codec.encode(arguments[name]))
            except ValueRefused as refused:
                refused.inside(name)
                raise
        return f"{{{','.join(texts)}}}"

    def unknown(self, args: Mapping[str, Any]) -> list[str]:
        """The members of `args` that name no parameter."""
        return [name for name in args if name not in self._names]


def present(args: Json, names: Sequence[str], optional: Container[str] = ()) -> dict[str, Json]:
    """`args`, an object that has a member for each of `names`; raises ValueRefused for another value. `optional` are
    those whose type is an Option, which newcomers leave out."""
    if type(args) is not dict:
        refuse_type(args, "an object is expected for the arguments")
    missing = [name for name in names if name not in args]
    if missing:
        known = frozenset(names)
        raise ValueRefused(
            RefusalKind.MISSING, _missing(missing, [name for name in args if name not in known], optional)
        )
    return args


def _missing(missing: Sequence[str], unknown: Sequence[str], optional: Container[str]) -> str:
    is_missing = f"and {len(missing) - 1} more are missing" if len(missing) > 1 else "is missing"
    word = "arguments" if len(missing) > 1 else "argument"
    near = nearest_name(missing[0], list(unknown)) if unknown else None
    hint = f" Is it meant by `{shown(near)}`?" if near else ""
    if not near and missing[0] in optional:
        hint = ' Write "None" or {"Some": …}.'
    return f"The {word} `{shown(missing[0])}` {is_missing}.{hint}"
