"""Answers the Tools of weather.flow: one station, and the weather it makes up.

flow_tools.py was generated from weather.flow and was right once. weather.flow has changed since, and `forecast` no
longer fits.
"""

from __future__ import annotations

import sys
from datetime import UTC, datetime, timedelta
from decimal import Decimal

from flow_tools import (
    CurrentFailed,
    Forecast,
    ForecastFailed,
    Observation,
    Place,
    SkyClouds,
    WeatherProblemNoStation,
    serve,
)

from flow_lsp.toolkit import from_datetime

NORTHERNMOST = Decimal(80)  # degrees that the station reaches to


class Station:
    """The functions of the Tools."""

    async def current(self, place: Place) -> Observation:
        """The weather now."""
        if place.latitude > NORTHERNMOST:
            raise CurrentFailed(WeatherProblemNoStation())
        now = datetime.now(UTC).replace(microsecond=0)
        return Observation(at=from_datetime(now), temperature=Decimal("12.5"), sky=SkyClouds(percent=40))

    async def forecast(self, place: Place, days: Decimal) -> tuple[Forecast, ...]:
        """The days to come, the nearest first."""
        if place.latitude > NORTHERNMOST:
            raise ForecastFailed(WeatherProblemNoStation())
        today = datetime.now(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
        return tuple(
            Forecast(day=from_datetime(today + timedelta(number)), low=Decimal(7), high=Decimal(15 + number))
            for number in range(1, int(days) + 1)
        )


if __name__ == "__main__":
    print("weather_tools serves 2 Tools", file=sys.stderr)
    serve(Station())
