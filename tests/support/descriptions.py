"""Type descriptions as JSON, in few words."""

from __future__ import annotations

from typing import Any

Json = dict[str, Any]


def named(declaration: str, *args: Any) -> Json:
    """A Named term."""
    return {"Named": {"declaration": declaration, "args": list(args)}}


def param(owner: str, index: Any = 0) -> Json:
    """A Param."""
    return {"Param": {"owner": owner, "index": index}}


def function(*params: Any, result: Any = "Unit") -> Json:
    """A Function term."""
    return {"Function": {"params": list(params), "result": result}}


def fields(**types: Any) -> list[Json]:
    """A record's fields, or the named parts of a payload."""
    return [{"name": name, "type": term, "doc": None} for name, term in types.items()]


def template(name: str, kind: str, generic: tuple[str, ...] = (), **changes: Any) -> Json:
    """A declaration called `name`, with the identity `k.<name>`."""
    return {
        "name": name, "identity": f"k.{name}", "lexical_ordinal": 1, "generic": list(generic), "opaque": False,
        "kind": kind, "doc": None, **changes,
    }  # fmt: skip


def record(name: str, *generic: str, **types: Any) -> Json:
    """A record with these fields."""
    return template(name, "record", generic, fields=fields(**types))


def enum(name: str, *generic: str, **payloads: Any) -> Json:
    """An enum with these constructors: None for no payload, a list of positional terms, a dict of named ones."""
    constructors = [
        {
            "name": constructor,
            "doc": None,
            "payload": None
            if payload is None
            else {"positional": payload}
            if isinstance(payload, list)
            else {"named": fields(**payload)},
        }
        for constructor, payload in payloads.items()
    ]
    return template(name, "enum", generic, constructors=constructors)


def spec(declarations: Json | None = None, *generic: str, ok: Any = "Unit", err: Any = "Never", **params: Any) -> Json:
    """A TypeSpec."""
    return {
        "generic": list(generic),
        "params": [{"name": name, "type": term} for name, term in params.items()],
        "ok": ok,
        "err": err,
        "declarations": declarations or {},
    }


def view(declarations: Json | None = None, *, ok: Any = "Unit", err: Any = "Never", bind: Json, **params: Any) -> Json:
    """The view of a call."""
    return {
        "bindings": [{"name": name, "type": term} for name, term in bind.items()],
        "params": [{"name": name, "type": term} for name, term in params.items()],
        "ok": ok,
        "err": err,
        "declarations": declarations or {},
    }
