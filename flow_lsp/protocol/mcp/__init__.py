"""The Model Context Protocol's client side without input or output: what the MCP adapter speaks and decides.

Realizes "Adapters" of the specification and decisions 11. Bytes in, events out; a server's process, its time
limits and its restarts are the host's. The revisions of MCP whose connections open with `initialize` are
spoken, over standard input and output, one message per line. Numbers stay exact, which rules out the MCP SDK
and its types: they read numbers as floats, and importing them takes longer than all of this program's start.

Reading order: revisions (the handshake), lines (what is written), faulty and inbox (what is read), tools (what
a server lists), listing (that as data, kept and read back), arguments and results (what a call takes and gives);
foreign (JSON Schemas of any make), compared and offers (which declarations a server answers, and advice); events,
notices, connection (the conversation, which tells what `protocol.connection` does, so that the ledger serves both).
"""
