"""The PATH that the user's login shell makes, to compare with that of a process which an editor started.

The shell is the user's own, by the password database, and no part of a workspace: it is started in the home directory,
with an environment that holds little more than who the user is, so that nothing of a workspace or of this process has
a part in it. It reads its start-up files as it would in a terminal, then runs this Python, which prints PATH between
two marks that are drawn at random. What start-up files print beside them does not matter.
"""

from __future__ import annotations

import os
import sys
from secrets import token_hex

from flow_lsp.findings.model import shown
from flow_lsp.host.doctor.brief_runs import run_briefly
from flow_lsp.host.doctor.model import LoginShell

TIMEOUT = 10.0  # seconds; start-up files that take longer are known
_SIZE = 256 * 1024  # bytes of all output
_KNOWN = ("ash", "bash", "dash", "fish", "ksh", "mksh", "sh", "zsh")
_KEPT = ("HOME", "LOGNAME", "USER", "LANG", "LC_ALL", "LC_CTYPE")
_CODE = 'import os,sys;m=sys.argv[1];p=os.environ.get("PATH","");os.write(1,(m+p+m).encode("utf-8","surrogateescape"))'


async def login_shell(timeout: float = TIMEOUT) -> LoginShell:
    """The user's login shell and its PATH, or why that is not known. Ended after `timeout` seconds."""
    if sys.platform == "win32":
        return LoginShell(None, os.environ.get("PATH", ""), "On Windows a terminal has the same PATH.")
    program = _program()
    if program is None:
        return LoginShell(reason="The user has no login shell.")
    if os.path.basename(program) not in _KNOWN:
        return LoginShell(program, reason=f"{shown(program)} is no shell that flow-lsp knows how to ask.")
    if not sys.executable or "'" in sys.executable:
        return LoginShell(program, reason="The Python that runs flow-lsp cannot be named to a shell.")
    mark = f"flow-{token_hex(8)}-"
    line = f"'{sys.executable}' -I -S -c '{_CODE}' {mark}"
    ran = await run_briefly(
        _home(), program, ("-l", "-i", "-c", line), timeout=timeout, size=_SIZE, environment=_environment(program)
    )
    before, first, rest = ran.output.decode("utf-8", "surrogateescape").partition(mark)
    path, second, _ = rest.partition(mark)
    if first and second:
        return LoginShell(program, path)
    if ran.problem:
        return LoginShell(program, reason=f"It {ran.problem}")
    size = " and printed too much" if len(before) >= _SIZE else ""
    return LoginShell(
        program, reason=f"It ended with exit status {ran.exit_status}{size} before it came to what it was asked."
    )


def _program() -> str | None:
    """The login shell by the password database; where the user is not in that, by the variable SHELL."""
    import pwd

    try:
        shell = pwd.getpwuid(os.getuid()).pw_shell or "/bin/sh"
    except KeyError:  # as in a container that was given any number as its user
        shell = os.environ.get("SHELL", "")
    return shell if os.path.isabs(shell) else None


def _home() -> str:
    home = os.path.expanduser("~")
    return home if os.path.isdir(home) else "/"


def _environment(program: str) -> dict[str, str]:
    kept = {name: value for name in _KEPT if (value := os.environ.get(name)) is not None}
    return kept | {"HOME": _home(), "SHELL": program, "TERM": "dumb"}
