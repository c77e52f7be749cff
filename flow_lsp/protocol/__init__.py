"""The Tool process protocol without input or output: bytes in, events out.

Realizes "The Tool process protocol" and "Versioning" of the specification and decisions 7. Nothing here
starts a process, waits or knows the time, so every rule can be tested with bytes alone, and the host, a
toolkit and the tests share it. Reading order: `framer` (bytes to lines), `printable` (what may be shown of
foreign bytes), `messages` (a line to a message), `outcome` (what a describe run came to), `listing` (an
answer, checked in full), `describe` (the conversation that puts these together).
"""
