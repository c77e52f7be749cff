"""Contracts files: what is written can be read, and a hostile file is a sentence with a place."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from jsonschema import Draft202012Validator
from strategies.json_strategies import mutated
from support.bounds import not_hopeless
from support.mcp_answers import offering

from flow_lsp.analysis.snapshot import Standing
from flow_lsp.binding.model import CommandKey
from flow_lsp.host.contracts import (
    SIZE_LIMIT,
    Contract,
    ContractsProblem,
    contracts_text,
    in_folder,
    newest,
    read_contracts,
    read_contracts_file,
)
from flow_lsp.host.contracts_schema import CONTRACTS_FILE
from flow_lsp.manifest.model import BindingKind
from flow_lsp.protocol.listing import read_listing
from flow_lsp.protocol.outcome import DescribeListing
from flow_lsp.signature.signature import served_fingerprint

ROOT = Path(__file__).parents[3]
VALIDATOR = Draft202012Validator(CONTRACTS_FILE)
SIGNATURE: Any = {"params": [["q", {"type": "string"}]], "ok": {"type": "integer"}, "err": {"not": {}}, "generic": []}
TOOL: Any = {"tool": "a.find", "fingerprint": served_fingerprint(SIGNATURE), "signature": SIGNATURE}
ENTRY: Any = {
    "directory": "sub",
    "words": ["python3", "serve.py"],
    "recorded": "2026-12-03T05:20:00Z",
    "data": "0.1",
    "tools": [TOOL],
}
FILE: Any = {"version": 1, "contracts": [ENTRY]}


def listing(*tools: Any) -> DescribeListing:
    found = read_listing({"data": "0.1", "tools": list(tools or (TOOL,))})
    assert isinstance(found, DescribeListing)
    return found


def contract(directory: str = "sub", *words: str, recorded: int = 1_796_275_200) -> Contract:
    return Contract(directory, words or ("python3", "serve.py"), recorded, listing())


def read(value: Any) -> tuple[Contract, ...] | ContractsProblem:
    return read_contracts(json.dumps(value).encode())


def problem(value: Any) -> ContractsProblem:
    found = read(value)
    assert isinstance(found, ContractsProblem)
    return found


def test_what_is_written_is_read_back_and_is_as_the_schema_says() -> None:
    contracts = (contract("."), contract(), contract("../x", "a b", ""))
    text = contracts_text(contracts)
    VALIDATOR.validate(json.loads(text))
    assert text.endswith("}\n")
    assert read_contracts(text.encode()) == tuple(sorted(contracts, key=lambda each: each.directory))
    assert contracts_text(contracts[::-1]) == text


def test_tools_are_sorted_and_members_stand_in_one_order() -> None:
    other = {**TOOL, "tool": "a.another", "signature": dict(reversed(SIGNATURE.items()))}
    one, two = (Contract(".", ("x",), 0, listing(*tools)) for tools in ((TOOL, other), (other, TOOL)))
    assert contracts_text([one]) == contracts_text([two])
    assert contracts_text([one]).index("a.another") < contracts_text([one]).index("a.find")


def test_an_empty_file_of_contracts_is_one() -> None:
    assert read_contracts(contracts_text([]).encode()) == ()


def test_numbers_and_depth_of_a_signature_are_kept() -> None:
    schema = "[" * 480 + '1.50,1e999999,"\\u2028"' + "]" * 480
    signature = json.dumps(SIGNATURE).replace('{"not": {}}', f'{{"x": {schema}}}')
    text = json.dumps(FILE).replace(json.dumps(SIGNATURE), signature)
    found = read_contracts(text.encode())
    assert not isinstance(found, ContractsProblem)
    again = read_contracts(contracts_text(found).encode())
    assert not isinstance(again, ContractsProblem)
    assert contracts_text(again) == contracts_text(found)
    assert "1.5,1e999999" in contracts_text(found).replace(" ", "")


@pytest.mark.parametrize(
    ("change", "at", "sentence"),
    [
        ({"version": 2}, '2', "reads version 1"),
        ({"version": True}, "true", "reads version 1"),
        ({"more": 1}, "1", "There is no member `more`"),
        ({"contracts": {}}, "{}", "An array"),
        ({"contracts": [5]}, "5", "A contract is an object."),
        ({"contracts": [ENTRY, ENTRY]}, '{"directory"', "two contracts of python3 serve.py"),
        ({"contracts": [ENTRY, {**ENTRY, "directory": "./sub/"}]}, '{"directory"', "two contracts"),
        *(
            ({"contracts": [{**ENTRY, name: value}]}, None, sentence)
            for name, value, sentence in (
                ("directory", "/etc", "a relative path"),
                ("directory", "", "a relative path"),
                ("directory", 3, "a relative path"),
                ("directory", "a\0b", "a relative path"),
                ("words", [], "one text or more"),
                ("words", "x", "one text or more"),
                ("words", [1], "one text or more"),
                ("recorded", "yesterday", "such as 2026-12-03T05:20:00Z"),
                ("recorded", "2026-02-30T00:00:00Z", "A moment is expected"),
                ("recorded", "2026-13-01T00:00:00Z", "A moment is expected"),
                ("recorded", "0000-01-01T00:00:00Z", "A moment is expected"),
                ("recorded", "1969-12-31T23:59:59Z", "A moment is expected"),
                ("recorded", "2026-12-03T05:20:00+00:00", "A moment is expected"),
                ("recorded", 5, "A moment is expected"),
                ("data", "7.0", "speaks data version 7.0"),
                ("data", 1, "answered describe wrongly"),
                ("tools", [{}], "answered describe wrongly"),
                ("tools", [TOOL, TOOL], "twice"),
                ("password", "x", "There is no member `password`"),
            )
        ),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said_with_its_place(change: Any, at: str | None, sentence: str) -> None:
    found = problem({**FILE, **change})
    assert sentence in found.sentence
    assert found.sentence.endswith("`flow-lsp describe --record`.")
    assert found.span is not None
    if at is not None:
        assert found.text[found.span.start :].startswith(at)


@pytest.mark.parametrize("name", ["version", "contracts"])
def test_a_missing_member_is_named(name: str) -> None:
    assert f"The member `{name}` is missing." in problem({k: v for k, v in FILE.items() if k != name}).sentence


@pytest.mark.parametrize("name", ENTRY)
def test_a_missing_member_of_a_contract_is_named(name: str) -> None:
    entry = {key: value for key, value in ENTRY.items() if key != name}
    assert f"The member `{name}` is missing." in problem({"version": 1, "contracts": [entry]}).sentence


@pytest.mark.parametrize(
    ("data", "where"),
    [
        (b"", ":1:1"),
        (b"{\n  oops", ":2:3"),
        (b'{"a": 1,\n "a": 2}', ":2:2"),
        (b'"\xc3\xa4\xff"', ":1:3"),
        (b"[" * 100_000, ":1:533"),
        (b"<<<<<<< HEAD\n{}", ":1:1"),
        (b"\xef\xbb\xbf{}", ":1:1"),
    ],
)
def test_a_text_that_is_no_json_is_said_with_line_and_column(data: bytes, where: str) -> None:
    found = read_contracts(data)
    assert isinstance(found, ContractsProblem)
    assert found.where == where


@given(mutated(FILE, rounds=3))
def test_what_the_reader_takes_the_schema_takes_too(value: Any) -> None:
    text = json.dumps(value, default=str).encode()
    found = read_contracts(text)
    if not isinstance(found, ContractsProblem):
        assert VALIDATOR.is_valid(json.loads(text))
        assert read_contracts(contracts_text(found).encode()) == found


def test_a_fingerprint_is_computed_again() -> None:
    wrong = {**TOOL, "fingerprint": "sha256:" + "1" * 64}
    (found,) = read({"version": 1, "contracts": [{**ENTRY, "tools": [wrong]}]})  # type: ignore[misc]
    assert found.listing.tools[0].problem is not None


def test_words_are_masked_on_both_ways() -> None:
    secret = {**ENTRY, "words": ["serve", "--token", "hunter2"]}
    (found,) = read({"version": 1, "contracts": [secret]})  # type: ignore[misc]
    assert found.words == ("serve", "--token", "***")
    assert "hunter2" not in contracts_text([found])


def test_directories_count_from_the_real_folder_of_the_file(tmp_path: Path) -> None:
    (tmp_path / "real" / "in").mkdir(parents=True)
    (tmp_path / "link").symlink_to("real")
    path = str(tmp_path / "link" / "contracts.json")
    contracts = [contract("."), contract("in"), contract("..", "y"), contract("../../../../../../../../..", "z")]
    keys = in_folder(contracts, path)
    folder = os.path.realpath(tmp_path)
    assert [key.directory for key in keys] == [f"{folder}/real", f"{folder}/real/in", folder, "/"]
    described = keys[CommandKey(folder, ("y",))]
    assert described.standing is Standing.RECORDED
    assert described.as_of_text.startswith(" (as recorded on 20")


def test_of_two_files_the_newer_contract_counts() -> None:
    old, new = (in_folder([contract(recorded=time)], "/w/c") for time in (5, 9))
    assert newest([old, new]) == newest([new, old]) == new


def test_what_is_no_file_is_not_read(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    large = tmp_path / "large"
    with large.open("wb") as file:
        file.truncate(SIZE_LIMIT + 1)
    for name, sentence in (("pipe", "no regular file"), ("large", "larger than"), ("gone", "describe --record FILE")):
        found = read_contracts_file(str(tmp_path / name))
        assert isinstance(found, ContractsProblem)
        assert (found.where, sentence in found.sentence) == ("", True), found.sentence
    found = read_contracts_file(str(tmp_path))
    assert isinstance(found, ContractsProblem)
    assert "This is a directory" in found.sentence


def test_many_contracts_are_read_in_linear_time_and_more_are_refused() -> None:
    entries = [{**ENTRY, "words": [str(number)], "tools": []} for number in range(10_001)]
    with not_hopeless():
        found = read({"version": 1, "contracts": entries[1:]})
    assert not isinstance(found, ContractsProblem)
    assert len(found) == 10_000
    assert "at most 10,000 contracts" in problem({"version": 1, "contracts": entries}).sentence


def test_the_published_schema_is_the_one_in_use() -> None:
    published = json.loads((ROOT / "schemas" / "contracts.schema.json").read_text(encoding="utf-8"))
    assert published == CONTRACTS_FILE
    Draft202012Validator.check_schema(CONTRACTS_FILE)


# -- MCP servers --------------------------------------------------------------------------------------------

MCP_ENTRY: Any = {
    "directory": "sub",
    "words": ["python3", "serve.py"],
    "recorded": "2026-12-03T05:20:00Z",
    "server": {"name": "peer", "version": "7", "revision": "2025-11-25"},
    "tools": [{"name": "find", "inputSchema": {"type": "object"}, "outputSchema": {"type": "object"}}],
}


def test_what_an_mcp_server_said_is_written_and_read_back_beside_the_command_of_these_words() -> None:
    mcp = Contract("sub", ("python3", "serve.py"), 1_796_275_200, offering("find", "alike"))
    text = contracts_text([mcp, contract()])
    assert text == contracts_text([contract(), mcp])
    VALIDATOR.validate(json.loads(text))
    one, other = read_contracts(text.encode())
    assert (one.key.kind, other.key.kind) == (BindingKind.COMMAND, BindingKind.MCP)
    assert other.listing == offering("alike", "find")  # sorted, for a file to be reviewed
    found = in_folder((one, other), "/w/contracts.json")
    known = found[CommandKey("/w/sub", ("python3", "serve.py"), BindingKind.MCP)]
    assert known.standing is Standing.RECORDED
    assert known.outcome is not None
    assert known.outcome.mcp == other.listing


@pytest.mark.parametrize(
    ("change", "where", "sentence"),
    [
        ({"server": None}, "/contracts/0/tools", "it has no server with the texts name, version and revision."),
        ({"server": MCP_ENTRY["server"] | {"revision": "x"}}, "/contracts/0/tools", "it is of MCP x, and this host"),
        ({"tools": [{"name": "find"}]}, "/contracts/0/tools", "a tool without a name, or without an inputSchema"),
        ({"tools": MCP_ENTRY["tools"] * 2}, "/contracts/0/tools", "it lists the tool `find` twice."),
        ({"data": "0.1"}, "/contracts/0/data", "There is no member `data`"),
    ],
)
def test_a_hostile_contract_of_an_mcp_server_is_a_sentence_with_a_place(change: Any, where: str, sentence: str) -> None:
    found = problem({"version": 1, "contracts": [MCP_ENTRY | change]})
    assert sentence in found.sentence
    assert found.span is not None


@given(mutated({"version": 1, "contracts": [MCP_ENTRY]}, rounds=3))
def test_what_the_reader_takes_of_an_mcp_server_the_schema_takes_too(value: Any) -> None:
    text = json.dumps(value, default=str).encode()
    found = read_contracts(text)
    if not isinstance(found, ContractsProblem):
        assert VALIDATOR.is_valid(json.loads(text))
        assert read_contracts(contracts_text(found).encode()) == found
