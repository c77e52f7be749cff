/** Keeps what the server last said of the Tools, and asks anew when it says that this changed. */
import * as vscode from "vscode";
import { ErrorCodes, type LanguageClient, ResponseError } from "vscode-languageclient/node";

import { Forest, type Change } from "./forest";
import { NOTHING, readAnswer, readSummary, type Summary } from "./answer";

export class ToolStore implements vscode.Disposable {
  private readonly summaryEmitter = new vscode.EventEmitter<Summary>();
  private readonly changeEmitter = new vscode.EventEmitter<Change>();
  /** How many there are, or what the server is doing, is another. */
  readonly onSummary = this.summaryEmitter.event;
  /** The tree is another. */
  readonly onChange = this.changeEmitter.event;
  readonly forest = new Forest();
  summary: Summary = NOTHING;
  /** What is to be said of the list as a whole. */
  remark = "";
  /** Whether an answer of this very server is there. */
  known = false;
  private client: LanguageClient | undefined;
  private wanted = false;
  private asking = false;
  private stale = true;

  /** Another server, or none. What the last one said is shown until the next one answers, so that a restart leaves open
   * what is open; where there will be none, `clear` takes it away. */
  attach(client: LanguageClient | undefined): void {
    this.client = client;
    this.known = false;
    this.stale = true;
    this.note(NOTHING);
    if (client === undefined) return;
    client.onNotification("flow/toolsDidChange", (params: unknown) => {
      if (client !== this.client) return;
      this.note(readSummary(params));
      this.stale = true;
      this.ask();
    });
  }

  /** There is no server whose Tools could be shown. */
  clear(): void {
    this.known = false;
    this.stale = true;
    this.remark = "";
    this.note(NOTHING);
    this.changeEmitter.fire(this.forest.update({ manifests: [], truncated: false }));
  }

  /** The tree is looked at from now on, so it is kept in step; before that the counts are enough. */
  want(): void {
    this.wanted = true;
    this.ask();
  }

  /** Waits until an answer is there, or the server is not. */
  async ready(): Promise<void> {
    if (this.known || this.client === undefined) return;
    const answered = new Promise<void>((resolve) => {
      const listening = this.onChange(() => {
        listening.dispose();
        resolve();
      });
    });
    this.want();
    await answered;
  }

  /** Asks again, as soon as the server runs. */
  refresh(): void {
    this.stale = true;
    this.ask();
  }

  dispose(): void {
    this.summaryEmitter.dispose();
    this.changeEmitter.dispose();
  }

  private note(summary: Summary): void {
    this.summary = summary;
    this.summaryEmitter.fire(summary);
  }

  private ask(): void {
    if (this.wanted && this.stale && !this.asking && this.client?.isRunning() === true) void this.askOnce(this.client);
  }

  /** One question at a time, however often something changes meanwhile. */
  private async askOnce(client: LanguageClient): Promise<void> {
    this.asking = true;
    this.stale = false;
    try {
      const answer = readAnswer(await client.sendRequest("flow/tools", {}));
      if (client === this.client) {
        const first = !this.known;
        this.known = true;
        this.remark = answer.truncated ? "There are more Tools than are shown here." : "";
        const change = this.forest.update(answer);
        this.changeEmitter.fire(first ? "all" : change);
      }
    } catch (error) {
      if (client === this.client && client.isRunning()) {
        const isOld = error instanceof ResponseError && error.code === ErrorCodes.MethodNotFound;
        this.remark = isOld ? "This flow-lsp is too old to list Tools." : "The server could not list the Tools.";
        client.outputChannel.appendLine(`flow/tools: ${String(error)}`);
        this.changeEmitter.fire([]);
      }
    } finally {
      this.asking = false;
    }
    this.ask();
  }
}
