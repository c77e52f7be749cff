"""Listings made of TypeSpecs, and generated modules: imported, and looked at by checkers of types and style."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterable, Mapping
from itertools import count
from pathlib import Path
from types import ModuleType
from typing import Any

from flow_lsp.codecs.writing import Representation
from flow_lsp.generating.generate import Generated, GenerationRefused, generate
from flow_lsp.signature.signature import Signature, signature_of
from flow_lsp.types.shapes import template_to_json, term_to_json
from flow_lsp.types.terms import Declarations, Kind, TypeSpec

_NUMBERS = count()


def listing_of(tools: Mapping[str, TypeSpec], **changes: Any) -> dict[str, Any]:
    """The listing of Tools by their identities, over one map; `changes` are members to have in place of its own."""
    types: dict[str, Any] = {}
    entries = []
    for identity, spec in tools.items():
        for local_id, template in spec.declarations.items():
            types[local_id] = template_to_json(template)
        signature = signature_of(spec)
        params = [{"name": each.name, "type": term_to_json(each.type), "doc": each.doc} for each in spec.params]
        entries.append(
            {
                "tool": identity, "name": identity.rpartition(".")[2], "doc": None,
                "fingerprint": signature.fingerprint if isinstance(signature, Signature) else "sha256:",
                "generic": list(spec.generic), "params": params,
                "ok": term_to_json(spec.ok), "err": term_to_json(spec.err),
                "file": "a.flow", "line": 1,
            }
        )  # fmt: skip
    return {"data": "0.1", "tools": entries, "types": types, "problems": [], **changes}


def generated(listing: Any) -> Generated:
    """What is generated from `listing`, which must not be refused."""
    found = generate(listing)
    assert isinstance(found, Generated), found
    return found


def reasons(listing: Any) -> tuple[str, ...]:
    """Why nothing is generated from `listing`."""
    found = generate(listing)
    assert isinstance(found, GenerationRefused)
    return found.reasons


def imported(text: str) -> ModuleType:
    """The module of that text, as an import makes it."""
    name = f"generated_{next(_NUMBERS)}"
    module = ModuleType(name)
    sys.modules[name] = module  # where dataclasses look for what annotations name
    exec(compile(text, f"{name}.py", "exec", dont_inherit=True), module.__dict__)
    return module


def representations(module: ModuleType, types: Declarations) -> dict[str, Any]:
    """The classes of a generated module for codecs over `types`, by what its PROGRAM says."""
    program = module.PROGRAM
    found: dict[str, Any] = {}
    for local_id, classes in program.classes.items():
        template = types[local_id]
        names = program.attributes.get(local_id)
        if template.kind is Kind.RECORD:
            wire = tuple([field.name for field in template.fields])
            found[local_id] = Representation(classes, wire if names is None else names)
            continue
        named = [tuple([part.name for part in each.named or ()]) for each in template.constructors]
        found[local_id] = tuple(map(Representation, classes, named if names is None else names))
    return found


def checked_by_mypy(folder: Path, modules: Mapping[str, str]) -> str:
    """What `mypy --strict` says of all these modules, in one run; empty where it finds nothing."""
    for name, text in modules.items():
        (folder / f"{name}.py").write_text(text, encoding="utf-8")
    arguments = ["--strict", "--follow-imports=silent", "--no-error-summary", "--hide-error-context", "--no-pretty"]
    ran = subprocess.run(
        [sys.executable, "-m", "mypy", *arguments, "--config-file=", f"--cache-dir={folder / 'cache'}", "."],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    return ran.stdout + ran.stderr


def checked_by_ruff(folder: Path, modules: Mapping[str, str]) -> str:
    """What `ruff check` with its default rules says of all these modules; empty where it finds nothing.

    The line by which generated modules are left out is taken away. What lower-case names of enums and unions of more
    than a hundred types bring is left out instead."""
    for name, text in modules.items():
        (folder / f"{name}.py").write_text(text.replace("# ruff: noqa\n", "", 1), encoding="utf-8")
    ran = subprocess.run(
        [
            Path(sys.executable).with_name("ruff"),
            "check",
            "--isolated",
            "--no-cache",
            "--quiet",
            "--ignore=PYI042,UP007",
            ".",
        ],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    return ran.stdout + ran.stderr


def json_of(text: str) -> Any:
    """A JSON text, read."""
    return json.loads(text)


def unique(texts: Iterable[str]) -> dict[str, str]:
    """Different texts as modules of their own."""
    return {f"module_{number}": text for number, text in enumerate(dict.fromkeys(texts))}
