"""Snapshots from one string, without a disk: `//- PATH` begins a file; `^^^` marks a place in the line above."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from posixpath import dirname, join

from flow_lsp.analysis.snapshot import Described, Folder, ProgramState, Settings, Snapshot, Standing
from flow_lsp.binding.model import CommandKey, ManifestFile
from flow_lsp.manifest.reader import read_manifest
from flow_lsp.protocol.describe import Answered, DescribeConversation, Noise, Refused
from flow_lsp.protocol.outcome import DescribeOutcome
from flow_lsp.source.reader import read_source
from flow_lsp.text.spans import Span

ROOT = "/w"
_MARK = re.compile(r"^[ \t]*(?:#|//)?[ \t]*(\^+)[ \t]*$")


@dataclass(frozen=True)
class StubEnvironment:
    """Files are those of the fixture; every program is there, but those in `missing`."""

    files: frozenset[str]
    missing: Mapping[str, str] = field(default_factory=dict)
    texts: Mapping[str, str] = field(default_factory=dict)

    def program(self, directory: str, word: str) -> ProgramState:
        if word in self.missing:
            return ProgramState(None, self.missing[word])
        return ProgramState(word if word.startswith("/") else f"/bin/{word}")

    def exists(self, path: str) -> bool:
        return path in self.files

    def text(self, path: str) -> str | None:
        return self.texts.get(path)

    def python(self, directory: str) -> str:
        own = join(directory, ".venv/bin/python")
        return ".venv/bin/python" if own in self.files else "python3"


@dataclass
class Fixture:
    """Texts by path relative to /w, and the marked places by path."""

    texts: dict[str, str]
    marks: dict[str, list[Span]]

    def key(self, path: str) -> str:
        return join(ROOT, path)


def fixture(text: str) -> Fixture:
    """The files of `text`; lines of carets are taken out and become marks."""
    texts: dict[str, str] = {}
    marks: dict[str, list[Span]] = {}
    for part in re.split(r"(?m)^//- ", text)[1:]:
        path, _, body = part.partition("\n")
        lines: list[str] = []
        found: list[Span] = []
        for line in body.split("\n"):
            mark = _MARK.match(line)
            if mark is None:
                lines.append(line)
                continue
            start = len("\n".join(lines)) - len(lines[-1])
            found.append(Span(start + mark.start(1), start + mark.end(1)))
        texts[path.strip()] = "\n".join(lines)
        marks[path.strip()] = found
    return Fixture(texts, marks)


def snapshot(
    made: Fixture,
    *,
    described: Mapping[CommandKey, Described] | None = None,
    undescribed: Described | None = None,
    last_good: Mapping[str, str] | None = None,
    missing: Mapping[str, str] | None = None,
    settings: Settings | None = None,
    folders: Iterable[Folder] = (Folder(ROOT),),
) -> Snapshot:
    """The snapshot of a fixture. `last_good` holds earlier texts of manifests without errors, by path."""
    sources = {made.key(path): read_source(text) for path, text in made.texts.items() if path.endswith(".flow")}
    manifests = {}
    for path, text in made.texts.items():
        if path.endswith("flow.toml"):
            manifest = read_manifest(text)
            directory = dirname(made.key(path))
            earlier = (last_good or {}).get(path)
            good = read_manifest(earlier) if earlier is not None else None if manifest.has_error else manifest
            manifests[directory] = ManifestFile(made.key(path), directory, manifest, None, good)
    return Snapshot(
        folders=tuple(folders),
        sources=sources,
        manifests=manifests,
        described=described or {},
        undescribed=undescribed or Described(Standing.UNKNOWN),
        settings=settings or Settings(),
        environment=StubEnvironment(
            frozenset(map(made.key, made.texts)),
            missing or {},
            {made.key(path): text for path, text in made.texts.items()},
        ),
    )


def answered(*lines: object, standing: Standing = Standing.CURRENT) -> Described:
    """What is known of a command that wrote these lines: objects as JSON, texts as they are."""
    conversation = DescribeConversation()
    listing = failure = None
    noise = []
    text = "".join(f"{line if isinstance(line, str) else json.dumps(line)}\n" for line in lines)
    for event in [*conversation.receive(text.encode()), *conversation.end()]:
        if isinstance(event, Answered):
            listing = event.listing
        elif isinstance(event, Refused):
            failure = event.failure
        elif isinstance(event, Noise):
            noise.append(event.text)
    outcome = DescribeOutcome(listing, failure, tuple(noise), noise_count=len(noise), stderr_tail=("a log line",))
    return Described(standing, outcome, "12:00:00")


def listing(*tools: tuple[str, str, object], data: str = "0.1") -> dict[str, object]:
    """A describe response: each tool is (identity, fingerprint, signature)."""
    entries = [
        {"tool": identity, "fingerprint": fingerprint, "signature": signature}
        for identity, fingerprint, signature in tools
    ]
    return {"jsonrpc": "2.0", "id": 1, "result": {"data": data, "tools": entries}}
