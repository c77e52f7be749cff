/** The language client: what it is started with, and what it does differently from any other. */
import { type ChildProcess, spawn } from "node:child_process";
import * as os from "node:os";
import * as vscode from "vscode";
import {
  type ClientCapabilities,
  CloseAction,
  type ErrorHandler,
  ExecuteCommandRequest,
  type FeatureState,
  LanguageClient,
  type LanguageClientOptions,
  type ShowDocumentParams,
  ShowMessageRequest,
  type StaticFeature,
} from "vscode-languageclient/node";

import { leadOn } from "./fixes";
import type { Questions } from "./question";
import type { Server } from "./server/locate";

export interface Channels {
  readonly output: vscode.LogOutputChannel;
  readonly trace: vscode.OutputChannel;
}

export type Send = (command: string, words: readonly unknown[]) => Promise<unknown>;

/** What becomes of documents that the server shows, and of its commands. */
export interface Shower {
  /** Shows a document; undefined where that is nothing special. */
  readonly document: (uri: vscode.Uri, focus: boolean) => Promise<boolean> | undefined;
  /** Runs a command of the server by `send`, and shows what it gives. */
  readonly run: (command: string, words: readonly unknown[], send: Send) => Promise<unknown>;
}

/** Says what this client can do beyond the protocol (docs/editors.md). */
class Extras implements StaticFeature {
  fillClientCapabilities(capabilities: ClientCapabilities): void {
    const known = capabilities.experimental as object | undefined;
    capabilities.experimental = { ...known, flowDiff: true, flowTools: true };
  }
  initialize(): void {
    // Nothing of the server's answer matters to it.
  }
  getState(): FeatureState {
    return { kind: "static" };
  }
  clear(): void {
    // It holds nothing.
  }
}

/** A client, and the process of its server as far as one was started. */
export interface Client {
  readonly client: LanguageClient;
  readonly process: () => ChildProcess | undefined;
  /** It is about to be ended on purpose: that its server goes is no news, and it is not started again. */
  readonly leave: () => void;
}

class QuietClient extends LanguageClient {
  isLeft = false;

  override error(message: string, data?: unknown, showNotification?: boolean | "force"): void {
    super.error(message, data, this.isLeft ? false : showNotification);
  }

  override createDefaultErrorHandler(most?: number): ErrorHandler {
    const usual = super.createDefaultErrorHandler(most);
    return {
      error: (...words) => usual.error(...words),
      closed: () => (this.isLeft ? { action: CloseAction.DoNotRestart, handled: true } : usual.closed()),
    };
  }
}

export function makeClient(server: Server, channels: Channels, shower: Shower, questions: Questions): Client {
  const options: LanguageClientOptions = {
    // A flow.toml keeps whatever language it has, so that other extensions for TOML work in it.
    documentSelector: [
      { scheme: "file", language: "flow" },
      { scheme: "untitled", language: "flow" },
      { scheme: "file", pattern: "**/flow.toml" },
    ],
    initializationOptions: () => ({ flow: userSettings(), workspaceTrusted: vscode.workspace.isTrusted }),
    initializationFailedHandler: (error) => {
      channels.output.error(`The server cannot be used: ${sentenceOf(error)}`);
      return false;
    },
    outputChannel: channels.output,
    traceOutputChannel: channels.trace,
    middleware: {
      executeCommand: (command, words: unknown[]) => execute(client, shower, command, words),
      provideCodeActions: async (document, range, context, token, next) => {
        const actions = await next(document, range, context, token);
        actions?.forEach(leadOn);
        return actions;
      },
      window: {
        showDocument: async (params: ShowDocumentParams, next) => {
          const uri = client.protocol2CodeConverter.asUri(params.uri);
          const ours = params.external === true ? undefined : shower.document(uri, params.takeFocus === true);
          if (ours !== undefined) return { success: await ours.catch(() => false) };
          const answer = await next(params, new vscode.CancellationTokenSource().token);
          return "success" in answer ? answer : { success: false };
        },
      },
    },
  };
  let child: ChildProcess | undefined;
  const start = async (): Promise<ChildProcess> => {
    child = await started(server);
    return child;
  };
  const client = new QuietClient("flow", "Flow", start, options);
  client.registerFeature(new Extras());
  client.onRequest(ShowMessageRequest.type, async ({ message, actions }) => {
    const title = await questions.ask({ message, actions: (actions ?? []).map((action) => action.title) });
    return title === undefined ? null : { title };
  });
  return { client, process: () => child, leave: () => void (client.isLeft = true) };
}

/** Starts the server; its own process, so that one which does not answer can be ended. */
function started(server: Server): Promise<ChildProcess> {
  const environment = vscode.workspace.getConfiguration("flow.server").get<Record<string, string>>("environment", {});
  const child = spawn(server.program, ["serve", "--stdio"], {
    // Not in the workspace: what lies there is no business of how a server starts.
    cwd: os.homedir(),
    env: { ...process.env, ...environment },
    stdio: ["pipe", "pipe", "pipe"],
    windowsHide: true,
  });
  return new Promise((resolve, reject) => {
    child.once("spawn", () => resolve(child));
    child.once("error", reject);
  });
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
    return await shower.run(command, words, (other, otherWords) => send(client, other, otherWords));
  } catch (error) {
    void vscode.window.showErrorMessage(sentenceOf(error));
    return undefined;
  }
}

export function send(client: LanguageClient, command: string, words: readonly unknown[]): Promise<unknown> {
  return client.sendRequest(ExecuteCommandRequest.type, { command, arguments: [...words] });
}

export function sentenceOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
