"""What the doctor runs, as real processes: bounded, without input, and nothing of them left."""

from __future__ import annotations

import asyncio
import os
import pwd
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from flow_lsp.host.doctor.brief_runs import BriefRun, run_briefly
from flow_lsp.host.doctor.login_shell import login_shell


async def run(tmp_path: Path, code: str, *, timeout: float = 20.0, size: int = 1000) -> BriefRun:
    arguments = ("-S", "-E", "-c", code)
    return await run_briefly(str(tmp_path), sys.executable, arguments, timeout=timeout, size=size)


def is_running(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


async def test_what_it_prints_on_both_streams_and_its_status(tmp_path: Path) -> None:
    ran = await run(tmp_path, "import sys; print('out'); print('no', file=sys.stderr); sys.exit(3)")
    assert ran == BriefRun(b"out\n", ("no",), 3)


async def test_its_input_is_at_its_end(tmp_path: Path) -> None:
    ran = await run(tmp_path, "import sys; print(repr(sys.stdin.read()))")
    assert ran.output == b"''\n"


async def test_output_without_end_is_cut_and_the_process_ended(tmp_path: Path) -> None:
    ran = await run(tmp_path, "while True: print('x' * 1000)", size=5000)
    assert len(ran.output) == 5000
    assert ran.problem == ""


async def test_when_the_time_is_up_its_whole_group_is_ended(tmp_path: Path) -> None:
    code = (
        "import os, signal, time\n"
        "signal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
        "child = os.fork()\n"
        "if child: print(os.getpid(), child, flush=True)\n"
        "time.sleep(60)\n"
    )
    ran = await run(tmp_path, code, timeout=1.0)
    assert ran.problem == "did not end within 1 s."
    pids = [int(word) for word in ran.output.split()]
    assert len(pids) == 2
    assert not any(map(is_running, pids))


async def test_a_run_that_is_cancelled_leaves_nothing(tmp_path: Path) -> None:
    code = "import os, time; open('pid', 'w').write(str(os.getpid())); os.rename('pid', 'is'); time.sleep(60)"
    task = asyncio.create_task(run(tmp_path, code))
    while not (tmp_path / "is").exists():
        await asyncio.sleep(0.005)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert not is_running(int((tmp_path / "is").read_text()))


async def test_a_program_that_cannot_start_is_a_sentence(tmp_path: Path) -> None:
    ran = await run_briefly(str(tmp_path), str(tmp_path / "gone"), (), timeout=5.0, size=10)
    assert "does not exist" in ran.problem


# -- the login shell ---------------------------------------------------------------------------------------


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A user whose login shell is bash, with a home directory of start-up files, working in another folder."""
    place = tmp_path / "home"
    place.mkdir()
    monkeypatch.setenv("HOME", str(place))
    monkeypatch.setenv("PATH", "/only/here:/usr/bin:/bin")
    monkeypatch.setenv("API_TOKEN", "hunter2")
    (tmp_path / "work").mkdir()
    monkeypatch.chdir(tmp_path / "work")
    shell(monkeypatch, "/bin/bash")
    return place


def shell(monkeypatch: pytest.MonkeyPatch, path: str) -> None:
    monkeypatch.setattr(pwd, "getpwuid", lambda _: SimpleNamespace(pw_shell=path))


async def test_the_path_of_the_login_shell_is_what_its_start_up_files_make(home: Path) -> None:
    (home / ".bash_profile").write_text('PATH="/from/profile:/usr/bin:/bin"\nexport PATH\n')
    found = await login_shell()
    assert (found.program, found.path, found.reason) == ("/bin/bash", "/from/profile:/usr/bin:/bin", "")


async def test_what_start_up_files_print_does_not_matter(home: Path) -> None:
    noise = "echo welcome flow-0123-/x:/y; printf '\\377\\0'; echo $API_TOKEN; set -xv\n"
    (home / ".bash_profile").write_text(noise + 'export PATH="/a b:$PATH"\n' + noise)
    found = await login_shell()
    assert (found.path or "").startswith("/a b:")
    assert "\n" not in (found.path or "")


async def test_it_runs_at_home_and_is_given_little(home: Path) -> None:
    (home / ".bash_profile").write_text('pwd > "$HOME/where"\nenv > "$HOME/environment"\n')
    await login_shell()
    assert (home / "where").read_text().strip() == str(home)
    environment = (home / "environment").read_text()
    assert "API_TOKEN" not in environment
    assert "/only/here" not in environment


async def test_a_start_up_file_that_hangs_is_ended(home: Path) -> None:
    (home / ".bash_profile").write_text("echo $$ > $HOME/pid\nwhile true; do sleep 1; done\n")
    found = await login_shell(timeout=1.0)
    assert (found.path, found.reason) == (None, "It did not end within 1 s.")
    assert not is_running(int((home / "pid").read_text()))


@pytest.mark.parametrize("line", ["exit 7", "exec false", "exec cat"])
async def test_a_start_up_file_that_goes_elsewhere_gives_no_path(home: Path, line: str) -> None:
    (home / ".bash_profile").write_text(f"{line}\n")
    found = await login_shell()
    assert found.path is None
    assert "before it came to what it was asked" in found.reason


async def test_endless_output_is_bounded(home: Path) -> None:
    (home / ".bash_profile").write_text("while true; do echo xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx; done\n")
    found = await login_shell()
    assert found.path is None
    assert "printed too much" in found.reason


@pytest.mark.parametrize("path", ["/usr/sbin/nologin", "/bin/false", "/opt/nu"])
async def test_a_shell_that_is_not_known_is_not_started(home: Path, monkeypatch: pytest.MonkeyPatch, path: str) -> None:
    shell(monkeypatch, path)
    found = await login_shell()
    assert found.path is None
    assert found.reason == f"{path} is no shell that flow-lsp knows how to ask."


async def test_without_an_entry_in_the_password_database_the_variable_counts(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def missing(_: int) -> None:
        raise KeyError

    monkeypatch.setattr(pwd, "getpwuid", missing)
    monkeypatch.setenv("SHELL", "/bin/sh")
    found = await login_shell()
    assert found.program == "/bin/sh"
    assert found.path
    monkeypatch.setenv("SHELL", "bin/sh")
    assert (await login_shell()).reason == "The user has no login shell."


async def test_a_shell_that_is_gone_is_a_sentence(home: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    shell(monkeypatch, str(tmp_path / "zsh"))
    assert "could not be started" in (await login_shell()).reason
    assert os.getcwd() == str(tmp_path / "work")
