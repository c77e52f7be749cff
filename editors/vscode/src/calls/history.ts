/** The calls of this session, the newest first: what went out, and what each came to, as text. */

export interface CallEntry {
  readonly id: number;
  /** The URI of the document of arguments. */
  readonly document: string;
  readonly name: string;
  /** The arguments as they stood when the call was made. */
  readonly args: string;
  /** Milliseconds since 1970. */
  readonly started: number;
  /** What it came to; undefined while it is out. */
  readonly ended: Ended | undefined;
}

export interface Ended {
  /** `Ok`, `Failed`, `NotRun`, `Unknown`, `BadReply`, or `Refused` where the server made no call. */
  readonly kind: string;
  /** The outcome as JSON text, or the sentence of a refusal. Never parsed: Flow's numbers are exact. */
  readonly outcome: string;
  readonly milliseconds: number;
}

export const MOST_CALLS = 50;
export const LONGEST = 1 << 20; // letters of an outcome, or of arguments, that are kept

export class CallHistory {
  private list: readonly CallEntry[] = [];
  private last = 0;

  get entries(): readonly CallEntry[] {
    return this.list;
  }

  begin(call: Omit<CallEntry, "id" | "ended">): number {
    const id = ++this.last;
    const entry = { ...call, args: bounded(call.args), id, ended: undefined };
    this.list = kept([entry, ...this.list]);
    return id;
  }

  end(id: number, outcome: string | undefined, refusal: string, now: number): void {
    this.list = this.list.map((entry) => {
      if (entry.id !== id) return entry;
      const milliseconds = Math.max(0, now - entry.started);
      const ended =
        outcome === undefined
          ? { kind: "Refused", outcome: refusal, milliseconds }
          : { kind: kindOf(outcome), outcome: bounded(outcome), milliseconds };
      return { ...entry, ended };
    });
  }

  find(id: number): CallEntry | undefined {
    return this.list.find((entry) => entry.id === id);
  }

  /** Forgets all that are over. */
  clear(): void {
    this.list = this.list.filter((entry) => entry.ended === undefined);
  }
}

/** Drops the oldest that are over. */
function kept(entries: readonly CallEntry[]): readonly CallEntry[] {
  const out = entries.filter((entry) => entry.ended === undefined).length;
  let left = Math.max(0, MOST_CALLS - out);
  return entries.filter((entry) => entry.ended === undefined || left-- > 0);
}

/** The one member of an outcome, which says what kind it is. */
export function kindOf(outcome: string): string {
  return /^\s*\{\s*"(Ok|Failed|NotRun|Unknown|BadReply)"/.exec(outcome)?.[1] ?? "Unknown";
}

/** The name of the Tool whose arguments a document holds, by the document's own name. */
export function nameIn(document: string): string {
  const last = document.slice(document.lastIndexOf("/") + 1).replace(/\.flow-call\.json$/, "");
  try {
    return decodeURIComponent(last);
  } catch {
    return last;
  }
}

/** "0.12 s" */
export function duration(milliseconds: number): string {
  return milliseconds < 10_000 ? `${(milliseconds / 1000).toFixed(2)} s` : `${String(Math.round(milliseconds / 1000))} s`;
}

function bounded(text: string): string {
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}
