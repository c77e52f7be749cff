"""JSON as the boundary reads and writes it: "The canonical form" and "Decoding" (decisions 3 and 4).

Reading order: limits, numbers, strict_json (reading), diagnosis (why a text is refused), canonical (writing).
data_version says which version of all this it is.
"""
