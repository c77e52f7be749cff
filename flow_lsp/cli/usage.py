"""What the user gave that cannot be used."""

from __future__ import annotations


class UsageError(Exception):
    """A sentence for standard error; the command ends with status 2."""
