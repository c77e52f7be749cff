/** The extension: its parts, and what connects them. */
import * as vscode from "vscode";
import type { LanguageClient } from "vscode-languageclient/node";

import { Calls } from "./calls/calls";
import { CallDocuments } from "./calls/documents";
import { CallsView } from "./calls/view";
import { execute, send, type Send, type Shower } from "./client";
import { Texts } from "./documents";
import { SHOW_UNWRITTEN, showUnwritten } from "./fixes";
import { showMenu } from "./menu";
import { QUESTION_SCHEME, Questions } from "./question";
import { SchemaPanels } from "./schema/panels";
import { ManagedEnvironment } from "./server/managed";
import { Session } from "./session";
import { type StatusOf, StatusItem } from "./status";
import { textOf } from "./shape";
import { registerActions } from "./tools/actions";
import { ToolStore } from "./tools/store";
import { type Notice, ToolsView } from "./tools/view";

let session: Session | undefined;

export function activate(context: vscode.ExtensionContext): void {
  const output = vscode.window.createOutputChannel("Flow", { log: true });
  const trace = vscode.window.createOutputChannel("Flow Trace");
  const managed = new ManagedEnvironment({
    storage: vscode.Uri.joinPath(context.globalStorageUri, "environments").fsPath,
    bundled: vscode.Uri.joinPath(context.extensionUri, "server").fsPath,
    platform: process.platform,
  });
  const questions = new Questions();
  const texts = new Texts();
  const calls = new Calls();
  const panels = new SchemaPanels(() => sender(started.client), vscode.Uri.joinPath(context.extensionUri, "media"));
  const shower = makeShower(texts, calls, panels, () => started.client);
  const started: Session = new Session(managed, { output, trace }, shower, questions);
  session = started;
  const store = new ToolStore();
  const view = new ToolsView(store);
  const status = new StatusItem();

  const now = (): StatusOf => ({
    standing: started.standing,
    summary: store.summary,
    trusted: vscode.workspace.isTrusted,
    question: questions.open,
  });
  const showAll = (): void => {
    status.show(now());
    view.notice(noticesOf(now()));
    void vscode.commands.executeCommand("setContext", "flow.question", questions.open !== undefined);
  };
  const run = async (command: string, ...words: unknown[]): Promise<unknown> => {
    const { client } = started;
    if (client?.isRunning() === true) return execute(client, shower, command, words);
    void vscode.window.showInformationMessage("The server of Flow is not running.");
    return undefined;
  };
  const restart = (): Promise<void> => started.restart();
  const command = (name: string, does: () => unknown): vscode.Disposable => vscode.commands.registerCommand(name, does);

  context.subscriptions.push(
    output,
    trace,
    started,
    questions,
    texts,
    calls,
    panels,
    new CallsView(calls, texts, run),
    store,
    view,
    status,
    started.clientChanged((client) => store.attach(client)),
    started.changed(({ kind }) => {
      if (kind === "none" || kind === "stopped") store.clear();
      else store.refresh();
      showAll();
    }),
    store.onSummary(() => {
      showAll();
      panels.changed();
    }),
    questions.changed(showAll),
    vscode.workspace.registerTextDocumentContentProvider(QUESTION_SCHEME, questions),
    ...registerActions(store, run),
    command("flow.newFile", async () => {
      await vscode.window.showTextDocument(await vscode.workspace.openTextDocument({ language: "flow" }));
    }),
    command("flow.walkthrough", () =>
      vscode.commands.executeCommand("workbench.action.openWalkthrough", `${context.extension.id}#flow.start`, false),
    ),
    vscode.commands.registerCommand(SHOW_UNWRITTEN, showUnwritten),
    command("flow.menu", () => showMenu(now())),
    command("flow.question.show", () => questions.show()),
    command("flow.server.restart", restart),
    command("flow.server.install", () => started.install()),
    command("flow.server.remove", () => started.remove()),
    command("flow.settings", () => vscode.commands.executeCommand("workbench.action.openSettings", `@ext:${context.extension.id}`)),
    command("flow.output.show", () => output.show()),
    command("flow.trace.show", () => trace.show()),
    vscode.workspace.onDidGrantWorkspaceTrust(restart),
    vscode.workspace.onDidChangeWorkspaceFolders(() => {
      if (started.standing.kind === "none") void restart();
    }),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration("flow.server") || event.affectsConfiguration("flow.trust")) void restart();
    }),
  );
  showAll();
  void restart();
}

export function deactivate(): Promise<void> | undefined {
  return session?.stop();
}

function sender(client: LanguageClient | undefined): Send | undefined {
  return client?.isRunning() === true ? (command, words) => send(client, command, words) : undefined;
}

function makeShower(texts: Texts, calls: Calls, panels: SchemaPanels, client: () => LanguageClient | undefined): Shower {
  const hasPages = (): boolean => {
    const provider = client()?.initializeResult?.capabilities.executeCommandProvider;
    return provider?.commands.includes("flow.tool.page") === true;
  };
  const documents = new CallDocuments(texts, (document) => calls.arrived(document));
  return {
    document: (uri, focus) => documents.show(uri, focus),
    run: async (command: string, words: readonly unknown[], ask: Send) => {
      if (command === "flow.call") return calls.call(words, ask);
      if (command === "flow.tool.page" || (command === "flow.tool.schema" && hasPages())) {
        return panels.show(textOf(words[0]), textOf(words[1]), ask);
      }
      const answer = await ask(command, words);
      if (command === "flow.call.open") calls.opened(answer, words[1]);
      if (command === "flow.tool.changes") await showChanges(answer);
      if (command === "flow.doctor" && typeof answer === "string") {
        await vscode.window.showTextDocument(texts.put("Flow doctor.txt", "", answer), { preview: true });
      }
      return answer;
    },
  };
}

/** What is declared beside what is served, as a difference. */
async function showChanges(answer: unknown): Promise<void> {
  const { declared, served, title } = answer as { declared: string; served: string; title: string };
  await vscode.commands.executeCommand("vscode.diff", vscode.Uri.parse(declared), vscode.Uri.parse(served), title);
}

/** What stands above the Tools: why nothing runs, and what waits for an answer. */
function noticesOf({ standing, trusted, question, summary }: StatusOf): Notice[] {
  if (standing.kind !== "running") return [];
  const notices: Notice[] = [];
  if (question !== undefined) {
    notices.push({
      kind: "notice",
      id: "question",
      icon: "shield",
      label: "Flow asks",
      description: "click to read and answer",
      tooltip: question,
      command: { command: "flow.question.show", title: "Answer" },
    });
  }
  if (!trusted && summary.tools > 0) {
    notices.push({
      kind: "notice",
      id: "untrusted",
      icon: "shield",
      label: "Nothing runs: restricted mode",
      description: "manage trust",
      tooltip: "This workspace is not trusted, so no command of it runs. Tools are checked by what their files say alone.",
      command: { command: "workbench.trust.manage", title: "Manage Workspace Trust" },
    });
  }
  return notices;
}
