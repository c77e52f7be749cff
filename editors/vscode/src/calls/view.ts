/** "Calls" in the side bar: the last calls of this session. */
import * as vscode from "vscode";

import type { Texts } from "../documents";
import type { RunCommand } from "../tools/actions";
import type { Calls } from "./calls";
import { type CallEntry, duration } from "./history";
import { callText } from "./text";

const LOOKS: Readonly<Record<string, readonly [icon: string, colour: string]>> = {
  Ok: ["pass", "testing.iconPassed"],
  Failed: ["error", "problemsErrorIcon.foreground"],
  NotRun: ["circle-slash", "problemsWarningIcon.foreground"],
  Refused: ["circle-slash", "problemsWarningIcon.foreground"],
  BadReply: ["warning", "problemsErrorIcon.foreground"],
  Unknown: ["question", "problemsWarningIcon.foreground"],
};
const SHOWN = 500; // letters of an outcome in a tooltip

export class CallsView implements vscode.TreeDataProvider<CallEntry>, vscode.Disposable {
  private readonly emitter = new vscode.EventEmitter<undefined>();
  readonly onDidChangeTreeData = this.emitter.event;
  private readonly disposables: vscode.Disposable[];

  constructor(
    private readonly calls: Calls,
    texts: Texts,
    run: RunCommand,
  ) {
    const view = vscode.window.createTreeView("flow.calls", { treeDataProvider: this });
    this.disposables = [
      view,
      this.emitter,
      calls.changed(() => this.emitter.fire(undefined)),
      vscode.commands.registerCommand("flow.calls.show", (entry?: CallEntry) => showEntry(this.fresh(entry), texts)),
      vscode.commands.registerCommand("flow.calls.again", async (entry?: CallEntry) => {
        if (entry !== undefined) await vscode.window.showTextDocument(vscode.Uri.parse(entry.document), { preview: false });
      }),
      vscode.commands.registerCommand("flow.calls.cancel", async (entry?: CallEntry) => {
        if (entry !== undefined) await run("flow.call.cancel", entry.document);
      }),
      vscode.commands.registerCommand("flow.calls.clear", () => calls.clear()),
    ];
  }

  dispose(): void {
    for (const one of this.disposables) one.dispose();
  }

  getChildren(element?: CallEntry): CallEntry[] {
    return element === undefined ? [...this.calls.history.entries] : [];
  }

  getTreeItem(entry: CallEntry): vscode.TreeItem {
    const { ended } = entry;
    const item = new vscode.TreeItem(entry.name);
    item.id = String(entry.id);
    const time = new Date(entry.started).toLocaleTimeString();
    item.description = ended === undefined ? `running since ${time}` : `${ended.kind} · ${duration(ended.milliseconds)} · ${time}`;
    item.contextValue = ended === undefined ? "running" : "over";
    const [icon, colour] = ended === undefined ? ["sync~spin", undefined] : (LOOKS[ended.kind] ?? LOOKS["Unknown"]!);
    item.iconPath = new vscode.ThemeIcon(icon, colour === undefined ? undefined : new vscode.ThemeColor(colour));
    if (ended !== undefined) {
      item.tooltip = ended.outcome.length > SHOWN ? `${ended.outcome.slice(0, SHOWN)}…` : ended.outcome;
      item.command = { command: "flow.calls.show", title: "Show Outcome", arguments: [entry] };
    }
    return item;
  }

  private fresh(entry: CallEntry | undefined): CallEntry | undefined {
    return entry === undefined ? undefined : (this.calls.history.find(entry.id) ?? entry);
  }
}

async function showEntry(entry: CallEntry | undefined, texts: Texts): Promise<void> {
  if (entry?.ended === undefined) return;
  const time = new Date(entry.started).toTimeString().slice(0, 8).replaceAll(":", ".");
  const uri = texts.put(`${entry.name} ${time}.json`, String(entry.id), callText(entry));
  await vscode.window.showTextDocument(uri, { preview: true });
}
