"""A type as source writes it, over a map of declarations."""

from __future__ import annotations

import pytest

from flow_lsp.source.standard import RESULT_ID
from flow_lsp.source.type_text import TypeFound, TypeProblem, read_type_text
from flow_lsp.types.terms import (
    DictOf,
    FunctionOf,
    Kind,
    ListOf,
    Named,
    OptionOf,
    Primitive,
    SetOf,
    TaskOf,
    Template,
    Term,
    TupleOf,
)


def record(name: str, identity: str, ordinal: int = 1, generic: tuple[str, ...] = ()) -> Template:
    return Template(name, identity, ordinal, generic, False, Kind.RECORD)


DECLARATIONS = {
    "h": record("Hit", "tools/search.Hit"),
    "k": record("Hit", "acme/kit@1.2.0/page.Hit"),
    "h2": record("Hit", "tools/search.Hit", 2),
    "p": record("Page", "acme/kit@1.2.0/page.Page", 1, ("T",)),
    "i": record("Int", "tools/mine.Int"),
    "g": record("Größe", "tools/maße.Größe"),
}
INT = Primitive.INT


@pytest.mark.parametrize(
    ("text", "term"),
    [
        ("Text", Primitive.TEXT),
        (" Text\n", Primitive.TEXT),
        ("json.Value", Primitive.JSON_VALUE),
        ("()", Primitive.UNIT),
        ("(Text, Bool)", TupleOf((Primitive.TEXT, Primitive.BOOL))),
        ("(Text)", Primitive.TEXT),
        ("List<Set<Bytes>>", ListOf(SetOf(Primitive.BYTES))),
        ("Dict<Text,\n Option<Bool>,\n>", DictOf(Primitive.TEXT, OptionOf(Primitive.BOOL))),
        ("Task<Unit>", TaskOf(Primitive.UNIT)),
        ("fn(Text) -> Never", FunctionOf((Primitive.TEXT,), Primitive.NEVER)),
        ("search.Hit", Named("h", ())),
        ("page.Hit", Named("k", ())),
        ("Page<page.Page<Text>>", Named("p", (Named("p", (Primitive.TEXT,)),))),
        ("maße.Größe", Named("g", ())),
        ("Int", Named("i", ())),  # a declaration hides the built-in one
        ("Result<Text, Never>", Named(RESULT_ID, (Primitive.TEXT, Primitive.NEVER))),
        ("Text // a comment", Primitive.TEXT),
    ],
)
def test_a_type_and_its_term(text: str, term: Term) -> None:
    found = read_type_text(text, DECLARATIONS)
    assert isinstance(found, TypeFound)
    assert found.term == term


def test_std_is_added_where_it_is_named() -> None:
    found = read_type_text("Result<Text, Never>", {})
    assert isinstance(found, TypeFound)
    assert found.declarations[RESULT_ID].identity == "std@0.1.0/result.Result"
    plain = read_type_text("Text", DECLARATIONS)
    assert isinstance(plain, TypeFound)
    assert plain.declarations == DECLARATIONS


@pytest.mark.parametrize(
    ("text", "marked", "sentence"),
    [
        ("Hit", "Hit", "`Hit` is more than one type: `tools/search.Hit`, `acme/kit@1.2.0/page.Hit`. Write it behind "
         "its module's name, or write the type as JSON with a local id."),
        ("List<Hot>", "Hot", "There is no type `Hot` among the declarations given. Is `Hit` meant?"),
        ("other.Hit", "other.Hit", "There is no type `other.Hit` among the declarations given. Is `Hit` meant?"),
        ("Map<Text, Text>", "Map", "There is no type `Map` among the declarations given. Is `Dict` meant?"),
        ("Page", "Page", "`Page` takes 1 type argument, and 0 stand here."),
        ("List<Text>>", ">", "Expected the type to end here before `>`."),
        ("Text Text", "Text", "Expected the type to end here, and `Text` stands here."),
        ("@", "@", "Expected a type, and `@` stands here."),
        ("List<", "<", "This `<` has no `>`."),
        ("x" * 500, None, None),
        ("(" * 500, None, None),
        ("\ud800", None, None),
    ],
)  # fmt: skip
def test_what_is_no_type(text: str, marked: str | None, sentence: str | None) -> None:
    found = read_type_text(text, DECLARATIONS)
    assert isinstance(found, TypeProblem)
    assert len(found.sentence) < 400
    if sentence is not None:
        assert found.sentence == sentence
        assert text[found.span.start : found.span.end] == marked
