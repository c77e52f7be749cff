"""Identities of declarations (decisions 6): `acme/kit@1.2.0/search.find`, or, local, `tools/search.find`."""

from __future__ import annotations

import re
from dataclasses import dataclass

_RESERVED = re.compile(r"[%@<>,#]")
# An `@` without a `/` takes the rest with it, so that a text of nothing but `@` is gone through once.
_VERSION = re.compile(r"@[^/]*+(/?)")


@dataclass(frozen=True, slots=True)
class Identity:
    """The parts of an identity. `file` is as the identity writes it; a local one has no repository."""

    file: str
    name: str
    repository: str | None = None
    version: str | None = None

    def __str__(self) -> str:
        place = self.file if self.repository is None else f"{self.repository}@{self.version}/{self.file}"
        return f"{place}.{self.name}"


def parse_identity(text: str) -> Identity | None:
    """The parts of `text`, or None where it is no identity: no name, or nothing before it.

    The name begins behind the last `.`, the version runs from the first `@` to the next `/`.
    """
    place, dot, name = text.rpartition(".")
    if not dot or not name or "/" in name:
        return None
    repository, at, rest = place.partition("@")
    if not at:
        return Identity(place, name) if place else None
    version, slash, file = rest.partition("/")
    if not repository or not slash or not file:
        return None
    return Identity(file, name, repository, version)


def escaped_file(path: str) -> str:
    """The `<file>` of an identity: `path` with `/` and without `.flow`, what an identity reserves encoded."""
    return _RESERVED.sub(lambda found: f"%{ord(found.group()):02X}", path.removesuffix(".flow"))


def without_version(identity: str) -> str:
    """`identity` with its version left out: what a declaration is matched by."""
    return _VERSION.sub(_without, identity, count=1) if "@" in identity else identity


def _without(version: re.Match[str]) -> str:
    return version[1] or version[0]
