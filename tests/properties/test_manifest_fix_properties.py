"""A fix of flow.toml changes what its title says for whoever reads TOML, and nothing else; twice is once."""

from __future__ import annotations

import copy
import re
import tomllib
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from support.fixing import after, all_fixed, offered
from support.snapshots import Fixture

TOOL = "@tool fn find() -> Result<Int, Text>\n"
FILES = ("a.flow", "sub/b.flow", "ü.flow", 'q"\\.flow', "near/c.flow", "near/d.flow")
KEYS = st.sampled_from(
    [*FILES, "gone.flow", "old/a.flow", "./a.flow", "sub//b.flow", "sub/../a.flow", "sub\\b.flow", "/w/a.flow", "a"]
)
ENDS = st.sampled_from(["", "", " # why", "\t", " # [tools.x] = 1"])
VALUES = st.sampled_from(
    ['"run"', "'run x'", '"""\nrun\n  y"""', "'''\nrun\n'''", '["run", "x y"]', '"sub/run \\"a\\""', "1", "{ x = 1 }"]
)
NAMES = st.sampled_from(["command", "command", "mcp", "comand", "env", '"mcp"', "'command'"])


def quoted(key: str, literal: bool) -> str:
    if literal and "'" not in key:
        return f"'{key}'"
    return '"' + key.replace("\\", "\\\\").replace('"', '\\"') + '"'


@st.composite
def tables(draw: st.DrawFn, key: str, form: str) -> str:
    name = quoted(key, draw(st.booleans()))
    entries = draw(st.lists(st.tuples(NAMES, VALUES), max_size=3, unique_by=lambda entry: entry[0].strip("\"'")))
    if form == "header":
        header = draw(st.sampled_from([f"[tools.{name}]", f"[ tools . {name} ]", f'["tools".{name}]']))
        between = st.sampled_from(["", "", "\n", "# inside\n"])
        lines = [f"{draw(between)}{draw(st.sampled_from(['', '  ']))}{k} = {v}{draw(ENDS)}\n" for k, v in entries]
        return f"{header}{draw(ENDS)}\n{''.join(lines)}"
    if form == "dotted":
        prefix = draw(st.sampled_from(["", "  "]))
        return "".join(f"{prefix}{name}.{k} = {v}{draw(ENDS)}\n" for k, v in entries)
    inner = ", ".join(f"{k} = {v}" for k, v in entries if "\n" not in v)
    return f"{name} = {{ {inner} }}" if inner else f"{name} = {{}}"


@st.composite
def manifests(draw: st.DrawFn) -> str:
    keys = draw(st.lists(KEYS, max_size=4, unique=True))
    shape = draw(st.sampled_from(["header", "header", "dotted", "members", "inline", "mixed"]))
    parts = []
    if shape in ("dotted", "members", "mixed"):
        parts.append("[tools]\n")
    for key in keys:
        gap = draw(st.sampled_from(["", "\n", "# above\n", "\n\n# above\n"]))
        if shape in ("header", "dotted"):
            parts.append(gap + draw(tables(key, shape)))
        elif shape in ("members", "mixed"):
            form = "inline" if shape == "members" else draw(st.sampled_from(["inline", "dotted"]))
            parts.append(gap + draw(tables(key, form)) + ("\n" if form == "inline" else ""))
        else:
            parts.append(draw(tables(key, "inline")))
    text = "".join(parts)
    if shape == "inline":
        text = "tools = { " + ", ".join(parts) + " }" + draw(ENDS) + "\n"
    text = draw(st.sampled_from(["", "# first\n", "\n", "\ufeff"])) + text + draw(st.sampled_from(["", "\n", "# last"]))
    if draw(st.booleans()):
        text = text.removesuffix("\n")
    return text.replace("\n", "\r\n") if draw(st.booleans()) else text


def data(text: str) -> dict[str, Any] | None:
    try:
        return tomllib.loads(text.removeprefix("\ufeff"))
    except tomllib.TOMLDecodeError:
        return None


def meant(before: dict[str, Any], title: str, key: str, kind: str) -> dict[str, Any] | None:
    """What the fix called `title` is to make of the data, at the table `key`; of a value, at its `kind`."""
    tools = before["tools"]
    names = re.findall(r"`([^`]*)`", title)
    if title.startswith("Rename"):
        tools[key][names[1]] = tools[key].pop(names[0])
    elif title.startswith("Keep"):
        del tools[key][names[1]]
    elif title.startswith("Add `"):
        tools[key][names[0]] = ""
    elif title.startswith(("Write the key", "Point the table")):
        tools[names[0]] = tools.pop(key)
    elif title.startswith("Write the words"):
        tools[key][kind] = "run 'x y'"
    elif title.startswith(("Remove the table", "Move the table")):
        del tools[key]
    elif title.startswith("Remove"):
        del tools[key][names[0]]
    else:
        return None
    return before


@settings(deadline=None, max_examples=100)
@given(manifests(), st.sampled_from([None, "", '[tools."c.flow"]\nmcp = "x"\n', "# near"]))
def test_a_fix_does_what_it_says_and_no_more(text: str, near: str | None) -> None:
    before = data(text)
    files = {"flow.toml": text, **dict.fromkeys(FILES, TOOL)}
    if near is not None:
        files["near/flow.toml"] = near
    made = Fixture(files, {})
    found = offered(made, "flow.toml")
    for fix in found:
        assert fix.change is not None
        result = after(made, fix.change)
        changed = result.texts["flow.toml"]
        if "\r\n" in text:
            assert "\n" not in changed.replace("\r\n", "")
        assert changed.startswith("\ufeff") == text.startswith("\ufeff")
        if before is None:
            continue
        now = data(changed)
        assert now is not None, (fix.title, changed)
        results = [
            meant(copy.deepcopy(before), fix.title, key, kind)
            for key in before["tools"]
            for kind in ("command", "mcp")
            if _fits(before, fix.title, key, kind)
        ]
        assert now in results or now.get("tools", {}) in [one.get("tools") for one in results if one], (
            fix.title,
            changed,
        )
        again = sum(other.title == fix.title for other in offered(result, "flow.toml"))
        assert again < sum(other.title == fix.title for other in found)
        if fix.title.startswith("Move"):
            (moved,) = set(before["tools"]) - set(now.get("tools", {}))
            near_data = data(result.texts["near/flow.toml"])
            assert near_data is not None
            assert set(near_data["tools"][moved.removeprefix("near/")]) == set(before["tools"][moved])


def _fits(before: dict[str, Any], title: str, key: str, kind: str) -> bool:
    table = before["tools"][key]
    names = re.findall(r"`([^`]*)`", title)
    if not isinstance(table, dict):
        return False
    if title.startswith("Write the words"):
        return isinstance(table.get(kind), list)
    if title.startswith("Rename"):
        return names[0] in table
    if title.startswith("Keep"):
        return set(names) <= set(table)
    if title.startswith("Add `"):
        return "command" not in table and "mcp" not in table
    if title.startswith("Remove `"):
        return names[0] in table
    return True


@settings(deadline=None, max_examples=80)
@given(manifests())
def test_fixing_all_leaves_nothing_safe_to_fix_and_breaks_no_toml(text: str) -> None:
    made = Fixture({"flow.toml": text, **dict.fromkeys(FILES, TOOL)}, {})
    fixed = all_fixed(made, "flow.toml")
    assert (data(fixed) is None) <= (data(text) is None)
    assert re.findall(r"#.*", fixed) == re.findall(r"#.*", text) or "Remove" in str(offered(made, "flow.toml"))


@settings(deadline=None, max_examples=50)
@given(manifests(), st.sampled_from(["new.flow", 'x "y".flow', "sub/new.flow"]))
def test_a_table_that_is_added_is_all_that_is_new(text: str, name: str) -> None:
    made = Fixture({"flow.toml": text, name: TOOL}, {})
    before = data(text)
    for fix in offered(made, name):
        if fix.change is None or fix.change.created:
            continue
        result = after(made, fix.change)
        now = data(result.texts["flow.toml"])
        assert now is not None
        assert before is not None
        assert list(now["tools"].pop(name)) in (["command"], ["mcp"])
        assert now["tools"] == before.get("tools", {})
        assert not [other for other in offered(result, name) if other.change is not None and not other.change.created]
