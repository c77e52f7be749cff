"""Child processes: finding a program, starting it, its three pipes, and its certain end.

The only part that starts anything. It knows nothing of messages: it moves bytes between a process and whoever
asked for it, and promises that nothing of the process's group is left when it has been ended. Reading order:
`programs` (what a command's first word comes to), `child` (one process), `pipes` (its standard input and
output), `tail` (its standard error), and what differs between systems: `posix`, `windows`, `thread_pipes`.
"""
