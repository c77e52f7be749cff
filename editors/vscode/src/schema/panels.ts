/** Panels with the page of a Tool's types, one for each Tool; they follow the Tool as it changes. */
import { randomBytes } from "node:crypto";
import * as vscode from "vscode";

import { type Send, sentenceOf } from "../client";
import { sameUri } from "../documents";
import { dataOf } from "../shape";
import { htmlOf } from "./html";
import { type Page, readPage } from "./page";

const COMMAND = "flow.tool.page";

interface Shown {
  readonly panel: vscode.WebviewPanel;
  readonly uri: string;
  readonly name: string;
  page: Page;
  /** What the page was made of, so that it is only made anew where that is other. */
  stamp: string;
  gone: string | undefined;
  stale: boolean;
  asking: boolean;
}

export class SchemaPanels implements vscode.Disposable {
  private readonly panels = new Map<string, Shown>();

  /** `send` asks the server that runs now; undefined where none does. `media` is the folder of the pictures. */
  constructor(
    private readonly send: () => Send | undefined,
    private readonly media: vscode.Uri,
  ) {}

  /** Shows the page of the Tool `name` of the file `uri`. Throws what the server says. */
  async show(uri: string, name: string, send: Send): Promise<unknown> {
    const answer = await send(COMMAND, [uri, name]);
    const key = keyOf(uri, name);
    const there = this.panels.get(key);
    const page = readPage(answer);
    if (there !== undefined) {
      this.fill(there, page, JSON.stringify(answer), undefined);
      there.panel.reveal();
      return answer;
    }
    const panel = vscode.window.createWebviewPanel("flow.schema", `${page.title}: Schema`, vscode.ViewColumn.Beside, {
      enableScripts: true,
      localResourceRoots: [],
      enableFindWidget: true,
    });
    panel.iconPath = {
      light: vscode.Uri.joinPath(this.media, "flow-light.svg"),
      dark: vscode.Uri.joinPath(this.media, "flow-dark.svg"),
    };
    const shown: Shown = { panel, uri, name, page, stamp: "", gone: undefined, stale: false, asking: false };
    this.panels.set(key, shown);
    panel.onDidDispose(() => this.panels.delete(key));
    panel.onDidChangeViewState(() => void this.freshen(shown));
    panel.webview.onDidReceiveMessage((message: unknown) => void this.pressed(shown, message));
    this.fill(shown, page, JSON.stringify(answer), undefined);
    return answer;
  }

  /** Some Tool is another: what is in view is asked for again, the rest when it comes into view. */
  changed(): void {
    for (const shown of this.panels.values()) {
      shown.stale = true;
      void this.freshen(shown);
    }
  }

  dispose(): void {
    for (const { panel } of [...this.panels.values()]) panel.dispose();
  }

  private async freshen(shown: Shown): Promise<void> {
    const send = this.send();
    if (!shown.panel.visible || !shown.stale || shown.asking || send === undefined) return;
    shown.asking = true;
    shown.stale = false;
    try {
      const answer = await send(COMMAND, [shown.uri, shown.name]);
      this.fill(shown, readPage(answer), JSON.stringify(answer), undefined);
    } catch (error) {
      this.fill(shown, shown.page, shown.stamp, `This is as it was before. ${sentenceOf(error)}`);
    } finally {
      shown.asking = false;
    }
    void this.freshen(shown);
  }

  private fill(shown: Shown, page: Page, stamp: string, gone: string | undefined): void {
    if (!this.panels.has(keyOf(shown.uri, shown.name)) || (stamp === shown.stamp && gone === shown.gone)) return;
    shown.page = page;
    shown.stamp = stamp;
    shown.gone = gone;
    shown.panel.webview.html = htmlOf(page, randomBytes(18).toString("base64url"), gone);
  }

  /** A page can say no more than which of its buttons was pressed. */
  private async pressed(shown: Shown, message: unknown): Promise<void> {
    const { copy, open } = dataOf(message);
    if (copy === true) {
      await vscode.env.clipboard.writeText(shown.page.json);
      vscode.window.setStatusBarMessage(`The JSON Schema of ${shown.name} is in the clipboard.`, 4_000);
    }
    const location = typeof open === "number" ? shown.page.sections[open]?.location : undefined;
    if (location === undefined) return;
    const uri = vscode.Uri.parse(location.uri);
    const { start, end } = location.range;
    const selection = new vscode.Range(start.line, start.character, end.line, end.character);
    const other = vscode.window.tabGroups.all.find((group) => group.viewColumn !== shown.panel.viewColumn);
    await vscode.window.showTextDocument(uri, { selection, viewColumn: other?.viewColumn ?? vscode.ViewColumn.Beside });
  }
}

function keyOf(uri: string, name: string): string {
  return `${sameUri(uri)}\n${name}`;
}
