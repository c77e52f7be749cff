"""Child processes: finding a program, starting it, its three pipes, and its certain end.

The only part that starts anything. It knows nothing of messages: it moves bytes between a process and whoever
asked for it, and promises that nothing of the process's group is left when it has been ended, or when its host
is gone. Reading order: `programs` (what a command's first word comes to), `child` (one process), `pieces` (the
queue into its standard input), `pipes` (that, and its output), `tail` (its standard error), and what differs
between systems: `posix`, `guardian` (for a host that is killed), `windows`, `thread_pipes`.
"""
