"""What looks like a credential is masked, and what a report is for stays readable."""

from __future__ import annotations

import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.bounds import not_hopeless

from flow_lsp.text.secrets import MASK, is_secret_name, masked, masked_words

JWT = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.c2lnbmF0dXJl"
BASE64 = "dGhpcyBpcyBhIGxvbmcgc2VjcmV0IHRoYXQgbm9ib2R5IHNlZXMh"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("key=abc", "key=***"),
        ("API_KEY=abc tail", "API_KEY=*** tail"),
        ("apiKey: abc", "apiKey: ***"),
        ("my.db.password = x", "my.db.password = ***"),
        ('{"client_secret": "a b c", "port": 80}', '{"client_secret": ***, "port": 80}'),
        ("passwd='a b' rest", "passwd=*** rest"),
        ("MY_SECRET_VALUE=abc", "MY_SECRET_VALUE=***"),
        ("--token abc def", "--token *** def"),
        ("--db-password 'a b' rest", "--db-password *** rest"),
        ("Authorization: Bearer abc def", "Authorization: ***"),
        ("Set-Cookie: id=1; x", "Set-Cookie: ***"),
        ("sent Bearer abc.def-123 along", "sent Bearer *** along"),
        ("Basic dXNlcjpwYXNzd29yZA==", "Basic ***"),
        ("https://user:pass@host/path", "https://***@host/path"),
        ("postgres://a:b@c@host/db?x=1", "postgres://***@host/db?x=1"),
        ("https://token@host", "https://***@host"),
        ("ghp_0123456789abcdefABCDEF0123456789abcd", "***"),
        ("AKIAIOSFODNN7EXAMPLE", "***"),
        (JWT, "***"),
        ("-----BEGIN RSA PRIVATE KEY-----MIIE and more", "***"),
        ("id " + "0123456789abcdef" * 2, "id ***"),
        (BASE64, "***"),
        (f"https://hooks.example/services/{BASE64}", "https://hooks.example/services/***"),
        ("wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", "***"),
    ],
)
def test_a_credential_is_masked(text: str, expected: str) -> None:
    assert masked(text) == expected
    assert masked(expected) == expected


@pytest.mark.parametrize(
    "text",
    [
        "monkey=3",
        "keyboard=us",
        "tokenizer=bert",
        "KeyError: 'title'",
        "unknown key: title",
        "unexpected token }",
        "--no-password --verbose",
        "Basic authentication failed",
        "http://host/x@y",
        "sk-learn-contrib",
        "sha256:" + "0123456789abcdef" * 4,
        "/usr/lib/python3.11/site-packages/SomeThing/OtherThing2/module.py",
        "src/Main2/Components/SomeLongName/AnotherLongName/File1.py",
        "a-very-long-option-name-of-the-program-2",
        "weather_tools serves 2 Tools",
    ],
)
def test_what_is_no_credential_stays(text: str) -> None:
    assert masked(text) == text


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("serve", "--token", "a b"), ("serve", "--token", MASK)),
        (("serve", "--key=a b", "x"), ("serve", f"--key={MASK}", "x")),
        (("env", "API_TOKEN=a b", "serve"), ("env", f"API_TOKEN={MASK}", "serve")),
        (("curl", "-H", "Authorization: Bearer a b"), ("curl", "-H", f"Authorization: {MASK}")),
        (("serve", "--passwordless", "x"), ("serve", "--passwordless", "x")),
        (("--token", "x"), ("--token", MASK)),
        (("python3", "-m", "acme.tokens"), ("python3", "-m", "acme.tokens")),
    ],
)
def test_words_of_a_command_are_masked_to_their_end(words: tuple[str, ...], expected: tuple[str, ...]) -> None:
    assert masked_words(words) == expected
    assert masked_words(expected) == expected


@pytest.mark.parametrize(
    "name", ["API_TOKEN", "GITHUB_TOKEN_2", "MYSQL_PWD", "db_password", "SECRET", "AWS_SECRET_ACCESS_KEY"]
)
def test_names_of_secrets(name: str) -> None:
    assert is_secret_name(name)


@pytest.mark.parametrize("name", ["PATH", "HOME", "KEYBOARD", "SSH_AUTH_SOCK", "MONKEY", "PWD", "OLDPWD", "AUTHOR"])
def test_names_of_other_things(name: str) -> None:
    assert not is_secret_name(name)


@given(st.text(st.sampled_from("ab1 =:-_/@'\"*token,password.KEY\\{}"), max_size=60))
def test_any_text_is_masked_and_masking_it_again_changes_little(text: str) -> None:
    once = masked(text)
    assert masked(masked(once)) == masked(masked(masked(once)))
    assert len(masked_words((text, text))) == 2


@pytest.mark.parametrize(
    "part",
    [
        *(
            "a",
            "A1b",
            "A1b/",
            "token",
            "token=",
            'token="',
            "--token ",
            "--",
            "-t",
            "key ",
            "://",
            "a://",
            "a@",
            "x://a@",
        ),
        *(
            "eyJ-",
            "sk-",
            "ghp_a",
            "bearer ",
            "basic  ",
            '"',
            "\\",
            "+",
            "-----BEGIN ",
            "sha256:",
            "cookie:",
            "Key=",
            "_key",
        ),
    ],
)
def test_hostile_text_is_masked_in_linear_time(part: str) -> None:
    with not_hopeless():
        masked(part * (400_000 // len(part)))
        masked_words(("a", part * (400_000 // len(part))))


def test_of_many_long_commands_none_is_remembered() -> None:
    masked_words(("first",))
    tracemalloc.start()
    try:
        before, _ = tracemalloc.get_traced_memory()
        for number in range(50):
            masked_words(("run", f"{number} " * 20_000))
        after, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert after - before < 60_000  # less than one of them
