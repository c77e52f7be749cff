"""Quick fixes: what can be done about a finding, or at a place, each as one change.

`model` says what a fix is, `registry` which module knows what to do about which finding; one module per area.
"""
