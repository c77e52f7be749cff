"""A workspace's texts, parsed each time only where they changed, and the snapshot made of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from flow_lsp.analysis.engine import Analysis
from flow_lsp.binding.model import CommandKey
from flow_lsp.files.workspace import WorkspaceFiles
from flow_lsp.host.project import Project
from flow_lsp.host.settings import HostSettings, RepositoryFolder

FIND = "@tool fn find(query: Text) -> Result<Int, Text>\n"
TABLE = '[tools."a.flow"]\ncommand = "python3"\n'


class Folder:
    """A folder on the disk and the project of it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.project = Project(WorkspaceFiles([str(path)]))
        self.analysis = Analysis()

    def write(self, name: str, text: str | bytes) -> str:
        path = self.path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode() if isinstance(text, str) else text)
        return str(path)

    def told(self, *names: str) -> None:
        """What a file watcher tells."""
        changed = {key for name in names for key in self.project.files.refresh(str(self.path / name))}
        self.project.touch(changed)
        self.project.drop_gone()

    def codes(self, name: str) -> list[str]:
        found = self.analysis.findings(self.project.snapshot(), str(self.path / name))
        return sorted(finding.rule.code for finding in found)


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    return Folder(tmp_path)


def test_the_snapshot_is_the_same_object_until_something_changes(folder: Folder):
    key = folder.write("a.flow", FIND)
    folder.project.load()
    first = folder.project.snapshot()
    assert folder.project.snapshot() is first
    folder.project.files.set_overlay(key, FIND + "// x\n")
    folder.project.touch([key])
    second = folder.project.snapshot()
    assert second is not first
    assert second.surroundings == first.surroundings  # an edit of a text is not a change around it
    assert second.sources[key].text == FIND + "// x\n"


def test_loading_in_slices_comes_to_the_same(folder: Folder):
    for number in range(100):
        folder.write(f"d{number % 3}/f{number}.flow", FIND)
    counts = list(folder.project.load_steps())
    assert counts == sorted(counts)
    assert len(folder.project.source_keys()) == 100
    assert len(folder.project.snapshot().sources) == 100


def test_an_unsaved_manifest_counts_and_the_disk_after_it_was_closed(folder: Folder):
    folder.write("a.flow", FIND)
    manifest = folder.write("flow.toml", "")
    folder.project.load()
    assert folder.codes("a.flow") == ["unbound-no-table"]
    folder.project.files.set_overlay(manifest, TABLE)
    folder.project.touch([manifest])
    assert folder.codes("a.flow") == []
    folder.project.touch([folder.project.files.drop_overlay(manifest)])
    assert folder.codes("a.flow") == ["unbound-no-table"]


def test_a_broken_manifest_remembers_its_last_good_text_through_several_broken_ones(folder: Folder):
    folder.write("a.flow", FIND)
    manifest = folder.write("flow.toml", TABLE)
    folder.project.load()
    key = CommandKey(str(folder.path), ("python3",))
    assert folder.analysis.commands_of(folder.project.snapshot(), manifest) == [key]
    for text in ("[", "x = 1\n", TABLE + "="):
        folder.project.files.set_overlay(manifest, text)
        folder.project.touch([manifest])
        snapshot = folder.project.snapshot()
        assert folder.codes("a.flow") == []
        assert folder.analysis.commands_of(snapshot, manifest) == []  # nothing new is asked
        assert folder.analysis.commands_of(snapshot, str(folder.path / "a.flow")) == []
        assert key in folder.analysis.commands_in_view(snapshot, manifest)
    folder.project.files.set_overlay(manifest, "")
    folder.project.touch([manifest])
    assert folder.codes("a.flow") == ["unbound-no-table"]
    assert folder.analysis.commands_in_view(folder.project.snapshot(), manifest) == []


def test_a_manifest_that_is_gone_is_gone_with_what_it_remembers(folder: Folder):
    folder.write("a.flow", FIND)
    manifest = folder.write("flow.toml", TABLE)
    folder.project.load()
    Path(manifest).unlink()
    folder.told("flow.toml")
    assert folder.project.manifest_files() == {}
    assert folder.codes("a.flow") == ["unbound-no-manifest"]
    folder.write("flow.toml", "[")
    folder.told("flow.toml")
    assert folder.project.manifest_files()[str(folder.path)].last_good is None


def test_a_directory_called_flow_toml_is_a_manifest_that_cannot_be_read(folder: Folder):
    folder.write("a.flow", FIND)
    (folder.path / "flow.toml").mkdir()
    folder.project.load()
    assert folder.codes("flow.toml") == ["unreadable-manifest"]
    assert folder.codes("a.flow") == []


def test_a_source_that_cannot_be_read_is_no_missing_file(folder: Folder):
    folder.write("flow.toml", TABLE)
    folder.write("a.flow", b"\xff")
    folder.project.load()
    assert folder.codes("a.flow") == ["unreadable-source"]
    assert folder.codes("flow.toml") == []
    (folder.path / "a.flow").unlink()
    folder.told("a.flow")
    assert folder.codes("a.flow") == []
    assert folder.codes("flow.toml") == ["missing-file"]


def test_files_that_come_and_go_change_what_is_said_elsewhere(folder: Folder):
    folder.write("flow.toml", TABLE)
    folder.write("b.flow", "import ./a.{Hit}\nrecord B { x: Hit }\n")
    folder.project.load()
    assert folder.codes("flow.toml") == ["missing-file"]
    assert folder.codes("b.flow") == ["import"]
    folder.write("a.flow", "record Hit { x: Int }\n")
    folder.told("a.flow")
    assert (folder.codes("flow.toml"), folder.codes("b.flow")) == ([], [])
    folder.write("a.flow", "record Other { x: Int }\n")
    folder.told("a.flow")
    assert folder.codes("b.flow") == ["import"]


def test_a_program_is_looked_for_once_until_it_is_to_be_looked_for_again(folder: Folder):
    folder.write("flow.toml", '[tools."a.flow"]\ncommand = "./run"\n')
    folder.write("a.flow", FIND)
    folder.project.load()
    assert folder.codes("a.flow") == ["unbound-no-program"]
    Path(folder.write("run", "#!/bin/sh\n")).chmod(0o755)
    assert folder.codes("a.flow") == ["unbound-no-program"]
    folder.project.forget_programs()
    assert folder.codes("a.flow") == []


def test_what_is_loaded_again_has_the_texts_of_now_though_nobody_told_of_them(folder: Folder):
    key = folder.write("a.flow", FIND)
    other = folder.write("b.flow", FIND)
    folder.project.load()
    before = folder.project.snapshot()
    known = before.sources[other]
    folder.write("a.flow", "record Another { text: Text }\n")
    folder.project.load()
    after = folder.project.snapshot()
    assert after is not before
    assert after.sources[key].text == "record Another { text: Text }\n"
    assert after.sources[other] is known


@pytest.mark.parametrize(
    ("command", "made", "told"),
    [
        ("sh x.sh", "", "sub"),  # the directory that it runs in
        ("bin/run", "sub/bin/run", "sub/bin"),  # one in which its program stands
        ("./run", "sub/run", "sub/run"),  # the program
    ],
)
def test_a_program_is_looked_for_again_when_what_it_needs_comes_or_goes(
    folder: Folder, command: str, made: str, told: str
):
    text = f'[tools."a.flow"]\ncommand = "{command}"\n'
    manifest, source = folder.write("sub/flow.toml", text), folder.write("sub/a.flow", FIND)
    if made:
        Path(folder.write(made, "#!/bin/sh\n")).chmod(0o755)
    folder.project.load()
    for key, content in ((manifest, text), (source, FIND)):
        folder.project.files.set_overlay(key, content)
    folder.project.touch([manifest, source])
    assert folder.codes("sub/a.flow") == []
    path = folder.path / told
    path.rename(folder.path / "elsewhere")
    assert not folder.project.forget_programs_at(str(folder.path / "sub2"))
    assert folder.project.forget_programs_at(str(path))
    assert folder.codes("sub/a.flow") == ["unbound-no-program"]
    (folder.path / "elsewhere").rename(path)
    assert folder.project.forget_programs_at(str(path))
    assert folder.codes("sub/a.flow") == []


def test_overrides_run_in_the_first_folder_and_one_without_words_is_none(folder: Folder):
    folder.write("a.flow", FIND)
    folder.project.load()
    folder.project.set_settings(HostSettings(overrides={"a.find": "python3 -m x", "a.other": '"unclosed'}))
    overrides = folder.project.snapshot().settings.overrides
    assert overrides == {"a.find": CommandKey(str(folder.path), ("python3", "-m", "x"))}
    assert folder.codes("a.flow") == []


def test_a_repository_folder_gives_its_files_another_identity(folder: Folder):
    folder.write("sub/a.flow", FIND)
    settings = HostSettings(repositories=(RepositoryFolder("acme/kit", "1.2.0", str(folder.path)),))
    folder.project.set_settings(settings)
    folder.project.load()
    (tool,) = folder.analysis.tools(folder.project.snapshot(), str(folder.path / "sub/a.flow"))
    assert tool.declared.identity == "acme/kit@1.2.0/sub/a.find"


def test_only_a_flow_file_is_a_source(folder: Folder):
    source = folder.write("a.flow", "record Hit { x: Int }\n")
    others = [folder.write(name, "record Hit { x: Int }\n") for name in ("flow.toml", "notes.txt")]
    sources = folder.project.snapshot().sources
    assert sources.get(source) is not None
    assert [sources.get(other) for other in others] == [None, None]
