"""Text and places in it: spans, positions in each encoding of the LSP, documents that are edited.

Offsets are code points into a text. Lines are the LSP's: they end at LF, CRLF or a lone CR and at
nothing else (not at U+2028, U+0085, VT or FF). Read `spans`, then `lines`, then `document`.
"""
