"""The formats of `flow-lsp check`, one module each: text, JSON, SARIF 2.1.0, GitHub workflow commands.

Each turns a Report into the whole text to print.
"""
