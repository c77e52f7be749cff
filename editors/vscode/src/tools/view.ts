/** "Flow Tools" in the side bar. */
import * as vscode from "vscode";

import { ago } from "../age";
import { escapedMarkdown } from "../markdown";
import type { ForestNode, ToolNode } from "./forest";
import { contextOf, descriptionOf, lookOf } from "./looks";
import type { ToolStore } from "./store";

/** Something to see and to press above the Tools, such as a question that waits. */
export interface Notice {
  readonly kind: "notice";
  readonly id: string;
  readonly icon: string;
  readonly label: string;
  readonly description?: string;
  readonly tooltip: string;
  readonly command: vscode.Command;
}

type Element = Notice | ForestNode;

const TICK = 30_000; // milliseconds between looks at ages
const OPEN_BELOW = 50; // files with more Tools than this begin closed

export class ToolsView implements vscode.TreeDataProvider<Element>, vscode.Disposable {
  private readonly emitter = new vscode.EventEmitter<Element | Element[] | undefined>();
  readonly onDidChangeTreeData = this.emitter.event;
  private readonly view: vscode.TreeView<Element>;
  private readonly disposables: vscode.Disposable[];
  private readonly shownAges = new Map<ToolNode, string>();
  private notices: readonly Notice[] = [];

  constructor(private readonly store: ToolStore) {
    this.view = vscode.window.createTreeView("flow.tools", { treeDataProvider: this, showCollapseAll: true });
    const ticking = setInterval(() => this.tick(), TICK);
    this.disposables = [
      this.view,
      this.emitter,
      { dispose: () => clearInterval(ticking) },
      store.onSummary(({ unfit }) => this.badge(unfit)),
      store.onChange((change) => {
        this.view.message = store.remark;
        void vscode.commands.executeCommand("setContext", "flow.known", store.known);
        if (change === "all") this.shownAges.clear();
        if (change.length > 0) this.emitter.fire(change === "all" ? undefined : [...change]);
      }),
      this.view.onDidChangeVisibility(({ visible }) => {
        if (visible) store.want();
      }),
    ];
    if (this.view.visible) store.want();
  }

  /** What stands above the Tools. */
  notice(notices: readonly Notice[]): void {
    if (JSON.stringify(notices) === JSON.stringify(this.notices)) return;
    this.notices = notices;
    this.emitter.fire(undefined);
  }

  dispose(): void {
    for (const one of this.disposables) one.dispose();
  }

  getChildren(element?: Element): Element[] {
    this.store.want();
    if (element === undefined) return [...this.notices, ...this.store.forest.roots];
    return element.kind === "manifest" || element.kind === "file" ? [...element.children] : [];
  }

  getParent(element: Element): Element | undefined {
    return element.kind === "file" || element.kind === "tool" ? element.parent : undefined;
  }

  getTreeItem(element: Element): vscode.TreeItem {
    if (element.kind === "notice") return noticeItem(element);
    if (element.kind === "tool") return this.toolItem(element);
    const isOpen = element.kind === "manifest" || element.children.length <= OPEN_BELOW;
    const item = new vscode.TreeItem(
      element.data.label,
      isOpen ? vscode.TreeItemCollapsibleState.Expanded : vscode.TreeItemCollapsibleState.Collapsed,
    );
    item.id = element.id;
    item.contextValue = element.data.uri === null ? "nowhere" : element.kind;
    if (element.data.uri === null) {
      item.iconPath = new vscode.ThemeIcon("circle-slash");
    } else {
      item.resourceUri = vscode.Uri.parse(element.data.uri);
      item.iconPath = vscode.ThemeIcon.File;
      item.tooltip = item.resourceUri.fsPath;
    }
    return item;
  }

  resolveTreeItem(item: vscode.TreeItem, element: Element): vscode.TreeItem {
    if (element.kind === "tool") item.tooltip = tooltip(element);
    return item;
  }

  private toolItem(node: ToolNode): vscode.TreeItem {
    const tool = node.data;
    const look = lookOf(tool.state);
    const item = new vscode.TreeItem(tool.name);
    item.id = node.id;
    item.description = descriptionOf(tool, Date.now());
    item.iconPath = new vscode.ThemeIcon(look.icon, look.colour === undefined ? undefined : new vscode.ThemeColor(look.colour));
    item.contextValue = contextOf(tool);
    item.command = { command: "flow.tools.open", title: "Open", arguments: [node] };
    item.accessibilityInformation = { label: `${tool.name}, ${tool.state}. ${tool.detail}` };
    if (tool.asOf !== null) this.shownAges.set(node, item.description);
    return item;
  }

  private badge(unfit: number): void {
    const tooltip = unfit === 1 ? "1 Tool does not fit" : `${String(unfit)} Tools do not fit`;
    this.view.badge = unfit === 0 ? undefined : { value: unfit, tooltip };
  }

  /** Shows those Tools anew whose age is said in other words by now. */
  private tick(): void {
    if (!this.view.visible) return;
    const now = Date.now();
    const older = [...this.shownAges].filter(([node, text]) => descriptionOf(node.data, now) !== text).map(([node]) => node);
    if (older.length > 0) this.emitter.fire(older.length > 200 ? undefined : older);
  }
}

function noticeItem(notice: Notice): vscode.TreeItem {
  const item = new vscode.TreeItem(notice.label);
  item.id = notice.id;
  item.iconPath = new vscode.ThemeIcon(notice.icon, new vscode.ThemeColor("problemsWarningIcon.foreground"));
  if (notice.description !== undefined) item.description = notice.description;
  item.tooltip = notice.tooltip;
  item.command = notice.command;
  item.contextValue = "notice";
  return item;
}

/** The whole of it. What the workspace and its programs wrote is text, never Markdown. */
function tooltip({ data: tool }: ToolNode): vscode.MarkdownString {
  const text = new vscode.MarkdownString();
  const line = (name: string, value: string): void => {
    text.appendMarkdown(`\n\n**${name}** ${escapedMarkdown(value)}`);
  };
  text.appendMarkdown(`**${escapedMarkdown(tool.name)}** · ${escapedMarkdown(tool.state)}`);
  text.appendMarkdown(`\n\n${escapedMarkdown(tool.detail)}`);
  line("Identity", tool.identity);
  if (tool.implementation !== null) line("Implementation", tool.implementation);
  if (tool.asOf !== null) {
    const age = ago(tool.asOf, Date.now());
    line("As of", `${new Date(tool.asOf).toLocaleString()}${age === undefined ? "" : ` (${age})`}`);
  }
  if (tool.standing !== null && tool.standing !== "current") line("Standing", tool.standing);
  return text;
}
