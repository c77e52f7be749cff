"""Keys of generic types, and the one body of several instances."""

from __future__ import annotations

import pytest

from flow_lsp.analysis.redeclaring.generics import form_key, general_body, key_arguments, ordered_fields
from flow_lsp.signature.forms import EnumForm, FieldForm, Form, FormKind, RecordForm

INT, TEXT, T = Form(FormKind.PRIMITIVE, "Int"), Form(FormKind.PRIMITIVE, "Text"), Form(FormKind.PARAMETER, "T")
HIT = Form(FormKind.TYPE, "a.Hit")


def record(**forms: Form) -> RecordForm:
    return RecordForm(tuple(FieldForm(name, form, True) for name, form in forms.items()), tuple(forms))


@pytest.mark.parametrize(
    "key",
    [
        "a/b.Page<Int>",
        "acme/kit/page.Page<List<a.Hit>,Dict<Text,(Int,json.Value)>>",
        "a.Page<T>",
        "a.Page<b.Page<Option<U>>,Set<Bool>>",
    ],
)
def test_a_key_is_read_and_written_again(key: str):
    arguments = key_arguments(key)
    assert arguments
    assert f"{key.partition('<')[0]}<{','.join(map(form_key, arguments))}>" == key


@pytest.mark.parametrize(
    "key", ["a.P<", "a.P<>", "a.P<Int", "a.P<Int>x", "a.P<fn(Int)->Int>", "a.P<T<Int>>", "a.P<(Int>", "a.P<,>"]
)
def test_a_key_that_is_none_is_not_read(key: str):
    assert key_arguments(key) is None


def test_a_deep_key_is_refused_and_one_without_arguments_has_none():
    assert key_arguments("a.P<" + "List<" * 5_000 + "Int" + ">" * 5_001) is None
    assert key_arguments("a.P") == ()


def test_what_is_an_argument_everywhere_is_the_parameter():
    instances = [((INT,), record(x=INT, n=INT)), ((TEXT,), record(x=TEXT, n=INT))]
    assert general_body(("T",), instances, None) == record(x=T, n=INT)


def test_what_is_declared_stays_where_it_says_the_same():
    assert general_body(("T",), [((INT,), record(x=INT, y=INT))], record(x=T, y=INT)) == record(x=T, y=INT)
    assert general_body(("T",), [((INT,), record(x=INT, y=INT))], record(x=INT, y=T)) == record(x=INT, y=T)


def test_a_type_that_is_an_argument_is_taken_for_the_parameter_and_a_primitive_is_not():
    assert general_body(("T",), [((HIT,), record(x=HIT))], None) == record(x=T)
    assert general_body(("T",), [((INT,), record(x=INT))], None) == record(x=INT)


def test_instances_of_no_one_declaration_have_no_body():
    assert general_body(("T",), [((INT,), record(x=INT)), ((TEXT,), record(x=INT, y=INT))], None) is None
    assert general_body(("T",), [((INT,), record(x=INT)), ((TEXT,), record(x=HIT))], None) is None
    assert general_body(("T",), [((INT,), record(x=INT)), ((TEXT,), EnumForm(()))], None) is None


def test_fields_stand_in_the_declared_order_as_far_as_it_agrees():
    def optional(name: str) -> FieldForm:
        return FieldForm(name, INT, False)

    def needed(name: str) -> FieldForm:
        return FieldForm(name, INT, True)

    served = RecordForm((needed("a"), optional("b"), needed("c")), ("a", "c"))
    assert [field.name for field in ordered_fields(served)] == ["a", "b", "c"]
    assert [field.name for field in ordered_fields(served, ["b", "a", "old"])] == ["b", "a", "c"]
    assert [field.name for field in ordered_fields(served, ["c", "a"])] == ["a", "b", "c"]
    sorted_by_name = RecordForm((needed("a"), needed("b"), optional("c")), ("b", "a"))
    assert [field.name for field in ordered_fields(sorted_by_name)] == ["b", "c", "a"]
