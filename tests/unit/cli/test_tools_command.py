"""`flow-lsp tools`: a listing for each workspace folder."""

from __future__ import annotations

import json

import pytest
from support.command_line import FIND, Run, write


def listings(text: str) -> list[dict[str, object]]:
    """JSON objects one after the other, as `jq` reads them."""
    found = []
    decoder = json.JSONDecoder()
    while text := text.lstrip():
        value, end = decoder.raw_decode(text)
        found.append(value)
        text = text[end:]
    return found


def test_a_listing_names_tools_by_paths_in_the_folder(run: Run) -> None:
    write({"w/b.flow": FIND, "w/a/x.flow": "\n" + FIND})
    ran = run("tools", "w")
    assert (ran.status, ran.err) == (0, "")
    assert ran.json["data"] == "0.1"
    assert [(tool["tool"], tool["file"], tool["line"]) for tool in ran.json["tools"]] == [
        ("a/x.find", "a/x.flow", 3),
        ("b.find", "b.flow", 2),
    ]
    assert ran.json["problems"] == []


def test_several_folders_give_one_listing_each(run: Run) -> None:
    write({"one/a.flow": FIND, "two/b.flow": FIND})
    first, second = listings(run("tools", "one", "two").out)
    assert [tool["tool"] for tool in first["tools"]] == ["a.find"]  # type: ignore[attr-defined]
    assert [tool["tool"] for tool in second["tools"]] == ["b.find"]  # type: ignore[attr-defined]


def test_problems_are_listed_and_make_the_status_one(run: Run) -> None:
    write({"a.flow": FIND + "@tool\nfn bad(a: Nope) -> Result<Int, Never>\n", "b.flow": b"\xff"})
    ran = run("tools")
    assert ran.status == 1
    assert [tool["name"] for tool in ran.json["tools"]] == ["find"]
    assert [(each["file"], each["line"]) for each in ran.json["problems"]] == [("a.flow", 4), ("b.flow", 1)]
    assert "2 problems in this listing" in ran.err


def test_one_folder_with_problems_is_enough_for_the_status(run: Run) -> None:
    write({"good/a.flow": FIND, "bad/b.flow": "@tool\nfn f(a: Nope) -> Result<Int, Never>\n"})
    assert run("tools", "good").status == 0
    assert run("tools", "bad", "good").status == 1


def test_files_named_are_listed_alone(run: Run) -> None:
    write({"w/a.flow": FIND, "w/b.flow": FIND})
    assert [tool["tool"] for tool in run("tools", "w/b.flow").json["tools"]] == ["b.find"]


def test_a_published_listing_has_repository_identities(run: Run) -> None:
    write({"kit/tools/a.flow": FIND})
    ran = run("tools", "kit", "--repository", "acme/kit@1.2.0")
    assert [tool["tool"] for tool in ran.json["tools"]] == ["acme/kit@1.2.0/tools/a.find"]


def test_the_listing_does_not_depend_on_where_it_is_made(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    write({"w/a.flow": FIND, "w/ü.flow": FIND})
    before = run("tools", "w").out
    assert run("tools", "./w/../w/").out == before
    monkeypatch.chdir("w")
    assert run("tools").out == before


def test_a_folder_without_declarations_gives_an_empty_listing(run: Run) -> None:
    ran = run("tools")
    assert ran.status == 0
    assert ran.json == {"data": "0.1", "tools": [], "types": {}, "problems": []}
