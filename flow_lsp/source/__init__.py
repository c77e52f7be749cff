"""The declarations of `.flow` files: reading, resolving and checking them, and the tools listing.

Realizes decisions 8 and 9. This is the one replaceable part: what depends on Flow's grammar stands here
alone. Read `model`, `tokens`, `borders`, `cursor`, `types_reader`, `item_reader`, `import_reader`,
`reader`; then `homes`, `imports`, `standard`, `scope`, `resolution`, `files`, `checks`, `program`; then
`listing`, `elements`.
"""
