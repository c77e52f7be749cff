/** One server at a time: found, started, restarted, and what is said while there is none. */
import * as vscode from "vscode";
import { type LanguageClient, State } from "vscode-languageclient/node";

import { type Channels, type Client, makeClient, sentenceOf, type Shower } from "./client";
import type { Questions } from "./question";
import { locate, makers, type NoServer, type Server } from "./server/locate";
import type { ManagedEnvironment } from "./server/managed";

export type Standing =
  | { readonly kind: "starting" }
  | { readonly kind: "running"; readonly server: Server }
  | { readonly kind: "stopped"; readonly server: Server }
  | NoServer;

const STOPS_WITHIN = 5_000; // milliseconds that a server has for an orderly end

const BUTTONS = { install: "Install flow-lsp", renew: "Update flow-lsp", settings: "Open Settings" } as const;

export class Session implements vscode.Disposable {
  private readonly changedEmitter = new vscode.EventEmitter<Standing>();
  /** The server started, stopped, or is not there. */
  readonly changed = this.changedEmitter.event;
  private readonly clientEmitter = new vscode.EventEmitter<LanguageClient | undefined>();
  /** Another client is about to start, or none is there any more. */
  readonly clientChanged = this.clientEmitter.event;
  standing: Standing = { kind: "starting" };
  private made: Client | undefined;
  private told = "";
  private making: Promise<boolean> | undefined;
  private last: Promise<void> = Promise.resolve();

  constructor(
    private readonly managed: ManagedEnvironment,
    private readonly channels: Channels,
    private readonly shower: Shower,
    private readonly questions: Questions,
  ) {}

  get client(): LanguageClient | undefined {
    return this.made?.client;
  }

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
    this.clientEmitter.dispose();
  }

  private async startAnew(): Promise<void> {
    await this.end();
    this.stand({ kind: "starting" });
    const passed = (sentence: string): void => this.channels.output.warn(sentence);
    let found = await locate(this.managed, passed);
    if (found.kind === "none" && found.remedy === "renew" && (await this.make("Updating flow-lsp"))) {
      found = await locate(this.managed, passed);
    }
    if (found.kind === "none") {
      this.stand(found);
      this.channels.output.warn(found.sentence);
      void this.tell(found);
      return;
    }
    const server = found;
    this.channels.output.info(`Starting flow-lsp ${server.version} (${server.origin}): ${server.program}`);
    const made = makeClient(server, this.channels, this.shower, this.questions);
    const { client } = made;
    client.onDidChangeState((event) => {
      if (made !== this.made) return;
      // Whatever a server asked that is gone by now, nobody waits for.
      if (event.newState !== State.Running) this.questions.drop();
      if (event.newState === State.Running) this.stand({ kind: "running", server });
      else if (event.newState === State.Starting) this.stand({ kind: "starting" });
      else this.stand({ kind: "stopped", server });
    });
    this.made = made;
    this.clientEmitter.fire(client);
    // Not waited for: a server that never answers can be restarted.
    client.start().catch((error: unknown) => {
      this.channels.output.error(`The server did not start: ${sentenceOf(error)}`);
      if (made === this.made) this.stand({ kind: "stopped", server });
    });
  }

  private async end(): Promise<void> {
    const made = this.made;
    if (made === undefined) return;
    this.made = undefined;
    made.leave();
    this.clientEmitter.fire(undefined);
    this.questions.drop();
    const { client } = made;
    if (client.state === State.Running) await client.stop(STOPS_WITHIN).catch(() => undefined);
    const child = made.process();
    if (child?.exitCode === null && child.signalCode === null) child.kill("SIGKILL");
    await client.dispose().catch(() => undefined);
  }

  private stand(standing: Standing): void {
    this.standing = standing;
    void vscode.commands.executeCommand("setContext", "flow.server", standing.kind);
    void vscode.commands.executeCommand("setContext", "flow.cause", standing.kind === "none" ? standing.cause : "");
    this.changedEmitter.fire(standing);
  }

  private async tell(none: NoServer): Promise<void> {
    // Once for each reason: it stays in view in the side bar and the status.
    if (none.sentence === this.told) return;
    this.told = none.sentence;
    const button = BUTTONS[none.remedy];
    if ((await vscode.window.showWarningMessage(`Flow: ${none.sentence}`, button)) !== button) return;
    if (none.remedy === "settings") await vscode.commands.executeCommand("workbench.action.openSettings", "flow.server.path");
    else await this.install();
  }

  /** Makes the managed environment because a person asked, and starts the server from wherever it is found then. */
  async install(): Promise<void> {
    if (this.standing.kind === "none") {
      if (await this.make("Installing flow-lsp")) await this.restart();
      return;
    }
    if (this.managed.look().standing === "current") {
      void vscode.window.showInformationMessage("The managed server is installed already, and of this version.");
    } else if (await this.make("Installing flow-lsp")) {
      await this.restart();
    }
  }

  /** Takes the managed environment away, where a person agrees. */
  async remove(): Promise<void> {
    if (this.managed.look().standing === "none") {
      void vscode.window.showInformationMessage("There is no managed server.");
      return;
    }
    const button = "Remove";
    const detail = "The Python environment that this extension made for flow-lsp is deleted. It can be made again.";
    const options = { modal: true, detail };
    if ((await vscode.window.showWarningMessage("Remove the managed server?", options, button)) !== button) return;
    const was = this.standing;
    if (was.kind !== "none" && was.kind !== "starting" && was.server.origin === "managed") await this.stop();
    try {
      this.managed.remove();
    } catch (error) {
      void vscode.window.showErrorMessage(`The managed server could not be removed: ${sentenceOf(error)}`);
    }
    await this.restart();
  }

  /** Makes the managed environment, once at a time from however many buttons. */
  private make(title: string): Promise<boolean> {
    this.making ??= this.makeOnce(title).finally(() => (this.making = undefined));
    return this.making;
  }

  private async makeOnce(title: string): Promise<boolean> {
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
          const sentence = sentenceOf(error);
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
