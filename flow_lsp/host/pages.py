"""The pages of the findings, as they were installed."""

from __future__ import annotations

import os

from flow_lsp.files.paths import with_slashes
from flow_lsp.files.uris import uri_of

_PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def page_path(code: str) -> str:
    """The page of the finding `code`: in the installed package, or in a checkout's `docs`."""
    installed = os.path.join(_PACKAGE, "pages", f"{code}.md")
    if os.path.exists(installed):
        return installed
    return os.path.join(os.path.dirname(_PACKAGE), "docs", "diagnostics", f"{code}.md")


def page_address(code: str) -> str:
    """The page as a URI that an editor can open."""
    return uri_of(with_slashes(page_path(code)))


def page_text(code: str) -> str | None:
    """The page's Markdown; None where it is not there."""
    try:
        with open(page_path(code), encoding="utf-8") as file:
            return file.read()
    except OSError:
        return None
