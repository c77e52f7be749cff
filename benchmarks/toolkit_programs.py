"""Implementations on the toolkit for benchmarks: generated from declarations, as `flow-lsp generate python` does."""

from __future__ import annotations

import io
from contextlib import redirect_stdout
from pathlib import Path

from flow_lsp.cli.main import main as flow_lsp
from flow_lsp.generating.generate import Generated, generate
from flow_lsp.values.strict_json import read_json

EXAMPLES = Path(__file__).parents[1] / "examples"
WEATHER = (EXAMPLES / "weather" / "weather.flow").read_text("utf-8")


def write_implementation(source: str, folder: Path, main: str) -> None:
    """Writes weather.flow with the text `source`, the module generated for it, and `main` as main.py to `folder`."""
    (folder / "weather.flow").write_text(source, "utf-8")
    listing = io.StringIO()
    with redirect_stdout(listing):
        assert flow_lsp(["tools", str(folder)]) == 0
    made = generate(read_json(listing.getvalue()))
    assert isinstance(made, Generated), made
    (folder / "flow_tools.py").write_text(made.module, "utf-8")
    (folder / "main.py").write_text(main, "utf-8")
