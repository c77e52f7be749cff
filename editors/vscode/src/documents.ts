/** Texts that are shown and cannot be edited: what a server's command gave, outcomes of calls. */
import * as vscode from "vscode";

const SCHEME = "flow-text";
const MOST = 100;

export class Texts implements vscode.TextDocumentContentProvider, vscode.Disposable {
  private readonly emitter = new vscode.EventEmitter<vscode.Uri>();
  readonly onDidChange = this.emitter.event;
  private readonly texts = new Map<string, string>();
  private readonly registration = vscode.workspace.registerTextDocumentContentProvider(SCHEME, this);

  /** The document of that name and key, with another text from now on, wherever it is open. */
  put(name: string, key: string, text: string): vscode.Uri {
    const uri = vscode.Uri.from({ scheme: SCHEME, path: `/${name}`, query: key });
    const before = this.texts.get(uri.toString());
    this.texts.delete(uri.toString());
    this.texts.set(uri.toString(), text);
    const [oldest] = this.texts.keys();
    if (this.texts.size > MOST && oldest !== undefined) this.texts.delete(oldest);
    if (before !== undefined && before !== text) this.emitter.fire(uri);
    return uri;
  }

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.texts.get(uri.toString()) ?? "This text is not kept any more.\n";
  }

  dispose(): void {
    this.registration.dispose();
    this.emitter.dispose();
  }
}

/** One spelling of a URI: the server writes some letters otherwise than VS Code does. */
export function sameUri(uri: string): string {
  return vscode.Uri.parse(uri).toString();
}

/** The column where a document is open as a tab; undefined where it is not. */
export function columnOf(uri: vscode.Uri): vscode.ViewColumn | undefined {
  const wanted = uri.toString();
  return columnWhere((other) => other.toString() === wanted);
}

/** The first column with a tab of a text for which `holds`. */
export function columnWhere(holds: (uri: vscode.Uri) => boolean): vscode.ViewColumn | undefined {
  for (const group of vscode.window.tabGroups.all) {
    for (const { input } of group.tabs) {
      if (input instanceof vscode.TabInputText && holds(input.uri)) return group.viewColumn;
    }
  }
  return undefined;
}
