/** The status item: what the server is doing, and how many Tools do not fit. */
import * as vscode from "vscode";

import { escapedMarkdown } from "./markdown";
import type { Summary } from "./tools/answer";
import type { Standing } from "./session";
import { shown } from "./server/find";

export interface StatusOf {
  readonly standing: Standing;
  readonly summary: Summary;
  readonly trusted: boolean;
  /** The question for consent that waits for an answer. */
  readonly question: string | undefined;
}

export class StatusItem implements vscode.Disposable {
  private readonly item = vscode.window.createStatusBarItem("flow.status", vscode.StatusBarAlignment.Left, 10);

  constructor() {
    this.item.name = "Flow";
    this.item.show();
  }

  show(of: StatusOf): void {
    const said = wordsOf(of);
    this.item.text = said.text;
    this.item.command = of.question !== undefined && of.standing.kind === "running" ? "flow.question.show" : "flow.menu";
    this.item.backgroundColor = said.alarm ? new vscode.ThemeColor("statusBarItem.warningBackground") : undefined;
    const tooltip = new vscode.MarkdownString();
    tooltip.appendMarkdown(said.lines.map(escapedMarkdown).join("\n\n"));
    this.item.tooltip = tooltip;
    this.item.accessibilityInformation = { label: `Flow: ${said.lines.join(" ")}`, role: "button" };
  }

  dispose(): void {
    this.item.dispose();
  }
}

interface Words {
  readonly text: string;
  readonly lines: readonly string[];
  readonly alarm?: boolean;
}

function wordsOf({ standing, summary, trusted, question }: StatusOf): Words {
  switch (standing.kind) {
    case "starting":
      return { text: "$(sync~spin) Flow", lines: ["The server is being started."] };
    case "none":
      return { text: "$(warning) Flow: no server", lines: [standing.sentence], alarm: true };
    case "stopped":
      return { text: "$(error) Flow: stopped", lines: ["The server stopped.", ...about(standing)], alarm: true };
    case "running":
      break;
  }
  const lines = [unfitSentence(summary), ...about(standing)];
  if (question !== undefined) {
    return { text: "$(shield) Flow asks", lines: ["A question waits for your answer; click to read it.", ...lines], alarm: true };
  }
  if (!trusted) {
    const why = "Restricted mode: this workspace is not trusted, so no command of it runs.";
    return { text: `$(shield) Flow${counted(summary)}`, lines: [why, ...lines] };
  }
  if (summary.doing !== null) return { text: `$(sync~spin) Flow${counted(summary)}`, lines: [`${summary.doing}.`, ...lines] };
  return { text: `${summary.unfit === 0 ? "$(check)" : "$(warning)"} Flow${counted(summary)}`, lines };
}

function counted({ unfit }: Summary): string {
  return unfit === 0 ? "" : ` ${String(unfit)}`;
}

function unfitSentence({ tools, unfit }: Summary): string {
  if (tools === 0) return "There are no Tools here.";
  const all = tools === 1 ? "1 Tool" : `${String(tools)} Tools`;
  return unfit === 0 ? `${all}, none unfit.` : `${String(unfit)} of ${all} unfit.`;
}

function about(standing: Extract<Standing, { server: unknown }>): readonly string[] {
  const { version, program } = standing.server;
  return [`flow-lsp ${version}: ${shown(program)}`];
}
