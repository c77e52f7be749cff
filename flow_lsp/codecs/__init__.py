"""Codecs: from JSON to Python values and back, directed by a declared type ("The value encoding", "Decoding").

A codec decodes what `values.strict_json.read_json` gives, encodes to canonical text, and orders values as
decisions 2 says. Codecs are written as Python functions for one type each, when first used.

Reading order: data (the Python values), refusals, scalars, json_values, nodes (types as codecs see them),
writing, members, compounds (the functions' source), codec (what users call).
"""
