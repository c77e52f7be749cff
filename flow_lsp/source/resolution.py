"""From one item's syntax to its template or signature, each name resolved in its file's scope (decisions
8)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from flow_lsp.findings import source_rules as rules
from flow_lsp.findings.model import Finding, Related, Severity, shown
from flow_lsp.signature.identity import without_version
from flow_lsp.source.homes import FileHome
from flow_lsp.source.model import (
    EnumSyntax,
    FieldSyntax,
    FunctionType,
    HostSyntax,
    Item,
    NamedType,
    NameSyntax,
    RecordSyntax,
    ToolSyntax,
    TypeSyntax,
)
from flow_lsp.source.scope import Scope
from flow_lsp.source.spelling import type_text
from flow_lsp.source.standard import RESULT_ID
from flow_lsp.source.targets import PRIMITIVES, Target, TargetKind
from flow_lsp.text.spans import Span
from flow_lsp.types.facts import Facts, member_facts, template_facts
from flow_lsp.types.terms import (
    TOOL_OWNER,
    Constructor,
    DictOf,
    Field,
    FunctionOf,
    Kind,
    ListOf,
    Named,
    OptionOf,
    Param,
    Parameter,
    Primitive,
    SetOf,
    TaskOf,
    Template,
    Term,
    TupleOf,
)

MOST_FINDINGS = 50  # of one item: more would not be read


@dataclass(frozen=True, slots=True)
class ToolRoots:
    """What a `@tool` function takes and gives, resolved."""

    generic: tuple[str, ...]
    params: tuple[Parameter, ...]
    ok: Term
    err: Term

    @property
    def terms(self) -> list[Term]:
        """All of them: the parameters, in order, then what it gives."""
        return [*(param.type for param in self.params), self.ok, self.err]


@dataclass(frozen=True, slots=True)
class Resolved:
    """One item with its names resolved. `template` or `roots` is None where something in it is not to be
    known.

    `targets` says what each of its mentions meant, `members` where the type of each member of `facts`
    stands. `references` are the local ids that its types name, each once; `key` its identity without
    version, and ordinal.
    """

    item: Item
    ordinal: int
    local_id: str
    targets: dict[str, Target | None]
    findings: tuple[Finding, ...]
    template: Template | None = None
    roots: ToolRoots | None = None
    facts: Facts | None = None
    members: tuple[Span, ...] = ()
    references: tuple[str, ...] = ()
    key: str = ""

    @property
    def is_known(self) -> bool:
        """Whether it may stand in a declarations map."""
        return self.facts is not None


def resolve_item(path: str, item: Item, ordinal: int, start: int, scope: Scope, home: FileHome) -> Resolved:
    """Resolves a type declaration or `@tool` function that parsed. `ordinal` counts the types of its name
    from 1; `start` is where the item stands in the file at `path`, for related places."""
    return _Resolver(path, item, ordinal, start, scope, home).resolve()


class _Resolver:
    def __init__(self, path: str, item: Item, ordinal: int, start: int, scope: Scope, home: FileHome) -> None:
        self.path = path
        self.item = item
        self.start = start
        self.ordinal = ordinal
        self.scope = scope
        self.home = home
        self.targets: dict[str, Target | None] = {}
        self.findings: list[Finding] = []
        self.known = True
        self.owner = ""
        self.parameters: dict[str, int] = {}
        self.members: list[Span] = []

    def resolve(self) -> Resolved:
        item = self.item
        assert item.name is not None
        syntax = item.syntax
        if isinstance(syntax, ToolSyntax):
            return self._tool(item, syntax)
        self.owner = f"{self.path}:{item.name}" + (f"#{self.ordinal}" if self.ordinal > 1 else "")
        assert isinstance(syntax, RecordSyntax | EnumSyntax | HostSyntax)
        generic = self._generic(syntax.generic)
        fields: tuple[Field, ...] = ()
        constructors: tuple[Constructor, ...] = ()
        kind, opaque = Kind.HOST, False
        if isinstance(syntax, RecordSyntax):
            kind, opaque = Kind.RECORD, syntax.opaque
            fields = self._fields(syntax.fields, "The field", True)
        elif isinstance(syntax, EnumSyntax):
            kind, opaque = Kind.ENUM, syntax.opaque
            constructors = self._constructors(syntax)
        if not self.known:
            return Resolved(item, self.ordinal, self.owner, self.targets, tuple(self.findings))
        template = Template(
            item.name,
            self.home.identity(item.name),
            self.ordinal,
            generic,
            opaque,
            kind,
            item.doc,
            fields,
            constructors,
        )
        facts = template_facts(template)
        return Resolved(
            item,
            self.ordinal,
            self.owner,
            self.targets,
            tuple(self.findings),
            template,
            facts=facts,
            members=tuple(self.members),
            references=tuple(dict.fromkeys(facts.references)),
            key=f"{without_version(template.identity)}#{self.ordinal}",
        )

    def _tool(self, item: Item, syntax: ToolSyntax) -> Resolved:
        self.owner = TOOL_OWNER
        generic = self._generic(syntax.generic)
        fields = self._fields(syntax.params, "The parameter", False)
        params = tuple(Parameter(field.name, field.type, field.doc) for field in fields)
        result = self._result(item, syntax)
        if syntax.body is not None:
            related = (Related(self.path, syntax.body.shifted(self.start), "its body begins here"),)
            self.findings.append(rules.BODY.at(item.name_span, related, tool=item.name))
        local_id = f"tool:{item.name}#{self.ordinal}"
        if not self.known or result is None:
            return Resolved(item, self.ordinal, local_id, self.targets, tuple(self.findings))
        ok, err = result
        facts = Facts(
            item.name or "",
            (
                *(member_facts(param.name, param.type) for param in params),
                member_facts("ok", ok),
                member_facts("err", err),
            ),
        )
        return Resolved(
            item,
            self.ordinal,
            local_id,
            self.targets,
            tuple(self.findings),
            roots=ToolRoots(generic, params, ok, err),
            facts=facts,
            members=tuple(self.members),
            references=tuple(dict.fromkeys(facts.references)),
        )

    def _result(self, item: Item, syntax: ToolSyntax) -> tuple[Term, Term] | None:
        if syntax.result is None:
            self.findings.append(rules.RESULT.at(item.name_span, tool=item.name, problem_text="says no result"))
            return None
        known = self.known
        before = len(self.findings)
        self.known = True
        term = self._term(syntax.result)
        understood, self.known = self.known, known and self.known
        if isinstance(term, Named) and term.declaration == RESULT_ID:
            arguments = syntax.result.arguments if isinstance(syntax.result, NamedType) else None
            self.members += [argument.span for argument in arguments or ()]
            return term.args[0], term.args[1]
        if understood and len(self.findings) == before:
            text = f"gives `{shown(type_text(syntax.result))}`"
            target = self.targets.get("Result")
            if isinstance(syntax.result, NamedType) and syntax.result.spelling == "Result" and target is not None:
                text += ", which is this file's own type and not the Result of std"
            self.findings.append(rules.RESULT.at(item.name_span, tool=item.name, problem_text=text))
        return None

    # -- names that are declared --------------------------------------------------------------------------

    def _generic(self, parameters: tuple[NameSyntax, ...]) -> tuple[str, ...]:
        for index, parameter in enumerate(parameters):
            if parameter.name in PRIMITIVES:
                self._refuse(rules.PARAMETER_NAME.at(parameter.span, name=parameter.name))
            self.parameters.setdefault(parameter.name, index)
        self._unique("The type parameter", ((parameter.name, parameter.span) for parameter in parameters))
        return tuple(parameter.name for parameter in parameters)

    def _unique(self, what: str, names: Iterable[tuple[str, Span]]) -> None:
        seen: dict[str, Span] = {}
        for name, span in names:
            first = seen.setdefault(name, span)
            if first is not span and first != span:
                related = (Related(self.path, first.shifted(self.start), "it stands here first"),)
                self._refuse(rules.DUPLICATE_NAME.at(span, related, what_text=what, name=name))

    def _fields(self, fields: tuple[FieldSyntax, ...], what: str, is_record: bool) -> tuple[Field, ...]:
        del is_record
        found: list[Field] = []
        for field in fields:
            term = self._term(field.type)
            self.members.append(field.type.span)
            if term is not None:
                found.append(Field(field.name, term, field.doc))
        self._unique(what, ((field.name, field.span) for field in fields))
        return tuple(found)

    def _constructors(self, syntax: EnumSyntax) -> tuple[Constructor, ...]:
        found: list[Constructor] = []
        for constructor in syntax.constructors:
            positional: tuple[Term, ...] | None = None
            named: tuple[Field, ...] | None = None
            if constructor.named is not None:
                named = self._fields(constructor.named, "The part", False)
            elif constructor.positional is not None:
                terms = [self._term(part) for part in constructor.positional]
                self.members += [part.span for part in constructor.positional]
                positional = tuple(term for term in terms if term is not None)
            found.append(Constructor(constructor.name, constructor.doc, positional, named))
        self._unique("The constructor", ((constructor.name, constructor.span) for constructor in syntax.constructors))
        return tuple(found)

    def _refuse(self, finding: Finding) -> None:
        self.known = False
        if len(self.findings) < MOST_FINDINGS:
            self.findings.append(finding)

    # -- types --------------------------------------------------------------------------------------

    def _term(self, syntax: TypeSyntax) -> Term | None:
        """The term of `syntax`, or None (and `known` is false) where it is not to be known."""
        if isinstance(syntax, NamedType):
            return self._named(syntax)
        if isinstance(syntax, FunctionType):
            given = self._terms(syntax.params)
            result = self._term(syntax.result)
            return None if given is None or result is None else FunctionOf(given, result)
        if not syntax.items:
            return Primitive.UNIT
        items = self._terms(syntax.items)
        return None if items is None else TupleOf(items)

    def _terms(self, several: tuple[TypeSyntax, ...]) -> tuple[Term, ...] | None:
        found = [self._term(syntax) for syntax in several]
        known = tuple(term for term in found if term is not None)
        return known if len(known) == len(found) else None

    def _named(self, syntax: NamedType) -> Term | None:
        given = syntax.arguments or ()
        if syntax.module is None and syntax.name in self.parameters:
            if given:
                self._arity(syntax, 0, len(given))
                return None
            return Param(self.owner, self.parameters[syntax.name])
        spelling = syntax.spelling
        if spelling in self.targets:
            target = self.targets[spelling]
        else:
            target = self.targets[spelling] = self.scope.look_up(spelling)
        if target is None:
            remedy = self.scope.remedy(syntax.module, syntax.name) if len(self.findings) < MOST_FINDINGS else ""
            self._refuse(rules.UNKNOWN_TYPE.at(syntax.span_of_name, name=spelling, remedy_text=remedy))
            self._terms(given)
            return None
        if target.kind is TargetKind.UNKNOWN:
            self.known = False
            self._terms(given)
            return None
        args = self._terms(given)
        if len(given) != target.arity:
            self._arity(syntax, target.arity, len(given))
            return None
        return None if args is None else term_of_target(target, args)

    def _arity(self, syntax: NamedType, expected: int, given: int) -> None:
        has = "no type arguments" if expected == 0 else f"{expected} type argument{'s' * (expected > 1)}"
        stands = "none stands" if given == 0 else f"{given} stand{'s' * (given == 1)}"
        self._refuse(rules.ARITY.at(syntax.span, name=syntax.spelling, expected_text=has, given_text=stands))


def term_of_target(target: Target, args: tuple[Term, ...]) -> Term:
    """The term of a name that means `target`, with as many `args` as its arity says."""
    match target.kind:
        case TargetKind.PRIMITIVE:
            return Primitive(target.name)
        case TargetKind.LIST:
            return ListOf(args[0])
        case TargetKind.SET:
            return SetOf(args[0])
        case TargetKind.OPTION:
            return OptionOf(args[0])
        case TargetKind.TASK:
            return TaskOf(args[0])
        case TargetKind.DICT:
            return DictOf(args[0], args[1])
        case _:
            return Named(target.local_id, args)


def has_error(findings: Iterable[Finding]) -> bool:
    """Whether one of `findings` is an error."""
    return any(finding.rule.severity is Severity.ERROR for finding in findings)
