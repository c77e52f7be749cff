"""Binding: what answers a declaration.

Realizes "Binding" of the specification without touching a disk: manifests and paths come in as data.
Read `model`, then `nearest`.
"""
