"""The end of the author's program: no thread that it left may keep the process, for its host waits.

Python waits at its end for every thread that is no daemon, and for the threads of executors, as long as they take.
"""

from __future__ import annotations

import os
import threading
import time
from typing import Final

from flow_lsp.findings.model import shown
from flow_lsp.toolkit.streams import flush_streams, say

_GRACE: Final = 0.3  # seconds after the author's program, in which its threads end
_MOST_NAMED: Final = 8


def watch_threads() -> None:
    """From when the author's program has run to its end, its threads have a little time; then the process ends, with
    status 0 and without what `atexit` was given."""
    finished = threading.Event()
    # What `concurrent.futures` uses to end its threads; there is no public way to hear of the end before it waits for
    # them. Those that were registered last are told first.
    register = getattr(threading, "_register_atexit", None)
    if register is None:
        return
    register(finished.set)
    threading.Thread(target=_watch, args=(finished,), name="flow-leaving", daemon=True).start()


def _watch(finished: threading.Event) -> None:
    finished.wait()
    time.sleep(_GRACE)
    left = [each.name for each in threading.enumerate() if not each.daemon and each is not threading.main_thread()]
    if left:
        names = ", ".join(shown(name) for name in left[:_MOST_NAMED])
        more = f" and {len(left) - _MOST_NAMED} more" if len(left) > _MOST_NAMED else ""
        say(f"threads were left running, and end with the process: {names}{more}.")
        flush_streams()
        os._exit(0)
