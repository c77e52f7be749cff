"""The syntax files for Sublime Text, run by the engine of bat, which reads the same files; not by Sublime Text."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path
from xml.sax.saxutils import escape

import pytest

ROOT = Path(__file__).resolve().parents[2]
PARTS = ROOT / "editors" / "sublime"
SCOPES = [  # each is given a colour of its own
    *("comment.line.documentation", "comment.line.double-slash", "comment.block", "keyword.control.import"),
    *("string.unquoted.import", "string.quoted.double", "constant.character.escape", "storage.modifier"),
    *("keyword.declaration", "entity.name.function", "entity.name.struct", "entity.name.enum", "entity.name.type"),
    *("variable.annotation", "variable.other.member", "support.type.primitive", "support.type.compound"),
    *("storage.type", "keyword.operator.arrow", "constant.numeric"),
]
SOURCE = """/// A doc.
//// no doc
/* one /* two */ still */ pub
import ./types.{Hit} // which
import std/json as j
@tool
pub fn find(query: Text, at: Option<Hit>) -> Result<j.Value, Never>
opaque record Other { title: Text, f: fn(Int) -> Int }
host Session
enum Sky { Clear, Rain { straße: Int } }
pub fn text() -> Text { "a\\"b" 12 }
"""


@pytest.fixture(scope="module")
def bat(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The environment of a bat that knows our syntax files, and a theme that shows scopes."""
    home = tmp_path_factory.mktemp("bat")
    (home / "syntaxes").mkdir()
    (home / "themes").mkdir()
    for file in PARTS.glob("*.sublime-syntax"):
        shutil.copy(file, home / "syntaxes")
    settings = "".join(
        f"<dict><key>scope</key><string>{escape(scope)}</string><key>settings</key>"
        f"<dict><key>foreground</key><string>#0000{number:02x}</string></dict></dict>"
        for number, scope in enumerate(SCOPES, 1)
    )
    plain = "<dict><key>settings</key><dict><key>foreground</key><string>#ffffff</string></dict></dict>"
    (home / "themes" / "Scopes.tmTheme").write_text(
        '<?xml version="1.0" encoding="UTF-8"?>\n<plist version="1.0"><dict><key>name</key><string>Scopes</string>'
        f"<key>settings</key><array>{plain}{settings}</array></dict></plist>\n"
    )
    environment = {"BAT_CONFIG_DIR": str(home), "BAT_CACHE_PATH": str(home / "cache"), "LANG": "C.UTF-8"}
    environment |= {"PATH": os.environ["PATH"], "COLORTERM": "truecolor", "HOME": str(home)}
    done = subprocess.run(
        ["batcat", "cache", "--build"], env=environment, capture_output=True, text=True, check=False, timeout=60
    )
    assert (done.returncode, done.stderr) == (0, ""), done.stderr
    return environment


def scopes(bat: dict[str, str], file: Path, *options: str) -> dict[str, str]:
    """The words of `file` with the scope of the first of each; "" where it has none that is looked for."""
    words = ["batcat", "--plain", "--color=always", "--theme=Scopes", *options, str(file)]
    done = subprocess.run(words, env=bat, capture_output=True, text=True, check=True, timeout=60)
    found: dict[str, str] = {}
    for color, text in re.findall(r"\x1b\[38;2;(\d+;\d+;\d+)m([^\x1b]*)", done.stdout):
        scope = "" if color == "255;255;255" else SCOPES[int(color.rpartition(";")[2]) - 1]
        for word in text.split():
            found.setdefault(word, scope)
    return found


def test_flow_is_coloured_by_what_words_are(bat: dict[str, str], tmp_path: Path) -> None:
    file = tmp_path / "a.flow"
    file.write_text(SOURCE)
    found = scopes(bat, file)
    assert found["///"] == found["A"] == found["doc."] == "comment.line.documentation"
    assert found["//"] == found["no"] == found["which"] == "comment.line.double-slash"
    assert found["one"] == found["two"] == found["still"] == "comment.block"
    assert found["import"] == found["as"] == "keyword.control.import"
    assert found["./types."] == found["std/json"] == "string.unquoted.import"
    assert found["tool"] == "variable.annotation"
    assert found["pub"] == found["opaque"] == "storage.modifier"
    assert {found[word] for word in ("fn", "record", "enum", "host")} == {"keyword.declaration"}
    assert found["find"] == "entity.name.function"
    assert (found["Other"], found["Sky"], found["Session"]) == (
        *("entity.name.struct", "entity.name.enum", "entity.name.type"),
    )
    assert found["query"] == found["straße"] == "variable.other.member"
    assert found["Text"] == found["Int"] == found["Never"] == "support.type.primitive"
    assert found["Option"] == found["Result"] == "support.type.compound"
    assert found["Hit"] == found["Clear"] == found["Value"] == "storage.type"
    assert found["->"] == "keyword.operator.arrow"
    assert found["a"] == found["b"] == "string.quoted.double"
    assert found['\\"'] == "constant.character.escape"
    assert found["12"] == "constant.numeric"


def test_the_example_is_coloured_to_its_end(bat: dict[str, str]) -> None:
    found = scopes(bat, ROOT / "examples" / "weather" / "weather.flow")
    assert found["forecast"] == "entity.name.function"
    assert found["WeatherProblem"] == "entity.name.enum"
    assert found["rain_chance"] == "variable.other.member"


def test_a_manifest_is_coloured_as_toml_under_a_name_of_its_own(bat: dict[str, str]) -> None:
    listed = subprocess.run(["batcat", "--list-languages"], env=bat, capture_output=True, text=True, check=True).stdout
    assert "Flow Manifest:flow.toml\n" in listed
    manifest = ROOT / "examples" / "weather" / "flow.toml"
    found = scopes(bat, manifest)
    assert found == scopes(bat, manifest, "--language", "TOML")
    assert found["weather.flow"] == "string.quoted.double"
