"""A Program made ready to be called: from a call as it came to the arguments of a function, and back to an outcome.

Realizes what "Toolkits" says of calls: a call that names no declaration served, whose views are not valid or whose
arguments do not decode is NotRun, for the author's code never ran; what does not encode after it ran is Unknown. The
texts of the program are trusted: a generator wrote them.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

from flow_lsp.codecs.arguments import ArgumentsCodec
from flow_lsp.codecs.codec import Codec, Codecs
from flow_lsp.codecs.refusals import ValueRefused
from flow_lsp.codecs.writing import Representation
from flow_lsp.descriptions.listing import read_listing
from flow_lsp.descriptions.problems import DescriptionProblem
from flow_lsp.descriptions.view import MISSING, check_view
from flow_lsp.findings.model import shown
from flow_lsp.protocol.call_outcomes import Failed, NotRun, Ok, SentOutcome, Unknown
from flow_lsp.protocol.outcome import DescribeListing, ServedTool
from flow_lsp.protocol.serving import CallReceived
from flow_lsp.text.distance import nearest_name
from flow_lsp.toolkit.call_types import CallTypes
from flow_lsp.toolkit.failures import ToolFailed
from flow_lsp.toolkit.program import Program
from flow_lsp.types.terms import Declarations, Kind, Template, TypeSpec
from flow_lsp.values.canonical import canonical_text
from flow_lsp.values.data_version import DATA_VERSION
from flow_lsp.values.limits import ENVELOPE_NESTING
from flow_lsp.values.strict_json import read_json

GUARD: Final = threading.RLock()  # of all codecs of the process: functions are written by one thread at a time
_VIEWS_KEPT: Final = 64  # views of generic calls that are not judged anew


@dataclass(frozen=True, slots=True, eq=False)
class PreparedCall:
    """A call whose function may run. `arguments` are by the names that they have in Python."""

    tool: str
    name: str
    arguments: Mapping[str, Any]
    ok: Codec
    err: Codec
    types: CallTypes | None = None

    def returned(self, value: object) -> SentOutcome:
        """The outcome of a function that returned `value`."""
        try:
            return Ok(self.ok.encode(value), value)
        except ValueRefused as refused:
            return Unknown(f"The function `{self.name}` returned what is no value of the success type: {_why(refused)}")
        except Exception as error:  # a mapping or sequence of the author's own may raise anything
            return Unknown(f"What the function `{self.name}` returned cannot be written: {error_text(error)}")

    def failed(self, failure: ToolFailed) -> SentOutcome:
        """The outcome of a function that raised `failure`."""
        try:
            return Failed(self.err.encode(failure.error), failure.error)
        except ValueRefused as refused:
            what = f"The function `{self.name}` failed with what is no value of the error type"
            return Unknown(f"{what}: {_why(refused)}")
        except Exception as error:
            return Unknown(f"What the function `{self.name}` failed with cannot be written: {error_text(error)}")


class _Tool:
    """One Tool. `method` is what its function is called, `names` are those of its parameters."""

    def __init__(self, spec: TypeSpec, method: str, names: tuple[str, ...], codecs: Codecs) -> None:
        self.spec, self.method, self.names = spec, method, names
        self._codecs = codecs

    @cached_property
    def plain(self) -> tuple[ArgumentsCodec, Codec, Codec]:
        """The codecs of a Tool that is not generic."""
        spec, codec = self.spec, self._codecs.codec
        return (
            ArgumentsCodec([(param.name, codec(param.type)) for param in spec.params]),
            codec(spec.ok),
            codec(spec.err),
        )


class ServedTools:
    """The Tools of `program`. `prepare` is for one thread at a time. Raises ValueError where the listing is none."""

    def __init__(self, program: Program) -> None:
        listing: Any = read_json(program.listing, envelope=ENVELOPE_NESTING)
        specs = read_listing(listing)
        if isinstance(specs, DescriptionProblem):
            raise ValueError(f"The generated module is damaged: {specs.sentence} Generate it again.")
        self.types: Declarations = specs.types
        self.representations = {
            local_id: _representation(program, local_id, template)
            for local_id, template in specs.types.items()
            if template.kind in (Kind.RECORD, Kind.ENUM)
        }
        codecs = Codecs(specs.types, representations=self.representations, guard=GUARD)
        self._tools: dict[str, _Tool] = {
            entry["tool"]: _Tool(spec, *program.methods[entry["tool"]], codecs)
            for entry, spec in zip(listing["tools"], specs.specs, strict=True)
        }
        self._views: OrderedDict[tuple[str, str, str], CallTypes] = OrderedDict()

    def spec(self, tool: str) -> TypeSpec:
        """The TypeSpec of the Tool with that identity; raises KeyError for another."""
        return self._tools[tool].spec

    def prepare(self, call: CallReceived) -> PreparedCall | NotRun:
        """`call` as its function is called, or why it is not."""
        tool = self._tools.get(call.tool)
        if tool is None:
            near = nearest_name(call.tool, list(self._tools))
            hint = f" It serves `{shown(near)}`." if near else ""
            return NotRun(f"This implementation does not serve `{shown(call.tool)}`.{hint}")
        types: CallTypes | None = None
        if tool.spec.generic or call.types is not None or call.schema is not None:
            found = self._call_types(call, tool)
            if isinstance(found, NotRun):
                return found
            types = found
            arguments, ok, err = found.arguments, found.ok, found.err
        else:
            arguments, ok, err = tool.plain
        try:
            decoded = arguments.decode(call.args)
        except ValueRefused as refused:
            return NotRun(f"The arguments cannot be used: {_why(refused)}")
        return PreparedCall(
            call.tool, tool.method, dict(zip(tool.names, decoded.values(), strict=True)), ok, err, types
        )

    def _call_types(self, call: CallReceived, tool: _Tool) -> CallTypes | NotRun:
        """The types of a generic call, judged once for each view."""
        key = (call.tool, canonical_text(call.types), canonical_text(call.schema))
        found = self._views.get(key)
        if found is not None:
            self._views.move_to_end(key)
            return found
        types = MISSING if call.types is None else call.types
        schema = MISSING if call.schema is None else call.schema
        view = check_view(tool.spec, types, schema)
        if isinstance(view, DescriptionProblem):
            at = f" (at {shown(view.pointer)})" if view.pointer else ""
            return NotRun(f"The call's types cannot be used: {view.sentence.rstrip('.')}{at}.")
        assert isinstance(call.schema, dict)
        made = CallTypes(tool.spec, view, call.schema, self.types, self.representations, GUARD)
        self._views[key] = made
        if len(self._views) > _VIEWS_KEPT:
            self._views.popitem(last=False)
        return made


def describe_listing(program: Program) -> DescribeListing:
    """What describe is answered with, as ServingConnection takes it."""
    entries: Any = read_json(program.describe, envelope=ENVELOPE_NESTING)
    tools = tuple([ServedTool(entry["tool"], entry["fingerprint"], entry["signature"]) for entry in entries])
    return DescribeListing(DATA_VERSION, tools)


def error_text(error: BaseException) -> str:
    """An exception in a few words, with a full stop; its own text may raise anything."""
    try:
        text = shown(str(error))
    except Exception:
        text = ""
    name = shown(type(error).__name__)
    return f"{name}: {text.rstrip('.')}." if text else f"{name}."


def _why(refused: ValueRefused) -> str:
    at = f" (at {shown(refused.pointer)})" if refused.pointer else ""
    return f"{refused.sentence.rstrip('.')}{at}."


def _representation(program: Program, local_id: str, template: Template) -> Representation | tuple[Representation, ...]:
    """The generated classes of a record or enum, with the names of what is in them."""
    classes, renamed = program.classes[local_id], program.attributes.get(local_id)
    if isinstance(classes, type):
        names = renamed if renamed is not None else tuple([field.name for field in template.fields])
        return Representation(classes, tuple(map(str, names)))
    made: list[Representation] = []
    for place, (kind, constructor) in enumerate(zip(classes, template.constructors, strict=True)):
        own = renamed[place] if renamed is not None else [part.name for part in constructor.named or ()]
        made.append(Representation(kind, tuple(own)))
    return tuple(made)
