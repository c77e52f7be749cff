"""One type as `.flow` source writes it, over a map of declarations: what a person types on a command line."""

from __future__ import annotations

from dataclasses import dataclass

from flow_lsp.findings.model import shown
from flow_lsp.source.cursor import Cursor, Refusal
from flow_lsp.source.model import FunctionType, NamedType, TypeSyntax
from flow_lsp.source.resolution import term_of_target
from flow_lsp.source.standard import RESULT, RESULT_ID
from flow_lsp.source.targets import BUILT_IN, FOREIGN_HABITS
from flow_lsp.source.types_reader import read_type
from flow_lsp.text.distance import nearest_name
from flow_lsp.text.spans import Span
from flow_lsp.types.terms import Declarations, FunctionOf, Named, Primitive, Template, Term, TupleOf


@dataclass(frozen=True, slots=True)
class TypeProblem:
    """Why a text is no type over the declarations at hand, and where in the text. `sentence` has a full stop.
    `needs_declarations`: it names a type, and there are no declarations at all."""

    span: Span
    sentence: str
    needs_declarations: bool = False


@dataclass(frozen=True, slots=True)
class TypeFound:
    """A type, and the declarations it is over: those given, and std's Result where the text names it."""

    term: Term
    declarations: Declarations


def read_type_text(text: str, declarations: Declarations) -> TypeFound | TypeProblem:
    """The type that `text` writes. Names are those of `declarations`, bare or behind their module's (`search.Hit`),
    and the built-in ones; json.Value and Result need no import. Never raises."""
    try:
        cursor = Cursor(text, 0, 0, len(text))
        cursor.skip_lines()
        syntax = read_type(cursor, "a type")
        cursor.skip_lines()
        if cursor.kind != "end":
            raise cursor.expected("the type to end here")
        names = _Names(declarations)
        return TypeFound(names.term(syntax), names.declarations)
    except Refusal as refusal:
        finding = refusal.finding
        return TypeProblem(finding.span, finding.message.replace("the declaration ends", "the text ends"))
    except _Stop as stop:
        return stop.problem


class _Stop(Exception):  # noqa: N818 - how reading ends early; it never leaves this module
    def __init__(self, span: Span, sentence: str, needs_declarations: bool = False) -> None:
        super().__init__(sentence)
        self.problem = TypeProblem(span, sentence, needs_declarations)


class _Names:
    def __init__(self, declarations: Declarations) -> None:
        self.declarations: dict[str, Template] = dict(declarations)
        self._by_name: dict[str, list[str]] = {}
        for local_id, template in declarations.items():
            self._by_name.setdefault(template.name, []).append(local_id)

    def term(self, syntax: TypeSyntax) -> Term:
        if isinstance(syntax, NamedType):
            args = tuple([self.term(argument) for argument in syntax.arguments or ()])
            return self._named(syntax, args)
        if isinstance(syntax, FunctionType):
            return FunctionOf(tuple([self.term(param) for param in syntax.params]), self.term(syntax.result))
        return TupleOf(tuple([self.term(item) for item in syntax.items])) if syntax.items else Primitive.UNIT

    def _named(self, syntax: NamedType, args: tuple[Term, ...]) -> Term:
        found = self._declared(syntax)
        if found is not None:
            self._arity(syntax, len(self.declarations[found].generic))
            return Named(found, args)
        if syntax.spelling == Primitive.JSON_VALUE:
            self._arity(syntax, 0)
            return Primitive.JSON_VALUE
        target = BUILT_IN.get(syntax.name) if syntax.module is None else None
        if target is not None:
            self._arity(syntax, target.arity)
            return term_of_target(target, args)
        if syntax.spelling in ("Result", "result.Result"):
            self._arity(syntax, 2)
            self.declarations[RESULT_ID] = RESULT
            return Named(RESULT_ID, args)
        raise self._unknown(syntax)

    def _declared(self, syntax: NamedType) -> str | None:
        """The local id of the one declaration that the name means."""
        among = [
            local_id
            for local_id in self._by_name.get(syntax.name, ())
            if syntax.module is None or _module(self.declarations[local_id]) == syntax.module
        ]
        first = [local_id for local_id in among if self.declarations[local_id].lexical_ordinal == 1]
        if len(first) > 1:
            several = ", ".join(f"`{shown(self.declarations[local_id].identity)}`" for local_id in first[:5])
            raise _Stop(
                syntax.span_of_name,
                f"`{shown(syntax.spelling)}` is more than one type: {several}. Write it behind its module's name, or "
                "write the type as JSON with a local id.",
            )
        return first[0] if first else among[0] if among else None

    def _arity(self, syntax: NamedType, expected: int) -> None:
        given = len(syntax.arguments or ())
        if given != expected:
            needs = "no type arguments" if expected == 0 else f"{expected} type argument{'s' * (expected > 1)}"
            raise _Stop(syntax.span, f"`{shown(syntax.spelling)}` takes {needs}, and {given} stand here.")

    def _unknown(self, syntax: NamedType) -> _Stop:
        habit = FOREIGN_HABITS.get(syntax.name.lower()) if syntax.module is None else None
        near = habit or nearest_name(syntax.name, [*self._by_name, *BUILT_IN, "Result"])
        hint = f" Is `{shown(near)}` meant?" if near else ""
        among = "declarations given" if self._by_name else "built-in ones, and no declarations are given"
        return _Stop(
            syntax.span_of_name,
            f"There is no type `{shown(syntax.spelling)}` among the {among}.{hint}",
            needs_declarations=not self._by_name and not near,
        )


def _module(template: Template) -> str:
    """The name under which an import binds the file that declares it: `search` of `acme/kit@1.2.0/search.Hit`."""
    return template.identity.rpartition(".")[0].rpartition("/")[2]
