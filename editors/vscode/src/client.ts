/** The language client: what it is started with, and what it does differently from any other. */
import * as vscode from "vscode";
import {
  type ClientCapabilities,
  ExecuteCommandRequest,
  type FeatureState,
  LanguageClient,
  type LanguageClientOptions,
  type ShowDocumentParams,
  type StaticFeature,
  TransportKind,
} from "vscode-languageclient/node";

import type { Server } from "./server/locate";

export interface Channels {
  readonly output: vscode.LogOutputChannel;
  readonly trace: vscode.OutputChannel;
}

/** What becomes of documents that the server shows and of what its commands give. */
export interface Shower {
  /** Shows a document; undefined where that is nothing special. */
  readonly document: (uri: vscode.Uri, focus: boolean) => Promise<boolean> | undefined;
  readonly answered: (command: string, words: readonly unknown[], answer: unknown) => Promise<void>;
}

/** Says that two documents can be shown as a difference (docs/editors.md). */
class Differences implements StaticFeature {
  fillClientCapabilities(capabilities: ClientCapabilities): void {
    capabilities.experimental = { ...(capabilities.experimental as object | undefined), flowDiff: true };
  }
  initialize(): void {}
  getState(): FeatureState {
    return { kind: "static" };
  }
  clear(): void {}
}

export function makeClient(server: Server, channels: Channels, shower: Shower): LanguageClient {
  const environment = vscode.workspace.getConfiguration("flow.server").get<Record<string, string>>("environment", {});
  const options: LanguageClientOptions = {
    // A flow.toml keeps whatever language it has, so that other extensions for TOML work in it.
    documentSelector: [
      { scheme: "file", language: "flow" },
      { scheme: "untitled", language: "flow" },
      { scheme: "file", pattern: "**/flow.toml" },
    ],
    initializationOptions: () => ({ flow: userSettings(), workspaceTrusted: vscode.workspace.isTrusted }),
    outputChannel: channels.output,
    traceOutputChannel: channels.trace,
    middleware: {
      executeCommand: (command, words: unknown[]) => execute(client, shower, command, words),
      window: {
        showDocument: async (params: ShowDocumentParams, next) => {
          const uri = client.protocol2CodeConverter.asUri(params.uri);
          const ours = params.external === true ? undefined : shower.document(uri, params.takeFocus === true);
          if (ours !== undefined) return { success: await ours };
          const answer = await next(params, new vscode.CancellationTokenSource().token);
          return "success" in answer ? answer : { success: false };
        },
      },
    },
  };
  const client = new LanguageClient(
    "flow",
    "Flow",
    {
      command: server.program,
      args: ["serve", "--stdio"],
      transport: TransportKind.stdio,
      options: { env: { ...process.env, ...environment } },
    },
    options,
  );
  client.registerFeature(new Differences());
  return client;
}

/** The settings that are the user's alone. Those of the workspace are asked for later, and cannot widen trust. */
function userSettings(): Record<string, unknown> {
  const settings = vscode.workspace.getConfiguration("flow");
  return { trust: settings.inspect<string>("trust")?.globalValue ?? "ask" };
}

/** Runs a command of the server. A refusal is a sentence for people, and is shown as one. */
export async function execute(
  client: LanguageClient,
  shower: Shower,
  command: string,
  words: readonly unknown[],
): Promise<unknown> {
  try {
    const answer: unknown = await client.sendRequest(ExecuteCommandRequest.type, { command, arguments: [...words] });
    await shower.answered(command, words, answer);
    return answer;
  } catch (error) {
    void vscode.window.showErrorMessage(error instanceof Error ? error.message : String(error));
    return undefined;
  }
}
