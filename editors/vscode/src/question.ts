/**
 * Questions of the server, foremost the one for consent. A notification hides itself after some seconds and cuts what is
 * long, so a question stays in view elsewhere (status, side bar) until it is answered, and is never put with less than the
 * whole of its text: one that is too long for a notification is read in a document.
 */
import * as vscode from "vscode";

export interface Asked {
  readonly message: string;
  readonly actions: readonly string[];
}

const LONGEST = 900; // characters; VS Code cuts a notification at 1,000
const SHOWN = 400; // characters of the first sentence of a longer one
const OVER = "That question was answered already, or its server is gone.";
export const QUESTION_SCHEME = "flow-question";

export class Questions implements vscode.Disposable, vscode.TextDocumentContentProvider {
  private readonly emitter = new vscode.EventEmitter<void>();
  /** A question came or went. */
  readonly changed = this.emitter.event;
  private readonly waiting: Waiting[] = [];

  /** The text of the question that waits the longest. */
  get open(): string | undefined {
    return this.waiting[0]?.asked.message;
  }

  /** The answer; undefined where there is none, which means not now. */
  async ask(asked: Asked): Promise<string | undefined> {
    const waiting = new Waiting(asked);
    this.waiting.push(waiting);
    this.emitter.fire();
    void this.put(waiting, false);
    try {
      return await waiting.answer;
    } finally {
      this.waiting.splice(this.waiting.indexOf(waiting), 1);
      this.emitter.fire();
    }
  }

  /** Puts the question again that waits: a person asked for it. */
  async show(): Promise<void> {
    const [waiting] = this.waiting;
    if (waiting !== undefined) await this.put(waiting, true);
  }

  /** The server is gone, and nobody waits for answers any more. */
  drop(): void {
    for (const waiting of this.waiting) waiting.settle(undefined);
  }

  provideTextDocumentContent(uri: vscode.Uri): string {
    const asked = this.waiting.find(({ number }) => String(number) === uri.query)?.asked;
    return asked === undefined ? "This question is over.\n" : `${asked.message}\n`;
  }

  dispose(): void {
    this.drop();
    this.emitter.dispose();
  }

  private async put(waiting: Waiting, byPerson: boolean): Promise<void> {
    const { message, actions } = waiting.asked;
    if (message.length > LONGEST) return this.putLong(waiting, byPerson);
    if (byPerson) {
      const [head, rest] = headOf(message);
      const items = actions.map((title) => ({ title }));
      const chosen = await vscode.window.showWarningMessage(head, { modal: true, detail: rest }, ...items);
      if (chosen !== undefined) waiting.settle(chosen.title);
      return;
    }
    const chosen = await vscode.window.showWarningMessage(message, ...actions);
    // A notification cannot be taken back: it may be found and pressed after the question is over.
    if (chosen !== undefined && waiting.isOver) void vscode.window.showInformationMessage(OVER);
    waiting.settle(chosen);
  }

  private async putLong(waiting: Waiting, byPerson: boolean): Promise<void> {
    const { message, actions } = waiting.asked;
    // The same notification again closes the one that is there, which is no answer: the last one counts.
    const turn = ++waiting.turns;
    const settle = (answer: string | undefined): void => {
      if (answer !== undefined || turn === waiting.turns) waiting.settle(answer);
    };
    if (!byPerson) {
      const review = "Read It and Answer";
      const head = headOf(message)[0];
      const sentence = `${head.length > SHOWN ? `${head.slice(0, SHOWN)}…` : head} The whole of it has ${String(message.length)} letters.`;
      if ((await vscode.window.showWarningMessage(sentence, review)) !== review) return settle(undefined);
      if (waiting.isOver) return void vscode.window.showInformationMessage(OVER);
    }
    const uri = vscode.Uri.from({ scheme: QUESTION_SCHEME, path: "/Flow asks.md", query: String(waiting.number) });
    await vscode.window.showTextDocument(uri, { preview: true });
    settle(await vscode.window.showWarningMessage("What Flow asks stands in the editor, in full. Your answer?", ...actions));
  }
}

let last = 0;

class Waiting {
  readonly number = ++last;
  turns = 0;
  isOver = false;
  readonly answer: Promise<string | undefined>;
  settle: (answer: string | undefined) => void = () => undefined;

  constructor(readonly asked: Asked) {
    this.answer = new Promise((resolve) => {
      this.settle = (answer) => {
        this.isOver = true;
        resolve(answer);
      };
    });
  }
}

/** The first sentence, and the rest. */
function headOf(message: string): [string, string] {
  const end = message.indexOf(". ");
  return end < 0 ? [message, ""] : [message.slice(0, end + 1), message.slice(end + 2)];
}
