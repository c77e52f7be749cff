"""`flow-lsp tools`: the Tools listing of a workspace (decisions 9)."""

from __future__ import annotations

import argparse
import json

from flow_lsp.cli import workspace


def run(options: argparse.Namespace) -> int:
    """Prints a listing for each workspace folder; the exit status is 1 where one has problems."""
    status = 0
    for opened in workspace.open_workspaces(options):
        listing = opened.listing()
        print(json.dumps(listing, indent=2, ensure_ascii=False))
        if listing["problems"]:
            status = 1
    return status
