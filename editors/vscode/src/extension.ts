/** The extension: its parts, and what connects them. */
import * as vscode from "vscode";

import { Session } from "./session";
import { ManagedEnvironment } from "./server/managed";

let session: Session | undefined;

export function activate(context: vscode.ExtensionContext): void {
  const output = vscode.window.createOutputChannel("Flow", { log: true });
  const trace = vscode.window.createOutputChannel("Flow Trace");
  const managed = new ManagedEnvironment({
    storage: vscode.Uri.joinPath(context.globalStorageUri, "environments").fsPath,
    bundled: vscode.Uri.joinPath(context.extensionUri, "server").fsPath,
    platform: process.platform,
  });
  const started = new Session(managed, { output, trace }, { document: () => undefined, answered: async () => undefined });
  session = started;
  const restart = (): Promise<void> => started.restart();
  context.subscriptions.push(
    output,
    trace,
    started,
    vscode.commands.registerCommand("flow.server.restart", restart),
    vscode.commands.registerCommand("flow.output.show", () => output.show()),
    vscode.commands.registerCommand("flow.trace.show", () => trace.show()),
    vscode.workspace.onDidGrantWorkspaceTrust(restart),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration("flow.server") || event.affectsConfiguration("flow.trust")) void restart();
    }),
  );
  void restart();
}

export function deactivate(): Promise<void> | undefined {
  return session?.stop();
}
