"""What moves a fingerprint, what does not, and what has none."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from signature_texts import signature, spec

from flow_lsp.schema.projection import Projector
from flow_lsp.signature.signature import (
    Signature,
    SignatureFault,
    SignatureProblem,
    served_fingerprint,
    signature_of,
)
from flow_lsp.types.terms import Kind, ListOf, Named, Parameter, Primitive, Template, TypeSpec
from flow_lsp.values.strict_json import read_json

BASE = """
    record k.Hit: title Text, url Text, score Option<Decimal>
    enum k.Problem: Offline, Slow(Duration), Refused{code Int}
    find: query Text, limit Int -> List<k.Hit> ! k.Problem
"""


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("query Text, limit Int", "query Text"),
        ("limit Int", "limit Int, more Bool"),
        ("query Text", "q Text"),
        ("limit Int", "limit Decimal"),
        ("query Text, limit Int", "limit Int, query Text"),
        ("-> List<k.Hit>", "-> Set<k.Hit>"),
        ("! k.Problem", "! Never"),
        ("url Text", "url Option<Text>"),
        ("url Text", "link Text"),
        ("title Text, url Text", "url Text, title Text"),
        ("Offline, Slow(Duration)", "Slow(Duration), Offline"),
        ("Refused{code Int}", "Refused(Int)"),
        ("k.Hit", "search.Hit"),
        ("find", "find<T>"),
    ],
)
def test_what_moves_it(old: str, new: str) -> None:
    assert old in BASE
    assert signature(BASE).fingerprint != signature(BASE.replace(old, new)).fingerprint


def documented(made: TypeSpec, doc: str) -> TypeSpec:
    def fields(old: Any) -> Any:
        return None if old is None else tuple(replace(field, doc=doc) for field in old)

    return replace(
        made,
        declarations={
            local_id: replace(
                template,
                doc=doc,
                fields=fields(template.fields),
                constructors=tuple(
                    replace(constructor, doc=doc, named=fields(constructor.named))
                    for constructor in template.constructors
                ),
            )
            for local_id, template in made.declarations.items()
        },
    )


def versioned(made: TypeSpec, version: str) -> TypeSpec:
    return replace(
        made,
        declarations={
            local_id: replace(template, identity=f"acme/kit@{version}/{template.identity}")
            for local_id, template in made.declarations.items()
        },
    )


def test_docs_and_versions_do_not_move_it() -> None:
    plain = signature_of(versioned(spec(BASE), "1"))
    other = signature_of(documented(versioned(spec(BASE), "2.0.0-rc.1"), "A doc"))
    assert isinstance(plain, Signature)
    assert isinstance(other, Signature)
    assert plain.fingerprint == other.fingerprint
    assert plain.canonical == other.canonical
    assert plain.served != other.served
    assert served_fingerprint(other.served) == other.fingerprint


def test_a_shared_projector_changes_nothing() -> None:
    made = spec(BASE)
    projector = Projector(made.declarations)
    assert signature_of(made, projector) == signature_of(made) == signature_of(made, projector)


def problem_of(made: TypeSpec) -> SignatureProblem:
    found = signature_of(made)
    assert isinstance(found, SignatureProblem)
    assert found.sentence.endswith(".")
    return found


def host(identity: str) -> Template:
    return Template("Hit", identity, 1, (), False, Kind.HOST)


@pytest.mark.parametrize("identities", [("a@1/k.Hit", "a@2/k.Hit"), ("a@1/k.Hit", "a@1/k.Hit"), ("k.Hit", "k.Hit")])
def test_two_types_under_one_key_have_no_fingerprint(identities: tuple[str, str]) -> None:
    templates = {"a": host(identities[0]), "b": host(identities[1])}
    parameter = Parameter("p", ListOf(Named("a")))
    found = problem_of(TypeSpec((), (parameter,), Primitive.UNIT, Named("b"), templates))
    assert found.fault is SignatureFault.SAME_KEY
    assert "k.Hit" in found.sentence


def test_versions_that_differ_in_an_argument_alone() -> None:
    box = Template("Box", "k.Box", 1, ("T",), False, Kind.RECORD)
    templates = {"a": host("a@1/k.Hit"), "b": host("a@2/k.Hit"), "box": box}
    ok, err = Named("box", (Named("a"),)), Named("box", (Named("b"),))
    assert problem_of(TypeSpec((), (), ok, err, templates)).fault is SignatureFault.SAME_KEY


def test_a_name_that_utf8_cannot_write() -> None:
    found = problem_of(TypeSpec((), (), Named("a"), Primitive.NEVER, {"a": host("\udcff.Hit")}))
    assert found.fault is SignatureFault.TEXT
    found.sentence.encode("utf-8")


def test_what_the_declarations_do_not_have() -> None:
    assert problem_of(spec("f: x Missing -> Unit ! Never")).fault is SignatureFault.REFERENCE
    assert problem_of(spec("f: -> Task<Int> ! Never")).fault is SignatureFault.NO_ENCODING


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("null", "no object"),
        ("[]", "no object"),
        ("{}", "`params`|params"),
        ('{"params":[],"ok":{},"err":{}}', "generic"),
        ('{"params":{},"ok":{},"err":{},"generic":[]}', "no array"),
        ('{"params":[],"ok":{},"err":{},"generic":[1]}', "generic"),
        ('{"params":[["a"]],"ok":{},"err":{},"generic":[]}', "parameter 1"),
        ('{"params":[["a",{}],["b",{},{}]],"ok":{},"err":{},"generic":[]}', "parameter 2"),
        ('{"params":[[1,{}]],"ok":{},"err":{},"generic":[]}', "parameter 1"),
        ('{"params":[["a","x"]],"ok":{},"err":{},"generic":[]}', "`a`"),
        ('{"params":[],"ok":1,"err":{},"generic":[]}', '"ok"'),
        ('{"params":[],"ok":{},"err":null,"generic":[]}', '"err"'),
        (
            '{"params":[["a",{"$defs":{"a@1/k.P":{}}}]],"ok":{"$defs":{"a@2/k.P":{}}},"err":{},"generic":[]}',
            "without their versions",
        ),
    ],
)
def test_what_is_no_signature(text: str, words: str) -> None:
    found = served_fingerprint(read_json(text))
    assert isinstance(found, SignatureProblem)
    assert any(word in found.sentence for word in words.split("|"))


def test_hostile_signatures_have_a_fingerprint_or_a_problem() -> None:
    deep: Any = {"description": 1}
    for _ in range(20_000):
        deep = {"items": deep}
    cyclic = {"$ref": "#/$defs/a", "$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}}}
    for schema in (deep, cyclic, True, read_json('{"minimum":1e999999999,"x":[1.50,null]}')):
        listed: Any = {"params": [], "ok": schema, "err": {}, "generic": [], "more": deep}
        found = served_fingerprint(listed)
        assert isinstance(found, str)
        assert found.startswith("sha256:")
        assert len(found) == 71
