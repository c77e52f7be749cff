/** What can be done with a Tool, from its menus or the command palette. */
import * as vscode from "vscode";

import { sameUri } from "../documents";
import type { FileNode, ForestNode, ManifestNode, ToolNode } from "./forest";
import type { ToolStore } from "./store";

export type RunCommand = (command: string, ...words: unknown[]) => Promise<unknown>;

/** Registers the commands of the view. `run` runs one of the server's, and shows what it gives. */
export function registerActions(store: ToolStore, run: RunCommand): vscode.Disposable[] {
  const onTool = (command: string, first: string, second = first): vscode.Disposable =>
    vscode.commands.registerCommand(command, async (node?: ToolNode) => {
      const can = (one: ToolNode): string | undefined => [first, second].find((word) => one.data.commands.includes(word));
      const tool = node ?? (await pick(store, (one) => can(one) !== undefined));
      if (tool !== undefined) await run(can(tool) ?? first, tool.parent.data.uri, tool.data.name);
    });
  return [
    onTool("flow.tools.call", "flow.call.open"),
    onTool("flow.tools.schema", "flow.tool.page", "flow.tool.schema"),
    onTool("flow.tools.changes", "flow.tool.changes"),
    vscode.commands.registerCommand("flow.tools.open", async (node?: ForestNode) => {
      const wanted = node ?? (await pick(store, () => true));
      if (wanted !== undefined) await open(wanted);
    }),
    vscode.commands.registerCommand("flow.tools.describe", async (node?: ForestNode) => {
      const uri = node?.kind === "tool" ? node.parent.data.uri : (node?.data.uri ?? vscode.window.activeTextEditor?.document.uri.toString());
      if (uri !== undefined) await run("flow.describe", uri);
    }),
    vscode.commands.registerCommand("flow.tools.copyIdentity", async (node?: ToolNode) => {
      const tool = node ?? (await pick(store, () => true));
      if (tool !== undefined) await vscode.env.clipboard.writeText(tool.data.identity);
    }),
    vscode.commands.registerCommand("flow.tools.refresh", () => store.refresh()),
  ];
}

async function open(node: ForestNode): Promise<void> {
  const uri = fileOf(node).data.uri;
  if (uri === null) return;
  const { start, end } = node.kind === "tool" ? node.data.range : { start: undefined, end: undefined };
  const selection = start && new vscode.Range(start.line, start.character, end.line, end.character);
  await vscode.window.showTextDocument(vscode.Uri.parse(uri), selection === undefined ? {} : { selection });
}

function fileOf(node: ForestNode): FileNode | ManifestNode {
  return node.kind === "tool" ? node.parent : node;
}

interface Choice extends vscode.QuickPickItem {
  readonly node: ToolNode;
}

/** A Tool that a person chooses; those of the file in the editor first. */
async function pick(store: ToolStore, fits: (node: ToolNode) => boolean): Promise<ToolNode | undefined> {
  const active = vscode.window.activeTextEditor?.document.uri.toString();
  const choices = async (): Promise<Choice[]> => {
    await store.ready();
    const nodes = [...store.forest.tools()].filter(fits);
    const isHere = (node: ToolNode): number => (sameUri(node.parent.data.uri) === active ? 0 : 1);
    // Those here first: sorting keeps the order of the rest.
    const ranks = new Map(nodes.map((node) => [node, isHere(node)]));
    nodes.sort((one, other) => ranks.get(one)! - ranks.get(other)!);
    return nodes.map((node) => ({
      label: node.data.name,
      description: node.parent.data.label,
      detail: node.data.text,
      node,
    }));
  };
  const chosen = await vscode.window.showQuickPick(choices(), {
    placeHolder: "Which Tool?",
    matchOnDescription: true,
  });
  return chosen?.node;
}
