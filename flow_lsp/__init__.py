"""flow-lsp: a language server and host for Flow Tools.

Reading order, from the bottom up: text, findings, values, types, schema, signature, protocol,
manifest, source, binding, analysis (all pure); then files, processes, host, server, cli (the edge).
"""

__version__ = "0.1.0"
