"""A program run to see what it prints: no input, bounded in time and output, its process group ended."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from flow_lsp.processes.child import Child, Ending, StartProblem, start_child

_ENDING = Ending(grace=0.2, terminate=1.0, kill=2.0)


@dataclass(frozen=True, slots=True)
class BriefRun:
    """What a program printed, at most the bytes that were wanted. `problem` says, as a predicate with a full stop, why
    that is not all."""

    output: bytes = b""
    errors: tuple[str, ...] = ()
    exit_status: int | None = None
    problem: str = ""


async def run_briefly(
    directory: str,
    program: str,
    arguments: Sequence[str],
    *,
    timeout: float,
    size: int,
    environment: Mapping[str, str] | None = None,
) -> BriefRun:
    """Runs `program` in `directory` for at most `timeout` seconds and `size` bytes of output.

    Never raises but for a cancellation. The process and its group are gone when this returns. `environment` is that of
    this process where it is None.
    """
    child = start_child(directory, program, arguments, environment)
    if isinstance(child, StartProblem):
        return BriefRun(problem=child.sentence)
    output = bytearray()
    problem = ""
    try:
        child.input.close()
        try:
            async with asyncio.timeout(timeout):
                await _read(child, output, size)
        except TimeoutError:
            problem = f"did not end within {timeout:g} s."
    finally:
        ended = await child.end(_ENDING)
    return BriefRun(bytes(output[:size]), child.error_tail.lines(), ended.exit_status, problem)


async def _read(child: Child, output: bytearray, size: int) -> None:
    while len(output) < size:
        data = await child.output.read()
        if not data:
            await child.exited()
            return
        output += data
