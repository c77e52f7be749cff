"""Manifests that are easily read wrongly: what is found in each, at which line, and what is bound by it."""

from __future__ import annotations

import pytest
from support.snapshots import Fixture, snapshot

from flow_lsp.analysis.engine import Analysis
from flow_lsp.binding.model import Bound

TOOL = "@tool fn find() -> Result<Int, Never>\n"
A, B = 'command = "a"\n', 'mcp = "b"\n'
BOTH = ["a.flow", "b.flow"]


def read(manifest: str, *more: str) -> tuple[list[tuple[str, int]], list[str]]:
    """The codes and lines of a manifest's own findings, and which files it binds."""
    made = Fixture({"flow.toml": manifest, **dict.fromkeys(("a.flow", "b.flow", *more), TOOL)}, {})
    state, analysis = snapshot(made), Analysis()
    found = [
        (finding.rule.code, manifest.count("\n", 0, finding.span.start) + 1)
        for finding in analysis.manifest_findings(state, "/w")
        if finding.rule.code not in ("not-run", "missing-file")
    ]
    bound = [path for path in made.texts if path != "flow.toml" and isinstance(state.binding_of(f"/w/{path}"), Bound)]
    return found, bound


@pytest.mark.parametrize(
    ("manifest", "found", "bound"),
    [
        # A parent's header may follow those of its children, and a dotted key may stand beside an inline table.
        (f'[tools."a.flow"]\n{A}[tools."b.flow"]\n{B}[tools]\n', [], BOTH),
        ('[tools]\n"a.flow".command = "a"\n"b.flow" = { mcp = "b" }\n', [], BOTH),
        (f'[tools."a.flow"]\n{A}[other]\nx = 1\n[tools."b.flow"]\n{B}[tools]\n', [("unknown-key", 3)], []),
        (f'[tools]\n[other]\n[tools."b.flow"]\n{B}[tools]\n', [("unknown-key", 2), ("toml", 5)], []),
        # A second definition is one whatever stands between, and nothing is merged with it.
        ('[tools]\n"a.flow" = true\n[other]\n[tools."a.flow"]\n',
         [("not-table", 2), ("unknown-key", 3), ("toml", 4)], []),
        (f'[tools."a.flow"]\n{A}[[other]]\n[tools]\n"a.flow".mcp = "x"\n', [("unknown-key", 3), ("toml", 5)], []),
        (f'["tools"."a.flow"]\n{A}[tools."a.flow"]\nmcp = "x"\n', [("toml", 3)], []),
        # What is in quotes is one name, and without them it is said.
        (f"[tools.a.flow]\n{A}", [("path", 1)], []),
        (f"[tools.'a.flow']\n{A}", [], ["a.flow"]),
        (f'[tools . "b.flow" ]\n{A}', [], ["b.flow"]),
        (f'[tools.".hidden.flow"]\n{A}', [], [".hidden.flow"]),
        (f'[tools."a\\".flow"]\n{A}', [], ['a".flow']),
        # A path is the plain one, or said to be wrong.
        (f'[tools."./a.flow"]\n{A}', [], ["a.flow"]),
        (f'[tools."sub//a.flow"]\n{A}', [], ["sub/a.flow"]),
        (f'[tools."sub/../a.flow"]\n{A}', [("path", 1)], []),
        (f'[tools."sub\\\\a.flow"]\n{A}', [("path", 1)], []),
        (f'[tools."/abs/a.flow"]\n{A}', [("path", 1)], []),
        (f'[tools."../a.flow"]\n{A}', [("path", 1)], []),
        (f'[tools."a.flow"]\n{A}[tools."./a.flow"]\n{A}', [("same-path", 3)], []),
        # TOML of another shape than a manifest's.
        ("[[tools]]\n", [("not-table", 1)], []),
        ("tools = 1\n", [("not-table", 1)], []),
        ('[[tools."a.flow"]]\n', [("not-table", 1)], []),
        ('[tools."a.flow"]\ncommand = 2031-02-03\n', [("value", 2)], []),
        ('[tools."a.flow"]\ncommand = ["a"]\n', [("value", 2)], []),
        ('[tools."a.flow"]\ncommand = ""\n', [("value", 2)], []),
        ('[tools."a.flow"]\ncommand = "   "\n', [("value", 2)], []),
        ('[tools."a.flow"]\nmcp = true\n', [("value", 2)], []),
        ('[tools."a.flow"]\n', [("one-of", 1)], []),
        (f'[tools."a.flow"]\n{A}{B}', [("one-of", 1)], []),
        ("", [], []),
        # Command lines that do not split, and what they split into.
        ("[tools.\"a.flow\"]\ncommand = \"tool 'open\"\n", [("value", 2)], []),
        ('[tools."a.flow"]\ncommand = "srv \\\\"\n', [("value", 2)], []),
        ('[tools."a.flow"]\ncommand = "srv --color #fff"\n', [], ["a.flow"]),
        ('[tools."a.flow"]\ncommand = "srv \\"\\" b"\n', [], ["a.flow"]),
    ],
)  # fmt: skip
def test_what_is_found_and_what_is_bound(manifest: str, found: list[tuple[str, int]], bound: list[str]) -> None:
    assert read(manifest, ".hidden.flow", 'a".flow', "sub/a.flow") == (found, bound)


@pytest.mark.parametrize(
    ("command", "words"), [("srv --color #fff", ("srv", "--color", "#fff")), ('srv \\"\\" b', ("srv", "", "b"))]
)
def test_a_hash_begins_no_comment_and_an_empty_argument_is_one(command: str, words: tuple[str, ...]) -> None:
    made = snapshot(Fixture({"flow.toml": f'[tools."a.flow"]\ncommand = "{command}"\n', "a.flow": TOOL}, {}))
    binding = made.binding_of("/w/a.flow")
    assert isinstance(binding, Bound)
    assert binding.key.words == words
