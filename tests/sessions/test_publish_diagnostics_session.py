"""textDocument/publishDiagnostics as an editor sees it: places, versions, and what is cleared when."""

from __future__ import annotations

import pytest
from lsprotocol import types
from session_client import capabilities
from session_workspace import FIND, Workspace, command, table
from wire_client import did_change, framed

NEVER = {"trust": "never", "diagnostics": {"severity": {"not-run": "off"}}}
WRONG = "@tool fn find(query: Txet) -> Result<Int, Text>\n"


def span(diagnostic: types.Diagnostic) -> tuple[int, int, int, int]:
    where = diagnostic.range
    return where.start.line, where.start.character, where.end.line, where.end.character


@pytest.mark.parametrize(
    ("encodings", "agreed", "columns"),
    [
        (None, "utf-16", (26, 31)),
        (("utf-16",), "utf-16", (26, 31)),
        (("utf-8", "utf-16"), "utf-8", (30, 35)),
        (("utf-32",), "utf-32", (24, 29)),
    ],
)
async def test_columns_are_in_the_agreed_encoding_in_every_feature(editor, workspace, encodings, agreed, columns):
    one = editor()
    result = await one.start(capabilities(encodings), options=NEVER)
    assert result.capabilities.position_encoding == agreed
    one.open("flow.toml", 'tools = { "😋😋.flow" = { bogus = 1 } }')
    await one.until(lambda: "unknown-key" in one.codes("flow.toml"))
    (unknown,) = [item for item in one.found("flow.toml") if item.code == "unknown-key"]
    assert span(unknown) == (0, columns[0], 0, columns[1])
    for character in (12, 14):
        await one.hover("flow.toml", 0, character)  # in a surrogate pair, or not: it raises nothing
    assert "bogus" not in await one.complete("flow.toml", 0, columns[0])


async def test_a_tab_is_one_column(editor, workspace):
    one = editor()
    await one.start(options=NEVER)
    one.open("flow.toml", '[tools."a.flow"]\n\t\tbogus = 1\ncommand = "python3"\n')
    one.open("a.flow", "@tool\tfn f(x:\tTxt) -> Result<Int, Never>\n")
    (unknown,) = await one.shows("flow.toml", "unknown-key")
    assert span(unknown) == (1, 2, 1, 7)
    (unknown,) = await one.shows("a.flow", "unknown-type")
    assert span(unknown) == (0, 14, 0, 17)


async def test_crlf_gives_no_false_error_and_counts_one_line(editor, workspace):
    workspace.write("a.flow", FIND)
    one = editor()
    await one.start(options=NEVER)
    one.open("flow.toml", "[tools.\"a.flow\"]\r\ncommand = '''\r\npython3 me'''\r\nbogus = 1\r\n")
    (unknown,) = await one.shows("flow.toml", "unknown-key")
    assert span(unknown) == (3, 0, 3, 5)
    assert "words `python3` `me`" in await one.hover("flow.toml", 1, 2)
    one.change("flow.toml", '[tools."a.flow"]\r\ncommand = "a\rb"\r\n')
    (broken,) = await one.shows("flow.toml", "toml")
    assert broken.range.start == types.Position(1, 12)


async def test_a_byte_order_mark_on_the_disk_moves_nothing(editor, workspace):
    workspace.write("flow.toml", b'\xef\xbb\xbf[tools."a.flow"]\ncommand = "python3"\nbogus = 1\n')
    workspace.write("a.flow", b"\xef\xbb\xbf" + WRONG.encode())
    one = editor()
    await one.start(options=NEVER)
    await one.until(lambda: one.said() == {"flow.toml": ["unknown-key"], "a.flow": ["unknown-type"]})
    on_disk = {name: [span(item) for item in one.found(name)] for name in ("flow.toml", "a.flow")}
    assert on_disk == {"flow.toml": [(2, 0, 2, 5)], "a.flow": [(0, 21, 0, 25)]}
    for name in on_disk:
        one.open(name)
        await one.shows(name, *one.codes(name), version=1)
        assert [span(item) for item in one.found(name)] == on_disk[name]


async def test_every_publication_of_an_open_document_carries_its_version(editor, workspace):
    one = editor()
    await one.start(options=NEVER)
    one.open("a.flow", WRONG, version=7)
    await one.until(lambda: one.publications("a.flow"))
    for _ in range(3):
        version = one.change("a.flow", ((0, 0), (0, 0), " "))
        await one.until(lambda version=version: one.publications("a.flow")[-1].version == version)
    one.change("a.flow", FIND)
    await one.shows("a.flow", "unbound-no-manifest", version=11)
    await one.everything_checked()
    versions = [params.version for params in one.publications("a.flow")]
    assert versions == sorted(versions)
    assert versions[0] == 7


async def test_related_places_are_in_the_text_as_it_is_in_the_editor(editor, workspace):
    workspace.write("flow.toml", table("tools/search.flow", command()))
    workspace.write("tools/search.flow", FIND.replace("Int", "Text"))
    one = editor()
    await one.start(options={"trust": "always"})
    one.open("tools/search.flow")
    (drift,) = await one.shows("tools/search.flow", "drift")
    (related,) = drift.related_information
    assert (related.location.uri, related.location.range.start.line) == (workspace.uri("flow.toml"), 0)
    assert drift.code_description.href.startswith("file:///")
    one.open("flow.toml", "# one\n# two\n" + workspace.path("flow.toml").read_text())
    await one.until(lambda: one.found("tools/search.flow")[0].related_information[0].location.range.start.line == 2)


async def test_without_related_information_nothing_related_is_sent(editor, workspace):
    workspace.write("flow.toml", "")
    one = editor()
    await one.start(capabilities(related=False), options=NEVER)
    one.open("a.flow", FIND)
    (unbound,) = await one.shows("a.flow", "unbound-no-table")
    assert unbound.related_information is None


async def test_a_closed_document_counts_as_it_is_on_the_disk(editor, workspace):
    workspace.write("flow.toml", table("a.flow", "python3"))
    workspace.write("a.flow", WRONG)
    one = editor()
    await one.start(options=NEVER)
    await one.shows("a.flow", "unknown-type", version=None)
    one.open("a.flow", FIND)
    await one.shows("a.flow", version=1)
    one.close("a.flow")
    await one.shows("a.flow", "unknown-type")
    assert one.publications("a.flow")[-1].version is None


async def test_closing_what_is_on_no_disk_clears_and_is_the_last_word(editor, workspace):
    one = editor()
    await one.start(options=NEVER)
    one.open("new.flow", WRONG)
    await one.until(lambda: one.codes("new.flow"))
    count = len(one.publications("new.flow"))
    one.close("new.flow")
    await one.shows("new.flow")
    await one.everything_checked()
    await one.quiet()
    assert [params.diagnostics for params in one.publications("new.flow")[count:]] == [()]


async def test_a_change_right_before_the_close_publishes_nothing_but_the_clearing(editor, workspace):
    one = editor()
    await one.start(options=NEVER)
    one.open("new.flow", FIND)
    await one.until(lambda: one.codes("new.flow"))
    one.change("new.flow", WRONG)
    one.close("new.flow")
    await one.shows("new.flow")
    await one.everything_checked()
    *before, last = one.publications("new.flow")
    assert (last.version, last.diagnostics) == (None, ())
    assert None not in [params.version for params in before]


async def test_versions_that_come_again_or_go_back_lose_nothing(editor, workspace):
    one = editor()
    await one.start(options=NEVER)
    one.open("a.flow", FIND, version=5)
    unbound, unknown = "unbound-no-manifest", "unknown-type"
    await one.shows("a.flow", unbound, version=5)
    for version, text, code in ((6, WRONG, unknown), (6, FIND, unbound), (2, WRONG, unknown)):
        one._versions[workspace.uri("a.flow")] = version - 1
        one.change("a.flow", text)
        await one.until(lambda code=code: code in one.codes("a.flow"))
    one.close("a.flow")
    one.open("a.flow", FIND, version=1)
    await one.shows("a.flow", "unbound-no-manifest", version=1)
    one._versions[workspace.uri("never.flow")] = 1
    one.change("never.flow", WRONG)
    assert "find" in await one.hover("a.flow", 0, 10)
    assert any("is not open" in line for line in one.logs)


async def test_one_document_however_its_uri_is_spelt(editor, workspace: Workspace):
    workspace.write("a.flow", FIND)
    spelt = workspace.uri("flow.toml").replace("/flow.toml", "/%66low%2Etoml")
    one = editor()
    await one.start(options=NEVER)
    await one.shows("a.flow", "unbound-no-manifest")
    one.open(spelt, "bogus = 1\n", language="toml")
    await one.until(lambda: one.codes(spelt) == ["unknown-key"])
    one.watched("flow.toml")
    await one.everything_checked()
    assert set(one.client.diagnostics) == {spelt, workspace.uri("a.flow")}
    assert "tools" in await one.complete("flow.toml", 1, 0)


async def test_a_drive_letter_in_every_spelling_is_one_document(editor, workspace):
    one = editor()
    await one.start(options=NEVER)
    opened = "file:///c%3A/p/flow.toml"
    one.open(opened, "bogus = 1\n", language="toml")
    await one.until(lambda: one.codes(opened) == ["unknown-key"])
    one.watched("file:///C:/p/flow.toml")
    one._versions["file:///c:/p/flow.toml"] = 1
    assert await one.complete("file:///c:/p/flow.toml", 1, 0) == ["tools"]
    await one.everything_checked()
    assert list(one.client.diagnostics) == [opened]


async def test_names_that_a_uri_must_escape(editor, workspace: Workspace):
    """The workspace's own folder holds a space, a percent sign and a hash too."""
    workspace.write("flow.toml", table("a b%20c.flow", "python3"))
    workspace.write("a b%20c.flow", WRONG)
    one = editor()
    await one.start(options=NEVER)
    await one.until(lambda: one.said() == {"a%20b%2520c.flow": ["unknown-type"]})
    one.open("a b%20c.flow", FIND)
    await one.shows("a b%20c.flow")  # it is bound
    assert one.said() == {}
    logged = len(one.logs)
    one.open("file:///p/%zz.flow", WRONG, language="flow")
    await one.until(lambda: one.codes("file:///p/%zz.flow"))
    one.watched("file:///p/%zz.flow")
    await one.everything_checked()
    assert one.logs[logged:] == ["file:///p/%zz.flow names no file: its text is checked alone."]


@pytest.mark.parametrize("uri", ["untitled:Untitled-1", "git:/p/a.flow?ref", "vscode-notebook-cell:/p/n#1"])
async def test_a_document_that_is_no_file_is_checked_by_its_text_alone(editor, workspace, uri):
    workspace.write("flow.toml", table("a.flow", command("--log", "starts")))
    one = editor()
    await one.start(options={"trust": "always", "diagnostics": {"severity": {"missing-file": "off"}}})
    one.open(uri, WRONG + FIND, language="flow")
    await one.until(lambda: one.codes(uri) == ["duplicate-name", "unknown-type"])
    assert await one.hover(uri, 0, 10) is not None
    assert await one.complete(uri, 0, 0) == []
    one.close(uri)
    await one.until(lambda: one.codes(uri) == [])
    await one.describe()
    await one.started()  # by the manifest; the document started nothing
    assert len(workspace.starts()) == 1


async def test_severities_count_for_what_is_no_file_too(editor, workspace):
    one = editor()
    await one.start(options={"diagnostics": {"severity": {"unknown-type": "hint"}}})
    one.open("untitled:1", WRONG, language="flow")
    (unknown,) = await one.until(lambda: one.found("untitled:1"))
    assert unknown.severity is types.DiagnosticSeverity.Hint


async def test_a_linked_folder_is_published_under_the_client_s_path_once(editor, workspace: Workspace):
    workspace.write("real/flow.toml", "bogus = 1\n")
    workspace.write("real/lib/a.flow", FIND)
    workspace.path("w").symlink_to("real")
    workspace.path("real/lib/a").mkdir()
    workspace.path("real/lib/a/lib").symlink_to(workspace.path("real/lib"))
    one = editor()
    await one.start(options=NEVER, folders=[workspace.uri("w")])
    one.open("w/flow.toml")
    await one.shows("w/flow.toml", "unknown-key")
    workspace.write("real/flow.toml", "other = 1\n")
    one.watched("real/flow.toml")
    one.close("w/flow.toml")
    await one.until(lambda: "other" in one.message("w/flow.toml", "unknown-key"))
    assert await one.everything_checked() == {"w/flow.toml": ["unknown-key"]}


async def test_200_edits_at_once_are_few_publications(editor, workspace):
    one = editor()
    await one.start(options=NEVER)
    tables = "".join(table(f"t{number}.flow", "python3") for number in range(100))
    one.open("flow.toml", tables + '[tools."last.flow"]\ncommand = "a"\nmcp = "b"\n')
    await one.until(lambda: "one-of" in one.codes("flow.toml"))
    before = len(one.published)
    edits = []
    for number in range(200):
        start, end = {"line": number | 1, "character": 0}, {"line": number | 1, "character": 7 + number % 2}
        change = {"range": {"start": start, "end": end}, "text": "command" if number % 2 else "commands"}
        edits.append(did_change([change], number + 2, workspace.uri("flow.toml")))
    one.process.stdin.write(b"".join(map(framed, edits)))
    await one.until(lambda: one.publications("flow.toml")[-1].version == 201)
    assert one.codes("flow.toml").count("unknown-key") == 0
    assert len(one.published) - before <= 5


async def test_the_last_list_is_that_of_the_last_text_while_an_implementation_is_slow(editor, workspace):
    """An error is typed and taken back while the answer is on its way, and the other file is closed."""
    text = table("tools/search.flow", command("--log", "starts", "--gate", "gate"))
    workspace.write("flow.toml", text)
    workspace.write("tools/search.flow", FIND.replace("Int", "Text"))
    one = editor()
    await one.start(options={"trust": "always"})
    one.open("flow.toml")
    one.open("tools/search.flow")
    await one.started()
    one.change("flow.toml", text + "bogus = 1\n")
    await one.shows("flow.toml", "unknown-key")
    version = one.change("flow.toml", text)
    await one.shows("flow.toml", version=version)
    one.change("tools/search.flow", WRONG)
    one.close("tools/search.flow")
    workspace.write("gate", "")
    await one.shows("tools/search.flow", "drift")
    await one.everything_checked()
    assert one.said() == {"tools/search.flow": ["drift"]}
    assert len(workspace.starts()) == 1
    versions = [params.version for params in one.publications("flow.toml") if params.version]
    assert versions == sorted(versions)
