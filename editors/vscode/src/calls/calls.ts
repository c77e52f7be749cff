/** Calls from this window: each is noted when it goes out, and again with what it came to. */
import * as vscode from "vscode";

import { type Send, sentenceOf } from "../client";
import { sameUri } from "../documents";
import { dataOf, textOf } from "../shape";
import { CallHistory, nameIn } from "./history";

export class Calls implements vscode.Disposable {
  private readonly emitter = new vscode.EventEmitter<void>();
  /** A call went out or came to its end. */
  readonly changed = this.emitter.event;
  readonly history = new CallHistory();
  /** When the results of calls came, by their ids. */
  private readonly arrivals = new Map<number, number>();
  /** The names of Tools by the URIs of their arguments, as far as these were opened in this session. */
  private readonly names = new Map<string, string>();

  /** The arguments of the Tool `name` were opened. */
  opened(answer: unknown, name: unknown): void {
    const uri = textOf(dataOf(answer)["uri"]);
    if (uri !== "" && typeof name === "string") this.names.set(sameUri(uri), name);
  }

  /** Runs `flow.call`, and notes it. */
  async call(words: readonly unknown[], send: Send): Promise<unknown> {
    const document = textOf(words[0]);
    const name = this.names.get(sameUri(document)) ?? nameIn(document);
    const id = this.history.begin({ document, name, args: await textIn(document), started: Date.now() });
    this.emitter.fire();
    try {
      const answer = await send("flow.call", words);
      this.over(id, textOf(dataOf(answer)["outcome"]), "");
      return answer;
    } catch (error) {
      this.over(id, undefined, sentenceOf(error));
      throw error;
    }
  }

  /** The result of a call with these arguments is about to be shown, which takes time that is not the call's. */
  arrived(document: string): void {
    const out = this.history.entries.filter((entry) => sameUri(entry.document) === document && entry.ended === undefined);
    if (out.length === 1 && !this.arrivals.has(out[0]!.id)) this.arrivals.set(out[0]!.id, Date.now());
  }

  clear(): void {
    this.history.clear();
    this.emitter.fire();
  }

  dispose(): void {
    this.emitter.dispose();
  }

  private over(id: number, outcome: string | undefined, refusal: string): void {
    this.history.end(id, outcome, refusal, this.arrivals.get(id) ?? Date.now());
    this.arrivals.delete(id);
    this.emitter.fire();
  }
}

/** The arguments as they stand in the editor, saved or not, for so they are sent. */
async function textIn(document: string): Promise<string> {
  try {
    return (await vscode.workspace.openTextDocument(vscode.Uri.parse(document, true))).getText();
  } catch {
    return "";
  }
}
