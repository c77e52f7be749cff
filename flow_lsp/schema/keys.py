"""Keys of named types in `$defs`, and the references to them (decisions 5 and 6).

A key is an identity, an ordinal and arguments: `acme/kit@1.2.0/page.Page#2<Int,List<tools/search.Hit>>`.
A reference to it is a URI fragment: JSON Pointer's escapes first, then percent-encoding.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

_REFERENCE: Final = "#/$defs/"
_NOT_IN_FRAGMENT = re.compile(r"[^A-Za-z0-9\-._~!$&'()*+,;=:@/?]")
_PERCENT = re.compile(r"(?:%[0-9A-Fa-f]{2})+")
# In a key every `@` begins a version, for identities percent-encode it elsewhere.
# One without a `/` takes the rest with it, so that a text of nothing but `@` is gone through once.
_VERSION = re.compile(r"@[^/]*+(/?)")


def declaration_key(identity: str, lexical_ordinal: int, arguments: Sequence[str] = ()) -> str:
    """The key of a declaration with `arguments`, each as a key writes it."""
    key = identity if lexical_ordinal == 1 else f"{identity}#{lexical_ordinal}"
    return f"{key}<{','.join(arguments)}>" if arguments else key


def reference(key: str) -> str:
    """The `$ref` to the `$defs` entry under `key`."""
    token = key.replace("~", "~0").replace("/", "~1")
    return _REFERENCE + _NOT_IN_FRAGMENT.sub(_percent, token)


def referenced_key(ref: str) -> str | None:
    """The key that `ref` refers to, in whatever case its hexadecimal; None where it is no such one."""
    if not ref.startswith(_REFERENCE):
        return None
    token = ref[len(_REFERENCE) :]
    if "/" in token:
        return None
    try:
        token = _PERCENT.sub(_decoded, token)
    except UnicodeDecodeError:
        return None
    return token.replace("~1", "/").replace("~0", "~")


def key_without_versions(key: str) -> str:
    """`key` with every `@version` left out, those inside its arguments as well."""
    return _VERSION.sub(_without, key) if "@" in key else key


def _without(version: re.Match[str]) -> str:
    return version[1] or version[0]


def _percent(match: re.Match[str]) -> str:
    return "".join(f"%{byte:02X}" for byte in match.group().encode("utf-8", "surrogatepass"))


def _decoded(match: re.Match[str]) -> str:
    return bytes.fromhex(match.group().replace("%", "")).decode("utf-8")
