"""Contracts files: what implementations answered, kept with the workspace for where they cannot be asked.

A file is as hostile as a process: its size is bounded, its text is read strictly, each listing in it is checked in
full again, and what is wrong is said with its place.
"""

from __future__ import annotations

import re
import time
from calendar import timegm
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from posixpath import normpath
from typing import Any

from flow_lsp.analysis.snapshot import Described, Standing
from flow_lsp.binding.model import CommandKey
from flow_lsp.files.paths import resolved
from flow_lsp.files.reading import ReadProblem, ReadProblemKind, read_data
from flow_lsp.findings.model import shown
from flow_lsp.manifest.model import BindingKind
from flow_lsp.protocol.listing import read_listing
from flow_lsp.protocol.mcp.listing import McpListing, read_mcp_listing, server_data, tool_data
from flow_lsp.protocol.outcome import DescribeFailure, DescribeListing, DescribeOutcome
from flow_lsp.text.lines import LineIndex, PositionEncoding
from flow_lsp.text.paths import joined, parent
from flow_lsp.text.secrets import masked_words
from flow_lsp.text.spans import Span
from flow_lsp.values.canonical import canonical_text
from flow_lsp.values.layout import laid_out
from flow_lsp.values.limits import DEFAULT_LIMITS, ENVELOPE_NESTING
from flow_lsp.values.places import place_of
from flow_lsp.values.strict_json import Json, JsonFault, JsonObject, JsonRefused, read_json

VERSION = 1
SIZE_LIMIT = 32 * 1024 * 1024  # bytes of one file
COUNT_LIMIT = 10_000  # contracts in one file

_AROUND = 4  # levels of the file that stand around a listing, and not in a message
_MOMENT = re.compile(r"(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)Z", re.ASCII)
_MEMBERS = ("directory", "words", "recorded", "data", "tools")
_MCP_MEMBERS = ("directory", "words", "recorded", "server", "tools")  # of an MCP server
_NONE = "`flow-lsp describe --record FILE` writes one."
_AGAIN = "Correct it, or remove the file and record it again with `flow-lsp describe --record`."


@dataclass(frozen=True, slots=True)
class Contract:
    """What one command answered, or one MCP server. `directory` counts from the file's folder, with `/`; `words` are
    masked; `recorded` is in seconds since 1970."""

    directory: str
    words: tuple[str, ...]
    recorded: int
    listing: DescribeListing | McpListing

    @property
    def key(self) -> CommandKey:
        """What it goes by in its file."""
        kind = BindingKind.COMMAND if isinstance(self.listing, DescribeListing) else BindingKind.MCP
        return CommandKey(self.directory, self.words, kind)

    @property
    def described(self) -> Described:
        """It as what is known of the command."""
        if isinstance(self.listing, DescribeListing):
            outcome = DescribeOutcome(listing=self.listing, started_at=float(self.recorded))
        else:
            outcome = DescribeOutcome(mcp=self.listing, started_at=float(self.recorded))
        return Described(Standing.RECORDED, outcome, day_and_time(self.recorded))


@dataclass(frozen=True, slots=True)
class ContractsProblem:
    """Why a file gives no contracts: a sentence, and the place in its `text`; None where it is of the whole file."""

    sentence: str
    text: str = ""
    span: Span | None = None

    @property
    def where(self) -> str:
        """The place as `:LINE:COLUMN`, counted from 1; empty where it is of the whole file."""
        if self.span is None:
            return ""
        position = LineIndex.of(self.text).position(self.span.start, PositionEncoding.UTF32)
        return f":{position.line + 1}:{position.character + 1}"


class _Refused(Exception):  # noqa: N818
    """A value is not as it must be: where, as a JSON Pointer, and a sentence."""

    def __init__(self, pointer: str, sentence: str) -> None:
        super().__init__(sentence)
        self.pointer, self.sentence = pointer, sentence


def read_contracts_file(path: str) -> tuple[Contract, ...] | ContractsProblem:
    """The contracts that the file at `path` holds, or why it holds none.

    Hashes every signature: keep it off an event loop's thread.
    """
    found = read_data(path, SIZE_LIMIT)
    if not isinstance(found, ReadProblem):
        return read_contracts(found.data)
    missing = found.kind is ReadProblemKind.MISSING
    return ContractsProblem(f"{found.sentence} {_NONE}" if missing else found.sentence)


def read_contracts(data: bytes) -> tuple[Contract, ...] | ContractsProblem:
    """The contracts that the bytes of a file hold, or why they hold none. Never raises."""
    try:
        value = read_json(data, DEFAULT_LIMITS, ENVELOPE_NESTING + _AROUND)
    except JsonRefused as refused:
        text = data.decode("utf-8", "replace")
        at = (
            len(data[: refused.offset].decode("utf-8", "replace")) if refused.kind is JsonFault.UTF8 else refused.offset
        )
        at = min(at, len(text))
        return ContractsProblem(f"{refused.sentence} {_AGAIN}", text, Span(at, min(at + 1, len(text))))
    try:
        return _contracts(value)
    except _Refused as refused:
        text = data.decode("utf-8")
        return ContractsProblem(f"{refused.sentence} {_AGAIN}", text, place_of(text, refused.pointer))


def contracts_text(contracts: Iterable[Contract]) -> str:
    """The text of a file that holds `contracts`: the same for the same ones, in whatever order they come."""
    ordered = sorted(contracts, key=lambda contract: (contract.directory, contract.words, contract.key.kind))
    return laid_out(f'{{"version":{VERSION},"contracts":[{",".join(map(_contract_text, ordered))}]}}') + "\n"


def said_text(listing: DescribeListing | McpListing) -> str:
    """The members of a contract that say what was answered, as canonical JSON text without braces."""
    if not isinstance(listing, DescribeListing):
        offered = sorted(listing.tools, key=lambda tool: tool.name)
        data = (canonical_text(tool_data(tool)) for tool in offered)
        return f'"server":{canonical_text(server_data(listing))},"tools":[{",".join(data)}]'
    tools = sorted(listing.tools, key=lambda served: served.identity)
    written = (
        f'{{"tool":{canonical_text(served.identity)},"fingerprint":{canonical_text(served.fingerprint)},'
        f'"signature":{canonical_text(served.signature)}}}'
        for served in tools
    )
    return f'"data":{canonical_text(listing.data)},"tools":[{",".join(written)}]'


def in_folder(contracts: Iterable[Contract], path: str) -> dict[CommandKey, Described]:
    """What contracts say, by the keys of their commands (`snapshot.contract_key`). `path` is their file's."""
    folder = parent(resolved(path))
    return {
        replace(contract.key, directory=normpath(joined(folder, contract.directory))): contract.described
        for contract in contracts
    }


def newest(files: Iterable[Mapping[CommandKey, Described]]) -> dict[CommandKey, Described]:
    """The contracts of several files: of two for one command the newer."""
    found: dict[CommandKey, Described] = {}
    for contracts in files:
        for key, described in contracts.items():
            if key not in found or _time(described) > _time(found[key]):
                found[key] = described
    return found


def day_and_time(seconds: float) -> str:
    """A moment in words, by the clock of this place."""
    return time.strftime("%Y-%m-%d %H:%M", time.localtime(seconds))


def _time(described: Described) -> float:
    return described.outcome.started_at if described.outcome is not None else 0.0


def _contract_text(contract: Contract) -> str:
    moment = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(contract.recorded))
    return (
        f'{{"directory":{canonical_text(contract.directory)},"words":{canonical_text(list(contract.words))},'
        f'"recorded":"{moment}",{said_text(contract.listing)}}}'
    )


# -- reading ----------------------------------------------------------------------------------------------


def _contracts(value: Json) -> tuple[Contract, ...]:
    if not isinstance(value, dict):
        raise _Refused("", "A contracts file is an object.")
    if "version" in value and (value["version"] != VERSION or isinstance(value["version"], bool)):
        raise _Refused("/version", f"This flow-lsp reads version {VERSION} of a contracts file, and this is another.")
    _members(value, "", ("version", "contracts"))
    entries = value["contracts"]
    if not isinstance(entries, list) or len(entries) > COUNT_LIMIT:
        raise _Refused("/contracts", f"An array of at most {COUNT_LIMIT:,} contracts is expected.")
    found: dict[CommandKey, Contract] = {}
    for number, entry in enumerate(entries):
        contract = _contract(entry, f"/contracts/{number}")
        if contract.key in found:
            raise _Refused(
                f"/contracts/{number}", f"There are two contracts of {shown(contract.key.command)} in one directory."
            )
        found[contract.key] = contract
    return tuple(found.values())


def _contract(value: Json, pointer: str) -> Contract:
    if not isinstance(value, dict):
        raise _Refused(pointer, "A contract is an object.")
    _members(value, pointer, _MCP_MEMBERS if "server" in value else _MEMBERS)
    directory, words = value["directory"], value["words"]
    if not isinstance(directory, str) or not directory or directory.startswith("/") or "\0" in directory:
        raise _Refused(f"{pointer}/directory", "A directory counts from the folder of the file: a relative path.")
    if not isinstance(words, list) or not words or not all(isinstance(word, str) for word in words):
        raise _Refused(f"{pointer}/words", "The words of a command are an array of one text or more.")
    key = CommandKey(normpath(directory), masked_words(tuple(map(str, words))))
    recorded = _seconds(value["recorded"])
    if recorded is None:
        raise _Refused(f"{pointer}/recorded", "A moment is expected, such as 2026-12-03T05:20:00Z.")
    listing = _listing(value)
    if isinstance(listing, str):
        raise _Refused(f"{pointer}/tools", f"What is recorded of {shown(key.command)} cannot be used: it {listing}")
    return Contract(key.directory, key.words, recorded, listing)


def _listing(value: JsonObject) -> DescribeListing | McpListing | str:
    """What was answered, checked in full; or why that cannot be used, as a predicate with a full stop."""
    if "server" in value:
        return read_mcp_listing(value["server"], value["tools"])
    found = read_listing({"data": value["data"], "tools": value["tools"]})
    return found.sentence if isinstance(found, DescribeFailure) else found


def _members(value: Mapping[str, Any], pointer: str, wanted: tuple[str, ...]) -> None:
    for name in wanted:
        if name not in value:
            raise _Refused(pointer, f"The member `{name}` is missing.")
    for name in value:
        if name not in wanted:
            escaped = name.replace("~", "~0").replace("/", "~1")
            raise _Refused(f"{pointer}/{escaped}", f"There is no member `{shown(name)}`; {' and '.join(wanted)} are.")


def _seconds(value: Json) -> int | None:
    """The moment that a text writes; None where it writes none."""
    found = _MOMENT.fullmatch(value) if isinstance(value, str) else None
    if found is None:
        return None
    moment = time.struct_time((*map(int, found.groups()), 0, 0, 0))
    try:
        seconds = timegm(moment)
        back = time.gmtime(seconds)
    except (ValueError, OverflowError, OSError):
        return None
    return seconds if seconds >= 0 and back[:6] == moment[:6] else None
