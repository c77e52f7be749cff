"""The conformance cases of kind outcome: events in order, and what the host admits, drops and keeps open."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from flow_lsp.codecs.codec import Codecs
from flow_lsp.protocol.call_outcomes import Failed, Ok
from flow_lsp.protocol.connection import HostConnection
from flow_lsp.protocol.ledger import Admitted, Call, Dropped, Ledger, LedgerEvent
from flow_lsp.protocol.replies import FaultyReply, ReplyReceived
from flow_lsp.types.shapes import template_from_json, term_from_json
from flow_lsp.types.terms import Template
from flow_lsp.values.limits import DEFAULT_LIMITS

FILE = Path(__file__).parent / "cases" / "outcome.json"
CASES: list[Any] = json.loads(FILE.read_text("utf-8"))["cases"]


class Host:
    """One implementation's calls, and the process that runs at the moment."""

    def __init__(self, line: int) -> None:
        self.ledger = Ledger()
        self.line = line
        self.connection = HostConnection(line)

    def happens(self, event: dict[str, Any]) -> list[LedgerEvent]:
        match event["event"]:
            case "open":
                return self.ledger.open(call_of(event))
            case "sent":
                return self.ledger.sent(event["run"], event["call"])
            case "cancel":
                return self.ledger.cancel(event["run"], event["call"])
            case "close":
                return self.ledger.close(event["run"], event["call"])
            case "line":
                received = self.connection.receive(event["text"].encode("utf-8", "surrogatepass") + b"\n")
                replies = [each for each in received if isinstance(each, ReplyReceived | FaultyReply)]
                return [told for reply in replies for told in self.ledger.reply(reply)]
            case "ended":
                self.connection.end()
                self.connection = HostConnection(self.line)
                return self.ledger.ended()
            case "describe":
                return self.ledger.described(event["data"], event["tools"])
        raise AssertionError(f"no event is called {event['event']}")


def call_of(event: dict[str, Any]) -> Call:
    declarations = {}
    for local_id, value in event.get("types", {}).items():
        template = template_from_json(value)
        assert isinstance(template, Template)
        declarations[local_id] = template
    codecs = Codecs(declarations, builds_opaque=False)
    ok: Any = term_from_json(event["ok"])
    err: Any = term_from_json(event["err"])
    return Call(
        event["run"], event["call"], codecs.codec(ok), codecs.codec(err), event.get("tool"), event.get("fingerprint")
    )


def as_written(told: Admitted, wanted: Any) -> dict[str, Any]:
    """What was admitted, as a case writes it; a reason that `wanted` leaves open is left open."""
    name = type(told.outcome).__name__
    text = told.outcome.text if isinstance(told.outcome, Ok | Failed) else told.outcome.reason
    is_open = name in wanted["result"] and wanted["result"][name] is None and not isinstance(told.outcome, Ok | Failed)
    return {"run": told.run, "call": told.call, "result": {name: None if is_open else text}}


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_outcome(case: dict[str, Any]) -> None:
    given, expected = case["input"], case["expect"]
    host = Host(given.get("limits", {}).get("line", DEFAULT_LIMITS.line_bytes))
    events = [told for event in given["events"] for told in host.happens(event)]
    if "admitted" in expected:
        admitted = [told for told in events if isinstance(told, Admitted)]
        assert len(admitted) == len(expected["admitted"]), admitted
        for told, wanted in zip(admitted, expected["admitted"], strict=True):
            assert as_written(told, wanted) == wanted
    if "dropped" in expected:
        assert host.ledger.dropped == expected["dropped"]
        assert sum(isinstance(told, Dropped) for told in events) == expected["dropped"]
    if "open" in expected:
        assert host.ledger.open_pairs == [tuple(pair) for pair in expected["open"]]
