"""Serves the Tools of weather.flow: one JSON-RPC message on each line of standard input and standard output.

It answers `describe` and `call`, and ignores everything else. What it says was written by hand, and was right once:
weather.flow has changed since, and `forecast` no longer fits, so that it is never called.
"""

import datetime
import decimal
import json
import sys

INTEGER = {"type": "integer"}
NUMBER = {"type": "number"}
INSTANT = {"type": "string", "format": "date-time"}
DURATION = {"type": "string", "format": "duration"}

PLACE = {
    "$ref": "#/$defs/weather.Place",
    "$defs": {
        "weather.Place": {
            "type": "object",
            "properties": {
                "latitude": NUMBER,
                "longitude": NUMBER,
                "name": {"type": "string", "description": "What people call it."},
            },
            "required": ["latitude", "longitude"],
            "description": "A place on earth, in degrees.",
        }
    },
}

OBSERVATION = {
    "$ref": "#/$defs/weather.Observation",
    "$defs": {
        "weather.Observation": {
            "type": "object",
            "properties": {
                "at": INSTANT,
                "temperature": {"type": "number", "description": "In degrees Celsius."},
                "sky": {"$ref": "#/$defs/weather.Sky"},
            },
            "required": ["at", "temperature", "sky"],
            "description": "The weather at one moment.",
        },
        "weather.Sky": {
            "oneOf": [
                {"const": "Clear"},
                {
                    "type": "object",
                    "properties": {
                        "Clouds": {
                            "type": "object",
                            "properties": {"percent": INTEGER},
                            "required": ["percent"],
                        }
                    },
                    "required": ["Clouds"],
                    "additionalProperties": False,
                },
                {"const": "Rain"},
                {"const": "Snow"},
            ]
        },
    },
}

# The field rain_chance, which weather.flow declares by now, is missing here.
FORECASTS = {
    "type": "array",
    "items": {"$ref": "#/$defs/weather.Forecast"},
    "$defs": {
        "weather.Forecast": {
            "type": "object",
            "properties": {"day": INSTANT, "low": NUMBER, "high": NUMBER},
            "required": ["day", "low", "high"],
            "description": "One day to come.",
        }
    },
}

WEATHER_PROBLEM = {
    "$ref": "#/$defs/weather.WeatherProblem",
    "$defs": {
        "weather.WeatherProblem": {
            "oneOf": [
                {"const": "NoStation"},
                {
                    "type": "object",
                    "properties": {"Busy": DURATION},
                    "required": ["Busy"],
                    "additionalProperties": False,
                },
            ]
        }
    },
}

TOOLS = [
    {
        "tool": "weather.current",
        "fingerprint": "sha256:e8b26024889d9ad26f34bc4b539a24bbf7e56ecfc7735f8ba0856d128cefff0a",
        "signature": {
            "params": [["place", PLACE]],
            "ok": OBSERVATION,
            "err": WEATHER_PROBLEM,
            "generic": [],
        },
    },
    {
        "tool": "weather.forecast",
        "fingerprint": "sha256:4b42905fb69ecab8c473ecee7a9f96a4c5f0c9eb26406bbf13708d00e89f6239",
        "signature": {
            "params": [["place", PLACE], ["days", NUMBER]],  # weather.flow says Int by now
            "ok": FORECASTS,
            "err": WEATHER_PROBLEM,
            "generic": [],
        },
    },
]


def current(latitude: decimal.Decimal) -> dict[str, object]:
    """The outcome of a call of `current`: there is one station, and the north is out of its reach."""
    if latitude > 80:
        return {"Failed": "NoStation"}
    now = datetime.datetime.now(datetime.UTC)
    return {"Ok": {"at": f"{now:%Y-%m-%dT%H:%M:%SZ}", "temperature": 12.5, "sky": {"Clouds": {"percent": 40}}}}


def main() -> None:
    """Answers until standard input ends."""
    print(f"weather_tools serves {len(TOOLS)} Tools", file=sys.stderr)
    for line in sys.stdin:
        message = json.loads(line, parse_float=decimal.Decimal)
        if message.get("method") == "describe":
            answer = {"jsonrpc": "2.0", "id": message["id"], "result": {"data": "0.1", "tools": TOOLS}}
            print(json.dumps(answer), flush=True)
        elif message.get("method") == "call":
            call = message["params"]
            reply = {"run": call["run"], "call": call["call"], "outcome": current(call["args"]["place"]["latitude"])}
            print(json.dumps({"jsonrpc": "2.0", "method": "reply", "params": reply}), flush=True)


if __name__ == "__main__":
    main()
