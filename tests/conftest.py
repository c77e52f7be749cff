"""What all tests share: the modules of `tests/strategies` are importable, as `strategies.<module>`; and `python3` is
the Python that runs the tests, as for a user whose environment is activated."""

from __future__ import annotations

import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
os.environ["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", os.defpath)])
