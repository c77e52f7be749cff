"""The host: asking implementations what they serve, in the background, and only where the user agreed.

Joins the protocol's state machines to child processes. Reading order: `describe` (one run), `describe_jobs`
(which runs happen, and when), `consent` (whether a command may run at all), `answers` (the last good answer
of each command, kept across sessions), `store` (how the two keep their files).
"""
