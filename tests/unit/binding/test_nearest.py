"""From a file to its binding: the nearest manifest is the boundary."""

from __future__ import annotations

from flow_lsp.binding.model import Bound, CommandKey, ManifestFile, Origin, Refused, Unbound, UnboundReason
from flow_lsp.binding.nearest import file_binding, overridden
from flow_lsp.manifest.model import BindingKind
from flow_lsp.manifest.reader import read_manifest


def manifests(**texts: str) -> dict[str, ManifestFile]:
    """Manifests by directory: `w`, `w_sub` for /w and /w/sub. A text after `|` is the last good one."""
    found = {}
    for name, text in texts.items():
        directory = "/" + name.replace("_", "/")
        now, _, good = text.partition("|")
        manifest = read_manifest(now)
        last = read_manifest(good) if good else (None if manifest.has_error else manifest)
        found[directory] = ManifestFile(f"{directory}/flow.toml", directory, manifest, None, last)
    return found


def test_a_table_of_the_nearest_manifest_binds() -> None:
    found = file_binding("/w/sub/a.flow", manifests(w='[tools."sub/a.flow"]\ncommand = "run \'a b\'"\n'), "/w")
    assert isinstance(found, Bound)
    assert (found.kind, found.key, found.origin) == (
        BindingKind.COMMAND,
        CommandKey("/w", ("run", "a b")),
        Origin.MANIFEST,
    )


def test_the_nearest_manifest_is_the_boundary_and_the_farther_table_is_named() -> None:
    found = file_binding("/w/sub/a.flow", manifests(w='[tools."sub/a.flow"]\ncommand = "x"\n', w_sub=""), "/w")
    assert isinstance(found, Unbound)
    assert (found.reason, found.key, found.manifest) == (UnboundReason.NO_TABLE, "a.flow", "/w/sub/flow.toml")
    assert found.farther is not None
    assert found.farther.path == "/w/flow.toml"


def test_without_any_manifest_the_key_is_the_one_beside_the_workspace_folder() -> None:
    assert file_binding("/w/sub/a.flow", {}, "/w") == Unbound(UnboundReason.NO_MANIFEST, "sub/a.flow")


def test_a_manifest_with_an_error_refuses_and_its_last_good_text_stays_in_view() -> None:
    found = file_binding("/w/a.flow", manifests(w='x = 1\n|[tools."a.flow"]\ncommand = "x"\n'), "/w")
    assert isinstance(found, Refused)
    assert isinstance(found.last, Bound)
    assert found.last.key.words == ("x",)


def test_a_broken_farther_manifest_is_nothing_to_a_file_below_a_nearer_one() -> None:
    found = file_binding("/w/sub/a.flow", manifests(w="x = 1\n", w_sub='[tools."a.flow"]\ncommand = "c"\n'), "/w")
    assert isinstance(found, Bound)


def test_a_repository_file_uses_the_manifest_at_its_root_and_no_other() -> None:
    found = file_binding(
        "/r/sub/a.flow",
        manifests(r='[tools."sub/a.flow"]\ncommand = "root"\n', r_sub='[tools."a.flow"]\ncommand = "near"\n'),
        "/w",
        repository="/r",
    )
    assert isinstance(found, Bound)
    assert found.key == CommandKey("/r", ("root",))


def test_an_override_wins_over_everything() -> None:
    key = CommandKey("/w", ("fake",))
    for binding in (
        Refused("/w/flow.toml"),
        Unbound(UnboundReason.NO_MANIFEST, "a.flow"),
        file_binding("/w/a.flow", manifests(w='[tools."a.flow"]\ncommand = "x"\n'), "/w"),
    ):
        found = overridden(binding, "a.find", {"a.find": key})
        assert isinstance(found, Bound)
        assert (found.key, found.origin) == (key, Origin.OVERRIDE)
        assert overridden(binding, "a.other", {"a.find": key}) == binding


def test_an_mcp_table_binds_through_the_adapter() -> None:
    found = file_binding("/w/a.flow", manifests(w='[tools."a.flow"]\nmcp = "npx server"\n'), "/w")
    assert isinstance(found, Bound)
    assert found.kind is BindingKind.MCP


def test_the_words_of_a_command_are_shown_so_that_they_can_be_told_apart() -> None:
    assert CommandKey("/w", ("a", "b c", "")).command == "a 'b c' ''"
