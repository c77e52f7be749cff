"""The first line of a generated file: edited and foreign files are known."""

from __future__ import annotations

from flow_lsp.generating.header import Origin, origin_of, sealed

SEALED = sealed('"""A module."""\nx = "é"\n').encode()


def test_what_was_written_is_known_with_any_line_ends() -> None:
    assert origin_of(SEALED) is Origin.GENERATED
    assert origin_of(SEALED.replace(b"\n", b"\r\n")) is Origin.GENERATED


def test_one_changed_letter_anywhere_is_an_edit() -> None:
    first = SEALED.index(b"sha256:") + 7
    for place in range(first, len(SEALED)):
        assert origin_of(SEALED[:place] + b"~" + SEALED[place + 1 :]) is Origin.EDITED
    assert origin_of(SEALED + b"\n") is Origin.EDITED
    assert origin_of(SEALED[:-1]) is Origin.EDITED


def test_other_texts_are_foreign() -> None:
    assert origin_of(b"") is Origin.FOREIGN
    assert origin_of(b"import json\n") is Origin.FOREIGN
    assert origin_of(b"\n" + SEALED) is Origin.FOREIGN
