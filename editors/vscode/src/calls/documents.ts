/** Where the documents of calls are shown: the arguments beside the source, the outcome below the arguments. */
import * as fs from "node:fs/promises";
import * as vscode from "vscode";

import { columnOf, columnWhere, type Texts } from "../documents";

const ARGUMENTS = ".flow-call.json";
const RESULT = ".flow-result.json";
const LARGEST = 8 * 1024 * 1024; // bytes of a result that is shown as text of its own; a larger one is opened as the file it is

export class CallDocuments {
  /** `arrived` is told the URI of the arguments whose result is shown. */
  constructor(
    private readonly texts: Texts,
    private readonly arrived: (document: string) => void,
  ) {}

  /** Shows a document of a call; undefined where `uri` is of none. */
  show(uri: vscode.Uri, focus: boolean): Promise<boolean> | undefined {
    if (uri.scheme !== "file") return undefined;
    if (uri.path.endsWith(ARGUMENTS)) return showArguments(uri, focus);
    return uri.path.endsWith(RESULT) ? this.showResult(uri) : undefined;
  }

  /**
   * A result is written anew by each call, beside where it is read. What is shown is its text, which cannot be edited
   * and changes at once, wherever it is open, without a watcher that looks at the user's state directory.
   */
  private async showResult(uri: vscode.Uri): Promise<boolean> {
    const args = uri.with({ path: uri.path.slice(0, -RESULT.length) + ARGUMENTS });
    this.arrived(args.toString());
    const isLarge = (await fs.stat(uri.fsPath)).size > LARGEST;
    const name = uri.path.slice(uri.path.lastIndexOf("/") + 1);
    const shown = isLarge ? uri : this.texts.put(name, uri.toString(), await fs.readFile(uri.fsPath, "utf8"));
    const open = columnOf(shown);
    if (open !== undefined) {
      await vscode.window.showTextDocument(shown, { viewColumn: open, preserveFocus: true, preview: false });
      return true;
    }
    await vscode.window.showTextDocument(shown, { viewColumn: await columnBelow(args), preserveFocus: true, preview: false });
    return true;
  }
}

/** Where it is open, else where other arguments are, else beside what is read. */
async function showArguments(uri: vscode.Uri, focus: boolean): Promise<boolean> {
  const beside = vscode.window.activeTextEditor === undefined ? vscode.ViewColumn.Active : vscode.ViewColumn.Beside;
  const viewColumn = columnOf(uri) ?? columnWhere((other) => other.path.endsWith(ARGUMENTS)) ?? beside;
  await vscode.window.showTextDocument(uri, { viewColumn, preserveFocus: !focus, preview: false });
  return true;
}

/** A new group below that of the arguments, where they have the focus and stand beside something; else one beside. */
async function columnBelow(args: vscode.Uri): Promise<vscode.ViewColumn> {
  const column = columnOf(args);
  const active = vscode.window.tabGroups.activeTabGroup;
  if (column === undefined || column === vscode.ViewColumn.One || active.viewColumn !== column) return vscode.ViewColumn.Beside;
  await vscode.commands.executeCommand("workbench.action.newGroupBelow");
  const below = vscode.window.tabGroups.activeTabGroup.viewColumn;
  await vscode.window.showTextDocument(args, { viewColumn: column });
  return below;
}
