"""The types of one generic call."""


class CallTypes:
    """What the type parameters are bound to."""
