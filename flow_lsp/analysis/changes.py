"""What an implementation says now against what it said before: the entries that came, went and changed."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from flow_lsp.analysis.served import is_large
from flow_lsp.protocol.outcome import DescribeListing, ServedTool

if TYPE_CHECKING:
    from flow_lsp.protocol.mcp.listing import McpListing

# The sentences of a comparison are about two places; here they are about two times.
_OF_TIME = {
    "is declared but not served": "is new",
    "is served but not declared": "is gone",
    "here": "now",
    "there": "before",
}
_WORDS = re.compile(rf"(?<![`\w])(?:{'|'.join(_OF_TIME)})(?![`\w])")


@dataclass(frozen=True, slots=True)
class ListingChanges:
    """Identities that are new, those that are gone, and those that are served otherwise, each with what differs. Of an
    MCP server, the names of its tools."""

    added: Sequence[str] = ()
    removed: Sequence[str] = ()
    changed: Sequence[tuple[str, str]] = ()

    def __bool__(self) -> bool:
        return bool(self.added or self.removed or self.changed)


def listing_changes(
    before: DescribeListing | McpListing, after: DescribeListing | McpListing, most: int
) -> ListingChanges:
    """What differs between two listings of one kind. Of each entry that changed, at most `most` differences are put in
    words."""
    if not isinstance(before, DescribeListing) or not isinstance(after, DescribeListing):
        assert not isinstance(before, DescribeListing)
        assert not isinstance(after, DescribeListing)
        from flow_lsp.analysis.mcp_changes import tool_changes  # seldom needed

        return ListingChanges(*tool_changes(before, after, most))
    old = {served.identity: served for served in before.tools}
    new = {served.identity: served for served in after.tools}
    return ListingChanges(
        tuple(sorted(new.keys() - old.keys())),
        tuple(sorted(old.keys() - new.keys())),
        tuple(
            (identity, _difference_text(old[identity], new[identity], most))
            for identity in sorted(new.keys() & old.keys())
            if _said_by(new[identity]) != _said_by(old[identity])
        ),
    )


def says_the_same(one: DescribeListing | McpListing, other: DescribeListing | McpListing) -> bool:
    """Whether two listings say the same of the same declarations, in whatever order. Worked out once of each."""
    return _said(one) == _said(other)


def _said_by(served: ServedTool) -> tuple[str, str, str]:
    return served.identity, served.fingerprint, served.recomputed or ""


def _said(listing: DescribeListing | McpListing) -> str:
    known = listing.worked_out.get(says_the_same)
    if not isinstance(known, str):
        if isinstance(listing, DescribeListing):
            said: object = listing.data, sorted(map(_said_by, listing.tools))
        else:
            from flow_lsp.analysis.mcp_changes import said_of_tools

            said = said_of_tools(listing)
        whole = repr(said).encode("utf-8", "backslashreplace")
        known = listing.worked_out[says_the_same] = hashlib.sha256(whole).hexdigest()
    return known


def _difference_text(before: ServedTool, after: ServedTool, most: int) -> str:
    if before.recomputed == after.recomputed:
        return "the fingerprint beside the signature is another"
    if is_large(before.signature) or is_large(after.signature):
        return "the signature is another, and too large to be compared in words"
    from flow_lsp.signature.difference import differences  # only a change needs it, and it is large

    found = differences(after.signature, before.signature)
    more = len(found) - most
    sentences = [_WORDS.sub(lambda word: _OF_TIME[word[0]], difference.sentence) for difference in found[:most]]
    return "; ".join(sentences) + (f"; and {more} more" if more > 0 else "")
