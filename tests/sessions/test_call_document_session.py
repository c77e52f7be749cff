"""Documents of arguments as an editor has them open: findings, hovers, completions, lenses, registrations."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from call_editor import ACT, ALWAYS, SOURCE, CallingEditor, bind, can_call, path_of
from lsprotocol import types
from session_workspace import Workspace

TYPED = """\
/// A place on earth.
record Place { latitude: Decimal, name: Option<Text> }
enum Sky { Clear, Clouds { percent: Int } }
@tool
fn weather(place: Place, sky: Sky) -> Result<Int, Int>
@tool
fn first<T>(values: List<T>) -> Result<Option<T>, Never>
"""


@pytest.fixture
async def one(workspace: Workspace, tmp_path: Path) -> AsyncIterator[CallingEditor]:
    bind(workspace)
    workspace.write("typed.flow", TYPED)
    made = CallingEditor(workspace, tmp_path / "state")
    try:
        yield made
        await made.leave()
    finally:
        await made.abandon()


async def started(one: CallingEditor, can: types.ClientCapabilities | None = None) -> CallingEditor:
    await one.start(can or can_call(), options=ALWAYS)
    one.open(SOURCE)
    one.open("typed.flow")
    await one.everything_checked()
    return one


async def weather(one: CallingEditor, text: str | None = None) -> str:
    return await one.arguments_of("weather", text, "typed.flow")


async def test_findings_follow_what_is_typed(one: CallingEditor):
    await started(one)
    uri = await weather(one)
    await one.shows(uri, version=1)
    version = one.change(uri, '{"place": {"latitude": "x", "nam": 1},\n "sky": {"Clouds": {}}}')
    found = await one.shows(uri, "argument", "argument", "unused-argument", version=version)
    assert {(item.range.start.line, item.range.start.character, item.range.end.character) for item in found} == {
        (0, 23, 26),
        (0, 28, 33),
        (1, 19, 20),
    }
    (hint,) = [item for item in found if item.code == "unused-argument"]
    assert hint.severity is types.DiagnosticSeverity.Hint
    version = one.change(uri, "{")
    await one.shows(uri, "arguments-json", version=version)
    version = one.change(uri, '{"place": {"latitude": 1}, "sky": "Clear"}')
    assert await one.shows(uri, version=version) == []


async def test_findings_are_pulled_where_the_client_pulls(one: CallingEditor):
    await started(one, can_call(pull=True))
    uri = await weather(one, '{"place": {"latitude": true}, "sky": "Clear"}')
    report = await one.pull(uri)
    assert [item.code for item in report.items] == ["argument"]


async def test_columns_are_those_agreed(one: CallingEditor):
    can = can_call()
    assert can.general is not None
    can.general.position_encodings = [types.PositionEncodingKind.Utf8]
    await started(one, can)
    uri = await weather(one, '{"sky": "Clear", "place": {"name": "😀", "latitude": "x"}}')
    (found,) = await one.shows(uri, "argument")
    assert found.range.start.character == len('{"sky": "Clear", "place": {"name": "😀", "latitude": '.encode())


async def test_findings_follow_the_declaration(one: CallingEditor):
    await started(one)
    uri = await weather(one, '{"place": {"latitude": 1}, "sky": "Clear"}')
    await one.shows(uri)
    one.change("typed.flow", TYPED.replace("enum Sky { Clear,", "enum Sky { Fair,"))
    (found,) = await one.shows(uri, "argument")
    assert "no constructor `Clear`" in found.message
    one.change("typed.flow", TYPED.replace("weather", "climate"))
    (found,) = await one.shows(uri, "call-tool")
    assert found.message.startswith("typed.flow declares no Tool `weather`.")
    one.change("typed.flow", TYPED)
    await one.shows(uri)


async def test_findings_are_cleared_when_the_document_is_closed(one: CallingEditor):
    await started(one)
    uri = await weather(one, "{")
    await one.shows(uri, "arguments-json")
    one.close(uri)
    await one.shows(uri)


async def test_a_document_of_an_earlier_session_is_known_again(one: CallingEditor, workspace: Workspace, tmp_path):
    before = CallingEditor(workspace, tmp_path / "state")
    try:
        await started(before)
        uri = await weather(before)
        await before.leave()
    finally:
        await before.abandon()
    await one.start(can_call(), options=ALWAYS)
    one.open(uri, '{"place": 1, "sky": "Clear"}', language="json")
    (found,) = await one.shows(uri, "argument")
    assert "the record Place" in found.message
    assert await one.titles(uri) == ["Call"]


async def test_a_document_of_another_workspace_says_so_and_calls_nothing(one: CallingEditor, workspace, tmp_path):
    await started(one)
    uri = await weather(one, '{"place": {"latitude": 1}, "sky": "Clear"}')
    other = Workspace(tmp_path / "elsewhere")
    two = CallingEditor(other, tmp_path / "state")
    try:
        await two.start(can_call(), options=ALWAYS)
        two.open(uri, "{}", language="json")
        (found,) = await two.shows(uri, "call-tool")
        assert "is not part of this workspace" in found.message
        assert await two.titles(uri) == []
        answer = await two.call(uri)
        assert answer["outcome"].startswith('{"NotRun":"')
        assert "is not part of this workspace" in answer["outcome"]
        await two.leave()
    finally:
        await two.abandon()


async def test_other_json_is_left_alone(one: CallingEditor, workspace: Workspace, tmp_path: Path):
    await started(one)
    near = path_of(await weather(one)).parent / "deeper"
    near.mkdir()
    for uri in (
        workspace.uri("act.flow-call.json"),
        workspace.uri("package.json"),
        (near / "act.flow-call.json").as_uri(),
        "untitled:act.flow-call.json",
    ):
        one.open(uri, "{", language="json")
        assert await one.hover(uri, 0, 0) == ""
        assert await one.complete(uri, 0, 1) == []
        await one.shows(uri)


async def test_hovers_tell_of_the_type_at_the_place(one: CallingEditor):
    await started(one)
    uri = await weather(one, '{"place": {"latitude": 1.5, "name": "x"}, "sk')
    text = await one.hover(uri, 0, 3)
    assert "```flow\nplace: Place\n```" in text
    assert "A place on earth." in text
    assert "A number, kept exactly" in await one.hover(uri, 0, 24)
    assert "It may be left out." in await one.hover(uri, 0, 30)
    assert await one.hover(uri, 0, 43) == ""


async def test_completions_are_offered_while_the_text_is_unfinished(one: CallingEditor):
    await started(one)
    uri = await weather(one, '{"place": {"latitude": 1, "')
    params = types.CompletionParams(one.identifier(uri), types.Position(0, 27))
    (item,) = (await one.answer(one.client.text_document_completion_async(params))).items
    assert (item.label, item.kind, item.filter_text) == ("name", types.CompletionItemKind.Property, '"name"')
    assert item.text_edit.new_text == '"name": ""'
    assert item.text_edit.range == types.Range(types.Position(0, 26), types.Position(0, 27))
    one.change(uri, '{"sky": ')
    assert await one.complete(uri, 0, 8) == ["Clear", "Clouds"]


async def test_the_types_of_a_generic_tool_are_asked_for_in_its_document(one: CallingEditor):
    await started(one)
    uri = await one.arguments_of("first", None, "typed.flow")
    (found,) = await one.shows(uri, "type-argument")
    assert found.message == "Write the type that `T` stands for, such as `Int` or `List<Text>`."
    one.change(uri, '{"types": {"T": ""}, "args": {"values": [1, "x"]}}')
    assert await one.complete(uri, 0, 17) == [
        "Place", "Sky", "Int", "Decimal", "Bool", "Text", "Bytes", "Duration", "Instant", "Unit", "Never",
        "List<Text>", "Set<Text>", "Dict<Text, Int>", "Option<Text>", "json.Value",
    ]  # fmt: skip
    one.change(uri, '{"types": {"T": "Int"}, "args": {"values": [1, "x"]}}')
    (found,) = await one.shows(uri, "argument")
    assert found.range.start.character == 47


async def test_a_type_of_the_file_is_known_as_soon_as_it_is_declared(one: CallingEditor):
    await started(one)
    uri = await one.arguments_of("first", '{"types": {"T": "Wind"}, "args": {"values": []}}', "typed.flow")
    await one.shows(uri, "type-argument")
    one.change("typed.flow", TYPED + "record Wind { speed: Int }\n")
    await one.shows(uri)


async def test_a_client_that_can_is_told_of_the_documents(one: CallingEditor):
    await started(one, can_call(register=True, pull=True))
    await one.until(lambda: "flow-call-textDocument/didOpen" in one.registrations)
    found = {name.removeprefix("flow-call-"): one.registrations[name] for name in one.registrations if "call" in name}
    assert set(found) == {
        *(f"textDocument/{name}" for name in ("didOpen", "didChange", "didSave", "didClose")),
        *(f"textDocument/{name}" for name in ("completion", "codeLens", "diagnostic")),
    }
    for registration in found.values():
        assert registration.register_options["documentSelector"] == [
            {"scheme": "file", "pattern": "**/*.flow-call.json"}
        ]
    assert found["textDocument/didChange"].register_options["syncKind"] == 2


async def test_a_client_that_cannot_register_is_not_asked_to(one: CallingEditor):
    await started(one, can_call(register=False, pull=True))
    assert [name for name in one.registrations if "call" in name] == []


async def test_the_severity_of_a_code_can_be_set(one: CallingEditor):
    await one.start(can_call(), options={"diagnostics": {"severity": {"unused-argument": "off"}}})
    one.open(SOURCE, ACT)
    uri = await one.arguments_of("act", '{"how": "", "value": 1, "more": 2}')
    await one.everything_checked()
    assert one.codes(uri) == []
