"""The guardian: one small process that ends what a host has started when the host itself is gone (POSIX).

Realizes decisions 7 ("No process outlives its host") for a host that is killed by SIGKILL or crashes, when no
code of its own runs any more. The guardian reads from a pipe which process groups live. The host alone holds
the writing end, and no program inherits it, so the system itself says when the host is gone: the pipe ends.
With the host the children's inputs end too, which asks them to end as ever: every group that is registered has 2 s of
grace, then gets SIGTERM, and what is left after 2 s more SIGKILL.

It is a shell script and not Python because it is ready in 1 ms instead of 15 and takes a third of a MiB
instead of four. It is passed on the command line, so that an upgrade cannot change it while it runs.

A child's number is known only once it runs. So its standard input's pipe is announced before: where the host
dies in between, the guardian finds the child by that pipe in /proc. The announcement cannot come too late,
for the half-made child holds the guardian's pipe open until its own descriptors are in place. On systems
without /proc a child of that one millisecond is left to read the end of its input. PR_SET_PDEATHSIG is no
way: it has to be set in the child before its program starts, ends a child when the thread that started it
ends, and reaches the child alone, not its group.

A number is registered until its group is gone and withdrawn in the same call that sees it gone; until then
the system gives it to nobody else.
"""

from __future__ import annotations

import asyncio
import os
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

SHELL = "/bin/sh"

# Lines: `?PIPE` a child that reads it is about to be started, `?` none was, `+GROUP` it was, `-GROUP` it is gone.
SCRIPT = r"""# flow-lsp: ends the processes that a host has left when it was killed
trap '' HUP INT QUIT TERM
living=' ' starting=
while read -r line; do
    number=${line#?}
    case $line in
    '?'*) starting=$number ;;
    '+'*) starting= living="$living$number " ;;
    '-'*)
        case $living in
        *" $number "*) living="${living%%" $number "*} ${living#*" $number "}" ;;
        esac ;;
    esac
done
if [ "$starting" ] && [ -d /proc/self/fd ]; then
    found=$(ls -l /proc/[0-9]*/fd/0 | sed -n "s|.* /proc/\([0-9]*\)/fd/0 -> pipe:\[$starting\]\$|\1|p")
    living="$living$found"
fi
pause=0.1 times=20
sleep $pause || pause=1 times=2
for signal in TERM KILL; do
    count=$times
    while [ $count -gt 0 ]; do
        left=
        for group in $living; do
            kill -s 0 -- "-$group" && left="$left $group"
        done
        living=$left
        [ "$living" ] || exit 0
        sleep $pause
        count=$((count - 1))
    done
    for group in $living; do
        kill -s $signal -- "-$group"
    done
done
"""

SHORTEST_LIFE = 1.0  # seconds; a guardian that dies sooner is not replaced before there is something to tell
EMERGENCY = 0.5  # seconds that waiting for one that was killed may block


class Guardian:
    """This process's end of the guardian, which is started with the first child.

    Nothing here raises or waits. Where the guardian cannot be started, or dies, the host goes on, and another
    is started: at once, or where that would be again and again, with the next child.
    """

    def __init__(self) -> None:
        self._groups: set[int] = set()
        self._starting = ""  # the pipe of a child that is being started
        self._process: subprocess.Popen[bytes] | None = None
        self._pipe = -1
        self._born = 0.0
        self._loop: asyncio.AbstractEventLoop | None = None  # the one that watches the pipe
        self._lock = threading.RLock()

    @property
    def pid(self) -> int | None:
        """The guardian's own process; None while there is none."""
        return None if self._process is None else self._process.pid

    @property
    def guarded(self) -> frozenset[int]:
        """The groups that are registered."""
        return frozenset(self._groups)

    @contextmanager
    def starting(self, standard_input: int) -> Iterator[Callable[[subprocess.Popen[bytes]], None]]:
        """Around the start of a child that reads `standard_input`, a pipe. What it gives is called with the
        process, the leader of its group, as soon as there is one. Needs a running event loop."""
        with self._lock:
            self._starting = str(os.fstat(standard_input).st_ino)
            self._tell(f"?{self._starting}")
            try:
                yield self._add
            finally:
                if self._starting:
                    self._starting = ""
                    self._tell("?")

    def discard(self, group: int) -> None:
        """`group` is gone: from now on its number may be another's."""
        with self._lock:
            if group in self._groups:
                self._groups.discard(group)
                self._tell(f"-{group}")

    def close(self) -> None:
        """The host ends. Where all it started is gone, so is the guardian when this returns; else it does its
        work."""
        with self._lock:
            if self._groups:
                self._let_go()
            else:
                self._end()

    def forked(self) -> None:
        """In a fork of the host: the children, and the guardian, are not its own."""
        self._lock = threading.RLock()
        self._groups.clear()
        self._starting = ""
        self._loop = None  # shared with the parent's loop: nothing may be taken out of it
        self._let_go()

    def _add(self, process: subprocess.Popen[bytes]) -> None:
        self._groups.add(process.pid)
        self._starting = ""
        self._tell(f"+{process.pid}")
        self._watch()

    def _tell(self, line: str) -> None:
        if self._pipe < 0 or not self._write(line):
            self._end()
            self._start()
            self._watch()

    def _write(self, line: str) -> bool:
        """Whether the guardian can be told: it lives, and reads what it is told."""
        try:
            return os.write(self._pipe, f"{line}\n".encode()) > len(line)
        except OSError:
            return False

    def _start(self) -> None:
        """Start a guardian, where there is something to guard, and tell it everything."""
        if not self._groups and not self._starting:
            return
        descriptors: tuple[int, ...] = ()
        try:
            descriptors = os.pipe()
            os.set_blocking(descriptors[1], False)
            self._process = subprocess.Popen(
                [SHELL, "-c", SCRIPT, "flow-lsp-guardian", str(os.getpid())],
                cwd="/",
                env={"PATH": "/usr/bin:/bin"},
                stdin=descriptors[0],
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
            )
        except OSError:
            for descriptor in descriptors:
                os.close(descriptor)
            return
        os.close(descriptors[0])
        self._pipe = descriptors[1]
        self._born = time.monotonic()
        for group in self._groups:
            self._write(f"+{group}")
        if self._starting:
            self._write(f"?{self._starting}")

    def _end(self) -> None:
        """Kill the guardian. Before its pipe ends, for it would take that for the end of the host."""
        if self._process is not None:
            self._process.kill()
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(EMERGENCY)
        self._let_go()

    def _let_go(self) -> None:
        self._unwatch()
        if self._process is not None and self._process.returncode is None:
            self._process.returncode = 0  # nobody waits for it any more
        self._process = None
        if self._pipe >= 0:
            os.close(self._pipe)
            self._pipe = -1

    def _watch(self) -> None:
        """Have an event loop say when the guardian dies: a pipe without a reader is in error, which a loop
        reports to whoever reads."""
        if self._pipe < 0 or (self._loop is not None and self._loop.is_running()):
            return
        self._unwatch()
        try:
            self._loop = asyncio.get_running_loop()
        except RuntimeError:  # the host is about to end
            return
        self._loop.add_reader(self._pipe, self._died)

    def _unwatch(self) -> None:
        if self._loop is not None and not self._loop.is_closed():
            self._loop.remove_reader(self._pipe)
        self._loop = None

    def _died(self) -> None:
        with self._lock:
            if self._write(""):  # a false alarm; nothing reads an empty line
                self._unwatch()
                return
            self._end()
            if time.monotonic() - self._born > SHORTEST_LIFE:
                self._start()
                self._watch()


groups = Guardian()
os.register_at_fork(after_in_child=groups.forked)
