"""textDocument/completion in `.flow` files: what each client is sent, and the text that comes of it."""

from __future__ import annotations

from typing import Any

import pytest
from lsprotocol import types
from session_client import capabilities
from session_workspace import Workspace

TYPES = "/// What was found.\npub record Hit<T> { title: T }\n"


def client(
    *,
    snippets: bool = True,
    replace: bool = True,
    encodings: tuple[str, ...] = ("utf-16",),
    later: tuple[str, ...] = ("additionalTextEdits",),
    defaults: list[str] | None = None,
) -> Any:
    """A client that asks for `later` of an item when it is needed, and knows these defaults of lists."""
    can = capabilities(encodings)
    can.text_document.completion = types.CompletionClientCapabilities(
        completion_item=types.ClientCompletionItemOptions(
            snippet_support=snippets,
            insert_replace_support=replace,
            documentation_format=[types.MarkupKind.Markdown] if replace else None,
            resolve_support=types.ClientCompletionItemResolveOptions(properties=list(later)),
        ),
        completion_list=types.CompletionListCapabilities(item_defaults=defaults) if defaults else None,
    )
    return can


async def offered(one: Any, name: str, line: int, character: int) -> types.CompletionList:
    params = types.CompletionParams(one.identifier(name), types.Position(line, character))
    return await one.answer(one.client.text_document_completion_async(params))


@pytest.mark.parametrize("encodings", [("utf-16",), ("utf-8",), ("utf-32",)])
async def test_a_type_of_another_file_comes_with_its_import(editor, workspace: Workspace, encodings):
    workspace.write("types.flow", TYPES)
    one = editor()
    await one.start(client(encodings=encodings))
    await one.everything_checked()
    one.open("a.flow", "// 😋 head\n\nrecord A { 名: Hi }\n")
    column = {"utf-16": 16, "utf-8": 18, "utf-32": 16}[encodings[0]]
    found = await offered(one, "a.flow", 2, column)
    (item,) = [item for item in found.items if item.label == "Hit<T>"]
    assert item.text_edit == types.TextEdit(
        types.Range(types.Position(2, column - 2), types.Position(2, column)), "Hit<${1:T}>"
    )
    assert item.insert_text_format is types.InsertTextFormat.Snippet
    assert item.filter_text == "Hit"
    place = types.Position(2, 0)
    (edit,) = item.additional_text_edits
    assert edit == types.TextEdit(types.Range(place, place), "import ./types.{Hit}\n\n")
    assert item.documentation.value.startswith("```flow\nrecord Hit<T> {")
    assert "What was found." in item.documentation.value
    assert [item.sort_text for item in found.items] == sorted(item.sort_text for item in found.items)


async def test_documentation_is_given_when_it_is_asked_for(editor, workspace: Workspace):
    workspace.write("types.flow", TYPES)
    one = editor()
    await one.start(client(later=("documentation",)))
    await one.everything_checked()
    one.open("a.flow", "record A { x: Hi }\nrecord Here { x: Int }\n")
    found = await offered(one, "a.flow", 0, 16)
    items = {item.label: item for item in found.items}
    assert items["Hit<T>"].documentation is None
    for label, text in (("Hit<T>", "What was found."), ("Here", "record Here {")):
        item = await one.answer(one.client.completion_item_resolve_async(items[label]))
        assert item.documentation.kind is types.MarkupKind.Markdown
        assert text in item.documentation.value
        item.documentation = None
        assert item == items[label]
    # Short words of what is built in are there at once, and nothing is to be added to them.
    built_in = items["List<T>"]
    assert await one.answer(one.client.completion_item_resolve_async(built_in)) == built_in


@pytest.mark.parametrize(
    "data", [None, 5, [], ["a", 5], ["/no/such.flow", "Hit"], ["/no/such.flow", "Hit", "more"], {}]
)
async def test_an_item_that_is_not_of_the_last_list_comes_back_as_it_is(editor, workspace: Workspace, data):
    one = editor()
    await one.start(client(later=("documentation",)))
    one.open("a.flow", "")
    item = types.CompletionItem("Hit", data=data)
    assert await one.answer(one.client.completion_item_resolve_async(item)) == item


@pytest.mark.parametrize("replace", [True, False])
async def test_a_client_that_knows_defaults_is_told_once_where_the_word_stands(editor, workspace: Workspace, replace):
    workspace.write("types.flow", TYPES)
    one = editor()
    await one.start(client(replace=replace, defaults=["editRange"]))
    await one.everything_checked()
    one.open("a.flow", "record A { x: Hits }\n")
    found = await offered(one, "a.flow", 0, 17)
    assert found.item_defaults is not None
    start = types.Position(0, 14)
    typed, word = (types.Range(start, types.Position(0, end)) for end in (17, 18))
    whole = types.EditRangeWithInsertReplace(typed, word)
    assert found.item_defaults.edit_range == (whole if replace else typed)
    items = {item.label: item for item in found.items}
    assert all(item.text_edit is None for item in found.items)
    assert items["Hit<T>"].text_edit_text == "Hit<${1:T}>"
    assert items["Text"].text_edit_text is None


async def test_a_client_without_snippets_gets_names_alone(editor, workspace: Workspace):
    one = editor()
    await one.start(client(snippets=False, replace=False))
    one.open("a.flow", "record A { x: Li }\n")
    found = await offered(one, "a.flow", 0, 16)
    (item,) = [item for item in found.items if item.label == "List<T>"]
    assert item.text_edit.new_text == "List"
    assert item.insert_text_format is None
    assert item.documentation == "Values in order; an array in JSON."
    one.change("a.flow", "")
    tops = [item.label for item in (await offered(one, "a.flow", 0, 0)).items]
    assert "@tool" in tops
    assert not any("…" in label for label in tops)


async def test_a_client_that_replaces_is_told_of_the_whole_word(editor, workspace: Workspace):
    one = editor()
    await one.start(client())
    one.open("a.flow", "record A { x: Tent }\n")
    found = await offered(one, "a.flow", 0, 16)
    (item,) = [item for item in found.items if item.label == "Text"]
    start = types.Position(0, 14)
    assert item.text_edit == types.InsertReplaceEdit(
        "Text", types.Range(start, types.Position(0, 16)), types.Range(start, types.Position(0, 18))
    )


async def test_what_is_typed_is_completed_at_once_with_what_other_open_files_hold(editor, workspace: Workspace):
    one = editor()
    await one.start(client())
    one.open("types.flow", "record Old {}\n")
    one.open("a.flow", "import ./types.{}\n")
    one.change("types.flow", "record New {}\n")
    assert [item.label for item in (await offered(one, "a.flow", 0, 16)).items] == ["New"]


async def test_nothing_is_offered_in_what_is_no_file(editor, workspace: Workspace):
    one = editor()
    await one.start(client())
    one.open("untitled:Untitled-1", "record A { x: ")
    assert (await offered(one, "untitled:Untitled-1", 0, 14)).items == ()


async def test_the_marks_that_ask_are_announced(editor, workspace: Workspace):
    one = editor()
    await one.start(client())
    assert {".", "/", "@", "<"} <= set(one.result.capabilities.completion_provider.trigger_characters)
