"""`flow-lsp tools`: the Tools listing of a workspace (decisions 9)."""

from __future__ import annotations

import argparse

from flow_lsp.cli.terminal import amount, complain, json_text, write
from flow_lsp.cli.workspace import open_each, shown_path


def run(options: argparse.Namespace) -> int:
    """Prints a listing for each workspace folder; the exit status is 1 where one has problems."""
    status = 0
    for opened in open_each(options):
        listing = opened.listing()
        write(json_text(listing))
        for problem in opened.problems:
            complain(f"{shown_path(problem.path)}: {problem.sentence}")
        if listing["problems"]:
            status = 1
            complain(
                f"{amount(len(listing['problems']), 'problem')} in this listing, so a toolkit generates nothing "
                "from it; `flow-lsp check` shows the places."
            )
    return status
