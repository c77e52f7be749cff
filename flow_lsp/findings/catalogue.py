"""Every rule there is, by its code.

A code is never used again for another rule; `tests/architecture` holds the list of all codes ever given.
"""

from __future__ import annotations

from flow_lsp.findings import binding_rules, call_rules, manifest_rules, mcp_rules, source_rules
from flow_lsp.findings.model import Rule

RULES: dict[str, Rule] = {
    rule.code: rule
    for rules in (manifest_rules, source_rules, binding_rules, mcp_rules, call_rules)
    for rule in rules.RULES
}
