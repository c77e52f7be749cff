"""The JSON Schema of a type, generated from its declaration: "Schemas" (decisions 5).

Reading order: keys (how a type is named in `$defs` and `$ref`), projection (the schemas).
"""
