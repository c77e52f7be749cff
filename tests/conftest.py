"""What all tests share: the modules of `tests/strategies` are importable, as `strategies.<module>`; `python3` is the
Python that runs the tests, as for a user whose environment is activated; and SIGINT is not ignored, as it is in what a
script puts into the background, for the processes under test would ignore it too."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
os.environ["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", os.defpath)])
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
