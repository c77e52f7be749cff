/** A call as a document for people: the shape of the server's own documents of results (docs/editors.md). */
import type { CallEntry } from "./history";
import { laidOut } from "./layout";

/** What a call that is over came to, with the arguments as they were. */
export function callText(entry: CallEntry): string {
  const { ended } = entry;
  const members: [string, string][] = [["tool", JSON.stringify(entry.name)]];
  if (ended !== undefined) {
    members.push(ended.kind === "Refused" ? ["refused", JSON.stringify(ended.outcome)] : ["outcome", laidOut(ended.outcome)]);
  }
  members.push(["args", isJson(entry.args) ? laidOut(entry.args) : JSON.stringify(entry.args)]);
  members.push(["started", JSON.stringify(new Date(entry.started).toISOString())]);
  if (ended !== undefined) members.push(["seconds", (ended.milliseconds / 1000).toFixed(3)]);
  const lines = members.map(([name, text]) => `  ${JSON.stringify(name)}: ${text.replaceAll("\n", "\n  ")}`);
  return `{\n${lines.join(",\n")}\n}\n`;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
