"""The Tool process protocol without input or output: bytes in, events out, for both sides.

Realizes "The Tool process protocol", "Versioning" and the implementation's side of "Toolkits" (decisions 7). Nothing
here starts a process, waits or knows the time, so every rule can be tested with bytes alone, and the host, a toolkit
and the tests share it. Each state machine has its rules at the top of its file.

Reading order: `framer` (bytes to lines), `printable` (what may be shown of foreign bytes), `messages` (a line to a
message), `envelope` (what can be read of a line with a fault), `stream` (noise and unknown requests). Describe:
`outcome` (what a run came to), `listing` (an answer, checked in full), `describe` (the conversation). Calls:
`call_outcomes`, `lines` (what is written), `replies` (a line to a reply), `connection` (the host's side of one
process), `served`, `ledger_table`, `ledger` (all calls of one implementation, across its processes), and `serving`
(the implementation's side). `mcp` is the protocol of MCP servers.
"""
