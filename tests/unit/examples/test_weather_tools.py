"""The implementation in examples/weather is a real one: a process that speaks the protocol, and is honest."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from flow_lsp.generating.header import Origin, origin_of
from flow_lsp.signature.signature import served_fingerprint

WEATHER = Path(__file__).parents[3] / "examples" / "weather"


def talk(*messages: dict[str, Any]) -> tuple[list[dict[str, Any]], str]:
    """What the process answers to these messages, and what it logs. It ends with its input."""
    done = subprocess.run(
        [sys.executable, "weather_tools.py"],
        cwd=WEATHER,
        input="".join(json.dumps(message) + "\n" for message in messages),
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    return [json.loads(line) for line in done.stdout.splitlines()], done.stderr


def test_it_answers_describe_with_fingerprints_that_are_its_signatures() -> None:
    request = {"jsonrpc": "2.0", "id": 7, "method": "describe", "params": {"data": "0.1"}}
    answers, log = talk(request)
    assert [answer["id"] for answer in answers] == [7]
    assert answers[0]["result"]["data"] == "0.1"
    tools = answers[0]["result"]["tools"]
    assert [tool["tool"] for tool in tools] == ["weather.current", "weather.forecast"]
    for tool in tools:
        assert served_fingerprint(tool["signature"]) == tool["fingerprint"]
    assert len(log.splitlines()) == 1


def call(**place: float) -> dict[str, Any]:
    """What a call of `current` is answered with."""
    params = {"run": "r", "call": "c", "tool": "weather.current", "args": {"place": place}}
    (answer,), _ = talk({"jsonrpc": "2.0", "method": "call", "params": params})
    assert (answer["method"], answer["params"]["run"], answer["params"]["call"]) == ("reply", "r", "c")
    outcome: dict[str, Any] = answer["params"]["outcome"]
    return outcome


def test_it_answers_a_call() -> None:
    weather = call(latitude=52.5, longitude=13)["Ok"]
    assert set(weather) == {"at", "temperature", "sky"}
    assert call(latitude=82, longitude=13) == {"Failed": "NoStation"}


def test_it_ignores_what_it_does_not_answer() -> None:
    assert talk({"jsonrpc": "2.0", "method": "cancel", "params": {"run": "r", "call": "c"}})[0] == []


def test_it_forecasts_by_the_declaration_that_it_was_generated_from() -> None:
    place = {"latitude": 52.5, "longitude": 13}
    params = {"run": "r", "call": "c", "tool": "weather.forecast", "args": {"place": place, "days": 2}}
    (answer,), _ = talk({"jsonrpc": "2.0", "method": "call", "params": params})
    assert [sorted(day) for day in answer["params"]["outcome"]["Ok"]] == [["day", "high", "low"]] * 2


def test_its_generated_module_is_as_it_was_written() -> None:
    assert origin_of((WEATHER / "flow_tools.py").read_bytes()) is Origin.GENERATED
