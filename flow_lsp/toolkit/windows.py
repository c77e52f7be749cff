"""What differs on Windows. Written from its documentation, and untried.

Descriptors of the C run time change line ends unless they are told not to. Its `dup2` sets the standard handle of the
process as well, so that programs that are started write to standard error too.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable


def make_binary(descriptors: Iterable[int]) -> None:
    """Has bytes read and written as they are."""
    if sys.platform == "win32":
        import msvcrt
        import os

        for descriptor in descriptors:
            msvcrt.setmode(descriptor, os.O_BINARY)
