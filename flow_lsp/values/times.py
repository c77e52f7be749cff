"""What Instants and Durations share: exact arithmetic, and why a text is none of them."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal, Inexact, InvalidOperation
from typing import Final

from flow_lsp.values.limits import Limits

# Sums and differences of what the limits allow stay far below this; Inexact would show that one did not.
_PRECISION: Final = 100_000
_EXACT = Context(prec=_PRECISION, Emax=MAX_EMAX, Emin=MIN_EMIN, traps=[Inexact, InvalidOperation])
ZERO: Final = Decimal(0)


@dataclass(frozen=True, slots=True)
class TimeFault:
    """Why a text is no Instant or Duration. `reason` is a clause without a full stop.

    `past_limit` where it is one, but past the limits of decisions 4.
    """

    reason: str
    past_limit: bool = False


def exact_sum(one: Decimal, other: Decimal) -> Decimal:
    """`one` + `other`, never rounded; raises decimal.Inexact where that takes more than 100,000 digits."""
    return _EXACT.add(one, other)


def exact_difference(one: Decimal, other: Decimal) -> Decimal:
    """`one` - `other`, never rounded; raises decimal.Inexact where that takes more than 100,000 digits."""
    return _EXACT.subtract(one, other)


def exact_decimal(number: object, what: str) -> Decimal:
    """`number` as a Decimal; raises TypeError for what is no int or Decimal, ValueError for what is not finite."""
    if isinstance(number, bool) or not isinstance(number, int | Decimal):
        raise TypeError(f"{what} is an int or a Decimal, never a {type(number).__name__}.")
    exact = Decimal(number)
    if not exact.is_finite():
        raise ValueError(f"{what} is a finite number.")
    return exact or ZERO


def digits_fit(whole: str, fraction: str, limits: Limits) -> bool:
    """Whether the number `whole`.`fraction` (digits alone) is inside Decimal's limits."""
    whole, fraction = whole.lstrip("0"), fraction.rstrip("0")
    digits = (whole + fraction).strip("0") if not (whole and fraction) else whole + fraction
    return (
        len(whole) <= limits.decimal_places
        and len(fraction) <= limits.decimal_places
        and len(digits) <= limits.decimal_digits
    )
