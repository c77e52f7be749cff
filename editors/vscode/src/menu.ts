/** What a click on the status item offers. */
import * as vscode from "vscode";

import type { StatusOf } from "./status";

interface Choice extends vscode.QuickPickItem {
  readonly command?: string;
}

export async function showMenu(of: StatusOf): Promise<void> {
  const choices: Choice[] = [];
  const add = (label: string, command: string, description = ""): void => void choices.push({ label, command, description });
  const { standing, question, trusted } = of;
  if (question !== undefined) add("$(shield) Answer the Question", "flow.question.show", "a command waits for your consent");
  if (standing.kind === "none") {
    const isSetting = standing.remedy === "settings";
    add(isSetting ? "$(gear) Open Settings" : "$(cloud-download) Install flow-lsp", isSetting ? "flow.settings" : "flow.server.install");
  }
  if (!trusted) add("$(shield) Manage Workspace Trust", "workbench.trust.manage", "nothing runs while it is restricted");
  if (standing.kind === "running") {
    add("$(list-tree) Show Flow Tools", "flow.tools.focus");
    if (trusted) add("$(refresh) Describe Everything Again", "flow.describe");
    add("$(pulse) Doctor", "flow.doctor", "what would run, from where, and what is wrong with it");
  }
  choices.push({ label: "", kind: vscode.QuickPickItemKind.Separator });
  add("$(debug-restart) Restart Server", "flow.server.restart");
  add("$(output) Show Output", "flow.output.show");
  add("$(gear) Settings", "flow.settings");
  const title = standing.kind === "none" ? standing.sentence : "Flow";
  const choice = await vscode.window.showQuickPick(choices, { title, placeHolder: of.summary.doing ?? "What next?" });
  if (choice?.command !== undefined) await vscode.commands.executeCommand(choice.command);
}
