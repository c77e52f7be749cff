"""Lenses above Tools, of a snapshot alone."""

from __future__ import annotations

import pytest
from support.bounds import not_hopeless

from flow_lsp.analysis.engine import Analysis
from flow_lsp.analysis.lenses import MOST_TOOLS, advice_on, tool_lenses
from flow_lsp.analysis.snapshot import Described, ProgramState, Snapshot, Standing
from flow_lsp.binding.model import CommandKey, ManifestFile
from flow_lsp.manifest.reader import read_manifest
from flow_lsp.protocol.outcome import DescribeFailure, DescribeListing, DescribeOutcome, FailureKind, ServedTool
from flow_lsp.source.reader import read_source
from flow_lsp.text.spans import Span

KEY = "/w/search.flow"
FIND = "@tool\nfn find(query: Text) -> Result<Int, Never>\n"
TABLE = '[tools."search.flow"]\n%s = "serve it"\n'


def snapshot(
    described: Described | None = None,
    source: str = FIND,
    manifest: str | None = TABLE % "command",
    program: str | None = None,
) -> Snapshot:
    class Machine:
        def program(self, directory: str, word: str) -> ProgramState:
            return ProgramState(word if program is None else None, program)

        def exists(self, path: str) -> bool:
            return True

    manifests = {}
    if manifest is not None:
        read = read_manifest(manifest)
        manifests["/w"] = ManifestFile("/w/flow.toml", "/w", read, None, None if read.has_error else read)
    known = {} if described is None else {CommandKey("/w", ("serve", "it")): described}
    return Snapshot(sources={KEY: read_source(source)}, manifests=manifests, described=known, environment=Machine())


def state(found: Snapshot) -> str:
    (lens,) = tool_lenses(Analysis(), found, KEY)
    return lens.state


def served(identity: str = "search.find", fits: bool = True) -> DescribeOutcome:
    (tool,) = Analysis().tools(snapshot(), KEY)
    signature = tool.declared.signature
    assert signature is not None
    fingerprint = signature.fingerprint if fits else "sha256:" + "0" * 64
    entry = ServedTool(identity, fingerprint, signature.served, signature.fingerprint)
    return DescribeOutcome(DescribeListing("0.1", (entry,)), started_at=1.0)


FAILED = DescribeOutcome(None, DescribeFailure(FailureKind.EXITED, "ended."), started_at=1.0)


@pytest.mark.parametrize(
    ("standing", "outcome", "expected"),
    [
        (Standing.CURRENT, served(), "fits · serve it"),
        (Standing.RUNNING, served(), "fits, as it was; being asked · serve it"),
        (Standing.REMEMBERED, served(), "fits, as it was · serve it"),
        (Standing.RECORDED, served(), "fits, as recorded · serve it"),
        (Standing.NOT_TRUSTED, served(), "fits, as it was; not run: not trusted · serve it"),
        (Standing.CURRENT, served(fits=False), "drift · serve it"),
        (Standing.CURRENT, served("search.other"), "unserved · serve it"),
        (Standing.CURRENT, FAILED, "describe failed · serve it"),
        (Standing.UNKNOWN, None, "not asked yet · serve it"),
        (Standing.RUNNING, None, "being asked · serve it"),
        (Standing.NOT_TRUSTED, None, "not run: not trusted · serve it"),
    ],
)
def test_each_state_of_a_command(standing: Standing, outcome: DescribeOutcome | None, expected: str) -> None:
    found = snapshot(Described(standing, outcome, "12:00"))
    (lens,) = tool_lenses(Analysis(), found, KEY)
    assert (lens.state, lens.asks, lens.callable) == (expected, True, True)


def test_each_state_without_a_command() -> None:
    assert state(snapshot(manifest=None)) == "unbound: no flow.toml"
    assert state(snapshot(manifest="")) == "unbound: no table in flow.toml"
    assert state(snapshot(manifest="x")) == "refused: flow.toml has an error"
    assert state(snapshot(program="It is not there.")) == "unbound · serve it"
    found = snapshot(source=FIND.replace("Int", "Nothing"))
    (lens,) = tool_lenses(Analysis(), found, KEY)
    assert (lens.state, lens.callable) == ("its signature is not known", False)


def test_a_long_command_is_cut() -> None:
    found = snapshot(manifest='[tools."search.flow"]\ncommand = "serve %s"\n' % ("x" * 100))
    assert len(state(found)) < 60
    assert state(found).endswith("x…")


def test_a_lens_stands_at_the_attribute_of_its_tool() -> None:
    source = FIND + "/// Not @tool yet.\n@other(1)\n  @tool // here\npub fn seek(query: Text) -> Result<Int, Never>\n"
    lenses = tool_lenses(Analysis(), snapshot(source=source), KEY)
    places = [source.index("@tool"), source.index("@tool // here")]
    assert [lens.span for lens in lenses] == [Span(place, place + 5) for place in places]
    assert [lens.name for lens in lenses] == ["find", "seek"]


def test_a_file_of_very_many_tools_has_lenses_above_the_first() -> None:
    source = "".join(FIND.replace("find", f"find{number}") for number in range(MOST_TOOLS + 200))
    with not_hopeless():
        assert len(tool_lenses(Analysis(), snapshot(source=source), KEY)) == MOST_TOOLS


def advice(found: Snapshot) -> str:
    analysis = Analysis()
    return advice_on(analysis, found, KEY, analysis.tools(found, KEY)[0])


def test_what_to_do_is_what_the_finding_says_else_how_it_stands() -> None:
    assert advice(snapshot(manifest="")).startswith("`find` is unbound: flow.toml has no table for this file. Add ")
    assert (
        advice(snapshot(manifest="x")) == "`find` (refused): The nearest flow.toml has an error, which refuses the run."
    )
    assert "cannot start. It is not there." in advice(snapshot(program="It is not there."))
