"""Reading one text file: its text, or a sentence that says why not. Nothing raises or waits on a pipe."""

from __future__ import annotations

import errno
import os
import stat
import time
from dataclasses import dataclass, replace
from enum import StrEnum

SIZE_LIMIT = 4 * 1024 * 1024  # bytes; ten thousand tables, or a hundred thousand lines of declarations, are less
PARTS_LIMIT = 100_000  # lines and commas: what is read of a text, and said of it, grows with them
_BOM = b"\xef\xbb\xbf"
_FLAGS = (
    os.O_RDONLY
    | getattr(os, "O_NONBLOCK", 0)  # a FIFO without a writer would keep us for ever
    | getattr(os, "O_NOCTTY", 0)
    | getattr(os, "O_BINARY", 0)
)
_UNSETTLED_NS = 100_000_000  # a file system's clock is that coarse at worst, but for FAT's


@dataclass(frozen=True, slots=True)
class FileStamp:
    """What changes when a file is written or replaced. `read_ns` is the clock before the reading."""

    modified_ns: int
    size: int
    inode: int
    read_ns: int

    def shows_unchanged(self, other: FileStamp) -> bool:
        """Whether `other`, taken later, proves that the file was not written since this one.

        One written just before this stamp was taken may have been written again within a tick of the clock.
        """
        same = (self.modified_ns, self.size, self.inode) == (other.modified_ns, other.size, other.inode)
        return same and self.modified_ns < self.read_ns - _UNSETTLED_NS


class ReadProblemKind(StrEnum):
    """Why a file gives no text."""

    MISSING = "missing"
    DIRECTORY = "directory"
    NOT_REGULAR = "not-regular"  # a FIFO, a socket, a device
    LINK_TO_NOTHING = "link-to-nothing"
    LINK_LOOP = "link-loop"
    NO_PERMISSION = "no-permission"
    TOO_LARGE = "too-large"
    NOT_UTF8 = "not-utf8"
    UNREADABLE = "unreadable"  # whatever else the system says


@dataclass(frozen=True, slots=True)
class TextRead:
    """A file's text, without its byte order mark, so that offsets are those of an editor, which hides it.

    Line ends are as they are in the file.
    """

    text: str
    stamp: FileStamp
    byte_order_mark: bool = False


@dataclass(frozen=True, slots=True)
class DataRead:
    """A file's bytes."""

    data: bytes
    stamp: FileStamp


@dataclass(frozen=True, slots=True)
class ReadProblem:
    """Why a file gives no text. `sentence` says it to the user, with the remedy."""

    kind: ReadProblemKind
    sentence: str
    stamp: FileStamp | None = None


def file_stamp(path: str) -> FileStamp | None:
    """The stamp of whatever stands at `path`, or None where nothing does."""
    now = time.time_ns()
    try:
        return _stamp(os.stat(path), now)
    except (OSError, ValueError):
        return None


def read_text(path: str, size_limit: int = SIZE_LIMIT) -> TextRead | ReadProblem:
    """The text of the file at `path`: strict UTF-8, of at most `size_limit` bytes and PARTS_LIMIT lines and
    commas."""
    found = read_data(path, size_limit)
    return found if isinstance(found, ReadProblem) else _decoded(found.data, found.stamp)


def read_beginning(path: str, size: int) -> bytes | ReadProblem:
    """The first `size` bytes of the regular file at `path`, or all of a shorter one."""
    found = _opened(path, None, size)
    return found if isinstance(found, ReadProblem) else found.data


def read_data(path: str, size_limit: int) -> DataRead | ReadProblem:
    """What the file at `path` holds, at most `size_limit` bytes."""
    found = _opened(path, size_limit, size_limit + 1)
    if isinstance(found, DataRead) and len(found.data) > size_limit:
        return _too_large(size_limit, found.stamp)
    return found


def _opened(path: str, size_limit: int | None, most: int) -> DataRead | ReadProblem:
    now = time.time_ns()
    try:
        # Looked at before it is opened, for opening a device can do things.
        found = os.stat(path)
        problem = _unfit(found, size_limit, now)
        if problem is not None:
            return problem
        descriptor = os.open(path, _FLAGS)
        try:
            found = os.fstat(descriptor)
            problem = _unfit(found, size_limit, now)
            if problem is not None:
                return problem
            data = _read(descriptor, most)
        finally:
            os.close(descriptor)
    except OSError as error:
        return _refused(path, error)
    except ValueError:  # a NUL or half a character in the path
        return ReadProblem(ReadProblemKind.MISSING, "No file can have this name.")
    return DataRead(data, _stamp(found, now))


def excess(text: str, size_limit: int = SIZE_LIMIT, parts_limit: int = PARTS_LIMIT) -> ReadProblem | None:
    """Why `text`, from a file or an editor, is more than is read; None where it is not.

    The bounds are the same on both ways, so that opening a file changes nothing about it.
    """
    if len(text) <= min(size_limit // 4, parts_limit):
        return None
    if len(text) > size_limit or (not text.isascii() and len(text.encode("utf-8", "surrogatepass")) > size_limit):
        return _too_large(size_limit, None)
    parts = text.count("\n") + text.count("\r") - text.count("\r\n") + text.count(",")
    if parts > parts_limit:
        return ReadProblem(
            ReadProblemKind.TOO_LARGE,
            f"This file has more than {parts_limit:,} lines and commas, the most that is read. Split it, or remove "
            "what it holds by mistake.",
        )
    return None


def _stamp(found: os.stat_result, now: int) -> FileStamp:
    return FileStamp(found.st_mtime_ns, found.st_size, found.st_ino, now)


def _read(descriptor: int, most: int) -> bytes:
    pieces = []
    while most > 0:
        piece = os.read(descriptor, min(most, 1 << 20))
        if not piece:
            break
        pieces.append(piece)
        most -= len(piece)
    return b"".join(pieces)


def _unfit(found: os.stat_result, size_limit: int | None, now: int) -> ReadProblem | None:
    if stat.S_ISDIR(found.st_mode):
        return ReadProblem(
            ReadProblemKind.DIRECTORY,
            "This is a directory where a file is expected. Rename or remove it.",
            _stamp(found, now),
        )
    if not stat.S_ISREG(found.st_mode):
        return ReadProblem(
            ReadProblemKind.NOT_REGULAR,
            "This is no regular file but a pipe, a socket or a device, and is not read. Put a file here.",
            _stamp(found, now),
        )
    if size_limit is not None and found.st_size > size_limit:
        return _too_large(size_limit, _stamp(found, now))
    return None


def _too_large(size_limit: int, stamp: FileStamp | None) -> ReadProblem:
    return ReadProblem(
        ReadProblemKind.TOO_LARGE,
        f"This file is larger than {size_limit:,} bytes, the most that is read. Split it, or remove what it "
        "holds by mistake.",
        stamp,
    )


def _refused(path: str, error: OSError) -> ReadProblem:
    if error.errno in (errno.ENOENT, errno.ENOTDIR, errno.ENAMETOOLONG):
        if os.path.islink(path):
            return ReadProblem(
                ReadProblemKind.LINK_TO_NOTHING,
                "This is a symbolic link to nothing. Correct what it points to, or remove it.",
            )
        return ReadProblem(ReadProblemKind.MISSING, "This file does not exist.")
    if error.errno == errno.ELOOP:
        return ReadProblem(
            ReadProblemKind.LINK_LOOP,
            "This is a symbolic link that leads back to itself. Remove it, or point it to a file.",
        )
    if error.errno in (errno.EACCES, errno.EPERM):
        return ReadProblem(
            ReadProblemKind.NO_PERMISSION, "This file may not be read. Give yourself permission to read it."
        )
    reason = error.strerror or type(error).__name__
    return ReadProblem(ReadProblemKind.UNREADABLE, f"This file cannot be read: {reason}.")


def _decoded(data: bytes, stamp: FileStamp) -> TextRead | ReadProblem:
    marked = data.startswith(_BOM)
    if marked:
        data = data[len(_BOM) :]
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        return ReadProblem(ReadProblemKind.NOT_UTF8, _not_utf8(data, error.start), stamp)
    problem = excess(text)
    return TextRead(text, stamp, marked) if problem is None else replace(problem, stamp=stamp)


def _not_utf8(data: bytes, at: int) -> str:
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return "This file is UTF-16, and UTF-8 is expected. Save it as UTF-8."
    before = data[:at].decode("utf-8").replace("\r\n", "\n").replace("\r", "\n")
    line = before.count("\n") + 1
    column = len(before) - (before.rfind("\n") + 1) + 1
    return (
        f"This file is not UTF-8: the byte 0x{data[at]:02X} at line {line}, column {column} cannot stand "
        "there. Save it as UTF-8."
    )
