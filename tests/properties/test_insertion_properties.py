"""A table that is put into a manifest is all that becomes another, for whoever reads TOML."""

from __future__ import annotations

import tomllib
from typing import Any

from hypothesis import assume, given
from hypothesis import strategies as st

from flow_lsp.importing.manifest_table import manifest_table
from flow_lsp.manifest.insertion import with_table
from flow_lsp.manifest.model import BindingKind
from flow_lsp.manifest.reader import read_manifest

NAMES = st.sampled_from(["a.flow", "b.flow", "sub/c.flow", "ü.flow", "x.flow"])
COMMENTS = st.sampled_from(["", "", " # why", "   ", "\t#"])


@st.composite
def tables(draw: st.DrawFn, name: str) -> str:
    kind, value = draw(st.sampled_from(["command", "mcp"])), draw(st.sampled_from(['"run"', "'run x'", '"""\nrun"""']))
    header = draw(st.sampled_from([f'[tools."{name}"]', f"[ tools . '{name}' ]", f'["tools"."{name}"]']))
    return f"{header}{draw(COMMENTS)}\n{draw(COMMENTS)}\n  {kind} = {value}{draw(COMMENTS)}\n"


@st.composite
def manifests(draw: st.DrawFn) -> str:
    names = draw(st.lists(NAMES, max_size=3, unique=True))
    if draw(st.booleans()):
        text = "".join(draw(tables(name)) for name in names)
    else:
        each = [f'"{name}" = {{ command = "run" }}' for name in names]
        text = draw(st.sampled_from(["[tools]\n{}\n", "tools.{}\n", "tools = {{ {} }}\n"]))
        if "= {{" in text:
            text = text.format(", ".join(each))
        else:
            prefix = "tools." if text.startswith("tools.") else ""
            text = ("" if prefix else "[tools]\n") + "".join(f"{prefix}{one}{draw(COMMENTS)}\n" for one in each)
    text = draw(st.sampled_from(["", "# first\n", "\n\n"])) + text + draw(st.sampled_from(["", "\n", "\n\n", "# last"]))
    text = text.removesuffix(draw(st.sampled_from(["", "\n"])))
    return text.replace("\n", "\r\n") if draw(st.booleans()) else text


@given(manifests(), st.sampled_from(["x.flow", "sub/y.flow"]), st.sampled_from(["npx server", 'a "b\\c" \t\x7f']))
def test_the_old_text_stays_and_the_table_is_what_came(text: str, name: str, command: str) -> None:
    manifest = read_manifest(text)
    assume(not manifest.has_error)
    before: Any = tomllib.loads(text)
    added = with_table(manifest, manifest_table(name, command))
    if added is None:
        inline = text.lstrip().startswith("tools =") or "\ntools = {" in text.replace("\r", "")
        assert inline or name in before["tools"]
        return
    after: Any = tomllib.loads(text + added)
    assert after["tools"].pop(name) == {"mcp": command}
    assert after.get("tools") == before.get("tools", {})
    made = read_manifest(text + added)
    assert not made.has_error
    table = made.tables[made.index_by_path[name]]
    assert (table.kind, table.text) == (BindingKind.MCP, command)
    assert "\r" not in added or "\r\n" in text
