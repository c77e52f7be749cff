"""`flow.doctor`: the report of `flow-lsp doctor` as one text, obeying the trust of the session."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from flow_lsp.host.consent import TrustPolicy
from flow_lsp.text.paths import inside

if TYPE_CHECKING:
    from flow_lsp.server.language_server import LanguageServer


async def doctor(server: LanguageServer) -> str:
    """The report on every binding of the workspace. What may run is asked anew; no question is put."""
    from flow_lsp.host.doctor.bindings import bindings_in
    from flow_lsp.host.doctor.examination import examine
    from flow_lsp.host.doctor.text import report_text

    await server.asker.ready()
    await server.workspace_read()
    project, implementations = server.project, server.asker.implementations
    project.forget_programs()
    files = [*project.files.manifests(), *project.source_keys()]
    bindings = bindings_in(server.analysis, project.snapshot(), files)
    commands = [bound.key for bound in bindings[0]]
    implementations.refresh(commands, "you asked the doctor", at_once=True)  # its questions are for flow.describe
    await implementations.idle()
    report = await examine(
        bindings,
        described=implementations.described,
        allowed=implementations.allowed,
        reason=lambda key: implementations.described(key).reason,
        login=_why_no_login_shell(server),
    )
    return report_text(report, lambda path: _shown(server, path))


def _why_no_login_shell(server: LanguageServer) -> str | None:
    """Nothing at all runs where nothing is trusted, though the shell is the user's own."""
    if not server.asker.implementations.workspace_trusted:
        return "It was not asked, for the editor does not trust this workspace."
    if server.project.settings.trust is TrustPolicy.NEVER:
        return "It was not asked, for the setting flow.trust is never."
    return None


def _shown(server: LanguageServer, path: str) -> str:
    """A path as it is read in a report: relative to the only workspace folder."""
    folders = server.project.files.folders
    real = [os.path.realpath(folder) for folder in folders]
    return os.path.relpath(path, real[0]) if len(real) == 1 and inside(path, real[0]) else path
