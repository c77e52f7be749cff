"""What the built-in types are, in words, and what their type arguments are called."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

BUILT_IN_WORDS: Final[Mapping[str, str]] = {
    "Int": "An exact whole number of any size (up to 4,096 digits on the wire).",
    "Decimal": "An exact decimal number; never binary floating point.",
    "Bool": "true or false.",
    "Text": "Unicode text.",
    "Bytes": "Bytes; base64 with padding in JSON.",
    "Instant": "A moment in time, exact to any fraction of a second; RFC 3339 in UTC in JSON.",
    "Duration": "A length of time; an ISO 8601 duration such as PT90S in JSON.",
    "Unit": "The type of one value, which says nothing; null in JSON.",
    "Never": "The type without values: what cannot happen.",
    "json.Value": "Any JSON, passed through untouched.",
    "List": "Values in order; an array in JSON.",
    "Set": "Different values in ascending order; an array in JSON.",
    "Dict": "Values by key: an object in JSON for keys of type Text, else an array of pairs.",
    "Option": 'A value or none: left out in a record\'s field; "None" or {"Some": …} elsewhere.',
    "Task": "Work under way. It has no encoding, so it cannot cross to an implementation.",
    "Result": "Ok with a success value, or Err with an error value; what every Tool returns.",
}

ARGUMENT_NAMES: Final[Mapping[str, tuple[str, ...]]] = {
    "List": ("T",),
    "Set": ("T",),
    "Dict": ("K", "V"),
    "Option": ("T",),
    "Task": ("T",),
    "Result": ("T", "E"),
}

ARGUMENT_WORDS: Final[Mapping[tuple[str, int], str]] = {
    ("List", 0): "The type of each value.",
    ("Set", 0): "The type of each value; it must have an order.",
    ("Dict", 0): "The type of the keys; it must have an order.",
    ("Dict", 1): "The type of the values.",
    ("Option", 0): "The type of the value, where there is one.",
    ("Task", 0): "The type of what the work comes to.",
    ("Result", 0): "What the Tool gives on success.",
    ("Result", 1): "The declared error, or Never where there is none.",
}
