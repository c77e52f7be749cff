"""Programs and files that a command of flow.toml may name, for completion: looked for on the disk, within bounds.

No directory is looked into below those that are named here, and of each at most so many entries; what was found of one
is kept until its time changes. Names that are no text, or hold control characters, are left out. Everything here may
block, and belongs into a thread.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections import OrderedDict
from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple

from flow_lsp.analysis.manifest_commands import WordOffer
from flow_lsp.files.paths import is_unicode, with_slashes
from flow_lsp.text.paths import ancestors, inside, joined

SECONDS: Final = 0.4  # that one look may take
MOST_ENTRIES: Final = 5_000  # of one directory
MOST_DIRECTORIES: Final = 128  # that are kept, and of PATH that are looked into
MOST_OFFERS: Final = 500
MOST_BYTES: Final = 1_048_576  # of a pyproject.toml or package.json

ENVIRONMENTS: Final = (".venv", "venv", "env")
SCRIPTS: Final = "Scripts" if sys.platform == "win32" else "bin"
RUNNERS: Final = (("uv", "run"), ("poetry", "run"), ("pdm", "run"), ("hatch", "run"))


class Entry(NamedTuple):
    """An entry of a directory."""

    name: str
    directory: bool
    executable: bool


class ProgramNames:
    """What may be written as a word of a command. One owner at a time."""

    def __init__(self, path_variable: str | None = None) -> None:
        """`path_variable` is the PATH to look in, that of this process where it is None."""
        self._path_variable = path_variable
        self._entries: OrderedDict[str, tuple[int, tuple[Entry, ...]]] = OrderedDict()
        self._deadline = 0.0

    def offers(
        self, directory: str, boundary: str, before: tuple[str, ...], typed: str
    ) -> tuple[list[WordOffer], bool]:
        """What may be written in a command of a manifest in `directory` behind the words `before`, where `typed`
        stands; and whether that is all. Nothing is looked for above `boundary`, the workspace folder."""
        self._deadline = time.monotonic() + SECONDS
        above, slash, name = typed.rpartition("/")
        if slash:
            found = self._files(directory, above + slash, name, executable=not before)
        elif before:
            found = self._behind(directory, boundary, before, typed)
        else:
            found = self._programs(directory, boundary, typed)
        wanted = typed.casefold()
        offers: dict[tuple[str, ...], WordOffer] = {}
        for offer in found:
            if wanted in offer.name.casefold():
                offers.setdefault(offer.words, offer)
            if len(offers) > MOST_OFFERS or self._is_late():
                return list(offers.values())[:MOST_OFFERS], False
        return list(offers.values()), True

    def _is_late(self) -> bool:
        return time.monotonic() > self._deadline

    # -- the sources ------------------------------------------------------------------------------------

    def _programs(self, directory: str, boundary: str, typed: str) -> Iterator[WordOffer]:
        homes = [above for above in ancestors(directory) if inside(above, boundary)] or [directory]
        for home in homes:
            yield from self._of_environments(directory, home)
            yield from self._of_pyproject(home)
            yield from self._of_package(directory, home)
        for entry in self._listed(directory):
            if (entry.executable or entry.directory) and entry.name.startswith(".") <= typed.startswith("."):
                end = "/" if entry.directory else ""
                yield WordOffer(f"{entry.name}{end}", (f"./{entry.name}{end}",), "beside flow.toml", entry.directory)
        path = os.environ.get("PATH", "") if self._path_variable is None else self._path_variable
        places = dict.fromkeys(path.split(os.pathsep)) if path else {}
        for place in list(places)[:MOST_DIRECTORIES]:
            where = with_slashes(os.path.join(directory, place))
            for entry in self._listed(where):
                if entry.executable:
                    name = _without_suffix(entry.name)
                    yield WordOffer(name, (name,), where)

    def _of_environments(self, directory: str, home: str) -> Iterator[WordOffer]:
        """The programs of Python's environments in `home`, by their paths."""
        for name in ENVIRONMENTS:
            place = joined(home, name)
            if os.path.isfile(joined(place, "pyvenv.cfg")):
                scripts = f"{place}/{SCRIPTS}"
                for entry in self._listed(scripts):
                    if entry.executable and not entry.name.lower().startswith("activate"):
                        word = _relative(joined(scripts, entry.name), directory)
                        yield WordOffer(_without_suffix(entry.name), (word,), f"of {name}")

    def _of_pyproject(self, home: str) -> Iterator[WordOffer]:
        scripts = _scripts(home)
        locked = scripts and os.path.isfile(joined(home, "uv.lock"))
        for name in scripts:
            words = ("uv", "run", name) if locked else (name,)
            yield WordOffer(name, words, "a script of pyproject.toml")

    def _of_package(self, directory: str, home: str) -> Iterator[WordOffer]:
        for name, file in _bins(home).items():
            path = os.path.normpath(os.path.join(home, file))
            if inside(with_slashes(path), home) and os.path.isfile(path):
                yield WordOffer(name, ("node", _relative(path, directory)), "a bin of package.json")
        bins = f"{home}/node_modules/.bin"
        for entry in self._listed(bins):
            if entry.executable:
                yield WordOffer(entry.name, (_relative(joined(bins, entry.name), directory),), "of node_modules")

    def _behind(self, directory: str, boundary: str, before: tuple[str, ...], typed: str) -> Iterator[WordOffer]:
        """What may stand behind a program: what a runner runs, and files."""
        homes = [above for above in ancestors(directory) if inside(above, boundary)] or [directory]
        if before in RUNNERS:
            for home in homes:
                for name in _scripts(home):
                    yield WordOffer(name, (name,), "a script of pyproject.toml")
        if before[0] == "npx" and all(word.startswith("-") for word in before[1:]):
            for home in homes:
                for entry in self._listed(f"{home}/node_modules/.bin"):
                    yield WordOffer(entry.name, (entry.name,), "of node_modules")
        yield from self._files(directory, "", typed, executable=False)

    def _files(self, directory: str, above: str, typed: str, *, executable: bool) -> Iterator[WordOffer]:
        """The entries of a directory as they are written behind `above`."""
        for entry in self._listed(with_slashes(os.path.normpath(os.path.join(directory, above or ".")))):
            if entry.name.startswith(".") and not typed.startswith("."):
                continue
            if entry.directory or entry.executable or not executable:
                name = f"{above}{entry.name}{'/' if entry.directory else ''}"
                if not name.startswith("-"):
                    yield WordOffer(name, (name,), "a directory" if entry.directory else "a file", entry.directory)

    # -- the disk ---------------------------------------------------------------------------------------

    def _listed(self, directory: str) -> tuple[Entry, ...]:
        """The first entries of a directory by name; none where it cannot be looked into."""
        try:
            changed = os.stat(directory).st_mtime_ns
        except (OSError, ValueError):
            return ()
        known = self._entries.get(directory)
        if known is not None and known[0] == changed:
            self._entries.move_to_end(directory)
            return known[1]
        if self._is_late():
            return ()
        found: list[Entry] = []
        whole = True
        try:
            with os.scandir(directory) as entries:
                for count, entry in enumerate(entries):
                    if count >= MOST_ENTRIES or self._is_late():
                        whole = count >= MOST_ENTRIES
                        break
                    if is_unicode(entry.name) and entry.name.isprintable():
                        found.append(_entry(entry))
        except OSError:
            return ()
        result = tuple(sorted(found))
        if whole:
            self._entries[directory] = changed, result
            while len(self._entries) > MOST_DIRECTORIES:
                self._entries.popitem(last=False)
        return result


def _entry(entry: os.DirEntry[str]) -> Entry:
    try:
        directory = entry.is_dir()
        executable = not directory and entry.is_file() and _may_execute(entry)
    except OSError:  # a loop of links
        return Entry(entry.name, False, False)
    return Entry(entry.name, directory, executable)


def _may_execute(entry: os.DirEntry[str]) -> bool:
    if sys.platform == "win32":
        return entry.name.lower().endswith((".exe", ".cmd", ".bat", ".com"))
    return os.access(entry.path, os.X_OK)


def _without_suffix(name: str) -> str:
    if sys.platform == "win32" and name.lower().endswith((".exe", ".cmd", ".bat", ".com")):
        return name[:-4]
    return name


def _relative(path: str, directory: str) -> str:
    """`path` as a command in `directory` names a program."""
    found = with_slashes(os.path.relpath(path, directory))
    return found if "/" in found else f"./{found}"


def _scripts(home: str) -> list[str]:
    """The names of the scripts of the pyproject.toml in `home`."""
    data = _bytes(joined(home, "pyproject.toml"))
    if data is None:
        return []
    import tomllib

    try:
        read: Any = tomllib.loads(data.decode("utf-8"))
    except (ValueError, RecursionError):
        return []
    found: dict[str, None] = {}
    for path in (("project", "scripts"), ("project", "gui-scripts"), ("tool", "poetry", "scripts")):
        table = _member(read, *path)
        if isinstance(table, dict):
            found.update(dict.fromkeys(name for name in table if name.isprintable() and name))
    return list(found)[:MOST_OFFERS]


def _bins(home: str) -> Mapping[str, str]:
    """The bins of the package.json in `home`: name to file."""
    data = _bytes(joined(home, "package.json"))
    try:
        read: Any = json.loads(data) if data is not None else None
    except (ValueError, RecursionError):
        return {}
    bins, name = _member(read, "bin"), _member(read, "name")
    if isinstance(bins, str) and isinstance(name, str):
        bins = {name.rpartition("/")[2]: bins}
    if not isinstance(bins, dict):
        return {}
    sure = {
        name: file for name, file in bins.items() if isinstance(file, str) and name.isprintable() and "\0" not in file
    }
    return dict(list(sure.items())[:MOST_OFFERS])


def _member(value: Any, *path: str) -> Any:
    for name in path:
        value = value.get(name) if isinstance(value, dict) else None
    return value


def _bytes(path: str) -> bytes | None:
    """What a regular file holds, where that is not too much."""
    try:
        if not os.path.isfile(path) or os.path.getsize(path) > MOST_BYTES:
            return None
        with open(path, "rb") as file:
            return file.read(MOST_BYTES)
    except (OSError, ValueError):
        return None
