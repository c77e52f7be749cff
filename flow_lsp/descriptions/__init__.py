"""Type descriptions that come from outside: TypeSpecs, listings and the views of generic calls, read and judged.

Realizes "Type descriptions" (decisions 8). Read `problems`, `scopes`, `graphs`, `spec`, `listing`; then `substitution`,
`agreement`, `view`, `calls`.
"""
