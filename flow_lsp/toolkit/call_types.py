"""The types of one generic call, as its author may use them: what the type parameters are bound to.

Realizes "Its generated context retains the validated type view and success schema, and supplies codecs for the concrete
roots" ("Toolkits"). A binding that has no codec, such as a function, stays described; only what asks for its codec is
refused.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AbstractContextManager
from functools import cached_property
from sys import intern
from typing import Any

from flow_lsp.codecs.arguments import ArgumentsCodec
from flow_lsp.codecs.carriers import CarriedType, Carrier
from flow_lsp.codecs.codec import Codec, Codecs
from flow_lsp.codecs.refusals import RefusalKind, ValueRefused
from flow_lsp.codecs.writing import Representations
from flow_lsp.descriptions.graphs import DescriptionGraph
from flow_lsp.descriptions.scopes import Root
from flow_lsp.findings.model import shown
from flow_lsp.types.shapes import template_to_json, term_to_json
from flow_lsp.types.terms import CallView, Declarations, Term, TypeSpec
from flow_lsp.values.canonical import canonical_text
from flow_lsp.values.limits import DEFAULT_LIMITS
from flow_lsp.values.strict_json import Json, JsonObject, deeper_than


class CallTypes:
    """What a call of a generic Tool binds. `view` is its validated view, `schema` the success type's JSON Schema, both
    as the caller sent them.

    `ok`, `err` and `parameter(name)` are the codecs of the Tool's types as its function meets them: with the generated
    classes, and Carriers for the type parameters.
    """

    def __init__(
        self,
        spec: TypeSpec,
        view: CallView,
        schema: JsonObject,
        declarations: Declarations,
        representations: Representations,
        guard: AbstractContextManager[Any],
    ) -> None:
        """Of the run time alone. `spec` is the Tool's over `declarations`, and `guard` the lock of all tables."""
        self.view = view
        self.schema = schema
        self._terms: Mapping[str, Term] = {binding.name: binding.type for binding in view.bindings}
        self._guard = guard
        self._carried: dict[str, CarriedType] = {}
        received = Codecs(view.declarations, guard=guard)
        codecs = Codecs(declarations, representations=representations, guard=guard)
        bound = [
            codecs.carrier(name, received.codec(term), _description(term, view.declarations))
            for name, term in self._terms.items()
        ]
        parameters = [(param.name, codecs.codec(param.type, bound)) for param in spec.params]
        self.arguments = ArgumentsCodec(parameters)
        self.ok = codecs.codec(spec.ok, bound)
        self.err = codecs.codec(spec.err, bound)
        self._keys = {name: codec.node.carried for name, codec in zip(self._terms, bound, strict=True)}

    def parameter(self, name: str) -> Codec:
        """The codec of the Tool's parameter `name`, as the declaration has it; raises ValueError for another name."""
        for known, codec in self.arguments.parameters:
            if known == name:
                return codec
        raise ValueError(f"The Tool has no parameter `{shown(name)}`.")

    def term(self, name: str) -> Term:
        """What the type parameter `name` is bound to, over `view.declarations`; raises ValueError for another name."""
        found = self._terms.get(name)
        if found is None:
            raise ValueError(f"The Tool has no type parameter `{shown(name)}`; it has {', '.join(self._terms)}.")
        return found

    def codec(self, name: str) -> Codec:
        """The codec of the concrete type that `name` is bound to: its values are those of `codecs.data`.

        It builds no opaque types, as no reply may. Raises ValueError where the binding has no encoding.
        """
        return self._made(name).codec

    def carrier(self, name: str, json: Json) -> Carrier[Any]:
        """The Carrier of a JSON value (as read_json gives it: int and Decimal, no float) for the type parameter `name`.

        Raises ValueRefused, which says where and why, for what is no value of the type it is bound to, and ValueError
        where that has no encoding.
        """
        made = self._made(name)
        if deeper_than(json, DEFAULT_LIMITS.nesting):
            raise ValueRefused(RefusalKind.LIMIT, f"A value is nested at most {DEFAULT_LIMITS.nesting} levels deep.")
        return Carrier(made, made.codec.decode(json))

    def carrier_text(self, name: str, text: str | bytes) -> Carrier[Any]:
        """The same of JSON text, such as what a model wrote; raises JsonRefused too, for what is no JSON text."""
        made = self._made(name)
        return Carrier(made, made.codec.read(text))

    def _made(self, name: str) -> CarriedType:
        """The type of the Carriers that the author makes for `name`."""
        term = self.term(name)
        with self._guard:
            found = self._carried.get(name)
            if found is None:
                declarations = self.view.declarations
                problem = DescriptionGraph([Root("", term)], declarations, "").uncoded()
                if problem is not None:
                    raise ValueError(
                        f"The type parameter `{shown(name)}` is bound to a type without an encoding, so there is no "
                        f"codec of it: {problem.sentence}"
                    )
                received = self._keys[name]
                assert received is not None
                found = CarriedType(name, self._sent.codec(term), received.key)
                self._carried[name] = found
        return found

    @cached_property
    def _sent(self) -> Codecs:
        return Codecs(self.view.declarations, builds_opaque=False, guard=self._guard)


def _description(term: Term, declarations: Declarations) -> str:
    """A text that is equal for equal types alone: `term`, with the declarations that it reaches."""
    graph = DescriptionGraph([Root("", term)], declarations, "")
    reached: JsonObject = {local_id: template_to_json(declarations[local_id]) for local_id in graph.reached([0])}
    return intern(canonical_text([term_to_json(term), reached]))
