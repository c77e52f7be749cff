"""A bound against growth without end. It is no measure of speed: that is for `benchmarks/`."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager

HOPELESS = 60.0  # seconds of processor time, which a busy machine hardly changes; what is right needs few


@contextmanager
def not_hopeless() -> Iterator[None]:
    """Fails where the block takes processor time as only a quadratic or exponential way does."""
    begin = time.process_time()
    yield
    assert time.process_time() - begin < HOPELESS
