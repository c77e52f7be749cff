"""Settings: defaults, wrong values, and who may widen trust."""

from __future__ import annotations

import pytest

from flow_lsp.findings.model import Severity
from flow_lsp.host.consent import TrustPolicy
from flow_lsp.host.settings import HostSettings, RepositoryFolder, read_settings

DEFAULT = HostSettings()


def test_all_settings_are_read_nested_or_dotted() -> None:
    nested = {
        "trust": "always",
        "overrides": {"a.find": "fake --it"},
        "repositories": [{"name": "acme/kit", "version": "1.0.0", "path": "/kit"}],
        "describe": {"timeout": 3, "enabled": False, "watch": ["**/*.py"]},
        "diagnostics": {"severity": {"drift": "warning", "missing-file": "off"}},
        "inlayHints": True,
    }
    dotted = {name: value for name, value in nested.items() if not isinstance(value, dict) or name == "overrides"} | {
        "describe.timeout": 3,
        "describe.enabled": False,
        "describe.watch": ["**/*.py"],
        "diagnostics.severity": {"drift": "warning", "missing-file": "off"},
    }
    expected = HostSettings(
        trust=TrustPolicy.ALWAYS,
        overrides={"a.find": "fake --it"},
        repositories=(RepositoryFolder("acme/kit", "1.0.0", "/kit"),),
        severities={"drift": Severity.WARNING, "missing-file": None},
        describe_enabled=False,
        describe_timeout=3.0,
        describe_watch=("**/*.py",),
        inlay_hints=True,
    )
    assert read_settings(nested, DEFAULT, from_user=True) == (expected, [])
    assert read_settings(dotted, DEFAULT, from_user=True) == (expected, [])


@pytest.mark.parametrize(
    "values",
    [
        {"trust": "sometimes"},
        {"trust": ["always"]},
        {"overrides": ["x"]},
        {"overrides": {"a.find": "run 'it"}},
        {"overrides": {"a.find": "  "}},
        {"repositories": [{"name": "x"}]},
        {"describe": {"timeout": True}},
        {"describe": {"timeout": 0}},
        {"describe": {"watch": "x"}},
        {"describe": {"enabled": 1}},
        {"inlayHints": "on"},
        {"diagnostics": {"severity": {"no-such-code": "off"}}},
        {"diagnostics": {"severity": {"drift": "loud"}}},
        {"diagnostics": {"severity": 3}},
    ],
)
def test_a_wrong_value_leaves_the_default_and_is_said(values: dict[str, object]) -> None:
    settings, problems = read_settings(values, DEFAULT, from_user=True)
    assert settings == DEFAULT
    assert len(problems) == 1
    assert problems[0].startswith("The setting flow.")


def test_a_workspace_can_narrow_trust_and_never_widen_it() -> None:
    always = HostSettings(trust=TrustPolicy.ALWAYS)
    narrowed, problems = read_settings({"trust": "never"}, always, from_user=False)
    assert (narrowed.trust, problems) == (TrustPolicy.NEVER, [])
    widened, problems = read_settings({"trust": "always"}, DEFAULT, from_user=False)
    assert widened.trust is TrustPolicy.ASK
    assert "only the user's own settings may widen trust" in problems[0]


def test_null_and_unknown_members_change_nothing() -> None:
    assert read_settings(None, DEFAULT, from_user=True) == (DEFAULT, [])
    assert read_settings({"trust": None, "colour": "red"}, DEFAULT, from_user=True) == (DEFAULT, [])
    assert read_settings([1], DEFAULT, from_user=True)[0] == DEFAULT


@pytest.mark.parametrize("word", [[], {}, 1, True, None, "loud"])
def test_a_severity_of_any_shape_is_refused_in_words(word: object) -> None:
    settings, problems = read_settings({"diagnostics": {"severity": {"drift": word}}}, DEFAULT, from_user=True)
    assert settings == DEFAULT
    assert "is none of error, warning, information, hint and off" in problems[0]
