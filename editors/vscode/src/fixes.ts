/** Quick fixes that leave something to be written: it is shown once they are made, with the cursor where it belongs. */
import * as vscode from "vscode";

import { unwrittenAt } from "./unwritten";

export const SHOW_UNWRITTEN = "flow.unwritten.show";

/** Has an action that leaves a command to be written show where. */
export function leadOn(action: vscode.CodeAction | vscode.Command): void {
  if (!(action instanceof vscode.CodeAction) || action.edit === undefined || action.command !== undefined) return;
  for (const [uri, edits] of action.edit.entries()) {
    const edit = edits.find(({ newText }) => unwrittenAt(newText, newText) !== undefined);
    if (edit === undefined) continue;
    action.command = { command: SHOW_UNWRITTEN, title: action.title, arguments: [uri.toString(), edit.newText] };
    return;
  }
}

/** Shows the file that an edit changed, with the cursor where something is to be written in what it put there. */
export async function showUnwritten(uri: unknown, written: unknown): Promise<void> {
  if (typeof uri !== "string" || typeof written !== "string") return;
  const document = await vscode.workspace.openTextDocument(vscode.Uri.parse(uri));
  const offset = unwrittenAt(document.getText(), written);
  if (offset === undefined) return;
  const place = document.positionAt(offset);
  await vscode.window.showTextDocument(document, { selection: new vscode.Range(place, place), preview: false });
}
