/** The icon of each state, and the few words behind a Tool's name. */
import { ago } from "../age";
import type { Tool } from "./answer";

export interface Look {
  readonly icon: string;
  readonly colour: string | undefined;
}

const LOOKS: Readonly<Record<string, Look>> = {
  fits: { icon: "pass", colour: "testing.iconPassed" },
  offered: { icon: "plug", colour: "testing.iconPassed" },
  drift: { icon: "diff", colour: "problemsWarningIcon.foreground" },
  unserved: { icon: "circle-slash", colour: "problemsErrorIcon.foreground" },
  "describe-failed": { icon: "error", colour: "problemsErrorIcon.foreground" },
  unbound: { icon: "debug-disconnect", colour: "problemsWarningIcon.foreground" },
  refused: { icon: "error", colour: "problemsErrorIcon.foreground" },
  "not-checked": { icon: "shield", colour: "disabledForeground" },
  unknown: { icon: "question", colour: "disabledForeground" },
};

/** A state that is not known here, of a newer server, gets a plain look. */
export function lookOf(state: string): Look {
  return Object.hasOwn(LOOKS, state) ? LOOKS[state]! : { icon: "circle-outline", colour: undefined };
}

export function descriptionOf(tool: Tool, now: number): string {
  const age = ago(tool.asOf, now);
  return age === undefined ? tool.text : `${tool.text} · ${age}`;
}

/** The words by which menus know what can be done: `tool call describe`. */
export function contextOf(tool: Tool): string {
  const words = tool.commands.map((command) => WORDS.get(command)).filter((word) => word !== undefined);
  return ["tool", ...new Set(words)].join(" ");
}

const WORDS: ReadonlyMap<string, string> = new Map([
  ["flow.describe", "describe"],
  ["flow.call.open", "call"],
  ["flow.tool.schema", "schema"],
  ["flow.tool.page", "schema"],
  ["flow.tool.changes", "changes"],
]);
