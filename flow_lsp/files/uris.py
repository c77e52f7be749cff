"""Between `file:` URIs and paths (RFC 3986, RFC 8089; LSP 3.17, DocumentUri).

A path here is absolute and written with `/`: `/p/a.flow`, `C:/p/a.flow` or `//server/share/a.flow`. Names
that are no UTF-8 keep their bytes as `os.fsdecode` has them, so that every path comes back unchanged.
"""

from __future__ import annotations

import re

_PLAIN = re.compile(r"[A-Za-z0-9\-._~/]*")
_ENCODED = [chr(byte) if byte < 0x80 and _PLAIN.fullmatch(chr(byte)) else f"%{byte:02X}" for byte in range(256)]
_ESCAPE = re.compile(r"%([0-9A-Fa-f]{2})?")
_HOST = re.compile(r"[a-z0-9\-._~]+")
_DRIVE_PATH = re.compile(r"[A-Za-z]:(?=/|$)")
_DRIVE_IN_URI = re.compile(r"/?([A-Za-z])(?::|%3[Aa])(?=/|$)")


def path_of(uri: str) -> str | None:
    """The absolute path that a `file:` URI names, or None: another scheme, an escape that is none, a query or
    fragment (a file URI has neither), a NUL, or no absolute path.

    Escapes are decoded once. A drive letter is given in upper case.
    """
    if uri[:5].lower() != "file:" or "?" in uri or "#" in uri:
        return None
    rest = uri[5:]
    host = ""
    if rest.startswith("//"):
        host, slash, behind = rest[2:].partition("/")
        if _DRIVE_IN_URI.fullmatch(host):  # file://C:/p, as some clients write it
            host, rest = "", "/" + host + slash + behind
        else:
            rest = slash + behind
    if not rest.startswith("/"):
        return None
    drive = _DRIVE_IN_URI.match(rest)
    if drive:
        rest = rest[drive.end() :]
    decoded = _decoded(rest)
    decoded_host = _decoded(host)
    if decoded is None or decoded_host is None or "\0" in decoded or "\0" in decoded_host:
        return None
    if drive:
        return f"{drive[1].upper()}:{decoded or '/'}"
    if decoded_host and decoded_host.lower() != "localhost":
        return f"//{decoded_host}{decoded}"
    return decoded


def uri_of(path: str) -> str:
    """The `file:` URI of an absolute path written with `/`; `path_of` gives the path back.

    Raises ValueError where the path is not absolute.
    """
    drive = _DRIVE_PATH.match(path)
    if drive:
        return "file:///" + path[:2] + _encoded(path[2:])
    if not path.startswith("/"):
        raise ValueError(f"not an absolute path: {path!r}")
    if _DRIVE_PATH.match(path[1:]):
        # A directory in / that is only called like a drive: its letter is escaped, not to be read as one.
        return f"file:///%{ord(path[1]):02X}" + _encoded(path[2:])
    if path.startswith("//"):
        host, slash, behind = path[2:].partition("/")
        if slash and _HOST.fullmatch(host) and host != "localhost":
            return f"file://{host}/{_encoded(behind)}"
    return "file://" + _encoded(path)


def normalized(uri: str) -> str:
    """One key for one document, however its URI is spelt: letter case of the scheme, the host, the drive and
    of escapes, needless escapes, `localhost`.

    A URI of another scheme, or one that names no path, is its own key but for the case of its scheme.
    """
    path = path_of(uri)
    if path is not None:
        if path.startswith("//"):
            host, slash, behind = path[2:].partition("/")
            path = "//" + host.lower() + slash + behind
        return uri_of(path)
    scheme, colon, rest = uri.partition(":")
    return scheme.lower() + colon + rest if scheme.isascii() else uri


def _decoded(text: str) -> str | None:
    if "%" not in text:
        return text
    pieces = bytearray()
    end = 0
    for escape in _ESCAPE.finditer(text):
        if escape[1] is None:
            return None
        pieces += _bytes(text[end : escape.start()])
        pieces.append(int(escape[1], 16))
        end = escape.end()
    pieces += _bytes(text[end:])
    return pieces.decode("utf-8", "surrogateescape")


def _encoded(path: str) -> str:
    if _PLAIN.fullmatch(path):
        return path
    return "".join(_ENCODED[byte] for byte in _bytes(path))


def _bytes(text: str) -> bytes:
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:  # half a character, which no file system gives
        return text.encode("utf-8", "surrogatepass")
