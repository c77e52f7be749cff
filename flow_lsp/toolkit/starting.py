"""The start of a process that serves a Program: describe is answered before most of the package is imported.

A host starts implementations for each run, and an editor asks them after every change what they serve. So the answer
is a text that was generated, the request is looked for as hosts write it, and what only calls need is imported
afterwards, and not at all where the host asks nothing else. A request that is written otherwise is answered by
`protocol.serving`, as everything else.
"""

from __future__ import annotations

import os
import sys
from typing import NoReturn

from flow_lsp.toolkit.functions import tool_functions
from flow_lsp.toolkit.program import Program
from flow_lsp.toolkit.streams import StreamsMissing, say, take_streams, write_whole
from flow_lsp.values.data_version import DATA_VERSION

_READ_SIZE = 64 * 1024
_LONGEST = 1_000  # bytes of a describe request that is answered here
_LARGE = 8 * 1024 * 1024  # bytes of a listing, past which the limit of a message is looked at
_IDLE = 20  # milliseconds without a word of the host, after which the rest is imported
_HEAD = b'{"jsonrpc":"2.0","id":'
_TAIL = b',"method":"describe","params":{"data":"%b"}}' % DATA_VERSION.encode()
_ID_DIGITS = 18
_USAGE = 2  # the exit status of a process that was not started as it must be


def serve_program(program: Program, tools: object) -> None:
    """Serves `program` with the functions of `tools` until the input ends. Exits with status 2 where these are not the
    functions of its Tools, before anything is answered."""
    functions = tool_functions(program.methods, tools)
    if isinstance(functions, str):
        _refuse(functions)
    if os.isatty(0):
        say("this serves Tools to a host, which writes to its standard input; it waits for messages. Ctrl-D ends it.")
    try:
        source, target = take_streams()
    except StreamsMissing:
        _refuse("Tools are served on standard input and output, and one of them is closed.")
    begun = _begin(source, target, program.describe)
    if begun is not None:
        from flow_lsp.toolkit.serving import Serving

        Serving(program, functions, source, target).serve(begun)
    else:
        os.close(source)
        os.close(target)


def _begin(source: int, target: int, describe: str) -> bytes | None:
    """Answers describe where the host asks as hosts do; what was read and not answered, or None at the end."""
    data = b""
    while True:
        read = os.read(source, _READ_SIZE)
        if not read:
            return data or None
        data += read
        line, end, rest = data.partition(b"\n")
        if end or len(data) > _LONGEST:
            break
    request_id = _request_id(line)
    if request_id is None or len(describe) > _LARGE:
        return data
    answer = b'{"jsonrpc":"2.0","id":%b,"result":{"data":"%b","tools":%b}}\n'
    try:
        write_whole(target, answer % (request_id, DATA_VERSION.encode(), describe.encode()))
    except OSError:
        return None
    return rest or _next(source)


def _request_id(line: bytes) -> bytes | None:
    """The id of `line`, where that is the request as hosts write it."""
    if not (line.startswith(_HEAD) and line.endswith(_TAIL)):
        return None
    found = line[len(_HEAD) : -len(_TAIL)]
    plain = found.isdigit() and len(found) <= _ID_DIGITS and (found == b"0" or found[:1] != b"0")
    return found if plain else None


def _next(source: int) -> bytes | None:
    """What the host says next, empty where that is nothing for a while; None where it is the end."""
    if sys.platform == "win32":
        return b""
    import select

    poll = select.poll()
    poll.register(source, select.POLLIN)
    return (os.read(source, _READ_SIZE) or None) if poll.poll(_IDLE) else b""


def _refuse(sentence: str) -> NoReturn:
    say(sentence)
    raise SystemExit(_USAGE)
