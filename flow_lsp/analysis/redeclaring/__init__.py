"""A declaration rewritten to what its implementation serves: from the served signature, in the user's own files.

Reading order: `generics` (keys of generic types taken apart, bodies made general), `homes` (where each type is declared
and what it is to become), `members` (edits of what stands between brackets), `writing` (types and members as a file
writes them), `redeclare`.
"""
