"""The command line: reads arguments, calls the same engine as the editor, and prints.

Read `main` and `arguments`, then `workspace` (what the arguments name) and `implementations` (their commands asked),
then one module per command. `report` is what a check found; `formats` holds one module for each way to print it.
"""
