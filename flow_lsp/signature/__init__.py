"""What a Tool's declaration is known by: identity, canonical signature and fingerprint ("Identity and
fingerprints"; decisions 5 and 6), and how two signatures differ, in words.

Reading order: identity, signature, forms (a served schema read back), readable (as Flow text), comparison and
difference.
"""
