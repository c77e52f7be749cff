"""The workspace of the story that is played in each editor.

A person opens `weather.flow`, whose Tools nothing binds. A quick fix makes a flow.toml, the command is written into
it, the trust question is answered, and the Tools fit. A parameter gets another type, which is drift; the generated
types are updated by a quick fix, and all is clean; a Tool is called, and its result is there.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
EXAMPLE = ROOT / "examples" / "weather"

COMMAND = "python3 weather_tools.py"
SOURCE = "weather.flow"
DECLARED, CHANGED = "days: Int", "days: Decimal"


def make_story(folder: Path) -> Path:
    """Makes `folder`: the weather example before anything is bound, its generated types in step with weather.flow."""
    folder.mkdir(parents=True)
    for name in (SOURCE, "weather_tools.py"):
        shutil.copy(EXAMPLE / name, folder / name)
    program = Path(sys.executable).with_name("flow-lsp")
    words = [str(program), "generate", "python", SOURCE, "-o", "."]
    subprocess.run(words, cwd=folder, check=True, capture_output=True, text=True)
    assert DECLARED in (folder / SOURCE).read_text()
    return folder
