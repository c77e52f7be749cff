"""Types: terms, templates, their JSON, and what may be said of them as a graph.

Realizes "Type descriptions". Read `terms`, then `shapes`, `reach`, `graph`, `crossing`.
"""
