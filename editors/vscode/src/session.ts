/** One server at a time: found, started, restarted, and what is said while there is none. */
import * as vscode from "vscode";
import { type LanguageClient, State } from "vscode-languageclient/node";

import { type Channels, makeClient, type Shower } from "./client";
import { locate, makers, type NoServer, type Server } from "./server/locate";
import type { ManagedEnvironment } from "./server/managed";

export type Standing =
  | { readonly kind: "starting" }
  | { readonly kind: "running"; readonly server: Server }
  | { readonly kind: "stopped"; readonly server: Server }
  | NoServer;

const BUTTONS = { install: "Install flow-lsp", renew: "Update flow-lsp", settings: "Open Settings" } as const;

export class Session implements vscode.Disposable {
  private readonly changedEmitter = new vscode.EventEmitter<Standing>();
  /** The server started, stopped, or is not there. */
  readonly changed = this.changedEmitter.event;
  standing: Standing = { kind: "starting" };
  client: LanguageClient | undefined;
  private last: Promise<void> = Promise.resolve();

  constructor(
    private readonly managed: ManagedEnvironment,
    private readonly channels: Channels,
    private readonly shower: Shower,
  ) {}

  /** Stops what runs and starts the server that is found now; one after the other, however often it is asked. */
  restart(): Promise<void> {
    this.last = this.last.then(() => this.startAnew()).catch((error: unknown) => this.channels.output.error(String(error)));
    return this.last;
  }

  stop(): Promise<void> {
    this.last = this.last.then(() => this.end()).catch(() => undefined);
    return this.last;
  }

  dispose(): void {
    this.changedEmitter.dispose();
  }

  private async startAnew(): Promise<void> {
    await this.end();
    this.stand({ kind: "starting" });
    let found = await locate(this.managed);
    if (found.kind === "none" && found.remedy === "renew" && (await this.make("Updating flow-lsp"))) {
      found = await locate(this.managed);
    }
    if (found.kind === "none") {
      this.stand(found);
      this.channels.output.warn(found.sentence);
      void this.tell(found);
      return;
    }
    const server = found;
    this.channels.output.info(`Starting flow-lsp ${server.version} (${server.origin}): ${server.program}`);
    const client = makeClient(server, this.channels, this.shower);
    client.onDidChangeState((event) => {
      if (client !== this.client) return;
      if (event.newState === State.Running) this.stand({ kind: "running", server });
      else if (event.newState === State.Stopped) this.stand({ kind: "stopped", server });
    });
    this.client = client;
    await client.start();
  }

  private async end(): Promise<void> {
    const client = this.client;
    this.client = undefined;
    if (client !== undefined && client.state !== State.Stopped) await client.stop(5_000).catch(() => undefined);
    await client?.dispose().catch(() => undefined);
  }

  private stand(standing: Standing): void {
    this.standing = standing;
    void vscode.commands.executeCommand("setContext", "flow.server", standing.kind);
    this.changedEmitter.fire(standing);
  }

  private async tell(none: NoServer): Promise<void> {
    const button = BUTTONS[none.remedy];
    if ((await vscode.window.showWarningMessage(`Flow: ${none.sentence}`, button)) !== button) return;
    if (none.remedy === "settings") await vscode.commands.executeCommand("workbench.action.openSettings", "flow.server.path");
    else await this.install();
  }

  /** Makes the managed environment because a person asked, and starts the server from wherever it is found then. */
  async install(): Promise<void> {
    if (await this.make("Installing flow-lsp")) await this.restart();
  }

  private make(title: string): Thenable<boolean> {
    const output = this.channels.output;
    return vscode.window.withProgress(
      { location: vscode.ProgressLocation.Notification, title, cancellable: true },
      async (progress, token) => {
        const ending = new AbortController();
        token.onCancellationRequested(() => ending.abort());
        try {
          const program = await this.managed.make(makers(), {
            step: (message) => progress.report({ message }),
            said: (text) => output.append(text),
            signal: ending.signal,
          });
          output.info(`The managed environment is ready: ${program}`);
          return true;
        } catch (error) {
          const sentence = error instanceof Error ? error.message : String(error);
          output.error(sentence);
          if (!ending.signal.aborted) void this.failed(sentence);
          return false;
        }
      },
    );
  }

  private async failed(sentence: string): Promise<void> {
    const button = "Show Output";
    if ((await vscode.window.showErrorMessage(`flow-lsp was not installed. ${sentence}`, button)) === button) {
      this.channels.output.show();
    }
  }
}
