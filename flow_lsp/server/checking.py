"""What is checked when: the edited document at once, all others after a moment of quiet, and then published.

- The documents edited since the last check are checked when the messages that arrived together are handled.
- After 150 ms without an edit come the other open documents, then every file of the workspace, in slices of some
  milliseconds between which messages are handled; an edit stops it, and it begins again.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial

from flow_lsp.analysis.engine import Analysis
from flow_lsp.files.paths import is_manifest
from flow_lsp.files.uris import normalized, uri_of
from flow_lsp.findings.model import Finding
from flow_lsp.host.project import Project
from flow_lsp.server.capabilities import ClientCapabilities
from flow_lsp.server.convert import DiagnosticOptions, DiagnosticWriter, Place
from flow_lsp.server.documents import Document, Documents, Language
from flow_lsp.server.publisher import Publisher
from flow_lsp.server.slices import SLICE, after_turns, worked_off
from flow_lsp.text.lines import LineIndex, PositionEncoding
from flow_lsp.text.paths import parent

QUIET = 0.15  # seconds without an edit before the rest of the workspace is checked
PRODUCER = "flow"


class Checker:
    """Keeps the publisher in step with the project."""

    def __init__(
        self,
        project: Project,
        analysis: Analysis,
        documents: Documents,
        publisher: Publisher,
        page: Callable[[str], str],
        client: ClientCapabilities,
        on_fault: Callable[[str, Exception], None],
    ) -> None:
        """`page` gives the address of a code's page; `on_fault` is told of what should not have been."""
        self._project = project
        self._analysis = analysis
        self._documents = documents
        self._publisher = publisher
        self._on_fault = on_fault
        self._options = DiagnosticOptions(
            client.encoding,
            client.related_information,
            client.unnecessary_tag,
            page if client.code_description else None,
            self.place,
        )
        self._writers: dict[str, DiagnosticWriter] = {}
        self._edited: set[str] = set()
        self._synced: set[str] = set()  # open documents whose text the project has
        self._keys: dict[str, str] = {}  # of open documents: the project's by the document's
        self._published: dict[str, str] = {}  # keys of closed files with findings, by the publisher's key
        self._timer: asyncio.TimerHandle | None = None
        self._steps: Iterator[None] | None = None
        self._closed = False
        self.arguments: Callable[[Document], Sequence[Finding]] = lambda _: ()
        """What is wrong with the arguments of a call that a document holds."""
        self.on_checked: Callable[[], None] = lambda: None
        """Called when all of the workspace has been checked."""
        self.ready = False
        """Whether the workspace has been read; before that only open documents are checked."""

    # -- what happened --------------------------------------------------------------------------------

    def edited(self, document: Document) -> None:
        """The document was opened or has another text: it is checked at the next `check_edited`."""
        self._edited.add(document.key)
        self._steps = None
        self._synced.discard(document.key)

    def sync(self, document: Document) -> str | None:
        """Gives the project the texts of all documents as they stand, for one file's findings depend on the others;
        the document's key there, None for what is no file."""
        for key in self._edited - self._synced:
            other = self._documents.with_key(key)
            if other is not None:
                self._sync(other)
        return self._sync(document)

    def _sync(self, document: Document) -> str | None:
        if document.path is None or document.language is Language.ARGUMENTS:
            return None
        if document.key not in self._synced:
            key = self._project.files.set_overlay(document.path, document.text.text)
            self._keys[document.key] = key
            self._synced.add(document.key)
            self._project.touch([key])
        return self._keys[document.key]

    def closed(self, document: Document) -> None:
        """The document was closed; what is on the disk counts."""
        self._edited.discard(document.key)
        self._synced.discard(document.key)
        self._keys.pop(document.key, None)
        self._writers.pop(document.key, None)
        self.schedule()

    def schedule(self, quiet: float = QUIET) -> None:
        """Something changed: everything is checked again after `quiet` seconds without another change."""
        self._steps = None
        if self._timer is not None:
            self._timer.cancel()
        if self._closed:
            return
        self._timer = asyncio.get_running_loop().call_later(quiet, self._begin)

    def close(self) -> None:
        """Nothing more is checked."""
        self._closed = True
        self._steps = None
        if self._timer is not None:
            self._timer.cancel()

    # -- checking -------------------------------------------------------------------------------------

    def check_edited(self) -> None:
        """Checks what was edited, and publishes."""
        if not self._edited:
            return
        for document in [document for document in self._documents if document.key in self._edited]:
            self._check_document(document)
        self._edited.clear()
        self._publisher.flush()
        self.schedule()

    def check_now(self, document: Document) -> None:
        """Checks one open document as it stands, for a client that asks."""
        self._check_document(document)
        if document.key in self._edited:
            self._edited.discard(document.key)
            self.schedule()  # what depends on it is for later, as after any edit

    async def check_all(self) -> None:
        """Checks everything now, for a client that asks for the workspace; in slices. What is edited meanwhile is
        checked as after any edit."""
        self.check_edited()
        steps, self._steps = self._steps, None
        whole = False
        try:
            await worked_off(steps or self._all_steps())
            whole = True
        finally:
            if steps is not None and not whole:
                self.schedule()  # the round that was under way is to be begun again
        self._publisher.flush()
        if steps is not None:
            self.on_checked()

    def _begin(self) -> None:
        self._timer = None
        self._steps = self._all_steps()
        self._continue()

    def _continue(self) -> None:
        steps = self._steps
        if steps is None:
            return
        deadline = time.monotonic() + SLICE
        for _ in steps:
            if time.monotonic() > deadline:
                self._publisher.flush()
                after_turns(partial(self._continue_if, steps))
                return
        self._steps = None
        self._publisher.flush()
        self.on_checked()

    def _continue_if(self, steps: Iterator[None]) -> None:
        if self._steps is steps:
            self._continue()

    def _all_steps(self) -> Iterator[None]:
        for document in self._documents:
            if self._documents.with_key(document.key) is document:  # it may be closed by now
                self._check_document(document)
                yield
        if not self.ready:
            return
        seen = set()
        for key in [*self._project.files.manifests(), *self._project.source_keys()]:
            if not self._project.files.is_open(key):
                uri = uri_of(self._project.files.spelling(key))
                name = normalized(uri)
                seen.add(name)
                self._check_closed(key, uri, name)
                yield
        self._drop_gone([name for name in self._published if name not in seen])

    def _drop_gone(self, names: Sequence[str]) -> None:
        """Clears what is published under these names, but for files that came while others were checked."""
        files = self._project.files
        there = {*files.manifests(), *files.sources()} if names else set()
        for name in names:
            key = self._published[name]
            came = key in there and not files.is_open(key) and normalized(uri_of(files.spelling(key))) == name
            if not came:
                del self._published[name]
                self._publisher.gone(name)

    def _check_document(self, document: Document) -> None:
        try:
            self._check_open(document)
        except Exception as error:  # of this file alone: all others are checked still
            self._on_fault(f"while checking {document.uri}", error)

    def _check_open(self, document: Document) -> None:
        findings = self.findings(document)
        writer = self._writers.get(document.key)
        if writer is None:
            writer = self._writers[document.key] = DiagnosticWriter(self._options)
        items = writer.write(findings, document.text.index) if findings else ()
        self._publisher.put(document.key, PRODUCER, items, document.revision)

    def findings(self, document: Document) -> Sequence[Finding]:
        """The findings of an open document as it stands."""
        if document.path is None:
            if document.language is Language.FLOW:
                return self._analysis.loose_findings(
                    document.key, document.text.text, self._project.snapshot().settings
                )
            return ()
        key = self.sync(document)
        if document.language is Language.ARGUMENTS:
            return self.arguments(document)
        if key is None or document.language is Language.OTHER:
            return ()
        return self._file_findings(key)

    def _file_findings(self, key: str) -> Sequence[Finding]:
        snapshot = self._project.snapshot()
        if is_manifest(key):
            return self._analysis.manifest_findings(snapshot, parent(key))
        return self._analysis.source_findings(snapshot, key)

    def _check_closed(self, key: str, uri: str, name: str) -> None:
        try:
            self._check_on_disk(key, uri, name)
        except Exception as error:
            self._on_fault(f"while checking {uri}", error)

    def _check_on_disk(self, key: str, uri: str, name: str) -> None:
        findings = self._file_findings(key)
        if not findings:
            if self._published.pop(name, None) is not None:
                self._publisher.put(name, PRODUCER, (), None, uri)
            return
        self._published[name] = key
        index = self._index(key)
        items = DiagnosticWriter(self._options).write(findings, index)
        self._publisher.put(name, PRODUCER, items, None, uri)

    def _index(self, key: str) -> LineIndex:
        text = self._project.files.text(key)
        return LineIndex.of(text if isinstance(text, str) else "")

    def place(self, key: str) -> Place | None:
        """How another file is pointed at: as the client spells it, with the text as it is."""
        document = self._documents.with_key(key)  # what is no file goes by its URI
        if document is not None:
            return document.uri, document.text.index
        uri = uri_of(self._project.files.spelling(key))
        document = self._documents.get(uri)
        return (uri, self._index(key)) if document is None else (document.uri, document.text.index)

    @property
    def encoding(self) -> PositionEncoding:
        """The encoding of columns agreed with the client."""
        return self._documents.encoding
