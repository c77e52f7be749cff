"""The language server: the connection to an editor, its open documents, what is published to it.

This package is the only one that speaks the Language Server Protocol 3.17. It needs no library for
it: messages are plain dictionaries. Read `messages` and `streams` (bytes), `parameters` (what a client
may have sent), `dispatcher` (requests and answers), `endpoint` and `parent` (the life of a connection),
`documents`, `convert`, `publisher`, `pulling`, `capabilities`; then `language_server`, which puts them
together.
"""
