"""`flow-lsp schema` and `flow-lsp fingerprint`."""

from __future__ import annotations

import hashlib

import pytest
from support.command_line import FIND, Run, write

from flow_lsp.cli.schemas import split_target

HIT = """/// What was found.
record Hit { title: Text }
record Loop { next: Loop }
@tool
fn find(query: Text) -> Result<List<Hit>, Never>
@tool
fn lost(query: Nope) -> Result<Int, Never>
"""


def test_the_schema_of_a_tool_is_its_signature(run: Run) -> None:
    write({"a.flow": FIND})
    ran = run("schema", "a.flow:find")
    assert ran.status == 0
    assert ran.json == {
        "params": [["query", {"type": "string"}]],
        "ok": {"type": "integer"},
        "err": {"not": {}},
        "generic": [],
    }


def test_the_schema_of_a_type_is_complete_in_itself(run: Run) -> None:
    write({"a.flow": HIT, "b.flow": "import ./a.{Hit}\n"})
    schema = run("schema", "a.flow:Hit").json
    assert schema["$ref"] == "#/$defs/a.Hit"
    assert schema["$defs"]["a.Hit"]["properties"] == {"title": {"type": "string"}}
    assert run("schema", "b.flow:Hit").json == schema


def test_a_file_alone_gives_all_that_it_declares(run: Run) -> None:
    write({"a.flow": HIT})
    ran = run("schema", "a.flow")
    assert list(ran.json["tools"]) == ["find"]
    assert "Hit" in ran.json["types"]
    assert ran.status == 1
    assert "the signature of lost is not known" in ran.err


def test_a_file_of_types_alone_has_schemas_and_no_fingerprints(run: Run) -> None:
    write({"a.flow": "record Hit { title: Text }\n"})
    ran = run("schema", "a.flow")
    assert (ran.status, list(ran.json["types"]), ran.json["tools"]) == (0, ["Hit"], {})
    ran = run("fingerprint", "a.flow")
    assert (ran.status, ran.err) == (2, "flow-lsp: a.flow declares no Tool.\n")


def test_a_fingerprint_is_the_hash_of_the_canonical_signature(run: Run) -> None:
    write({"a.flow": HIT})
    fingerprint, canonical = run("fingerprint", "--canonical", "a.flow:find").out.splitlines()
    assert fingerprint == f"sha256:{hashlib.sha256(canonical.encode()).hexdigest()}  a.find"
    ran = run("fingerprint", "a.flow")
    assert (ran.status, ran.out) == (1, fingerprint + "\n")


@pytest.mark.parametrize("command", ["schema", "fingerprint"])
def test_a_signature_that_is_not_known_is_status_one(run: Run, command: str) -> None:
    write({"a.flow": HIT})
    ran = run(command, "a.flow:lost")
    assert ran.status == 1
    assert "`flow-lsp check a.flow` says why" in ran.err


@pytest.mark.parametrize("command", ["schema", "fingerprint"])
@pytest.mark.parametrize(
    ("target", "sentence"),
    [
        ("a.flow:fnd", "Is find meant?"),
        ("a.flow:zzzzzzzz", "a.flow declares no Tool"),
        ("no.flow:find", "no.flow does not exist. Write FILE or FILE:NAME"),
        ("no.flow", "no.flow does not exist. Write FILE or FILE:NAME"),
        (".", ". is no .flow file. Write FILE or FILE:NAME"),
        ("a.txt", "a.txt is no .flow file. Write FILE or FILE:NAME"),
    ],
)
def test_what_is_not_there_is_wrong_usage(run: Run, command: str, target: str, sentence: str) -> None:
    write({"a.flow": HIT, "a.txt": "x"})
    ran = run(command, target)
    assert (ran.status, ran.out) == (2, "")
    assert sentence in ran.err


def test_a_file_in_a_repository_has_its_identity(run: Run) -> None:
    write({"a.flow": FIND})
    ran = run("fingerprint", "a.flow", "--repository", "acme/kit@1.2.0")
    assert ran.out.endswith("  acme/kit@1.2.0/a.find\n")


@pytest.mark.parametrize(
    ("target", "parts"),
    [
        ("a.flow:find", ("a.flow", "find")),
        ("C:/a.flow:find", ("C:/a.flow", "find")),
        ("C:/a.flow", ("C:/a.flow", None)),
        ("a:b.flow", ("a:b.flow", None)),
        ("a.flow:", ("a.flow:", None)),
    ],
)
def test_a_target_is_split_at_the_colon_behind_the_file(target: str, parts: tuple[str, str | None]) -> None:
    assert split_target(target) == parts


def test_a_file_whose_name_holds_a_colon_is_a_file(run: Run) -> None:
    write({"a.flow:b.flow": FIND})
    assert run("fingerprint", "a.flow:b.flow").out.endswith("a.flow:b.find\n")
