"""`flow-lsp generate python`: written as one, unchanged where nothing changed, nothing of the author's written over."""

from __future__ import annotations

import ast
import io
import json
import os
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from support.command_line import FIND, Run, write

import flow_lsp
from flow_lsp.cli import vendoring
from flow_lsp.cli.main import main

OTHER = "@tool\nfn other(a: Int) -> Result<Text, Text>\n"


def files(folder: str = "out") -> dict[str, tuple[bytes, int]]:
    """What stands in `folder`, and when it was written. Nothing is read through a link, or of what is no file."""
    found = [path for path in Path(folder).rglob("*") if path.is_symlink() or not path.is_dir()]
    return {
        str(path.relative_to(folder)): (
            path.read_bytes() if stat.S_ISREG(path.lstat().st_mode) else b"",
            path.lstat().st_mtime_ns,
        )
        for path in found
    }


def test_a_module_is_written_with_what_it_holds_said(run: Run) -> None:
    write({"a.flow": FIND})
    ran = run("generate", "python", "-o", "out/deep")
    assert (ran.status, ran.out, ran.err) == (0, "out/deep/flow_tools.py: written (1 Tool, 0 types)\n", "")
    assert list(files("out/deep")) == ["flow_tools.py"]
    compile(Path("out/deep/flow_tools.py").read_bytes(), "flow_tools.py", "exec")


def test_an_unchanged_listing_changes_no_file_not_even_its_time(run: Run) -> None:
    write({"a.flow": FIND})
    arguments = ("generate", "python", "a.flow", "-o", "out", "--stub", "--vendor")
    run(*arguments)
    for path in Path("out").rglob("*"):
        os.utime(path, ns=(1, 1))
    before = files()
    ran = run(*arguments)
    assert files() == before
    assert ran.out.splitlines()[:2] == [
        "out/flow_tools.py: unchanged (1 Tool, 0 types)",
        "out/main.py: kept, as it is yours",
    ]
    assert ran.out.splitlines()[2].endswith(" files unchanged")


def test_files_of_another_checkout_of_the_same_bytes_count_as_unchanged(run: Run) -> None:
    write({"a.flow": FIND})
    arguments = ("generate", "python", "-o", "out", "--vendor")
    run(*arguments)
    for path in Path("out").rglob("*"):
        if path.is_file():
            path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    before = files()
    assert run(*arguments).status == 0
    assert files() == before


def test_a_first_main_is_followed_by_the_table_that_binds_it(run: Run) -> None:
    write({"flow.toml": "", "sub/a.flow": FIND})
    ran = run("generate", "python", "-o", "out", "--stub")
    head, _, table = ran.out.partition("\n\nNext, bind them in flow.toml:\n")
    assert head.endswith("out/main.py: written")
    assert table.startswith('[tools."sub/a.flow"]\ncommand = "python')
    assert table.endswith(' out/main.py"\n')
    write({"flow.toml": table})
    Path("out/main.py").unlink()
    assert "bind" not in run("generate", "python", "-o", "out", "--stub").out
    assert run("check", "--trust", "--no-describe", "--format", "json").json["diagnostics"] == []


def test_changed_declarations_write_the_module_and_leave_the_implementation(run: Run) -> None:
    write({"a.flow": FIND})
    run("generate", "python", "-o", "out", "--stub")
    write({"a.flow": OTHER, "out/main.py": "mine"})
    ran = run("generate", "python", "-o", "out", "--stub", "--force")
    assert ran.out == "out/flow_tools.py: written (1 Tool, 0 types)\nout/main.py: kept, as it is yours\n"
    assert Path("out/main.py").read_text("utf-8") == "mine"
    assert "def other(" in Path("out/flow_tools.py").read_text("utf-8")


# -- listings -----------------------------------------------------------------------------------------------------


def test_a_listing_gives_the_same_as_its_sources(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    write({"w/a.flow": FIND, "w/b.flow": OTHER})
    listing = run("tools", "w").out
    write({"listing.json": listing})
    run("generate", "python", "w", "-o", "one")
    assert run("generate", "python", "listing.json", "-o", "two").status == 0
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(listing.encode())))
    assert run("generate", "python", "-", "-o", "three").status == 0
    one, two, three = (Path(name, "flow_tools.py").read_bytes() for name in ("one", "two", "three"))
    assert one == two == three


def test_a_listing_with_problems_writes_nothing_and_says_all_of_them(run: Run) -> None:
    write({"a.flow": FIND + "@tool\nfn bad(a: Nope) -> Result<Int, Never>\n", "b.flow": "record R { a: None }\n"})
    ran = run("generate", "python", "-o", "out", "--stub", "--vendor")
    assert (ran.status, ran.out) == (1, "")
    assert "  a.flow:4: There is no type `Nope`" in ran.err
    assert "  b.flow:1: " in ran.err
    assert ran.err.endswith("flow-lsp: nothing is generated from this listing.\n")
    assert not Path("out").exists()


def test_a_listing_that_was_tampered_with_writes_nothing(run: Run) -> None:
    write({"a.flow": FIND})
    listing = run("tools").json
    listing["tools"][0]["fingerprint"] = "sha256:0"
    write({"listing.json": json.dumps(listing)})
    ran = run("generate", "python", "listing.json", "-o", "out", "--format", "json")
    assert ran.status == 1
    assert ran.json == {"version": 1, "tools": 0, "types": 0, "files": [], "reasons": ran.json["reasons"]}
    assert "its types come to `sha256:" in ran.json["reasons"][0]
    assert not Path("out").exists()


def test_a_source_that_cannot_be_read_writes_nothing(run: Run) -> None:
    write({"a.flow": FIND, "b.flow": b"\xff"})
    assert run("generate", "python", "-o", "out").status == 1
    assert not Path("out").exists()


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["generate", "python"], "required: -o/--output"),
        (["generate", "rust", "-o", "out"], "invalid choice: 'rust'"),
        (["generate", "python", "-o", ""], "is no path of a folder."),
        (["generate", "python", "-o", "a.flow"], "-o a.flow is no folder."),
        (["generate", "python", "-o", "out", "--module", "a-b"], "--module: 'a-b' is no name of a Python module."),
        (["generate", "python", "-o", "out", "--module", "json"], "would hide another one that is needed."),
        (
            ["generate", "python", "listing.json", "a.flow", "-o", "out"],
            "listing.json is a listing, which stands alone",
        ),
        (
            ["generate", "python", "listing.json", "-o", "out", "--workspace", "."],
            "--workspace and --repository are for",
        ),
        (["generate", "python", "listing.json", "-o", "out"], "listing.json holds no JSON that can be used."),
        (["generate", "python", "gone.json", "-o", "out"], "gone.json cannot be read"),
        (["generate", "python", "gone.flow", "-o", "out"], "gone.flow does not exist."),
        (["generate", "python", "one", "two", "-o", "out"], "several workspace folders give one listing each"),
    ],
)
def test_what_cannot_be_is_wrong_usage(run: Run, arguments: list[str], sentence: str) -> None:
    write({"a.flow": FIND, "listing.json": "{", "one/a.flow": FIND, "two/b.flow": FIND})
    ran = run(*arguments)
    assert (ran.status, ran.out) == (2, "")
    assert sentence in ran.err
    assert not Path("out").exists()


# -- what is in the way -------------------------------------------------------------------------------------------


def test_an_edited_module_is_not_written_over_without_force(run: Run) -> None:
    write({"a.flow": FIND})
    run("generate", "python", "-o", "out", "--stub")
    path = Path("out/flow_tools.py")
    edited = path.read_text("utf-8").replace("class Tools", "class Tools2")
    path.write_text(edited, encoding="utf-8")
    Path("out/main.py").unlink()
    ran = run("generate", "python", "-o", "out", "--stub")
    assert (ran.status, ran.out) == (2, "")
    assert "out/flow_tools.py was changed since it was generated." in ran.err
    assert "pass --force" in ran.err
    assert (path.read_text("utf-8"), Path("out/main.py").exists()) == (edited, False)
    assert run("generate", "python", "-o", "out", "--force").status == 0
    assert "class Tools(" in path.read_text("utf-8")


def test_a_foreign_module_is_not_written_over_without_force(run: Run) -> None:
    write({"a.flow": FIND, "out/flow_tools.py": "mine"})
    ran = run("generate", "python", "-o", "out")
    assert ran.status == 2
    assert "out/flow_tools.py is there already, and flow-lsp did not write it. Name another module" in ran.err
    assert Path("out/flow_tools.py").read_text("utf-8") == "mine"
    assert run("generate", "python", "-o", "out", "--module", "other_tools").status == 0
    assert run("generate", "python", "-o", "out", "--force").status == 0


@pytest.mark.parametrize("name", ["flow_tools.py", "main.py", "flow_lsp", "flow_lsp/toolkit", "flow_lsp/LICENSE"])
@pytest.mark.parametrize("kind", ["link", "dangling", "folder", "pipe"])
def test_what_is_no_plain_file_is_in_the_way_even_with_force(run: Run, name: str, kind: str) -> None:
    write({"a.flow": FIND, "elsewhere/x": "theirs", "theirs": "theirs"})
    path = Path("out", name)
    path.parent.mkdir(parents=True)
    is_folder = name in ("flow_lsp", "flow_lsp/toolkit")
    if kind == "link":
        path.symlink_to(os.path.abspath("elsewhere" if is_folder else "theirs"))
    elif kind == "dangling":
        path.symlink_to("nothing")
    elif kind == "pipe":
        os.mkfifo(path)
    elif is_folder:
        path.write_text("")
    else:
        path.mkdir()
    ran = run("generate", "python", "-o", "out", "--stub", "--vendor", "--force")
    if (name, kind) == ("main.py", "link"):
        assert ran.status == 0  # it is there, and kept
        assert Path("theirs").read_text() == "theirs"
        return
    assert (ran.status, ran.out) == (2, "")
    assert f"out/{name} is " in ran.err
    assert list(files()) == [name] * (kind in ("link", "dangling", "pipe") or is_folder)
    assert Path("theirs").read_text() == Path("elsewhere/x").read_text() == "theirs"


def test_a_folder_that_may_not_be_written_is_said_and_left(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    write({"a.flow": FIND, "out/x": ""})

    def refuse(source: str, target: str) -> None:
        raise PermissionError(13, "Permission denied", target)

    monkeypatch.setattr(os, "replace", refuse)
    ran = run("generate", "python", "-o", "out", "--stub")
    assert (ran.status, ran.out) == (2, "")
    assert "nothing is written in out. flow_tools.py cannot be written: Permission denied." in ran.err
    assert list(files()) == ["x"]


# -- the run time -------------------------------------------------------------------------------------------------


def test_the_run_time_that_is_copied_is_all_that_it_imports(run: Run) -> None:
    write({"a.flow": FIND})
    run("generate", "python", "-o", "out", "--vendor", "--stub")
    copied = {name for name in files() if name.startswith("flow_lsp/")}
    assert {"flow_lsp/__init__.py", "flow_lsp/LICENSE", "flow_lsp/py.typed", "flow_lsp/toolkit/testing.py"} <= copied
    assert not {
        name for name in copied if name.split("/")[1] in ("server", "cli", "host", "files", "source", "manifest")
    }
    for name in copied:
        if name.endswith(".py"):
            for node in ast.walk(ast.parse(Path("out", name).read_bytes())):
                if isinstance(node, ast.Import | ast.ImportFrom):
                    modules = [alias.name for alias in node.names] if isinstance(node, ast.Import) else [node.module]
                    for module in modules:
                        assert module is not None
                        top, _, rest = module.partition(".")
                        assert top in sys.stdlib_module_names or top == "flow_lsp", (name, module)
                        place = f"flow_lsp/{rest.replace('.', '/')}".rstrip("/")
                        assert top != "flow_lsp" or {f"{place}.py", f"{place}/__init__.py"} & copied, (name, module)


def test_an_implementation_with_the_run_time_beside_it_needs_no_package_at_all(run: Run) -> None:
    write({"a.flow": OTHER})
    run("generate", "python", "-o", "out", "--vendor", "--stub")
    call: dict[str, Any] = {"run": "r", "call": "c", "tool": "a.other", "args": {"a": 1}}
    messages = [
        {"jsonrpc": "2.0", "id": 1, "method": "describe", "params": {"data": "0.1"}},
        {"jsonrpc": "2.0", "method": "call", "params": call},
    ]
    ran = subprocess.run(
        [sys.executable, "-S", "-E", "out/main.py"],
        input="".join(json.dumps(message) + "\n" for message in messages),
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    described, replied = map(json.loads, ran.stdout.splitlines())
    assert described["result"]["tools"][0]["tool"] == "a.other"
    assert replied["params"]["outcome"] == {"Failed": "other is not implemented yet."}


def test_a_copy_of_another_version_is_renewed_and_what_is_no_part_of_it_any_more_goes(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    write({"a.flow": FIND})
    real = vendoring.runtime_files
    older = {**real(), "gone.py": b"old", "edited.py": b"old", "text/spans.py": b"older"}
    with monkeypatch.context() as before:
        before.setattr("flow_lsp.cli.generate.runtime_files", lambda: recorded_again(older))
        run("generate", "python", "-o", "out", "--vendor")
    Path("out/flow_lsp/edited.py").write_text("mine", encoding="utf-8")
    ran = run("generate", "python", "-o", "out", "--vendor")
    assert ran.status == 0
    assert "out/flow_lsp: 2 files written, " in ran.out
    assert ran.out.endswith(" files unchanged, 1 file removed\n")
    assert not Path("out/flow_lsp/gone.py").exists()
    assert Path("out/flow_lsp/edited.py").read_text("utf-8") == "mine"


def recorded_again(found: dict[str, bytes]) -> dict[str, bytes]:
    """These files with a record of them."""
    kept = {path: data for path, data in found.items() if path != vendoring.RECORD}
    lines = "".join(f"{vendoring.digest(data)}  {path}\n" for path, data in kept.items())
    return {**kept, vendoring.RECORD: vendoring.sealed(f"# older\n{lines}").encode()}


def test_an_edited_or_foreign_copy_is_not_written_over_without_force(run: Run) -> None:
    write({"a.flow": FIND, "out/flow_lsp/__init__.py": "theirs"})
    ran = run("generate", "python", "-o", "out", "--vendor")
    assert (ran.status, list(files())) == (2, ["flow_lsp/__init__.py"])
    assert "out/flow_lsp/__init__.py is there already, and flow-lsp did not write it. Pass --force" in ran.err
    assert run("generate", "python", "-o", "out", "--vendor", "--force").status == 0
    Path("out/flow_lsp/text/spans.py").write_text("mine", encoding="utf-8")
    ran = run("generate", "python", "-o", "out", "--vendor")
    assert ran.status == 2
    assert "out/flow_lsp/text/spans.py was changed since flow-lsp wrote it. Pass --force" in ran.err


def test_the_package_itself_is_never_written_over(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    write({"a.flow": FIND})
    root = str(Path(flow_lsp.__file__).parents[1])
    ran = run("generate", "python", "-o", root, "--vendor", "--module", "never_written_tools")
    assert ran.status == 2
    assert "is there as the very package that is to be copied." in ran.err
    assert not Path(root, "never_written_tools.py").exists()


def test_a_copy_that_is_not_renewed_is_said(run: Run) -> None:
    write({"a.flow": FIND})
    run("generate", "python", "-o", "out", "--vendor")
    ran = run("generate", "python", "-o", "out")
    assert ran.status == 0
    assert "out/flow_lsp is a copy of the run time; pass --vendor to renew it." in ran.err


# -- JSON ---------------------------------------------------------------------------------------------------------


def test_json_says_what_became_of_each_file(run: Run) -> None:
    write({"a.flow": FIND, "out/main.py": "mine"})
    ran = run("generate", "python", "-o", "out", "--stub", "--format", "json")
    assert ran.json == {
        "version": 1,
        "tools": 1,
        "types": 0,
        "files": [
            {"path": "out/flow_tools.py", "state": "written"},
            {"path": "out/main.py", "state": "kept"},
        ],
        "reasons": [],
    }


def test_the_command_is_found_by_its_name() -> None:
    with pytest.raises(SystemExit) as ended:
        main(["generate", "--help"])
    assert ended.value.code == 0
