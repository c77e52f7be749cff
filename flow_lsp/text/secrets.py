"""Text without what looks like a credential, for reports that people pass on and files that they share.

What a secret looks like is a guess, and this one masks too much rather than too little: values by the names that
stand before them, the user's part of a URL, tokens of well-known shapes, long hexadecimal and base64. The hash of a
fingerprint (`sha256:…`) is none.
"""

from __future__ import annotations

import re
from functools import lru_cache

MASK = "***"
_REMEMBERED = 1_000  # characters of a command, at most

# Names that are of secrets wherever they stand in a longer one (`API_TOKEN`, `db-password`), and such that are
# only when they are its last part (`api_key`, but neither `keyboard` nor `monkey`).
_ANYWHERE = r"(?i:token|secret|passw(?:or)?d|passphrase|credential|api[-_.]?key)[sS]?(?:[-_.0-9A-Z][\w.-]{0,32})?"
_LAST = r"(?:(?<![A-Za-z])(?i:key|pass|pwd|auth|signature|sig)|Key|Pass|Pwd|Auth)"
_KEY_OF = r"(?i:api|access|private|secret|account|encryption|signing|shared|client|auth)[-_ .]?(?i:key)"
_QUOTED = r"\"(?:[^\"\\]|\\.)*\"?|'[^']*'?|\*{3}(?![^\s,;.`'\"\]})])"  # or masked already

_NAME = rf"(?:(?:{_ANYWHERE}|{_KEY_OF})[\"']?\s{{0,3}}[:=]|{_LAST}[\"']?\s{{0,3}}=)\s{{0,3}}"
_NAMED = re.compile(rf"({_NAME})(?:{_QUOTED}|\S+)")
_NAMED_TO_THE_END = re.compile(rf"({_NAME}).+", re.DOTALL)
_OPTION = rf"--?[\w-]{{0,40}}?(?:{_ANYWHERE}|{_LAST})"
_OPTION_AND_VALUE = re.compile(rf"(?<!\S)({_OPTION}\s{{1,3}})(?:{_QUOTED}|[^\s-]\S*)")
_OPTION_ALONE = re.compile(_OPTION)
_NAME_ALONE = re.compile(rf"(?:{_ANYWHERE}|{_KEY_OF}|{_LAST})$")
_HEADER = re.compile(r"(?i)((?:authorization|cookie)[\"']?\s{0,3}[:=]\s{0,3})[^\r\n]+")
_SCHEME = re.compile(r"(?i)\b(bearer\s{1,3}|basic\s{1,3}(?=\S{16}))(?=\S{0,200}[\d=._-])[\w.~+/=-]{8,}")
_USER_OF_URL = re.compile(r"([A-Za-z][A-Za-z0-9+.-]{0,30}://)[^\s/?#\"'@]*(?:@[^\s/?#\"'@]*)*@")
_PRIVATE_KEY = re.compile(r"-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----.*", re.DOTALL)
_KNOWN = re.compile(
    r"(?<![A-Za-z0-9])(?:gh[opsur]_|github_pat_|glpat-|xox[a-z]-|sk[-_]|[rp]k_|AKIA|ASIA|AIza|ya29\.|npm_|pypi-|hf_|eyJ)"
    r"[\w.-]{12,}"
)
_HEXADECIMAL = re.compile(r"(?<![0-9A-Za-z])(?<!sha256:)[0-9a-fA-F]{32,}(?![0-9A-Za-z])")
_LONG = re.compile(r"(?<![\w+-])[A-Za-z0-9][A-Za-z0-9_-]{31,}={0,2}")
_LONG_WITH_SLASHES = re.compile(r"(?<![\w+/.~-])[A-Za-z0-9+][A-Za-z0-9+/]{39,}={0,2}(?![\w./-])")


def masked(text: str) -> str:
    """`text`, a line of a log or a sentence, with `***` for what looks like a credential."""
    return _without_shapes(_NAMED.sub(_keep_name, _OPTION_AND_VALUE.sub(_keep_name, _without_headers(text))))


def masked_words(words: tuple[str, ...]) -> tuple[str, ...]:
    """The words of a command, those that look like a credential masked; also one behind an option such as
    `--token`."""
    # Each keystroke in a command makes another: what is remembered of them is to stay small.
    if sum(map(len, words)) > _REMEMBERED:
        return _masked_words(words)
    return _remembered_words(words)


def _masked_words(words: tuple[str, ...]) -> tuple[str, ...]:
    found: list[str] = []
    for number, word in enumerate(words):
        if number and word and _OPTION_ALONE.fullmatch(words[number - 1]):
            found.append(MASK)
        else:
            found.append(_without_shapes(_NAMED_TO_THE_END.sub(_keep_name, _without_headers(word))))
    return tuple(found)


_remembered_words = lru_cache(maxsize=4096)(_masked_words)


def is_secret_name(name: str) -> bool:
    """Whether a variable of that name holds a credential, by its name."""
    return name != "PWD" and _NAME_ALONE.search(name) is not None  # PWD is where a process is


def _without_headers(text: str) -> str:
    text = _PRIVATE_KEY.sub(MASK, _USER_OF_URL.sub(rf"\1{MASK}@", text))
    return _SCHEME.sub(_keep_name, _HEADER.sub(_keep_name, text))


def _without_shapes(text: str) -> str:
    text = _HEXADECIMAL.sub(MASK, _KNOWN.sub(_if_digits, text))
    return _LONG.sub(_if_mixed, _LONG_WITH_SLASHES.sub(_if_mixed, text))


def _keep_name(found: re.Match[str]) -> str:
    return found[1] + MASK


def _if_digits(found: re.Match[str]) -> str:
    return MASK if any(map(str.isdigit, found[0])) else found[0]


def _if_mixed(found: re.Match[str]) -> str:
    """What is drawn at random has letters of both cases and digits; a long name seldom has."""
    run = found[0]
    mixed = any(map(str.islower, run)) and any(map(str.isupper, run)) and any(map(str.isdigit, run))
    return MASK if mixed else run
