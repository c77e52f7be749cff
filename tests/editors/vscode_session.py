"""Runs a script of tests/editors/vscode in a VS Code of its own, and leaves no process behind.

What is tested is what a user gets: the extension from its .vsix, the server from the built wheel, in an empty profile.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import tempfile
import time
import uuid
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SCRIPTS = Path(__file__).resolve().parent / "vscode"
TOOLS = ROOT / ".tools"
PRODUCT = TOOLS / "product" / "bin"
SYSTEM = "/usr/local/bin:/usr/bin:/bin"
VSIX = ROOT / "editors" / "vscode" / "flow-lsp.vsix"
ARTEFACTS = ROOT / "artefacts" / "vscode"
BOUND = 240  # seconds for a whole script

NEEDED = {
    "VS Code (code-server)": TOOLS / "code-server" / "installed",
    "playwright-core": TOOLS / "playwright" / "installed",
    "the environment of the built wheel": TOOLS / "product" / "installed",
    "the packaged extension": VSIX,
}


def missing() -> str:
    """What is not there and how to get it, in sentences; empty where all is there."""
    lacking = [name for name, path in NEEDED.items() if not path.exists()]
    lines = [f"Not installed: {', '.join(lacking)}. Run `make test-editors`."] if lacking else []
    for program, package in (("node", "Node 20"), ("chromium", "Debian's chromium")):
        if shutil.which(program) is None:
            lines.append(f"There is no program {program}: install {package}.")
    return " ".join(lines)


@dataclass(slots=True)
class Session:
    """One script, on a workspace, in a profile that is empty at first."""

    script: str
    workspace: Path
    name: str = ""
    path: str = f"{PRODUCT}:{SYSTEM}"
    environment: dict[str, str] = field(default_factory=dict)
    arguments: dict[str, object] = field(default_factory=dict)

    def run(self) -> list[dict[str, object]]:
        """Plays the script and has every step of it right; what the steps saw."""
        # Not below the test's own folder: the names of sockets in it must stay short.
        with tempfile.TemporaryDirectory(prefix="flow-", ignore_cleanup_errors=True) as home:
            return self._run(Path(home))

    def _run(self, home: Path) -> list[dict[str, object]]:
        lacking = missing()
        assert not lacking, lacking
        artefacts = ARTEFACTS / (self.name or Path(self.script).stem)
        shutil.rmtree(artefacts, ignore_errors=True)
        artefacts.mkdir(parents=True)
        mark = uuid.uuid4().hex
        given = {
            "workspace": str(self.workspace),
            "home": str(home),
            "artefacts": str(artefacts),
            "report": str(artefacts / "report.json"),
            "codeServer": str(TOOLS / "code-server"),
            "playwright": str(TOOLS / "playwright"),
            "chromium": shutil.which("chromium"),
            "vsix": str(VSIX),
            "path": self.path,
            "environment": self.environment,
            **self.arguments,
        }
        environment = {**os.environ, "FLOW_TEST": json.dumps(given), "FLOW_TEST_RUN": mark}
        with (artefacts / "script.log").open("w+") as log:
            node = subprocess.Popen(
                ["node", str(SCRIPTS / self.script)], env=environment, stdout=log, stderr=log, start_new_session=True
            )
            try:
                status = node.wait(BOUND)
            except subprocess.TimeoutExpired:
                status = None
            finally:
                left = end_all(mark, patience=0 if node.poll() is None else 10)
                node.wait()
            log.seek(0)
            said = log.read()[-3000:]
        report = artefacts / "report.json"
        seen = json.loads(report.read_text()) if report.exists() else {}
        steps: list[dict[str, object]] = seen.get("steps", [])
        wrong = json.dumps([step for step in steps if not step["right"]], indent=1, ensure_ascii=False)
        kept = f"Pictures and logs are in {artefacts}."
        assert status is not None, f"{self.script} took more than {BOUND} s. {kept} {wrong} {said}"
        assert status == 0, f"{self.script}: {seen.get('problem', 'it ended early')}\n{wrong}\n{said}\n{kept}"
        faults = faults_in(home)
        assert not faults, f"The server or the extension noted faults: {faults}"
        assert steps, f"{self.script} had no step. {kept}"
        assert not left, f"{self.script} left processes behind: {left}"
        return steps


def faults_in(home: Path) -> str:
    """What the channel of the extension has of errors inside the server or itself."""
    texts = [log.read_text(errors="replace") for log in (home / "user" / "logs").glob("**/flow-lsp.flow-lsp/Flow.log")]
    lines = [line for text in texts for line in text.splitlines() if "Internal error" in line or "[error]" in line]
    return "\n".join(lines)


def end_all(mark: str, patience: float) -> list[str]:
    """Waits for the processes of a run to end, and kills those that do not; the commands of these."""
    deadline = time.monotonic() + patience
    while (alive := processes_of(mark)) and time.monotonic() < deadline:
        time.sleep(0.05)
    left = list(alive.values())
    while alive:
        for process in alive:
            try:
                os.kill(process, signal.SIGKILL)
            except ProcessLookupError:
                continue
        time.sleep(0.05)
        alive = processes_of(mark)
    return left


def processes_of(mark: str) -> dict[int, str]:
    """The live processes that carry the mark of a run in their environment, with their commands."""
    found = {}
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            if f"FLOW_TEST_RUN={mark}".encode() in (entry / "environ").read_bytes().split(b"\0"):
                found[int(entry.name)] = (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
        except OSError:
            continue
    return {process: command for process, command in found.items() if command}
