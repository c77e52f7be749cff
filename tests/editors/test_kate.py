"""Kate: its syntax files in the engine that reads them, and the settings of its language client in Kate itself.

Kate runs without a screen. What it shows cannot be seen there, so what it and the server say to each other is.
"""

from __future__ import annotations

import html
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from xml.etree import ElementTree

import pytest

ROOT = Path(__file__).resolve().parents[2]
PARTS = ROOT / "editors" / "kate"
EXAMPLE = ROOT / "examples" / "weather"
SOURCE = """/// A doc.
//// no doc
/* one /* two */ still */
import ./types.{Hit} // which
import std/json as j
@tool
pub fn find(query: Text, at: Option<Hit>) -> Result<j.Value, Never>
opaque record Hit { title: Text, score: Decimal }
host Session
enum Sky { Clear, Rain { mm: Int } }
"""

# The colours of the theme Breeze Light that tell what a word was taken for.
COMMENT, DOCUMENTATION, TYPE, FUNCTION = "color:#898887", "color:#607880", "color:#0057ae", "color:#644a9b"
KEYWORD, COMPOUND, IMPORT, STRING = (
    "font-weight:bold",
    "color:#644a9b;font-weight:bold",
    "color:#ff5500",
    "color:#bf0303",
)
BOUND = 60  # seconds until Kate has started the server and heard of it


def highlighted(file: Path, home: Path, *options: str) -> tuple[list[tuple[str, str]], str]:
    """The pieces of `file` with their styles as Kate's own engine gives them, and the page's head."""
    syntax = home / "org.kde.syntax-highlighting" / "syntax"
    shutil.copytree(PARTS / "syntax", syntax, dirs_exist_ok=True)
    words = ["kate-syntax-highlighter", "--output-format", "html", "--theme", "Breeze Light", *options, str(file)]
    environment = os.environ | {"XDG_DATA_HOME": str(home), "QT_QPA_PLATFORM": "offscreen", "LANG": "C.UTF-8"}
    done = subprocess.run(words, env=environment, capture_output=True, text=True, check=True, timeout=60)
    assert done.stderr == ""
    head, _, body = done.stdout.partition("<pre>")
    pieces = re.findall(r'<span style="([^"]*?);?">(.*?)</span>', body.partition("</pre>")[0], re.DOTALL)
    return [(html.unescape(text), style) for style, text in pieces], head


def test_the_syntax_files_are_xml_whose_names_all_resolve() -> None:
    for file in (PARTS / "syntax").glob("*.xml"):
        tree = ElementTree.parse(file).getroot()
        contexts = {one.get("name") for one in tree.iter("context")}
        styles = {one.get("name") for one in tree.iter("itemData")}
        lists = {one.get("name") for one in tree.iter("list")}
        rules = [rule for context in tree.iter("context") for rule in context]
        named = {rule.get("context", "#stay") for rule in rules}
        assert {name for name in named if not name.startswith("#")} <= contexts
        assert {rule.get("attribute") for rule in rules} - {None} <= styles
        assert {one.get("attribute") for one in tree.iter("context")} <= styles
        assert {rule.get("String") for rule in rules if rule.tag == "keyword"} <= lists


def test_flow_is_coloured_by_what_words_are(tmp_path: Path) -> None:
    file = tmp_path / "a.flow"
    file.write_text(SOURCE)
    pieces, head = highlighted(file, tmp_path / "data")
    assert "Definition (Flow)" in head
    styles = dict(reversed(pieces))
    words = {text.strip(): style for text, style in styles.items()}
    assert words["/// A doc."] == DOCUMENTATION
    assert words["//// no doc"] == COMMENT
    assert words["/* one /* two */ still */"] == COMMENT
    assert words["// which"] == COMMENT
    assert words["import"] == words["as"] == IMPORT
    assert words["./types."] == words["std/json"] == STRING
    assert {words[word] for word in ("record", "enum", "host", "fn")} == {KEYWORD}
    assert {words[word] for word in ("Text", "Decimal", "Int", "Never", "Session", "Sky")} == {TYPE}
    assert words["Option"] == words["Result"] == COMPOUND
    assert words["find"] == FUNCTION


def test_a_manifest_is_coloured_as_toml_under_a_name_of_its_own(tmp_path: Path) -> None:
    pieces, head = highlighted(EXAMPLE / "flow.toml", tmp_path)
    assert "Definition (Flow Manifest)" in head
    assert pieces == highlighted(EXAMPLE / "flow.toml", tmp_path, "--syntax", "TOML")[0]
    assert len(pieces) > 5
    other = tmp_path / "other.toml"
    other.write_text("a = 1\n")
    assert "Definition (TOML)" in highlighted(other, tmp_path)[1]


@contextmanager
def kate(tmp_path: Path, name: str) -> Iterator[Path]:
    """A Kate set up as the README says, which shows the file `name` of a copy of the example, allowed to start the
    server; the folder where `asked` and `answered` hold what is said."""
    folder = tmp_path.resolve() / "weather"
    shutil.copytree(EXAMPLE, folder, ignore=shutil.ignore_patterns("__pycache__"))
    (folder / "other.toml").write_text("a = 1\n")
    programs, settings = tmp_path / "bin", tmp_path / "config"
    programs.mkdir()
    server = programs / "flow-lsp"
    real = Path(sys.executable).with_name("flow-lsp")
    server.write_text(f"#!/bin/sh\ntee '{tmp_path}/asked' | '{real}' \"$@\" | tee '{tmp_path}/answered'\n")
    server.chmod(0o755)
    (settings / "kate" / "lspclient").mkdir(parents=True)
    shutil.copy(PARTS / "settings.json", settings / "kate" / "lspclient" / "settings.json")
    (settings / "katerc").write_text(f"[lspclient]\nAllowedServerCommandLines={server}\n")
    shutil.copytree(PARTS / "syntax", tmp_path / "data" / "org.kde.syntax-highlighting" / "syntax")
    (tmp_path / "run").mkdir(mode=0o700)
    environment = {
        "PATH": os.pathsep.join([str(programs), str(real.parent), os.environ["PATH"]]),
        "HOME": str(tmp_path),
        "LANG": "C.UTF-8",
        "QT_QPA_PLATFORM": "offscreen",
        "XDG_CONFIG_HOME": str(settings),
        "XDG_DATA_HOME": str(tmp_path / "data"),
        "XDG_RUNTIME_DIR": str(tmp_path / "run"),
        "FLOW_LSP_STATE_DIRECTORY": str(tmp_path / "state"),
    }
    with (tmp_path / "said").open("w") as said:
        words = ["dbus-run-session", "--", "kate", "-n", "-b", name]
        process = subprocess.Popen(
            words,
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=said,
            stderr=said,
            start_new_session=True,  # dbus-run-session hands no signal on, so all of them are ended together
        )
        try:
            yield tmp_path
        finally:
            os.killpg(process.pid, signal.SIGTERM)
            process.wait(timeout=30)


def heard(file: Path, words: set[str]) -> str:
    """What `file` holds once all of `words` are in it, or the time is over."""
    end = time.monotonic() + BOUND
    while True:
        text = re.sub(r"\s+", "", file.read_text(errors="replace")) if file.exists() else ""
        if all(word in text for word in words) or time.monotonic() > end:
            return text
        time.sleep(0.05)


@pytest.mark.parametrize(("name", "code"), [("alerts.flow", "unbound-no-table"), ("weather.flow", "not-run")])
def test_kate_starts_the_server_for_a_flow_file_and_is_told_of_it(name: str, code: str, tmp_path: Path) -> None:
    with kate(tmp_path, name) as said:
        answered = heard(said / "answered", {f'"code":"{code}"', "semanticTokens"})
        asked = heard(said / "asked", {'"textDocument/didOpen"', '"textDocument/documentSymbol"'})
    assert f'"code":"{code}"' in answered
    assert '"initializationOptions":{"flow":{"trust":"ask"}}' in asked
    assert '"languageId":"flow"' in asked
    assert f'weather/{name}"' in asked


def test_kate_starts_the_server_for_a_manifest(tmp_path: Path) -> None:
    with kate(tmp_path, "flow.toml") as said:
        asked = heard(said / "asked", {'"textDocument/didOpen"', '"textDocument/documentSymbol"'})
    assert 'weather/flow.toml"' in asked
    assert '"textDocument/didOpen"' in asked
