"""Whether what a process listed in its answer to describe fits a call that waits for it.

Rules ("Identity and fingerprints", "Versioning", decisions 6 and 7):
- a data version of another major refuses every call, whatever else is listed;
- a declaration is matched by its identity with the version left out; where several entries match, one with the
  declaration's fingerprint is chosen, and of those first the one with the very identity;
- an entry whose fingerprint is not that of its signature is no proof of a fit.
"""

from __future__ import annotations

from collections.abc import Mapping

from flow_lsp.findings.model import shown
from flow_lsp.protocol.outcome import DescribeListing
from flow_lsp.signature.identity import without_version
from flow_lsp.values.data_version import same_major

NO_PROOF = ""  # the fingerprint of an entry that has none which its signature bears out


class Served:
    """What a process serves: {identity: fingerprint}, and its data version, for a host of `data_version`."""

    def __init__(self, data: str, tools: Mapping[str, str], data_version: str) -> None:
        self._tools = tools
        self._by_name: dict[str, dict[str, str]] = {}  # the identity for each fingerprint
        for identity, fingerprint in tools.items():
            self._by_name.setdefault(without_version(identity), {}).setdefault(fingerprint, identity)
        self._verdicts: dict[tuple[str | None, str | None], tuple[str | None, str]] = {}  # one for each declaration
        self._other_version: str | None = None
        if not same_major(data, data_version):
            self._other_version = (
                f"The implementation speaks data version {shown(data)}, of another major than this host's "
                f"{data_version}."
            )

    def unfit(self, tool: str | None, fingerprint: str | None) -> str | None:
        """Why a call to the declaration `tool` cannot be made, as a sentence; None where it can. Without a
        fingerprint that is not compared, and without a tool neither."""
        return self._verdict(tool, fingerprint)[0]

    def identity(self, tool: str | None, fingerprint: str | None) -> str:
        """How the implementation lists the declaration `tool`, which fits."""
        return self._verdict(tool, fingerprint)[1]

    def _verdict(self, tool: str | None, fingerprint: str | None) -> tuple[str | None, str]:
        """Both, worked out once for each declaration and not for each call."""
        found = self._verdicts.get((tool, fingerprint))
        if found is None:
            found = self._unfit(tool, fingerprint), self._identity(tool, fingerprint)
            self._verdicts[tool, fingerprint] = found
        return found

    def _unfit(self, tool: str | None, fingerprint: str | None) -> str | None:
        if self._other_version is not None or tool is None:
            return self._other_version
        listed = self._by_name.get(without_version(tool))
        if listed is None:
            return f"The implementation does not serve `{shown(tool)}`."
        if fingerprint is None or fingerprint in listed:
            return None
        other = next(iter(listed))
        if other == NO_PROOF:
            return f"The implementation lists `{shown(tool)}` with a fingerprint that is not its signature's."
        return (
            f"The implementation serves `{shown(tool)}` with the fingerprint {shown(other)}, and the declaration has "
            f"{shown(fingerprint)}."
        )

    def _identity(self, tool: str | None, fingerprint: str | None) -> str:
        if tool is None:
            return ""
        listed = self._by_name.get(without_version(tool), {})
        if tool in self._tools and fingerprint in (None, self._tools[tool]):
            return tool
        return next(iter(listed.values()), tool) if fingerprint is None else listed.get(fingerprint, tool)


def fingerprints(listing: DescribeListing) -> dict[str, str]:
    """What `listing` serves, as the ledger takes it."""
    return {tool.identity: tool.fingerprint if tool.problem is None else NO_PROOF for tool in listing.tools}
