"""What a check uses again after an edit, what it follows, and how its time grows."""

from __future__ import annotations

import pytest
from strategies.flow_workspaces import FOLDER, FileMap, check_all, check_one

from flow_lsp.source.files import Memory
from flow_lsp.source.program import check_file
from flow_lsp.source.reader import read_source

TYPES = "pub record Hit { title: Text }\npub enum Problem { Offline }\n"


def edited(workspace: FileMap, path: str, old: str, new: str) -> None:
    text = workspace.sources[path].text
    assert old in text
    workspace.sources[path] = read_source(text.replace(old, new, 1), workspace.sources[path])


PROGRAM = {
    "a.flow": "import ./types.{Hit}\n@tool fn f(h: Hit) -> Result<Int, Never>\nrecord Own { a: Int }\n"
    "@tool fn g(o: Own) -> Result<Int, Never>\n",
    "types.flow": "/// A hit.\nrecord Hit { title: Text }\nrecord Other { a: Int }\n",
}
A, T = f"{FOLDER}/a.flow", f"{FOLDER}/types.flow"


@pytest.mark.parametrize(
    ("path", "old", "new", "same"),
    [
        (A, "import", "// moved down\nimport", [True, True]),
        (A, "a: Int }", "a: Text }", [True, False]),
        (A, "h: Hit", "hit: Hit", [False, True]),
        (A, "record Own", "/// doc\nrecord Own", [True, False]),
        (T, "A hit.", "A better hit.", [False, True]),
        (T, "record Other { a", "record Other { b", [True, True]),
        (T, "record Hit {", "record Hit", [False, True]),
    ],
)
def test_a_declaration_stays_the_same_object_while_it_says_the_same(
    path: str, old: str, new: str, same: list[bool]
) -> None:
    workspace = FileMap(PROGRAM)
    memory = Memory()
    before = check_file(workspace, A, None, memory)
    assert before is not None
    edited(workspace, path, old, new)
    after = check_file(workspace, A, before, memory)
    assert after is not None
    assert [one is two for one, two in zip(before.tools, after.tools, strict=True)] == same
    for tool in after.tools:
        span = after.name_span(tool)
        assert after.source.text[span.start : span.end] == tool.name


def test_a_check_knows_whether_it_is_current() -> None:
    workspace = FileMap(PROGRAM)
    checked = check_file(workspace, A)
    assert checked is not None
    assert checked.is_current(workspace)
    assert dict(checked.depends_on) == workspace.sources
    edited(workspace, T, "A hit", "The hit")
    assert not checked.is_current(workspace)


def test_a_file_that_appears_makes_a_check_old() -> None:
    workspace = FileMap({"a.flow": "import ./types.{Hit}\n@tool fn f(h: Hit) -> Result<Int, Never>\n"})
    checked = check_file(workspace, A)
    assert checked is not None
    assert checked.depends_on[T] is None
    workspace.sources[T] = read_source(TYPES)
    assert not checked.is_current(workspace)


def test_a_memory_can_forget_a_file() -> None:
    workspace, memory = FileMap(PROGRAM), Memory()
    check_file(workspace, A, None, memory)
    memory.forget(T)
    assert T not in memory.files
    assert T not in memory.offers


def test_a_chain_of_ten_thousand_types_is_checked_without_a_finding() -> None:
    length = 10_000
    text = "".join(f"record R{n} {{ r: List<R{n + 1}> }}\n" for n in range(length))
    text += f"record R{length} {{ a: Int }}\n@tool fn f(r: R0) -> Result<Int, Never>\n"
    assert check_one(text).findings == ()


def test_all_files_of_a_cycle_are_checked() -> None:
    workspace = FileMap(
        {"a.flow": "import ./b.{B}\nrecord A { b: B }\n", "b.flow": "import ./a.{A}\nrecord B { a: A }\n"}
    )
    found = [(checked.path, finding.rule.code) for checked in check_all(workspace) for finding in checked.findings]
    assert found == [(f"{FOLDER}/a.flow", "endless-value"), (f"{FOLDER}/b.flow", "endless-value")]


def test_the_cause_of_an_unknown_signature_is_followed_to_its_file() -> None:
    workspace = FileMap(
        {
            "a.flow": "import ./b\nimport ./none.{N}\nimport ./b.{\n@tool fn f(x: b.B) -> Result<Int, Never>\n"
            "@tool fn g(x: N) -> Result<Int, Never>\n@tool fn h(x: List<b.Fine>) -> Result<Int, Never>\n"
            "@tool fn i(x: b.Endless) -> Result<Int, Never>\n",
            "b.flow": "import ./c.{C}\nrecord B { c: C }\nrecord Fine { b: List<B> }\nrecord Endless { e: Endless }\n",
            "c.flow": "record C { x }\n",
        }
    )
    checked = check_file(workspace, A)
    assert checked is not None
    causes = [checked.cause_of(tool) for tool in checked.tools]
    assert [(cause.path.rpartition("/")[2], cause.name) for cause in causes if cause is not None] == [
        ("c.flow", "C"),
        ("a.flow", "./none"),
        ("c.flow", "C"),
        ("b.flow", "Endless"),
    ]
