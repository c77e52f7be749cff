"""Every feature asked at random places of texts that are edited at random: every range that comes back lies inside the
text as it is, every edit can be made, and no edit of a manifest breaks its TOML."""

from __future__ import annotations

import random
import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest
from wire_client import Wire, did_change, did_open

SERVER = [str(Path(sys.executable).with_name("flow-lsp"))]
STEPS = 30
FILES = {
    "a.flow": "import ./types.{Hit, Page as P}\nimport ./sub/b\nimport std/json\n/// 😋 Finds\n@tool\n"
    "fn find<T>(query: Text, hits: List<Hit>, b: b.B<T>) -> Result<Page<Int>, Problem>\n\n"
    "record R<T> { x: Map<String, T>, y: Integer? z: Nope }\nenum E { A, B(Int, R<Int>), C { n: json.Value } }\n"
    "@tool fn g(e: E) -> Int\n",
    "types.flow": "pub record Hit { title: Text, 名: Option<Int> }\r\npub record Page<T> { items: List<T> }\r\n"
    'enum Problem { Offline }\r\nfn other(x: Hit) { let s = "a\\"b" }\r\nrecord Open { x: "open\r\n}\r\n',
    "sub/b.flow": "import ../types\nrecord B<T> { h: types.Hit, t: T }\n"
    "@tool fn h(b: B<Int>) -> Result<types.Hit, Never>\n",
    "flow.toml": '# 😋\n[tools."a.flow"]\ncommand = "python3 run.py --x"\n\n[tools]\n'
    '"sub/b.flow" = { mcp = "sh -c \'x\'", bogus = 1 }\n"gone.flow".command = "x"\n',
    "sub/flow.toml": '[tools."./c.flow"]\r\ncomand = ["a", "b"]\r\n',
}
PIECES = (
    "\n", "\r\n", "\r", " ", "\t", "{", "}", "(", ")", "<", ">", ",", ":", '"', "'", "=", "[", "]", ".", "?", "->", "_",
    "😋", "é", "\u2028", "Hit", "Int", "String", "Map<", "Result<", "T", "b.B", "types.", "as ", "record ", "enum ",
    "fn ", "@tool ", "import ./types\n", "import ./types.{Hit}\n", "/// doc\n", "// c", "/* ", "*/", "a\\",
    "record Z { a: Hit }\n", '[tools."sub/b.flow"]\n', 'command = "x"\n', "tools", '"a.flow"',
)  # fmt: skip
POSITIONED = ("hover", "definition", "typeDefinition", "documentHighlight", "completion", "signatureHelp")
WHOLE = ("documentSymbol", "foldingRange", "documentLink", "codeLens", "diagnostic", "semanticTokens/full")
RANGES = ("range", "selectionRange", "originSelectionRange", "editRange")
REFUSED = -32803  # of a rename that cannot be made, with the reason
CAN = {
    "workspace": {"workspaceEdit": {"documentChanges": True, "resourceOperations": ["create"]}},
    "textDocument": {
        "codeAction": {"codeActionLiteralSupport": {"codeActionKind": {"valueSet": []}}},
        "documentSymbol": {"hierarchicalDocumentSymbolSupport": True},
        "completion": {"completionItem": {"snippetSupport": True}},
    },
}
_LINE_END = re.compile(r"\r\n|\n|\r")

Json = Any
Place = dict[str, int]


def width(text: str) -> int:
    return len(text.encode("utf-16-le")) // 2


def place_of(text: str, offset: int) -> Place:
    lines = _LINE_END.split(text[:offset])
    return {"line": len(lines) - 1, "character": width(lines[-1])}


def offset_of(text: str, place: Place) -> int:
    """Where that place is, which must be one: in a line, and not inside of a character."""
    starts = [0, *(found.end() for found in _LINE_END.finditer(text))]
    assert 0 <= place["line"] < len(starts), place
    start = starts[place["line"]]
    line = _LINE_END.split(text)[place["line"]]
    columns = [0]
    for letter in line:
        columns.append(columns[-1] + width(letter))
    assert place["character"] in columns, (place, line)
    return start + columns.index(place["character"])


def span_of(text: str, where: Json) -> tuple[int, int]:
    start, end = offset_of(text, where["start"]), offset_of(text, where["end"])
    assert start <= end
    return start, end


def edited(text: str, edits: list[Json]) -> str:
    spans = sorted((*span_of(text, edit["range"]), number) for number, edit in enumerate(edits))
    parts, at = [], 0
    for start, end, number in spans:
        assert start >= at, f"two edits overlap: {edits}"
        parts += [text[at:start], edits[number]["newText"]]
        at = end
    return "".join([*parts, text[at:]])


class Asked:
    """A session in which all texts are open, as `texts` has them."""

    def __init__(self, wire: Wire, folder: Path, seed: int) -> None:
        self.wire, self.folder, self.random = wire, folder, random.Random(seed)
        self.texts = dict(FILES)
        self.version = 1
        self.number = 0
        for name, text in FILES.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text.encode())
        folders = [{"uri": folder.as_uri(), "name": "w"}]
        wire.initialize(CAN, workspaceFolders=folders, initializationOptions={"trust": "never", "inlayHints": True})
        wire.send(*(did_open(text, uri=self.uri(name)) for name, text in FILES.items()))

    def uri(self, name: str) -> str:
        return (self.folder / name).as_uri()

    def name(self, uri: str) -> str:
        return unquote(uri.removeprefix(self.folder.as_uri() + "/"))

    def ask(self, method: str, params: Json) -> Json:
        self.number += 1
        answer = self.wire.ask(self.number, method, params)
        if "error" in answer:
            assert method == "textDocument/rename", (method, params, answer)
            assert answer["error"]["code"] == REFUSED, answer
        return answer.get("result")

    # -- what happens ---------------------------------------------------------------------------------------

    def edit(self) -> None:
        name = self.random.choice(list(FILES))
        text = self.texts[name]
        if len(text) > 2000 or self.random.random() < 0.1:
            self.put(name, FILES[name])
            return
        start = self.random.randint(0, len(text))
        end = min(len(text), start + self.random.choice((0, 0, 0, 1, 5, 30)))
        start -= text[max(start - 1, 0) : start + 1] == "\r\n"
        end += text[max(end - 1, 0) : end + 1] == "\r\n"
        piece = self.random.choice((*PIECES, ""))
        self.version += 1
        where = {"start": place_of(text, start), "end": place_of(text, end)}
        self.wire.send(did_change([{"range": where, "text": piece}], self.version, self.uri(name)))
        self.texts[name] = text[:start] + piece + text[end:]

    def put(self, name: str, text: str) -> None:
        self.version += 1
        self.wire.send(did_change([{"text": text}], self.version, self.uri(name)))
        self.texts[name] = text

    def look(self) -> Json:
        """Asks everything at one place; gives a code action, if there is one."""
        name = self.random.choice(list(FILES))
        text = self.texts[name]
        words = [found.start() for found in re.finditer(r"\w+", text)]
        at = self.random.choice(words) if words and self.random.random() < 0.7 else self.random.randint(0, len(text))
        place, document = place_of(text, at), {"textDocument": {"uri": self.uri(name)}}
        there, here = {**document, "position": place}, {"start": place, "end": place}
        whole = {"start": place_of(text, 0), "end": place_of(text, len(text))}
        for method in POSITIONED:
            self.inside(self.ask(f"textDocument/{method}", there), text)
        self.inside(self.ask("textDocument/references", {**there, "context": {"includeDeclaration": True}}), text)
        self.inside(self.ask("textDocument/selectionRange", {**document, "positions": [place]}), text)
        self.inside(self.ask("textDocument/inlayHint", {**document, "range": whole}), text)
        self.inside(self.ask("workspace/symbol", {"query": self.random.choice(["", "h"])}), text)
        for method in WHOLE:
            answer = self.ask(f"textDocument/{method}", document)
            self.inside(answer, text)
            if method == "semanticTokens/full" and answer is not None:
                self.painted(answer["data"], text)
        renamed = self.ask("textDocument/rename", {**there, "newName": self.random.choice(["Zed", "q", "Hit", "名"])})
        self.results(renamed)
        where = whole if self.random.random() < 0.3 else here
        params = {**document, "range": where, "context": {"diagnostics": []}}
        actions = [action["edit"] for action in self.ask("textDocument/codeAction", params) if "edit" in action]
        for action in actions:
            self.results(action)
        return self.random.choice(actions) if actions else None

    def take(self, action: Json) -> None:
        """Makes the edit of an action, unless it is one of a file that is not there."""
        results = self.results(action)
        if results.keys() <= FILES.keys():
            for name, text in results.items():
                self.put(name, text)

    # -- what has to be -------------------------------------------------------------------------------------

    def inside(self, value: Json, text: str) -> None:
        """Every range and position of an answer about a file of that text is inside it, or the file that it names."""
        for part, of in self.parts(value, text):
            for name in RANGES:
                if isinstance(part.get(name), dict) and "start" in part[name]:
                    span_of(of, part[name])
            if "position" in part:
                offset_of(of, part["position"])
            if "startLine" in part:
                start = {"line": part["startLine"], "character": part.get("startCharacter", 0)}
                assert offset_of(of, start) <= offset_of(
                    of, {"line": part["endLine"], "character": part["endCharacter"]}
                )
            if "textEdit" in part:
                edited(of, [part["textEdit"], *part.get("additionalTextEdits", [])])

    def parts(self, value: Json, text: str) -> Iterator[tuple[Json, str]]:
        if isinstance(value, list):
            for item in value:
                yield from self.parts(item, text)
        elif isinstance(value, dict):
            of = self.texts[self.name(value["uri"])] if "uri" in value and "range" in value else text
            yield value, of
            for item in value.values():
                yield from self.parts(item, of)

    def painted(self, data: list[int], text: str) -> None:
        line = column = end = 0
        for at in range(0, len(data), 5):
            line, column = line + data[at], data[at + 1] + (0 if data[at] else column)
            assert data[at] or column >= end, "tokens overlap"
            end = column + data[at + 2]
            assert data[at + 2] > 0
            span_of(text, {"start": {"line": line, "character": column}, "end": {"line": line, "character": end}})

    def results(self, change: Json) -> dict[str, str]:
        """The texts that a workspace edit makes, each of which can be made. One that TOML could read it still can."""
        made: dict[str, str] = {}
        for one in (change or {}).get("documentChanges", ()):
            if "kind" in one:
                made[self.name(one["uri"])] = ""
                continue
            name = self.name(one["textDocument"]["uri"])
            made[name] = edited(made[name] if name in made else self.texts[name], one["edits"])
        for name, text in made.items():
            if name.endswith(".toml") and is_toml(self.texts.get(name, "")):
                assert is_toml(text), (self.texts.get(name), text)
        return made


def is_toml(text: str) -> bool:
    try:
        tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return False
    return True


@pytest.mark.parametrize("seed", range(3))
def test_every_range_is_inside_the_text_and_every_edit_can_be_made(tmp_path: Path, seed: int):
    with Wire(SERVER, strict=True) as wire:
        session = Asked(wire, tmp_path / "work 100%#1", seed)
        for _ in range(STEPS):
            session.edit()
            action = session.look()
            if action is not None and session.random.random() < 0.5:
                session.take(action)
        assert wire.leave() == 0
        assert b"FAULT" not in wire.errors
