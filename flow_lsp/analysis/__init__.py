"""What a user is told: findings and hovers, computed from one snapshot.

Nothing here does I/O or knows the LSP. Read `snapshot`, `engine`, then `checks/` and `hover`.
"""
