"""What could be typed where (B03)."""

from __future__ import annotations

import pytest

from flow_lsp.manifest.completion import CompletionKind, completion_context
from flow_lsp.manifest.reader import read_manifest


@pytest.mark.parametrize(
    ("text", "kind", "typed", "present"),
    [
        ("|", CompletionKind.TOP_KEY, "", set()),
        ("\ufeff|", CompletionKind.TOP_KEY, "", set()),
        ("to|ol = 1\n", CompletionKind.TOP_KEY, "tool", set()),
        ('|[tools."a.flow"]\n', CompletionKind.TOP_KEY, "", set()),
        ('[tools."a.flow"]\n|', CompletionKind.ENTRY, "", set()),
        ('[tools."a.flow"]\n|\n[tools."b.flow"]\n', CompletionKind.ENTRY, "", set()),
        ('[tools."a.flow"]\n|[tools."b.flow"]\nmcp = "x"\n', CompletionKind.ENTRY, "", set()),
        ('[tools."a.flow"]\ncom|m\n', CompletionKind.ENTRY, "comm", set()),
        ('[tools."a.flow"]\ncomm|and = "x"\n', CompletionKind.ENTRY, "command", set()),
        ('[tools."a.flow"]\ncommand = "x"\n  m|\n', CompletionKind.ENTRY, "m", {"command"}),
        ("[tools]\n|", CompletionKind.PATH, "", set()),
        ("[|", CompletionKind.HEADER, "", set()),
        ("[to|ols]\n", CompletionKind.HEADER, "tools", set()),
        ('[tools."a.|flow"]\n', CompletionKind.HEADER, 'tools."a.flow"', set()),
        ('[tools]\n"a.flow" = { | }\n', CompletionKind.ENTRY, "", set()),
        ('[tools]\n"a.flow" = { command = "x", m| = 1 }\n', CompletionKind.ENTRY, "m", {"command"}),
    ],
)
def test_something_is_typed(text: str, kind: CompletionKind, typed: str, present: set[str]) -> None:
    offset = text.index("|")
    text = text.replace("|", "")
    context = completion_context(read_manifest(text), offset)
    assert context is not None
    assert context.kind is kind
    assert text[context.span.start : context.span.end] == typed
    assert context.present == present


@pytest.mark.parametrize(
    "text",
    [
        '[tools."a.flow"]|\n',
        '[tools."a.flow"]\ncommand = |"x"\n',
        '[tools."a.flow"]\ncommand = "x|"\n',
        "[tools.\"a.flow\"]\ncommand = '''\nx|\n'''\n",
        "# c|\n",
        "[server]\n|\n",
        '[tools."a.flow".env]\n|\n',
        '[tools."a.flow\n|',
        '[tools]\n"a.flow" = { command = [1, |] }\n',
        "x = { |",
        '[tools]\n"a.flow" = { mcp = "x" }\ny = { |',
    ],
)
def test_nothing_of_a_manifest_is_typed(text: str) -> None:
    offset = text.index("|")
    assert completion_context(read_manifest(text.replace("|", "")), offset) is None


def test_offsets_outside_the_text_are_answered() -> None:
    manifest = read_manifest('[tools."a.flow"]\n')
    assert completion_context(manifest, 10_000) == completion_context(manifest, 17)
    assert completion_context(manifest, -5) == completion_context(manifest, 0)
