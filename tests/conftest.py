"""What all tests share: the modules of `tests/strategies` are importable, as `strategies.<module>`; `python3` is the
Python that runs the tests, as for a user whose environment is activated; and SIGINT is not ignored, as it is in what a
script puts into the background, for the processes under test would ignore it too.

Hundreds of tests start a Python. Where it may not keep what it compiles (PYTHONDONTWRITEBYTECODE), each would compile
the whole package anew, which takes longer than it runs: so that is kept for one run, in a directory of its own.
"""

from __future__ import annotations

import atexit
import os
import shutil
import signal
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
os.environ["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", os.defpath)])
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
if os.environ.pop("PYTHONDONTWRITEBYTECODE", "") and "PYTHONPYCACHEPREFIX" not in os.environ:
    os.environ["PYTHONPYCACHEPREFIX"] = tempfile.mkdtemp(prefix="flow-lsp-tests-")
    atexit.register(shutil.rmtree, os.environ["PYTHONPYCACHEPREFIX"], ignore_errors=True)
