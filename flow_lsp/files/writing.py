"""Writing a file as a whole: nobody reads half of it, and what was there before stays where that is not possible."""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from secrets import token_hex


def put_in_place(path: str, data: bytes) -> str | None:
    """Puts a file that holds `data` at `path`, through links and with the permissions of what is there, unless that
    holds it already; a sentence where it is not possible."""
    target = os.path.realpath(path)
    new = os.path.join(os.path.dirname(target), f".{os.path.basename(target)}.{token_hex(4)}.new")
    try:
        mode = None
        with suppress(FileNotFoundError):
            found = os.stat(target)
            if not stat.S_ISREG(found.st_mode):
                return "It cannot be written: what stands there is no regular file."
            mode = stat.S_IMODE(found.st_mode)
            with open(target, "rb") as file:
                if file.read(len(data) + 1) == data:
                    return None
        with open(new, "xb") as file:
            file.write(data)
        if mode is not None:
            os.chmod(new, mode)
        os.replace(new, target)
    except OSError as error:
        with suppress(OSError):
            os.unlink(new)
        return _cannot(error)
    return None


def write_new(path: str, data: bytes) -> str | None:
    """Makes a file at `path`, where nothing stands; a sentence where something does, or it is not possible."""
    try:
        file = open(path, "xb")  # noqa: SIM115 - what is there already must not be removed
    except FileExistsError:
        return "It exists already."
    except OSError as error:
        return _cannot(error)
    try:
        with file:
            file.write(data)
    except OSError as error:
        with suppress(OSError):
            os.unlink(path)
        return _cannot(error)
    return None


def _cannot(error: OSError) -> str:
    return f"It cannot be written: {error.strerror or error}."
