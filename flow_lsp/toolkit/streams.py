"""Standard input and output, taken for the protocol.

From then on they belong to nobody else: what is printed, by this process or by one that it starts, goes to standard
error, and whoever reads standard input finds its end. So no author's mistake can write between the messages.
"""

from __future__ import annotations

import os
import sys
from contextlib import suppress

_INPUT, _OUTPUT, _ERROR = 0, 1, 2
_forked = False


class StreamsMissing(Exception):  # noqa: N818 - a state of things
    """Standard input or output is closed, so there is nobody to answer."""


def take_streams() -> tuple[int, int]:
    """The descriptors of what were standard input and output. Raises StreamsMissing where one of them is closed."""
    try:
        taken = os.dup(_INPUT), os.dup(_OUTPUT)  # neither is inherited by other programs
    except OSError:
        raise StreamsMissing from None
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, _INPUT)
    try:
        os.dup2(_ERROR, _OUTPUT)
    except OSError:  # there is no standard error
        os.dup2(nothing, _OUTPUT)
    os.close(nothing)
    if sys.platform == "win32":
        from flow_lsp.toolkit.windows import make_binary

        make_binary(taken)
    else:
        for descriptor in taken:
            os.set_blocking(descriptor, True)
        os.register_at_fork(after_in_child=lambda: _leave(taken))
    for stream in (sys.stdout, sys.__stdout__):
        with suppress(AttributeError, ValueError, OSError):  # it may be None, closed, or of the author's own making
            stream.flush()  # type: ignore[union-attr]
            stream.reconfigure(line_buffering=True)  # type: ignore[union-attr]
    return taken


def is_forked() -> bool:
    """Whether this process was forked off the one that serves: it has nothing to say to the host."""
    return _forked


def _leave(descriptors: tuple[int, ...]) -> None:
    """A process that is forked off holds no end of the host's pipes: the host would wait for it."""
    global _forked
    _forked = True
    for descriptor in descriptors:
        with suppress(OSError):
            os.close(descriptor)


def write_whole(descriptor: int, data: bytes) -> None:
    """Writes all of `data`, waiting as long as it takes; raises OSError where nobody reads any more."""
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(descriptor, rest) :]


def say(sentence: str) -> None:
    """One line on standard error, which is a log. Never raises."""
    say_text(f"flow_lsp.toolkit: {sentence}\n")


def say_text(text: str) -> None:
    """Whole lines on standard error. Never raises."""
    with suppress(OSError):
        write_whole(_ERROR, text.encode("utf-8", "backslashreplace"))


def report(sentence: str, error: BaseException, cut: int = 0) -> None:
    """`sentence`, and the traceback of `error` without its first `cut` frames. Never raises."""
    import traceback

    begin = error.__traceback__
    for _ in range(cut):
        begin = begin.tb_next if begin is not None else None
    with suppress(Exception):
        lines = traceback.format_exception(type(error), error, begin)
        say_text(f"flow_lsp.toolkit: {sentence}\n{''.join(lines)}")


def flush_streams() -> None:
    """Has Python write what was printed; for a process that is about to end at once."""
    for stream in (sys.stdout, sys.stderr, sys.__stdout__, sys.__stderr__):
        with suppress(AttributeError, ValueError, OSError):
            stream.flush()  # type: ignore[union-attr]
