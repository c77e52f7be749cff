"""The tools listing: what is in it, in which order, under which local ids."""

from __future__ import annotations

import json

from strategies.flow_workspaces import FOLDER, FileMap, check_all

from flow_lsp.signature.signature import SignatureFault, SignatureProblem
from flow_lsp.source.listing import tools_listing


def listing(files: dict[str, str], **repositories: object) -> dict:  # type: ignore[type-arg]
    return tools_listing(check_all(FileMap(files, repositories)), FOLDER)


def test_tools_stand_in_the_order_of_files_by_code_point_and_of_source() -> None:
    tool = "@tool fn z() -> Result<Int, Never>\n@tool fn a() -> Result<Int, Never>\n"
    found = listing({"b.flow": tool, "a/x.flow": tool, "a.flow": tool, "B.flow": tool})
    assert [(entry["file"], entry["name"]) for entry in found["tools"]] == [
        (file, name) for file in ("B.flow", "a.flow", "a/x.flow", "b.flow") for name in "za"
    ]
    assert found["data"] == "0.1"
    assert found["problems"] == []


def test_the_members_of_an_entry() -> None:
    found = listing(
        {
            "a.flow": "/// Finds.\r\n@tool\r\nfn f<T>(\r\n /// what\r\n q: T) -> Result<List<Hit>, Never>\r\n"
            "record Hit {}\r\n"
        }
    )
    (entry,) = found["tools"]
    assert entry.pop("fingerprint").startswith("sha256:")
    assert entry == {
        "tool": "a.f",
        "name": "f",
        "doc": "Finds.",
        "generic": ["T"],
        "params": [{"name": "q", "type": {"Param": {"owner": "tool", "index": 0}}, "doc": "what"}],
        "ok": {"List": {"Named": {"declaration": "a.Hit", "args": []}}},
        "err": "Never",
        "file": "a.flow",
        "line": 3,
    }
    assert list(found["types"]) == ["a.Hit"]
    json.dumps(found)


def test_two_files_of_one_identity_keep_their_types_apart() -> None:
    text = "record Hit { hits: List<Hit> }\n@tool fn f(h: Hit) -> Result<Int, Never>\n"
    found = listing({"t.flow": text, "lib/t.flow": text, "lib/flow.toml": ""})
    assert sorted(found["types"]) == ["t.Hit", "t.Hit~2"]
    for entry in found["tools"]:
        declaration = entry["params"][0]["type"]["Named"]["declaration"]
        inner = found["types"][declaration]["fields"][0]["type"]["List"]["Named"]["declaration"]
        assert inner == declaration
    assert len({entry["params"][0]["type"]["Named"]["declaration"] for entry in found["tools"]}) == 2


def test_generic_owners_are_renamed_with_their_declarations() -> None:
    found = listing({"a.flow": "record P<T> { v: T }\n@tool fn f(p: P<Int>) -> Result<Int, Never>\n"})
    assert found["types"]["a.P"]["fields"][0]["type"] == {"Param": {"owner": "a.P", "index": 0}}


def test_a_tool_with_a_problem_is_in_problems_alone() -> None:
    found = listing({"a.flow": "\n@tool fn f() -> Int\n@tool fn g() -> Result<Int, Never>\n"})
    assert [entry["name"] for entry in found["tools"]] == ["g"]
    assert [(problem["file"], problem["line"]) for problem in found["problems"]] == [("a.flow", 2)]
    assert "The Tool `f` gives `Int`" in found["problems"][0]["message"]


def test_a_cause_in_a_listed_file_is_not_said_again_and_one_elsewhere_is() -> None:
    broken = "record Hit { title }\n"
    here = listing({"a.flow": "import ./t\n@tool fn f(h: t.Hit) -> Result<Int, Never>\n", "t.flow": broken})
    assert [problem["file"] for problem in here["problems"]] == ["t.flow"]
    there = listing(
        {"a.flow": "import acme/t\n@tool fn f(h: t.Hit) -> Result<Int, Never>\n"},
        acme={"version": "1.0.0", "files": {"t.flow": broken}},
    )
    assert [(problem["file"], problem["line"]) for problem in there["problems"]] == [("a.flow", 2)]
    assert "it reaches `Hit` in /repositories/acme/t.flow" in there["problems"][0]["message"]
    assert there["tools"] == []


def test_warnings_are_no_problems() -> None:
    found = listing({"a.flow": "record A {}\nrecord A {}\nimport std/json\n@tool fn f() -> Result<Int, Never>\n"})
    assert found["problems"] == []
    assert len(found["tools"]) == 1


def test_a_signature_that_cannot_be_made_is_a_problem() -> None:
    checked = check_all(FileMap({"a.flow": "@tool fn f() -> Result<Int, Never>\n"}))
    problem = SignatureProblem(SignatureFault.TOO_LARGE, "It is too large.")
    found = tools_listing(checked, FOLDER, {checked[0].tools[0]: problem})
    assert found["tools"] == []
    assert found["problems"] == [
        {"file": "a.flow", "line": 1, "message": "The Tool `f` has no fingerprint: It is too large."}
    ]


def test_only_what_tools_reach_is_in_the_map() -> None:
    found = listing(
        {
            "a.flow": "record A { b: List<B> }\nrecord B {}\nrecord C {}\nrecord P<T> { x: Int }\n"
            "@tool fn f(a: A, p: P<D>) -> Result<Int, Never>\nrecord D {}\n"
        }
    )
    assert list(found["types"]) == ["a.A", "a.P", "a.D", "a.B"]
