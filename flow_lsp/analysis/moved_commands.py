"""A command whose manifest, or the files that it names, stand elsewhere than before."""

from __future__ import annotations

import re
from collections.abc import Callable
from posixpath import join, normpath, relpath

from flow_lsp.manifest.words import Words, split_words

_TOKEN = re.compile(r"[^ \t\r\n]+")
_QUOTING = re.compile(r"[\\'\"]")
_UNSAFE = re.compile(r"[\s'\"\\]")  # no shell reads it: nothing else has a meaning

Moved = Callable[[str], str]


def moved_command(
    text: str, old: str, new: str, exists: Callable[[str], bool], moved: Moved = str, windows: bool = False
) -> str | None:
    """The command `text` of a manifest in the directory `old`, for one in `new`, after files went where `moved` says.

    A program written with a separator, and every further word that names a file, counts from the directory; all other
    words stay. None where a word has to change and cannot be written in its place surely.
    """
    found = split_words(text, windows)
    if not isinstance(found, Words):
        return None
    words = [_moved_word(word, place == 0, old, new, exists, moved) for place, word in enumerate(found.words)]
    if words == list(found.words):
        return text
    if _QUOTING.search(text) is None and not any(_UNSAFE.search(word) for word in words):
        following = iter(words)
        return _TOKEN.sub(lambda _: next(following), text)
    return None if windows else " ".join(map(quoted_word, words))


def quoted_word(word: str) -> str:
    """`word` as it stands in a command line (decisions 7), in quotes where it needs them."""
    if word and _UNSAFE.search(word) is None:
        return word
    return "'" + word.replace("'", "'\"'\"'") + "'"


def _moved_word(word: str, program: bool, old: str, new: str, exists: Callable[[str], bool], moved: Moved) -> str:
    if not word or word.startswith(("/", "-")) or "\\" in word or "\0" in word or word[1:2] == ":":
        return word
    path = normpath(join(old, word))
    if program and "/" not in word:
        return word  # it is looked for on PATH
    target = moved(path)
    if (target == path and old == new) or (not program and not exists(path)):
        return word
    found = relpath(target, new)
    if found == normpath(word):
        return word
    return f"./{found}" if (program and "/" not in found) or found.startswith("-") else found
