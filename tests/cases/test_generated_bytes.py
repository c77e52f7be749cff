"""Generated files are the same bytes whatever process writes them."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

COMMAND = str(Path(sys.executable).with_name("flow-lsp"))
SOURCES = {
    "a.flow": "import ./t\n/// 名 é\nrecord R { e: Int, s: Set<Text>, d: Dict<Text, Int> }\n"
    "@tool fn f(e: R, c: t.C) -> Result<Set<Text>, R>\n",
    "t.flow": "record C { n: Int }\nenum E { A, B(C) }\n@tool fn g(e: C) -> Result<E, Never>\n",
}


def test_neither_hash_seed_nor_locale_directory_and_order_change_what_is_generated(tmp_path: Path) -> None:
    folder = tmp_path / "w"
    folder.mkdir()
    for name, text in SOURCES.items():
        (folder / name).write_bytes(text.encode())
    variants: list[tuple[dict[str, str], Path, list[str]]] = [
        ({"PYTHONHASHSEED": "0"}, folder, ["."]),
        ({"PYTHONHASHSEED": "1"}, tmp_path, [str(folder)]),
        ({"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}, folder, ["t.flow", "a.flow"]),
        ({"TZ": "Asia/Tokyo", "PYTHONHASHSEED": "2"}, folder, ["a.flow", "t.flow"]),
    ]
    written = []
    for number, (environment, directory, paths) in enumerate(variants):
        out = tmp_path / f"out{number}"
        command = [COMMAND, "generate", "python", *paths, "-o", str(out), "--stub"]
        ran = subprocess.run(
            command, cwd=directory, env={**os.environ, **environment}, capture_output=True, check=False
        )
        assert ran.returncode == 0, ran.stderr.decode("utf-8", "replace")
        written.append({path.name: path.read_bytes() for path in sorted(out.iterdir())})
    assert written[0].keys() == {"flow_tools.py", "main.py"}
    assert all(each == written[0] for each in written)
    for data in written[0].values():
        assert b"\r" not in data
        data.decode("utf-8")
