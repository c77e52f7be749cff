"""Scalars, one function for each direction (decisions 1 and 3): what is not the plain case of the written functions.

Each function takes a value, and gives its other side or raises ValueRefused without steps.
"""

from __future__ import annotations

import binascii
from collections.abc import Callable
from decimal import Decimal
from json.encoder import encode_basestring
from typing import Any, Final, NoReturn

from flow_lsp.codecs.refusals import RefusalKind, ValueRefused, refuse_type
from flow_lsp.findings.model import shown
from flow_lsp.values.durations import Duration, read_duration
from flow_lsp.values.instants import Instant, instant_fits, read_instant
from flow_lsp.values.limits import Limits
from flow_lsp.values.numbers import HugeNumber, NumberFault, as_decimal, as_int, number_text
from flow_lsp.values.times import TimeFault

Decode = Callable[[Any], Any]
Encode = Callable[[Any], str]
quote: Final = encode_basestring  # JSON's escapes and no more, lower-case hexadecimal

_SMALL: Final = 10**18
_SHORT: Final = 100


def decode_text(value: Any) -> str:
    """A Text; strict reading has seen to it that it holds no half of a character."""
    if type(value) is not str:
        refuse_type(value, "a string is expected for Text")
    return value


def encode_text(value: Any) -> str:
    """A str as a JSON string. Lone surrogates are found when the whole text is done."""
    if not isinstance(value, str):
        refuse_type(value, "a str is expected for Text")
    return quote(value)


def decode_token(value: Any) -> str:
    """A host token, handed back unchanged."""
    if type(value) is not str:
        refuse_type(value, "a string is expected for a host token")
    return value


def encode_token(value: Any) -> str:
    """A host token as a JSON string."""
    if not isinstance(value, str):
        refuse_type(value, "a str is expected for a host token")
    return quote(value)


def decode_bool(value: Any) -> bool:
    """A Bool."""
    if value is not True and value is not False:
        refuse_type(value, "true or false is expected for Bool")
    return value


def encode_bool(value: Any) -> str:
    """A bool as `true` or `false`."""
    if value is True:
        return "true"
    if value is not False:
        refuse_type(value, "True or False is expected for Bool")
    return "false"


def decode_unit(value: Any) -> None:
    """Unit's one value."""
    if value is not None:
        refuse_type(value, "null is expected for Unit")


def encode_unit(value: Any) -> str:
    """None as `null`."""
    if value is not None:
        refuse_type(value, "None is expected for Unit")
    return "null"


def refuse_never(_: Any) -> NoReturn:
    """Refuses: Never has no values."""
    raise ValueRefused(RefusalKind.NEVER, "Never has no values, so none can stand here.")


def decode_bytes(value: Any) -> bytes:
    """Bytes from standard base64 with padding, in its one spelling."""
    if type(value) is not str:
        refuse_type(value, "a string of base64 is expected for Bytes")
    try:
        data = binascii.a2b_base64(value.encode("ascii"))
        # A text that is not what these bytes are written as has another alphabet, white space, missing padding or
        # trailing bits.
        if binascii.b2a_base64(data, newline=False).decode("ascii") == value:
            return data
    except (ValueError, UnicodeEncodeError):
        pass
    raise ValueRefused(
        RefusalKind.FORMAT,
        f"`{shown(value)}` is not base64 with the standard alphabet (`+` and `/`), padding, no white space and no bits "
        "left over.",
    )


def encode_bytes(value: Any) -> str:
    """Bytes as a JSON string of base64."""
    if not isinstance(value, bytes):
        refuse_type(value, "bytes are expected for Bytes")
    return f'"{binascii.b2a_base64(value, newline=False).decode("ascii")}"'


def scalars_within(limits: Limits) -> dict[str, tuple[Decode, Encode]]:
    """The functions of Int, Decimal, Instant and Duration, by these names, each pair to decode and to encode."""
    below = 10**limits.int_digits
    shortest_limit = min(limits.decimal_digits, limits.decimal_places)

    def decode_int(value: Any) -> int:
        if type(value) is int:
            return value
        if isinstance(value, bool) or not isinstance(value, int | Decimal | HugeNumber):
            refuse_type(value, "a whole number is expected for Int")
        found = as_int(value, limits)
        if isinstance(found, NumberFault):
            _refuse_int(value, found, limits)
        return found

    def encode_int(value: Any) -> str:
        if isinstance(value, bool) or not isinstance(value, int):
            refuse_type(value, "an int is expected for Int")
        if -_SMALL < value < _SMALL:
            return int.__repr__(value)
        if not -below < value < below:
            raise ValueRefused(RefusalKind.LIMIT, f"An Int has at most {limits.int_digits} digits.")
        return number_text(int(value))

    def decode_decimal(value: Any) -> Decimal:
        if isinstance(value, bool) or not isinstance(value, int | Decimal | HugeNumber):
            refuse_type(value, "a number is expected for Decimal")
        found = as_decimal(value, limits)
        if isinstance(found, NumberFault):
            _refuse_decimal(limits)
        return found

    def encode_decimal(value: Any) -> str:
        if not isinstance(value, Decimal):
            refuse_type(value, "a Decimal is expected for Decimal")
        if not value.is_finite():
            raise ValueRefused(RefusalKind.TYPE, f"A Decimal is a finite number, and this is {value}.")
        if -_SHORT < value.adjusted() < _SHORT:  # so that writing it out costs little
            text = number_text(value)
            if len(text) < shortest_limit:
                return text
        found = as_decimal(value, limits)
        if isinstance(found, NumberFault):
            _refuse_decimal(limits)
        return number_text(found)

    def decode_instant(value: Any) -> Instant:
        if type(value) is not str:
            refuse_type(value, "a string such as `2024-01-31T12:30:00Z` is expected for Instant")
        found = read_instant(value, limits)
        if isinstance(found, TimeFault):
            _refuse_time("an Instant", value, found)
        return found

    def encode_instant(value: Any) -> str:
        if not isinstance(value, Instant):
            refuse_type(value, "an Instant is expected for Instant")
        if not instant_fits(value, limits):
            raise ValueRefused(RefusalKind.LIMIT, "The year or the fraction of this Instant is past the limits.")
        return f'"{value}"'

    def decode_duration(value: Any) -> Duration:
        if type(value) is not str:
            refuse_type(value, "a string such as `PT90S` is expected for Duration")
        found = read_duration(value, limits)
        if isinstance(found, TimeFault):
            _refuse_time("a Duration", value, found)
        return found

    def encode_duration(value: Any) -> str:
        if not isinstance(value, Duration):
            refuse_type(value, "a Duration is expected for Duration")
        if isinstance(as_decimal(value.seconds, limits), NumberFault):
            raise ValueRefused(RefusalKind.LIMIT, "The seconds of this Duration are past the limits.")
        return f'"{value}"'

    return {
        "int": (decode_int, encode_int),
        "decimal": (decode_decimal, encode_decimal),
        "instant": (decode_instant, encode_instant),
        "duration": (decode_duration, encode_duration),
    }


def _refuse_int(value: object, fault: NumberFault, limits: Limits) -> NoReturn:
    if fault is NumberFault.LIMIT:
        raise ValueRefused(RefusalKind.LIMIT, f"An Int has at most {limits.int_digits} digits; this has more.")
    raise ValueRefused(RefusalKind.NUMBER, f"An Int is a whole number, and {shown(str(value))} is not.")


def _refuse_decimal(limits: Limits) -> NoReturn:
    raise ValueRefused(
        RefusalKind.LIMIT,
        f"A Decimal has at most {limits.decimal_digits} significant digits, none further than {limits.decimal_places} "
        "places from the point; this has more.",
    )


def _refuse_time(what: str, text: str, fault: TimeFault) -> NoReturn:
    kind = RefusalKind.LIMIT if fault.past_limit else RefusalKind.FORMAT
    raise ValueRefused(kind, f"`{shown(text)}` is not {what} that can be read: {fault.reason}.")
