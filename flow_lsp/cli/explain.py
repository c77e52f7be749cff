"""`flow-lsp explain CODE`: the page of a finding; without a code, all codes."""

from __future__ import annotations

import argparse
import re

from flow_lsp.cli.report import SEVERITY_WORDS
from flow_lsp.cli.terminal import write
from flow_lsp.cli.usage import UsageError
from flow_lsp.findings.catalogue import RULES
from flow_lsp.findings.model import shown
from flow_lsp.host.pages import page_text
from flow_lsp.text.distance import nearest_name

_AS_PRINTED = re.compile(rf"\s*(?:{'|'.join(SEVERITY_WORDS.values())})?\[(?P<code>[^\[\]]*)\]:?\s*")  # error[drift]


def run(options: argparse.Namespace) -> int:
    """Prints; the exit status is 0. Raises UsageError for a code that is not there."""
    if options.code is None:
        width = max(map(len, RULES))
        for code, rule in sorted(RULES.items()):
            write(f"{code:<{width}}  {SEVERITY_WORDS[rule.severity]:<11}  {rule.summary}")
        return 0
    printed = _AS_PRINTED.fullmatch(options.code)
    code = printed["code"] if printed is not None else options.code
    text = page_text(code) if code in RULES else None
    if text is None:
        near = nearest_name(code, RULES)
        hint = f" Is {near} meant?" if near else " `flow-lsp explain` lists all codes."
        raise UsageError(f"there is no finding with the code {shown(code)}.{hint}")
    write(text.rstrip("\n"))
    return 0
