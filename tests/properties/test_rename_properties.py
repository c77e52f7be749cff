"""Renames in a real folder: what was bound and imported stays so, there and back is where it was, and the server knows
after any sequence of them what a fresh one would."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from posixpath import relpath

from hypothesis import given, settings
from hypothesis import strategies as st

from flow_lsp.analysis.edits import Change, applied
from flow_lsp.analysis.engine import Analysis
from flow_lsp.analysis.renames import Renaming, renamed
from flow_lsp.binding.model import Bound
from flow_lsp.files.workspace import WorkspaceFiles
from flow_lsp.host.project import Project
from flow_lsp.text.paths import inside

DIRECTORIES = ("", "one/", "two/", "one/deep/")
NAMES = ("a", "b", "my-kinds", "record")
SOURCES = st.lists(
    st.tuples(st.sampled_from(DIRECTORIES), st.sampled_from(NAMES)).map("".join), min_size=1, max_size=5, unique=True
)


@st.composite
def workspaces(draw: st.DrawFn) -> dict[str, str]:
    """Sources of one Tool each, which import each other, and manifests with tables for most of them."""
    sources = draw(SOURCES)
    manifests = draw(st.lists(st.sampled_from(DIRECTORIES[:3]), max_size=3, unique=True))
    files: dict[str, str] = {}
    for number, name in enumerate(sources):
        directory = name.rpartition("/")[0]
        lines = []
        for other in draw(st.lists(st.sampled_from(sources), max_size=2, unique=True)):
            path = relpath(other, directory or ".")
            path = path if path.startswith("../") else f"./{path}"
            alias = f" as m{sources.index(other)}" if draw(st.booleans()) or "-" in other or "record" in other else ""
            lines.append(f"import {path}{alias}\n" if draw(st.booleans()) or alias else f"import {path}.{{T}}\n")
        files[f"{name}.flow"] = (
            "".join(lines) + f"record T {{ x: Int }}\n@tool fn f{number}(x: T) -> Result<Int, Text>\n"
        )
    for directory in manifests:
        text = draw(st.sampled_from(["", "# mine\n"]))
        for name in sources:
            near = (
                max((each for each in manifests if name.startswith(each)), key=len)
                if any(name.startswith(each) for each in manifests)
                else None
            )
            if near == directory and draw(st.sampled_from([True, True, False])):
                command = draw(
                    st.sampled_from(["run x", "./run", f"python3 {name[len(directory) :]}.flow", "'a b'/run"])
                )
                text += f"[tools.'{name[len(directory) :]}.flow'] # c\ncommand = \"{command}\"\n\n"
        files[f"{directory}flow.toml"] = text
    return files


PLACES = st.tuples(st.sampled_from([*DIRECTORIES, "three/"]), st.sampled_from([*NAMES, "new"])).map("".join)
RENAMES = st.tuples(st.sampled_from(["file", "file", "folder"]), st.integers(0, 9), PLACES)


@contextmanager
def folder(files: dict[str, str]) -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as name:
        root = Path(name).resolve() / "w"
        root.mkdir()
        for path, text in files.items():
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_text(text)
        yield root


def pair(root: Path, kind: str, number: int, place: str) -> tuple[Path, Path] | None:
    """What is renamed to what; None where that cannot be."""
    if kind == "file":
        found = sorted(root.rglob("*.flow"))
        new = root / f"{place}.flow"
    else:
        found = sorted(path for path in root.rglob("*") if path.is_dir())
        new = root / place
    if not found:
        return None
    old = found[number % len(found)]
    possible = not new.exists() and not inside(str(new), str(old)) and not any(p.is_file() for p in new.parents)
    return (old, new) if possible else None


def rename(project: Project, analysis: Analysis, old: Path, new: Path) -> Change:
    """As a client does it: the edits, then the renaming, then what it tells."""
    snapshot = project.snapshot()
    change = renamed(snapshot, analysis.program(snapshot), Renaming({str(old): str(new)}))
    for path, edits in change.edits.items():
        Path(path).write_text(applied(Path(path).read_text(), edits))
    new.parent.mkdir(parents=True, exist_ok=True)
    shutil.move(old, new)
    changed = set()
    for path in (*change.edits, str(old), str(new)):
        changed |= project.files.refresh(path)
    project.touch(changed)
    project.drop_gone()
    project.surroundings_changed()
    return change


def findings(project: Project, analysis: Analysis) -> dict[str, list[tuple[str, object, str]]]:
    snapshot = project.snapshot()
    keys = [*project.files.manifests(), *project.source_keys()]
    found = {key: [(f.rule.code, f.span, f.message) for f in analysis.findings(snapshot, key)] for key in keys}
    return {key: said for key, said in found.items() if said}


def opened(root: Path) -> Project:
    project = Project(WorkspaceFiles([str(root)]))
    project.load()
    return project


def bound(project: Project) -> set[str]:
    snapshot = project.snapshot()
    return {key for key in project.source_keys() if isinstance(snapshot.binding_of(key), Bound)}


def imports(project: Project, analysis: Analysis) -> dict[str, list[str | None]]:
    """Where the imports of each source lead, those to a file that is there."""
    snapshot = project.snapshot()
    program = analysis.program(snapshot)
    found = {}
    for key in project.source_keys():
        source = snapshot.sources[key]
        targets = [program.import_target(key, item.syntax).path for item in source.items if item.kind == "import"]
        found[key] = [target for target in targets if target is not None and project.files.exists(target)]
    return found


EDITS = st.sampled_from(
    [
        "",
        "bogus = 1\n",
        "[tools.'a.flow']\nmcp = 'x'\n",
        "[tools.'one/b.flow']\n",
        "import ./a\n",
        "record T { x: Text }\n",
    ]
)
STEPS = st.one_of(
    RENAMES,
    st.tuples(st.just("delete"), st.integers(0, 9), PLACES),
    st.tuples(st.just("edit"), st.integers(0, 9), EDITS),
)


def change(project: Project, root: Path, kind: str, number: int, text: str) -> None:
    """A file or folder is deleted, or a file is another one, on the disk; and a watcher tells of it."""
    found = sorted(path for path in root.rglob("*") if kind == "delete" or path.is_file())
    if not found:
        return
    path = found[number % len(found)]
    if kind == "edit":
        path.write_text(path.read_text() + text)
    elif path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink()
    project.touch(project.files.refresh(str(path)))
    project.drop_gone()
    project.surroundings_changed()


@settings(deadline=None, max_examples=60)
@given(workspaces(), st.lists(STEPS, min_size=1, max_size=5))
def test_after_any_renames_edits_and_deletions_the_server_knows_what_a_fresh_one_would(files, steps):
    with folder(files) as root:
        project, analysis = opened(root), Analysis()
        findings(project, analysis)
        for kind, number, what in steps:
            if kind in ("file", "folder"):
                pairs = pair(root, kind, number, what)
                if pairs is not None:
                    rename(project, analysis, *pairs)
            else:
                change(project, root, kind, number, what)
            now = findings(project, analysis)
            if not any(file.refuses for file in project.snapshot().manifests.values()):
                # While a manifest has an error, what its last good text said stays in view; a fresh server saw none.
                assert now == findings(opened(root), Analysis())


@settings(deadline=None, max_examples=80)
@given(workspaces(), RENAMES)
def test_what_was_bound_and_imported_stays_so(files, one):
    with folder(files) as root:
        project, analysis = opened(root), Analysis()
        pairs = pair(root, *one)
        if pairs is None:
            return
        before, led = bound(project), imports(project, analysis)
        renaming = Renaming({str(pairs[0]): str(pairs[1])})
        codes = {key: [said[0] for said in found] for key, found in findings(project, analysis).items()}
        change = rename(project, analysis, *pairs)
        manifests = set(map(str, root.rglob("flow.toml")))
        for key in before:
            to = renaming.moved(key)
            if any(inside(to, manifest.removesuffix("/flow.toml")) for manifest in manifests):
                assert to in bound(project), (key, change)
        assert imports(project, analysis) == {
            renaming.moved(key): [renaming.moved(target) for target in targets] for key, targets in led.items()
        }
        now = {key: [said[0] for said in found] for key, found in findings(project, analysis).items()}
        for key, found in codes.items():
            if "import" not in found and not key.endswith("toml"):
                assert "import" not in now.get(renaming.moved(key), [])


@settings(deadline=None, max_examples=80)
@given(workspaces(), RENAMES)
def test_there_and_back_is_where_it_was(files, one):
    with folder(files) as root:
        project, analysis = opened(root), Analysis()
        pairs = pair(root, *one)
        if pairs is None:
            return
        change = rename(project, analysis, *pairs)
        moves_tables = any(
            edit.text.startswith(("\n[", "[", "\n\n[")) for edits in change.edits.values() for edit in edits
        )
        rename(project, analysis, pairs[1], pairs[0])
        if not moves_tables:
            assert {name: (root / name).read_text() for name in files} == files
