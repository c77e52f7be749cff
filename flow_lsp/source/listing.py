"""The tools listing: what `flow tools` supplies and toolkits generate from (decisions 9)."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Mapping
from typing import Any

from flow_lsp.findings.model import Severity, shown
from flow_lsp.signature.signature import Signature, SignatureProblem, signature_of
from flow_lsp.source.declarations import CheckedFile, ToolDeclaration
from flow_lsp.types.renaming import renamed_template, renamed_term
from flow_lsp.types.shapes import template_to_json, term_to_json
from flow_lsp.types.terms import Template
from flow_lsp.values.data_version import DATA_VERSION


def tools_listing(
    files: Iterable[CheckedFile],
    folder: str,
    signatures: Mapping[ToolDeclaration, Signature | SignatureProblem] | None = None,
) -> dict[str, Any]:
    """The listing of `files`, all in the directory `folder`, as one JSON object of plain values.

    `signatures` may hold what is known already. A Tool with a problem, or whose signature cannot be known,
    stands in `problems` and not in `tools`.
    """
    known = signatures or {}
    prefix = folder.rstrip("/") + "/"
    ordered = sorted(files, key=lambda file: file.path.removeprefix(prefix))
    listed: list[tuple[CheckedFile, ToolDeclaration, Signature]] = []
    problems: list[dict[str, Any]] = []
    faulty = {file.path for file in ordered if any(_is_error(finding.rule.severity) for finding in file.findings)}
    templates: dict[str, Template] = {}
    for file in ordered:
        lines = _Lines(file.source.text)
        place = file.path.removeprefix(prefix)
        found = [(finding.span.start, finding.message) for finding in file.findings if _is_error(finding.rule.severity)]
        for tool in file.tools:
            at = file.name_span(tool).start
            if tool.refused or tool.spec is None:
                cause = file.cause_of(tool)
                if cause is not None and cause.path not in faulty:
                    found.append((at, _unknown(tool, cause.path.removeprefix(prefix), cause.name)))
                continue
            signature = known.get(tool) or signature_of(tool.spec)
            if isinstance(signature, SignatureProblem):
                found.append((at, f"The Tool `{shown(tool.name)}` has no fingerprint: {signature.sentence}"))
                continue
            listed.append((file, tool, signature))
            for local_id, template in tool.spec.declarations.items():
                templates.setdefault(local_id, template)
        problems += [{"file": place, "line": lines.number(at), "message": text} for at, text in sorted(found)]
    names = _names(templates)
    return {
        "data": DATA_VERSION,
        "tools": _entries(listed, prefix, names),
        "types": {
            names[local_id]: template_to_json(renamed_template(template, names))
            for local_id, template in templates.items()
        },
        "problems": problems,
    }


def _entries(
    listed: list[tuple[CheckedFile, ToolDeclaration, Signature]], prefix: str, names: Mapping[str, str]
) -> list[dict[str, Any]]:
    entries: list[dict[str, Any]] = []
    lines: dict[str, _Lines] = {}
    for file, tool, signature in listed:
        assert tool.spec is not None
        numbers = lines.setdefault(file.path, _Lines(file.source.text))
        entries.append(
            {
                "tool": tool.identity,
                "name": tool.name,
                "doc": tool.doc,
                "fingerprint": signature.fingerprint,
                "generic": list(tool.generic),
                "params": [
                    {
                        "name": param.name,
                        "type": term_to_json(renamed_term(param.type, names)),
                        "doc": param.doc,
                    }
                    for param in tool.params
                ],
                "ok": term_to_json(renamed_term(tool.spec.ok, names)),
                "err": term_to_json(renamed_term(tool.spec.err, names)),
                "file": file.path.removeprefix(prefix),
                "line": numbers.number(file.name_span(tool).start),
            }
        )
    return entries


def _names(templates: Mapping[str, Template]) -> dict[str, str]:
    """The listing's own local ids: identities, told apart by `~2` and so on where two files share one."""
    names: dict[str, str] = {}
    taken: dict[str, int] = {}
    for local_id, template in templates.items():
        count = taken[template.identity] = taken.get(template.identity, 0) + 1
        names[local_id] = template.identity if count == 1 else f"{template.identity}~{count}"
    return names


def _unknown(tool: ToolDeclaration, path: str, name: str) -> str:
    return (
        f"The signature of the Tool `{shown(tool.name)}` is not known: it reaches `{shown(name)}` in "
        f"{shown(path)}, which has an error. Check that file."
    )


def _is_error(severity: Severity) -> bool:
    return severity is Severity.ERROR


class _Lines:
    """Line numbers from 1, as Flow counts lines: LF alone ends one."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._ends: list[int] | None = None

    def number(self, offset: int) -> int:
        if self._ends is None:
            self._ends = [place for place, letter in enumerate(self._text) if letter == "\n"]
        return bisect_left(self._ends, offset) + 1
