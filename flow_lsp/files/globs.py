"""Glob patterns as the LSP has them (3.17, "Glob Pattern"), matched in time linear in the path's length.

`*` and `?` stay within a segment, `**` takes any number of segments, `{a,b}` is either, `[a-z]` and `[!a-z]` one
character. A pattern comes from settings, which may be a workspace's: it is bounded, and matching cannot run away.
"""

from __future__ import annotations

from fnmatch import fnmatchcase

PATTERN_LIMIT = 500  # characters
ALTERNATIVES_LIMIT = 64  # patterns that braces may come to


def glob_matches(pattern: str, path: str) -> bool:
    """Whether the relative `path`, written with `/`, is one that `pattern` names. One too large names nothing."""
    if len(pattern) > PATTERN_LIMIT:
        return False
    segments = path.split("/")
    return any(_segments_match(plain.split("/"), segments) for plain in _without_braces(pattern))


def _without_braces(pattern: str) -> list[str]:
    """The patterns that the first-level and inner braces stand for; what is unbalanced stands for itself."""
    done: list[str] = []
    ahead = [pattern]
    while ahead and len(done) + len(ahead) <= ALTERNATIVES_LIMIT:
        current = ahead.pop()
        close = current.find("}")
        start = current.rfind("{", 0, close) if close >= 0 else -1
        if start < 0:
            done.append(current)
            continue
        ahead.extend(
            current[:start] + choice + current[close + 1 :] for choice in current[start + 1 : close].split(",")
        )
    return done


def _segments_match(pattern: list[str], segments: list[str]) -> bool:
    """Goes through the path once, with all places in the pattern at which one could be."""
    places = _with_skips({0}, pattern)
    for segment in segments:
        found = set()
        for place in places:
            if place < len(pattern):
                if pattern[place] == "**":
                    found.add(place)
                elif fnmatchcase(segment, pattern[place]):
                    found.add(place + 1)
        places = _with_skips(found, pattern)
        if not places:
            return False
    return len(pattern) in places


def _with_skips(places: set[int], pattern: list[str]) -> set[int]:
    """`**` may take no segment at all."""
    found = set(places)
    for place in sorted(places):
        while place < len(pattern) and pattern[place] == "**":
            place += 1
            found.add(place)
    return found
