"""Files: reading them, finding them, and the unsaved text of an editor over them (decisions 6, 8, 10).

Everything here works on absolute paths written with `/`, and blocks while the disk answers; nothing here
knows asyncio or a protocol. Reading order: uris, paths, reading, writing, scan, workspace.
"""
