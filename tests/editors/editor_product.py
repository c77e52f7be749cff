"""The server that editors are tried with: an environment of the built wheel where there is one, as a user has it."""

from __future__ import annotations

import os
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def product_bin() -> Path:
    """The directory that goes first on PATH: it holds `flow-lsp`, and the `python3` of commands.

    FLOW_PRODUCT_BIN names another one, such as that of a release to be tried.
    """
    named = os.environ.get("FLOW_PRODUCT_BIN")
    if named:
        return Path(named)
    product = ROOT / ".tools" / "product" / "bin"
    return product if (product / "flow-lsp").exists() else Path(sys.executable).parent
