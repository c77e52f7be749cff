"""The run time as files to put beside an implementation: what `flow_lsp.toolkit` imports, found in its own source."""

from __future__ import annotations

import ast
import hashlib
import os
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, distribution
from typing import Final

import flow_lsp
from flow_lsp.cli.usage import UsageError
from flow_lsp.generating.header import Origin, origin_of, sealed, with_plain_line_ends

PACKAGE: Final = "flow_lsp"
DOOR: Final = "flow_lsp.toolkit"
RECORD: Final = "VENDORED"  # what was written, with hashes: by it an edited copy is known
_DIRECTORY: Final = os.path.dirname(os.path.abspath(flow_lsp.__file__))


def package_directory() -> str:
    """Where this very package stands, over which nothing is ever written."""
    return os.path.realpath(_DIRECTORY)


def runtime_files() -> dict[str, bytes]:
    """The files of the run time by their paths below the folder `flow_lsp`, with the licence and the record of them.
    Raises UsageError where they cannot be read."""
    try:
        found = dict(sorted(_modules()))
        found["py.typed"] = b""
        found["LICENSE"] = _licence()
    except OSError as error:
        raise UsageError(f"the run time cannot be copied: {error.filename}: {error.strerror or error}.") from error
    lines = [f"# The run time of flow-lsp {flow_lsp.__version__}: each file with its hash."]
    lines += [f"{digest(data)}  {path}" for path, data in found.items()]
    found[RECORD] = sealed("\n".join(lines) + "\n").encode("utf-8")
    return found


def recorded(data: bytes) -> dict[str, str]:
    """The hashes by path that a record holds; nothing where it was changed."""
    if origin_of(data) is not Origin.GENERATED:
        return {}
    lines = with_plain_line_ends(data).decode("utf-8").splitlines()[2:]
    return {path: found for found, _, path in (line.partition("  ") for line in lines)}


def digest(data: bytes) -> str:
    """What a file is known by, whatever a version control makes of its line ends."""
    return hashlib.sha256(with_plain_line_ends(data)).hexdigest()


def _modules() -> Iterator[tuple[str, bytes]]:
    """Every module that the run time imports, at any time, with the packages that it stands in."""
    ahead, seen = [DOOR], {DOOR}
    for name in ahead:  # grows while it is read
        path = _path(name)
        if path is None:
            continue
        with open(os.path.join(_DIRECTORY, path), "rb") as file:
            data = file.read()
        yield path, data
        for imported in (*_packages(name), *_imports(data)):
            if imported not in seen:
                seen.add(imported)
                ahead.append(imported)


def _packages(name: str) -> list[str]:
    parts = name.split(".")
    return [".".join(parts[:count]) for count in range(1, len(parts))]


def _imports(source: bytes) -> Iterator[str]:
    """What of this package `source` may import: modules, and names that may be modules."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if _is_ours(alias.name))
        elif isinstance(node, ast.ImportFrom) and node.module and _is_ours(node.module):
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def _is_ours(name: str) -> bool:
    return name.partition(".")[0] == PACKAGE


def _path(name: str) -> str | None:
    """The file of the module `name`; None where there is none."""
    below = name.split(".")[1:]
    for path in ("/".join([*below, "__init__.py"]), "/".join(below) + ".py"):
        if os.path.isfile(os.path.join(_DIRECTORY, path)):
            return path
    return None


def _licence() -> bytes:
    """The licence, which goes with every copy."""
    try:
        package = distribution("flow-lsp")
        text = package.read_text("licenses/LICENSE") or package.read_text("LICENSE")
    except PackageNotFoundError:
        text = None
    if text is not None:
        return text.encode("utf-8")
    with open(os.path.join(os.path.dirname(_DIRECTORY), "LICENSE"), "rb") as file:
        return file.read()
