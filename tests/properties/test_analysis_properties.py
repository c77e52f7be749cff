"""Whatever is edited in whatever order, what is remembered changes no finding: they are those of a fresh look."""

from __future__ import annotations

from typing import TypeAlias

from hypothesis import given, settings
from hypothesis import strategies as st
from support.mcp_answers import offers

from flow_lsp.analysis.engine import Analysis
from flow_lsp.analysis.places import hover_at
from flow_lsp.analysis.snapshot import NOT_ASKED, Described, Snapshot, Standing
from flow_lsp.analysis.tool_tree import UNFIT, TreeFile, tree_file, tree_stamp
from flow_lsp.binding.model import CommandKey, ManifestFile
from flow_lsp.files.paths import is_manifest
from flow_lsp.files.workspace import WorkspaceFiles
from flow_lsp.host.project import Project
from flow_lsp.manifest.model import BindingKind
from flow_lsp.manifest.reader import read_manifest
from flow_lsp.protocol.listing import read_listing
from flow_lsp.protocol.outcome import DescribeFailure, DescribeListing, DescribeOutcome, FailureKind
from flow_lsp.source.reader import read_source

ROOT = "/no such folder"
SOURCES = ("a.flow", "types.flow", "sub/b.flow", "sub/types.flow", "sub/deep/c.flow")
MANIFESTS = ("flow.toml", "sub/flow.toml", "sub/deep/flow.toml")

Edit: TypeAlias = tuple[str, list[str] | None]

PIECES = (
    "import ./types\n",
    "import ./types.{Hit}\n",
    "import ./types.{Hit, Page}\n",
    "import ./sub/types as t\n",
    "import ../types\n",
    "import ../a\n",
    "import ./b.{Hit}\n",
    "import ./a.{Hit}\n",
    "import std/json\n",
    "import acme/kit/search\n",
    "import ./types.{\n",
    "record Hit { title: Text, next: Option<Hit> }\n",
    "record Hit { title: Int }\n",
    "/// A hit.\nrecord Hit { title: Text, page: Page<Hit> }\n",
    "record Hit { self: Hit }\n",
    "record Page<T> { items: List<T> }\n",
    "record Page<T> { next: Option<Page<List<T>>> }\n",
    "record Page { items: List<types.Hit> }\n",
    "enum Problem { Offline, Slow(Duration), Told { hit: Hit } }\n",
    "opaque record Ticket { id: Text }\n",
    "host Session\n",
    "@tool\nfn find(query: Text) -> Result<List<Hit>, Problem>\n",
    "@tool\nfn find(query: Text, hit: types.Hit) -> Result<Page<Int>, Never>\n",
    "@tool\nfn echo<T>(value: T) -> Result<T, Never>\n",
    "@tool\nfn odd(value: fn(Int) -> Int) -> Result<Ticket, Session>\n",
    "@tool\nfn plain(a: t.Hit) -> Int\n",
    "@tool fn find(\n",
    "/* ",
    "}\n",
    "\n",
)
TABLES = (
    '[tools."a.flow"]\ncommand = "one"\n',
    '[tools."sub/b.flow"]\ncommand = "one"\n',
    '[tools."b.flow"]\ncommand = "two x"\n',
    '[tools."./b.flow"]\ncommand = "one"\n',
    '[tools."deep/c.flow"]\ncommand = "three"\n',
    '[tools."sub/deep/c.flow"]\nmcp = "server"\n',
    '[tools."a.flow"]\nmcp = "server"\n',
    '[tools."b.flow"]\nmcp = "server"\n',
    '[tools."c.flow"]\ncommand = "one"\nmcp = "server"\n',
    '[tools."gone.flow"]\ncommand = "two x"\n',
    '[tools."types.flow"]\n',
    "tools.\"a.flow\".command = 'two x'\n",
    "bogus = 1\n",
    "[tools\n",
    "# nothing\n",
    "\n",
)

OFFERED = (
    {"name": "find", "inputSchema": {"type": "object", "properties": {"query": {"type": "integer"}}}},
    {"name": "echo", "inputSchema": {"type": "object"}, "outputSchema": {"type": "object"}},
    "finde",
)

_edits: st.SearchStrategy[Edit] = st.one_of(
    st.tuples(st.sampled_from(SOURCES), st.none() | st.lists(st.sampled_from(PIECES), max_size=7)),
    st.tuples(st.sampled_from(MANIFESTS), st.none() | st.lists(st.sampled_from(TABLES), max_size=4)),
)


def _served() -> dict[CommandKey, Described]:
    """What some commands said: one listing that fits some, and a failure."""
    types = {"a.Hit": {"type": "object", "properties": {"title": {"type": "integer"}}, "required": ["title"]}}
    signature = {
        "params": [["query", {"type": "string"}]],
        "ok": {"type": "array", "items": {"$ref": "#/$defs/a.Hit"}, "$defs": types},
        "err": {"not": {}},
        "generic": [],
    }
    echo = {"params": [["value", {"$param": "T"}]], "ok": {"$param": "T"}, "err": {"not": {}}, "generic": ["T"]}
    tools = [
        {"tool": name, "fingerprint": f"sha256:{'0' * 64}", "signature": shape}
        for name, shape in (("a.find", signature), ("b.find", signature), ("a.echo", echo), ("x.extra", echo))
    ]
    listing = read_listing({"data": "0.1", "tools": tools})
    assert isinstance(listing, DescribeListing)
    failure = DescribeFailure(FailureKind.TIMED_OUT, "did not answer within 10 s.")
    found = {}
    for directory in (ROOT, f"{ROOT}/sub", f"{ROOT}/sub/deep"):
        found[CommandKey(directory, ("one",))] = Described(Standing.CURRENT, DescribeOutcome(listing), "12:00")
        found[CommandKey(directory, ("two", "x"))] = Described(
            Standing.REMEMBERED, DescribeOutcome(failure=failure), "1"
        )
        found[CommandKey(directory, ("server",), BindingKind.MCP)] = offers(*OFFERED)
    return found


SERVED = _served()


class _World:
    """A workspace of open documents alone."""

    def __init__(self) -> None:
        self.project = Project(WorkspaceFiles([ROOT]))
        self.analysis = Analysis()

    def apply(self, edit: Edit) -> None:
        name, pieces = edit
        path = f"{ROOT}/{name}"
        if pieces is None:
            keys = [self.project.files.drop_overlay(path)]
        else:
            keys = [self.project.files.set_overlay(path, "".join(pieces))]
        self.project.touch(keys)
        self.project.drop_gone()

    def files(self) -> list[str]:
        return [*self.project.files.manifests(), *self.project.source_keys()]


def _afresh(snapshot: Snapshot) -> Snapshot:
    """The same moment, every text read from nothing. A last good text is a memory that counts."""
    manifests = {}
    for directory, file in snapshot.manifests.items():
        manifest = None if file.manifest is None else read_manifest(file.manifest.text)
        good = None if file.last_good is None else read_manifest(file.last_good.text)
        manifests[directory] = ManifestFile(file.path, file.directory, manifest, file.problem, good)
    return Snapshot(
        snapshot.folders,
        {key: read_source(source.text) for key, source in snapshot.sources.items()},
        snapshot.source_problems,
        manifests,
        snapshot.described,
        snapshot.undescribed,
        snapshot.settings,
        snapshot.environment,
    )


def _said(analysis: Analysis, snapshot: Snapshot, key: str) -> list[object]:
    return [
        (finding.rule.code, finding.span, finding.message, finding.related)
        for finding in analysis.findings(snapshot, key)
    ]


@settings(max_examples=120, deadline=None)
@given(st.lists(_edits, min_size=1, max_size=12), st.data())
def test_findings_do_not_depend_on_what_was_looked_at_before(edits: list[Edit], data: st.DataObject) -> None:
    world = _World()
    world.project.set_described(SERVED, NOT_ASKED)
    for edit in edits:
        world.apply(edit)
        keys = world.files()
        snapshot = world.project.snapshot()
        # Not every file is looked at after every edit, and in any order.
        looked_at = data.draw(st.lists(st.sampled_from(keys), unique=True)) if keys else []
        fresh = _afresh(snapshot)
        for key in looked_at:
            assert _said(world.analysis, snapshot, key) == _said(Analysis(), fresh, key)
    fresh = _afresh(world.project.snapshot())
    anew = Analysis()
    for key in world.files():
        assert _said(world.analysis, world.project.snapshot(), key) == _said(anew, fresh, key)
        assert world.analysis.commands_of(world.project.snapshot(), key) == anew.commands_of(fresh, key)


@settings(max_examples=60, deadline=None)
@given(st.lists(_edits, min_size=1, max_size=8), st.data())
def test_hovers_do_not_depend_on_what_was_looked_at_before(edits: list[Edit], data: st.DataObject) -> None:
    world = _World()
    world.project.set_described(SERVED, NOT_ASKED)
    for edit in edits:
        world.apply(edit)
        for key in world.files():
            world.analysis.findings(world.project.snapshot(), key)
    snapshot = world.project.snapshot()
    fresh = _afresh(snapshot)
    for key in world.files():
        file = snapshot.manifests.get(key.rpartition("/")[0]) if is_manifest(key) else None
        if is_manifest(key):
            text = "" if file is None or file.manifest is None else file.manifest.text
        else:
            text = snapshot.sources[key].text
        offset = data.draw(st.integers(0, len(text)))
        assert hover_at(world.analysis, snapshot, key, offset) == hover_at(Analysis(), fresh, key, offset)


@settings(max_examples=60, deadline=None)
@given(st.lists(_edits, min_size=1, max_size=10), st.data())
def test_where_the_stamp_is_the_same_the_file_is(edits: list[Edit], data: st.DataObject) -> None:
    world = _World()
    world.project.set_described(SERVED, NOT_ASKED)
    kept: dict[str, tuple[object, TreeFile | None]] = {}
    for edit in edits:
        world.apply(edit)
        if data.draw(st.booleans()):  # an implementation is heard of, or forgotten
            known = data.draw(st.sets(st.sampled_from(sorted(SERVED, key=repr))))
            world.project.set_described({key: SERVED[key] for key in SERVED if key in known}, NOT_ASKED)
        state = world.project.snapshot()
        for key in world.project.source_keys():
            stamp, found = tree_stamp(world.analysis, state, key), tree_file(world.analysis, state, key)
            if key in kept and kept[key][0] == stamp:
                assert kept[key][1] == found
            kept[key] = stamp, found
            if found is not None:
                text = state.sources[key].text
                assert [text[tool.span.start : tool.span.end] for tool in found.tools] == [t.name for t in found.tools]
                assert found.unfit == sum(tool.state in UNFIT for tool in found.tools)
