"""What an implementation lists, ready to be asked about: by identity, and what was found out about it before.

A listing may hold ten thousand Tools and megabytes of schemas, and is looked at again at each keystroke. So what is
worked out of one is kept beside it, for as long as it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from flow_lsp.findings.model import shown
from flow_lsp.protocol.outcome import DescribeListing, ServedTool
from flow_lsp.signature.identity import without_version
from flow_lsp.text.distance import nearest_name

if TYPE_CHECKING:
    from flow_lsp.signature.signature import Signature

SHOWN_NAMES = 5
MOST_COMPARED = 500  # names that one is compared with, to find which may be meant
MOST_KEPT = 2_000  # answers that are kept of one listing
LARGEST_COMPARED = 20_000  # parts of a served signature that is compared in words


class ServedTools:
    """A listing by identity. Made by `served_tools`, which makes one of each listing."""

    def __init__(self, listing: DescribeListing) -> None:
        found: dict[str, list[ServedTool]] = {}
        for served in listing.tools:
            found.setdefault(without_version(served.identity), []).append(served)
        self.by_identity: Mapping[str, Sequence[ServedTool]] = found
        """The entries of each identity without its version."""
        self._identities = sorted(served.identity for served in listing.tools)
        self._near: dict[str, str | None] = {}
        self._differences: dict[tuple[int, str, int], tuple[ServedTool, str]] = {}

    def nearest(self, identity: str) -> str | None:
        """The listed identity of which `identity` may be a misspelling."""
        if identity not in self._near:
            if len(self._near) >= MOST_KEPT:
                self._near.clear()
            self._near[identity] = nearest_name(identity, self._identities[:MOST_COMPARED])
        return self._near[identity]

    def names_text(self) -> str:
        """The first identities, and how many more there are."""
        names = [f"`{shown(name)}`" for name in self._identities[:SHOWN_NAMES]]
        more = len(self._identities) - len(names)
        return f"{', '.join(names)}{f' and {more} more' if more else ''}"

    def differences_text(self, signature: Signature, served: ServedTool, most: int) -> str:
        """What differs between a declaration (here) and the entry `served` of this listing (there), in words; at most
        `most` differences."""
        key = id(served), signature.fingerprint, most
        known = self._differences.get(key)
        if known is None:
            if len(self._differences) >= MOST_KEPT:
                self._differences.clear()
            # The entry is kept beside the text, so that no other can have its identity.
            known = self._differences[key] = served, _differences_text(signature, served, most)
        return known[1]


def served_tools(listing: DescribeListing) -> ServedTools:
    """`listing` by identity, worked out once."""
    known = listing.worked_out.get(ServedTools)
    if not isinstance(known, ServedTools):
        known = listing.worked_out[ServedTools] = ServedTools(listing)
    return known


def _differences_text(signature: Signature, served: ServedTool, most: int) -> str:
    if served.recomputed == signature.fingerprint:
        return (
            f"the fingerprint there, {shown(served.fingerprint)}, is not the declaration's, though the signature "
            "beside it is the same"
        )
    if is_large(served.signature):
        return "the signature there is another, and too large to be compared in words"
    from flow_lsp.signature.difference import differences  # only drift needs it, and it is large

    found = differences(signature.served, served.signature)
    sentences = [difference.sentence for difference in found[:most]]
    more = len(found) - len(sentences)
    return "; ".join(sentences) + (f"; and {more} more" if more else "")


def is_large(value: object, most: int = LARGEST_COMPARED) -> bool:
    """Whether a JSON value has more than `most` parts; a hundred letters count as one more. Looks at no more parts
    than that."""
    ahead: list[object] = [value]
    count = 0
    while ahead:
        current = ahead.pop()
        count += 1
        if isinstance(current, str):
            count += len(current) // 100
        elif isinstance(current, dict | list):
            if count + len(current) > most:
                return True
            if isinstance(current, dict):
                count += sum(map(len, current)) // 100
                ahead.extend(current.values())
            else:
                ahead.extend(current)
        if count > most:
            return True
    return False
