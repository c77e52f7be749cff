"""Which types of other files come first, by name and by how near their files are."""

from __future__ import annotations

from posixpath import dirname

import pytest

from flow_lsp.analysis import type_index
from flow_lsp.analysis.type_index import TypeIndex, distance
from flow_lsp.source.reader import read_source

FILES = {
    "/w/a/here.flow": "record Hit { }\nrecord Own { }\n",
    "/w/a/near.flow": "record Hit { }\nrecord White { }\nrecord Hits { }\n",
    "/w/far/off/b.flow": "record Hit { }\nrecord A { }\n",
    "/w/c.flow": "record hitch { }\nrecord Broken { a\nenum Z { }\n",
}


def index() -> TypeIndex:
    found = TypeIndex()
    found.update({path: read_source(text) for path, text in FILES.items()})
    return found


def by_hand(part: str, without: set[tuple[str, str]]) -> list[tuple[str, str]]:
    """The same by looking at everything."""
    every = [
        (path, name)
        for path, text in FILES.items()
        for name, at in read_source(text).declared.items()
        if read_source(text).items[at].syntax is not None
        and path != "/w/a/here.flow"
        and part.casefold() in name.casefold()
        and (path, name) not in without
    ]
    return sorted(
        every, key=lambda one: (not one[1].casefold().startswith(part.casefold()), distance("/w/a", one[0]), *one)
    )


@pytest.mark.parametrize("few", [0, 200])
@pytest.mark.parametrize("part", ["", "h", "hit", "Hit", "it", "White", "x"])
@pytest.mark.parametrize("most", [1, 2, 100])
@pytest.mark.parametrize("without", [set(), {("/w/a/near.flow", "Hit"), ("/w/c.flow", "Z")}])
def test_the_nearest_are_those_of_all(
    monkeypatch: pytest.MonkeyPatch, few: int, part: str, most: int, without: set[tuple[str, str]]
) -> None:
    monkeypatch.setattr(type_index, "FEW_NAMES", few)
    expected = by_hand(part, without)
    found, complete = index().nearest(part, "/w/a/here.flow", without, most)
    assert [(one.path, one.name) for one in found] == expected[:most]
    assert complete == (len(expected) <= most)


def test_files_that_come_and_go_are_followed() -> None:
    one = index()
    assert one.nearest("", "/w/a/here.flow", set(), 100)[1]
    sources = {path: read_source(text) for path, text in FILES.items() if dirname(path) != "/w/a"}
    sources["/w/a/new.flow"] = read_source("host Newer\n")
    one.update(sources)
    found, _ = one.nearest("", "/w/a/here.flow", set(), 100)
    assert [declared.name for declared in found] == ["Newer", "Z", "hitch", "A", "Hit"]
