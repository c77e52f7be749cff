"""What the editor is told about each document: pushed, or given when it asks (LSP 3.17, "Diagnostics").

Each producer has a slot for each document. What holds here:
- A set is taken only for the text as it is now; one for an older text, or for a document closed meanwhile,
  is dropped.
- A document's sets go out together, when none of them is of an older text, stamped with its version.
- Nothing is sent twice: only another set, or the same for another text of an open document.
- What was pushed is cleared by an empty set, under the very URI it was pushed under.

The diagnostics are JSON texts; this file never looks into them. It does no I/O.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from flow_lsp.server.messages import JsonText, json_text

Items = tuple[str, ...]
"""Diagnostics as JSON texts."""

Send = Callable[[str, int | None, Items], None]
"""Takes the URI, the document's version (None: it is not open) and all diagnostics of the document."""


@dataclass(slots=True)
class _Entry:
    uri: str
    version: int | None = None
    revision: int | None = None  # of the open text; None while the document is not open
    slots: dict[str, tuple[int | None, Items]] = field(default_factory=dict)
    merged: Items = ()  # the last whole set
    result: int = 0  # names `merged` in pulls
    sent: Items = ()
    sent_revision: int | None = None
    reported: tuple[int | None, int] | None = None  # revision and result that were pulled last


def publish_params(uri: str, version: int | None, items: Items) -> JsonText:
    """The params of textDocument/publishDiagnostics."""
    stamp = "" if version is None else f'"version":{version},'
    return JsonText(f'{{"uri":{json_text(uri)},{stamp}"diagnostics":[{",".join(items)}]}}')


class Publisher:
    """The diagnostics of all documents, by the documents' keys."""

    def __init__(self, send: Send, pulls: bool = False, refreshes: bool = False, session: str = "") -> None:
        """`pulls`: the client asks for the diagnostics of open documents, so they are not pushed.
        `refreshes`: it asks again when told to, so that a client that asked once for the workspace's need
        not be pushed any. `session` begins every resultId, to tell this process from one before it."""
        self._send = send
        self._pulls = pulls
        self._refreshes = refreshes
        self._session = session
        self._workspace_pulled = False
        self._entries: dict[str, _Entry] = {}
        self._dirty: dict[str, None] = {}
        self._results = 0

    # -- what documents do ----------------------------------------------------------------------------

    def opened(self, key: str, uri: str, version: int, revision: int) -> None:
        """The document is open. What was known of its file stays with the client until the first set."""
        entry = self._entries.setdefault(key, _Entry(uri))
        if entry.uri != uri and entry.sent:
            self._publish(entry, None, ())
        entry.uri, entry.version, entry.revision = uri, version, revision
        entry.sent_revision = entry.reported = None
        self._dirty[key] = None

    def changed(self, key: str, version: int, revision: int) -> None:
        """The open document has another text."""
        entry = self._entries.get(key)
        if entry is not None and entry.revision is not None:
            entry.version, entry.revision = version, revision

    def closed(self, key: str) -> None:
        """The document is closed: its sets are dropped. Put those of the file on the disk before `flush`."""
        entry = self._entries.get(key)
        if entry is not None and entry.revision is not None:
            entry.version = entry.revision = entry.sent_revision = entry.reported = None
            entry.slots.clear()
            self._dirty[key] = None

    # -- what producers do ----------------------------------------------------------------------------

    def put(self, key: str, producer: str, items: Items, revision: int | None, uri: str = "") -> bool:
        """The set of one producer for one text: the open one of that revision, or with None the file's on
        the disk (`uri`: how to name a file that was never open). Whether it was taken.

        A producer that ever gave a set for an open document gives one for each of its texts.
        """
        entry = self._entries.get(key)
        if entry is None:
            if revision is not None or not items:
                return False
            entry = self._entries[key] = _Entry(uri)
        if entry.revision != revision:
            return False
        if entry.slots.get(producer) != (revision, items):
            entry.slots[producer] = revision, items
            self._dirty[key] = None
        return True

    def gone(self, key: str) -> None:
        """The file of a document that is not open is no more."""
        entry = self._entries.get(key)
        if entry is not None and entry.revision is None:
            entry.slots.clear()
            self._dirty[key] = None

    # -- pushing ------------------------------------------------------------------------------------

    def flush(self) -> None:
        """Publishes what there is to publish. Cheap where nothing changed."""
        dirty, self._dirty = self._dirty, {}
        for key in dirty:
            entry = self._entries[key]
            if not self._merge(entry):
                if self._pulled(entry) and entry.sent:
                    self._publish(entry, entry.version, ())
                continue
            wanted = () if self._pulled(entry) else entry.merged
            newer = entry.revision != entry.sent_revision and not self._pulled(entry)
            if wanted != entry.sent or (newer and entry.revision is not None):
                self._publish(entry, entry.version, wanted)
            if entry.revision is None and not entry.merged and not entry.reported:
                del self._entries[key]

    def _publish(self, entry: _Entry, version: int | None, items: Items) -> None:
        entry.sent, entry.sent_revision = items, entry.revision
        self._send(entry.uri, version, items)

    def _pulled(self, entry: _Entry) -> bool:
        return self._workspace_pulled if entry.revision is None else self._pulls

    def _merge(self, entry: _Entry) -> bool:
        """Brings `merged` up to date; False while a set for the text as it is now is missing."""
        current = [items for revision, items in entry.slots.values() if revision == entry.revision]
        old = any(items for revision, items in entry.slots.values() if revision != entry.revision)
        if old or (entry.revision is not None and not current):
            return False
        merged = current[0] if len(current) == 1 else tuple(item for items in current for item in items)
        if merged != entry.merged:
            self._results += 1
            entry.merged, entry.result = merged, self._results
        return True

    # -- pulling ------------------------------------------------------------------------------------

    def report(self, key: str, previous: str | None = None) -> JsonText:
        """The answer to textDocument/diagnostic: unchanged where the client has `previous` already."""
        entry = self._entries.get(key)
        if entry is None:
            return JsonText('{"kind":"full","items":[]}')
        self._merge(entry)
        entry.reported = entry.revision, entry.result
        return JsonText(f"{{{self._report(entry, previous)}}}")

    def workspace_report(self, previous: Mapping[str, tuple[str, str]]) -> list[str]:
        """The items of the answer to workspace/diagnostic, as JSON texts. `previous` holds by key the URI
        and the resultId that the client has; what it has of a file that is gone is answered as empty."""
        if self._refreshes and not self._workspace_pulled:
            self._workspace_pulled = True
            self._dirty.update((key, None) for key, entry in self._entries.items() if entry.sent)
        items = []
        for key, entry in list(self._entries.items()):
            self._merge(entry)
            had = previous.get(key)
            if not entry.merged and had is None:
                continue
            if entry.revision is None:
                entry.reported = None, entry.result
            stamp = "null" if entry.version is None else str(entry.version)
            rest = self._report(entry, had[1] if had else None)
            items.append(f'{{"uri":{json_text(entry.uri)},"version":{stamp},{rest}}}')
            if entry.revision is None and not entry.merged:
                entry.reported = None
                self._dirty[key] = None
        for key, (uri, _) in previous.items():
            if key not in self._entries:
                items.append(f'{{"uri":{json_text(uri)},"version":null,"kind":"full","items":[]}}')
        return items

    def _report(self, entry: _Entry, previous: str | None) -> str:
        result = f"{self._session}{entry.result}"
        if previous == result:
            return f'"kind":"unchanged","resultId":{json_text(result)}'
        return f'"kind":"full","resultId":{json_text(result)},"items":[{",".join(entry.merged)}]'

    def take_refresh(self) -> bool:
        """Whether a client that pulls should be told to ask again (workspace/diagnostic/refresh): a set is
        another than the one it was given for the same text. True once for each such change."""
        needed = False
        for entry in self._entries.values() if self._pulls or self._workspace_pulled else ():
            if not self._pulled(entry) or not self._merge(entry):
                continue
            now = entry.revision, entry.result
            if entry.revision is None:
                changed = entry.reported != now
            else:
                changed = entry.reported is not None and entry.reported[0] == now[0] and entry.reported != now
            if changed:
                needed = True
                entry.reported = now
        return needed
