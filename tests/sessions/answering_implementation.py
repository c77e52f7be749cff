"""An implementation for sessions: serves what a file says, and can be made to wait.

    python -S -E answering_implementation.py [--served FILE] [--log FILE] [--gate FILE] [--stubborn] [--print TEXT]

`--served`: a JSON list of [identity, changes to the plain signature]; without it, the Tool tools/search.find.
`--log`: a line with the process's number is added at the start. `--gate`: nothing is answered before the file is
there. `--stubborn`: SIGTERM is ignored, and the end of the input too. `--print`: a line on standard output first.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "children"))

from child_implementation import await_end_of_input, await_request, entry, response, send, write

FOREVER = 60.0  # a bound for what should have been ended long before


def main() -> None:
    arguments = iter(sys.argv[1:])
    options = {name: True if name == "--stubborn" else next(arguments) for name in arguments}
    if "--stubborn" in options:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    if "--log" in options:
        with Path(options["--log"]).open("a", encoding="utf-8") as file:
            file.write(f"{os.getpid()}\n")
    if "--print" in options:
        write(options["--print"] + "\n")
    await_request()
    deadline = time.monotonic() + FOREVER
    while "--gate" in options and not Path(options["--gate"]).exists() and time.monotonic() < deadline:
        time.sleep(0.01)
    tools = None
    if "--served" in options:
        served = json.loads(Path(options["--served"]).read_text(encoding="utf-8"))
        tools = [entry(identity, **changes) for identity, changes in served]
    send(response(tools))
    if "--stubborn" in options:
        time.sleep(FOREVER)
    await_end_of_input()


if __name__ == "__main__":
    try:
        main()
    except BrokenPipeError:
        os._exit(0)
