"""What a user sets under `flow.` in an editor, or gives on the command line: read, checked, with defaults.

A wrong value never stops the server: the default stands, and a sentence says what was wrong.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from flow_lsp.findings.catalogue import RULES
from flow_lsp.findings.model import Severity, shown
from flow_lsp.host.consent import TrustPolicy
from flow_lsp.manifest.words import WordsProblem, split_words

DEFAULT_TIMEOUT = 10.0  # seconds, decisions 7


_CAUTION = {TrustPolicy.ALWAYS: 0, TrustPolicy.ASK: 1, TrustPolicy.NEVER: 2}

_SEVERITIES: dict[str, Severity | None] = {
    "error": Severity.ERROR,
    "warning": Severity.WARNING,
    "information": Severity.INFORMATION,
    "hint": Severity.HINT,
    "off": None,
}


@dataclass(frozen=True, slots=True)
class RepositoryFolder:
    """A folder that holds a repository at a version: its files get repository identities (decisions 6)."""

    name: str
    version: str
    path: str


@dataclass(frozen=True)
class HostSettings:
    """All settings. `overrides` maps a declaration's identity to a command line; relative paths of `contracts` count
    from the first workspace folder."""

    trust: TrustPolicy = TrustPolicy.ASK
    overrides: Mapping[str, str] = field(default_factory=dict)
    repositories: tuple[RepositoryFolder, ...] = ()
    severities: Mapping[str, Severity | None] = field(default_factory=dict)
    describe_enabled: bool = True
    describe_timeout: float = DEFAULT_TIMEOUT
    describe_watch: tuple[str, ...] = ()
    contracts: tuple[str, ...] = ()
    inlay_hints: bool = False


def read_settings(values: object, base: HostSettings, *, from_user: bool) -> tuple[HostSettings, list[str]]:
    """`base` with what `values`, the members under `flow.`, set; and a sentence for each value that is wrong.

    Only the user's own settings (`from_user`: the initialization options that the editor's configuration
    gives) may widen trust. Settings that a client merges with a workspace's can narrow it at most.
    """
    problems: list[str] = []
    if not isinstance(values, Mapping):
        return base, [] if values is None else ["The settings under `flow` are no object and were ignored."]
    flat = dict(_flattened(values))
    settings = base
    for name, value in flat.items():
        reader = _READERS.get(name)
        if reader is None or value is None:
            continue
        try:
            changes = reader(value)
        except ValueError as error:
            problems.append(f"The setting flow.{name} was ignored: {error}")
            continue
        trust = changes.get("trust")
        if trust is not None and not from_user and _CAUTION[trust] < _CAUTION[base.trust]:
            problems.append(
                f"The setting flow.trust = {trust} was ignored here: only the user's own settings may widen trust."
            )
            continue
        settings = replace(settings, **changes)
    return settings, problems


def _flattened(values: Mapping[str, Any]) -> list[tuple[str, Any]]:
    """Members by their dotted names; editors send `describe.timeout` nested or dotted."""
    found: list[tuple[str, Any]] = []
    for name, value in values.items():
        if name in ("describe", "diagnostics") and isinstance(value, Mapping):
            found.extend((f"{name}.{inner}", member) for inner, member in value.items())
        else:
            found.append((name, value))
    return found


def _trust(value: Any) -> dict[str, Any]:
    if value not in tuple(TrustPolicy):
        raise ValueError(f"it is {shown(value)}, and one of ask, always and never is expected.")
    return {"trust": TrustPolicy(value)}


def _overrides(value: Any) -> dict[str, Any]:
    if not isinstance(value, Mapping) or not all(isinstance(command, str) for command in value.values()):
        raise ValueError("an object is expected that maps a declaration's identity to a command line.")
    for identity, command in value.items():
        words = split_words(command, sys.platform == "win32")
        if isinstance(words, WordsProblem) or not words.words:
            reason = words.reason if isinstance(words, WordsProblem) else "it is empty."
            raise ValueError(f"the command of {shown(identity)} cannot be split into words: {reason}")
    return {"overrides": dict(value)}


def _repositories(value: Any) -> dict[str, Any]:
    found = []
    if not isinstance(value, list):
        raise ValueError("a list of objects with name, version and path is expected.")
    for entry in value:
        members = [entry.get(name) if isinstance(entry, Mapping) else None for name in ("name", "version", "path")]
        texts = [member for member in members if isinstance(member, str) and member]
        if len(texts) != len(members):
            raise ValueError("each entry is an object with the texts name, version and path.")
        found.append(RepositoryFolder(*texts))
    return {"repositories": tuple(found)}


def _severity(value: Any) -> dict[str, Any]:
    if not isinstance(value, Mapping):
        raise ValueError(
            "an object is expected that maps a finding's code to error, warning, information, hint or off."
        )
    for code, word in value.items():
        if code not in RULES:
            raise ValueError(f"there is no finding with the code {shown(code)}.")
        if not isinstance(word, str) or word not in _SEVERITIES:
            raise ValueError(f"{shown(word)} is none of error, warning, information, hint and off.")
    return {"severities": {code: _SEVERITIES[word] for code, word in value.items()}}


def _enabled(value: Any) -> dict[str, Any]:
    if not isinstance(value, bool):
        raise ValueError("true or false is expected.")
    return {"describe_enabled": value}


def _inlay_hints(value: Any) -> dict[str, Any]:
    return {"inlay_hints": _enabled(value)["describe_enabled"]}


def _timeout(value: Any) -> dict[str, Any]:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value <= 600:
        raise ValueError("a number of seconds above 0 and up to 600 is expected.")
    return {"describe_timeout": float(value)}


def _contracts(value: Any) -> dict[str, Any]:
    paths = [value] if isinstance(value, str) else value
    if not isinstance(paths, list) or not all(isinstance(path, str) and path and "\0" not in path for path in paths):
        raise ValueError('the path of a contracts file, or a list of paths, is expected, such as "contracts.json".')
    return {"contracts": tuple(dict.fromkeys(paths))}


def _watch(value: Any) -> dict[str, Any]:
    if not isinstance(value, list) or not all(isinstance(glob, str) for glob in value):
        raise ValueError('a list of globs is expected, such as ["**/*.py"].')
    return {"describe_watch": tuple(value)}


_READERS: dict[str, Callable[[Any], dict[str, Any]]] = {
    "trust": _trust,
    "overrides": _overrides,
    "repositories": _repositories,
    "diagnostics.severity": _severity,
    "describe.enabled": _enabled,
    "describe.timeout": _timeout,
    "describe.watch": _watch,
    "contracts": _contracts,
    "inlayHints": _inlay_hints,
}
