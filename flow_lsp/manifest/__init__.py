"""The manifest, flow.toml: TOML with places, tolerant of errors, read again by table (section "flow.toml").

Read `model`, what a manifest is, then `words` and `paths`, its values and keys; then how it is read:

- `toml_syntax`, `toml_strings`, `toml_scalars`, `toml_values`: TOML from the bottom up;
- `definitions`: TOML's rules on what may be defined twice;
- `toml_scanner`: one segment, from a header to the next;
- `tables`: the rules of a table; `segments`: all that one segment says;
- `relations`: what segments have to do with each other;
- `reader`: the whole, and what an edit changes;
- `completion`: what could be typed at a place; `insertion`: a table put into a text.
"""
