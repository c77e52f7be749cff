"""What a user has who installs the wheel: an environment with nothing of this tree in it."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

from conftest import Distributions, Installed
from tree_copies import ROOT

from flow_lsp import __version__
from flow_lsp.cli.arguments import parsers

EXAMPLE = ROOT / "examples" / "weather"


def example(folder: Path) -> Path:
    """A copy of the example where a clone has it, below `folder`."""
    copy = folder / "examples" / "weather"
    shutil.copytree(EXAMPLE, copy, ignore=shutil.ignore_patterns("__pycache__"))
    return copy


def framed(message: dict[str, Any]) -> bytes:
    body = json.dumps({"jsonrpc": "2.0", **message}).encode()
    return f"Content-Length: {len(body)}\r\n\r\n".encode() + body


def answers(output: bytes) -> dict[int, Any]:
    """The results by the ids of their requests."""
    found = {}
    while output:
        head, _, rest = output.partition(b"\r\n\r\n")
        length = int(head.partition(b"Content-Length:")[2].split(b"\r\n")[0])
        message = json.loads(rest[:length])
        if "id" in message and "method" not in message:
            found[message["id"]] = message["result"]
        output = rest[length:]
    return found


def test_nothing_of_this_tree_is_in_the_environment(installed: Installed, tmp_path: Path) -> None:
    code = "import flow_lsp, sys; print(flow_lsp.__file__); print(*sys.path, sep='\\n')"
    words = [str(installed.folder / "bin" / "python"), "-c", code]
    done = subprocess.run(
        words, cwd=tmp_path, env=installed.environment(), capture_output=True, text=True, check=True, timeout=60
    )
    package, *path = done.stdout.splitlines()
    assert package.startswith(str(installed.folder))
    assert not [entry for entry in path if entry.startswith(str(ROOT))]


def test_it_says_its_version(installed: Installed, tmp_path: Path) -> None:
    ran = installed.run("--version", cwd=tmp_path)
    assert (ran.returncode, ran.stderr) == (0, "")
    assert ran.stdout.startswith(f"flow-lsp {__version__} (Flow data version ")


def test_the_example_is_checked_with_the_python_of_the_environment(installed: Installed, tmp_path: Path) -> None:
    copy = example(tmp_path)
    ran = installed.run("check", "--trust", "--format", "json", "examples/weather", cwd=tmp_path)
    assert (ran.returncode, ran.stderr) == (1, "")
    assert {found["code"] for found in json.loads(ran.stdout)["diagnostics"]} == {"unbound-no-table", "drift"}
    report = installed.run("doctor", "--trust", "--format", "json", cwd=copy)
    assert str(installed.folder / "bin" / "python3") in report.stdout


def test_the_example_looks_as_the_readme_shows_it(installed: Installed, tmp_path: Path) -> None:
    example(tmp_path)
    ran = installed.run("check", "--trust", "--verbose", "examples/weather", cwd=tmp_path)
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert ran.stdout in readme
    assert "2 errors" in ran.stdout


def test_a_tool_of_the_example_is_called(installed: Installed, tmp_path: Path) -> None:
    copy = example(tmp_path)
    arguments = '{"place": {"latitude": 52.5, "longitude": 13.4}}'
    ran = installed.run("call", "weather.flow:current", "--args", arguments, "--trust", cwd=copy)
    assert (ran.returncode, ran.stderr) == (0, "")
    assert "Ok" in json.loads(ran.stdout)


def test_a_server_is_started_answers_and_ends(installed: Installed, tmp_path: Path) -> None:
    started = {"processId": None, "rootUri": tmp_path.as_uri(), "capabilities": {}}
    sent = framed({"id": 1, "method": "initialize", "params": started}) + framed(
        {"method": "initialized", "params": {}}
    )
    sent += framed({"id": 2, "method": "shutdown"}) + framed({"method": "exit"})
    done = subprocess.run(
        [str(installed.program), "serve"],
        cwd=tmp_path,
        env=installed.environment(),
        input=sent,
        capture_output=True,
        check=False,
        timeout=60,
    )
    given = answers(done.stdout)
    assert given[1]["serverInfo"] == {"name": "flow-lsp", "version": __version__}
    assert given[1]["capabilities"]["hoverProvider"]
    assert given[2] is None
    assert done.returncode == 0


def test_every_page_is_there(installed: Installed, tmp_path: Path) -> None:
    for page in (ROOT / "docs" / "diagnostics").glob("[a-z]*.md"):
        (there,) = (installed.folder / "lib").glob(f"python*/site-packages/flow_lsp/pages/{page.name}")
        assert there.read_bytes() == page.read_bytes()
    ran = installed.run("explain", "drift", cwd=tmp_path)
    assert ran.stdout == (ROOT / "docs" / "diagnostics" / "drift.md").read_text(encoding="utf-8")


def test_every_command_is_there(installed: Installed, tmp_path: Path) -> None:
    for name in parsers()[1]:
        ran = installed.run(name, "--help", cwd=tmp_path)
        assert ran.returncode == 0, ran.stderr
        assert ran.stdout.startswith(f"usage: flow-lsp {name}")


def test_what_generate_writes_with_the_run_time_needs_no_package(
    built: Distributions, installed: Installed, tmp_path: Path
) -> None:
    """It runs in a Python that has no packages at all, and fits."""
    shutil.copy(EXAMPLE / "weather.flow", tmp_path)
    ran = installed.run("generate", "python", "weather.flow", "-o", "served", "--vendor", "--stub", cwd=tmp_path)
    assert (ran.returncode, ran.stderr) == (0, "")
    served = tmp_path / "served"
    with zipfile.ZipFile(built.wheel) as archive:
        written = list((served / "flow_lsp").rglob("*.py"))
        assert len(written) > 50
        for path in written:
            assert path.read_bytes() == archive.read(path.relative_to(served).as_posix())
    bare = Path(os.path.realpath(sys.executable))
    command = json.dumps(f"{bare} -S -E served/main.py")
    (tmp_path / "flow.toml").write_text(f'[tools."weather.flow"]\ncommand = {command}\n')
    checked = installed.run("check", "--trust", "--verbose", cwd=tmp_path)
    assert checked.returncode == 0, checked.stdout
    assert checked.stdout.count("fits ") == 2


def test_a_type_checker_finds_its_types(installed: Installed, tmp_path: Path) -> None:
    (tmp_path / "uses.py").write_text("import flow_lsp\n\nreveal_type(flow_lsp.__version__)\n")
    words = [sys.executable, "-m", "mypy", "--strict", "--config-file=", "--cache-dir", str(tmp_path / "cache")]
    words += ["--python-executable", str(installed.folder / "bin" / "python"), "uses.py"]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=False, timeout=120)
    assert 'Revealed type is "str"' in done.stdout or 'Revealed type is "builtins.str"' in done.stdout, done.stdout
    assert done.returncode == 0
