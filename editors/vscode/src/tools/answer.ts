/** What the server says of the Tools of a workspace (docs/editors.md), read member by member. */
import { countOf, dataOf, listOf, type Range, rangeOf, textOf, textOrNull } from "../shape";

export interface Tool {
  readonly name: string;
  readonly identity: string;
  readonly range: Range;
  readonly state: string;
  readonly text: string;
  readonly detail: string;
  readonly implementation: string | null;
  readonly asOf: string | null;
  readonly standing: string | null;
  readonly commands: readonly string[];
}

export interface SourceFile {
  readonly uri: string;
  readonly label: string;
  readonly tools: readonly Tool[];
}

export interface Manifest {
  readonly uri: string | null;
  readonly label: string;
  readonly files: readonly SourceFile[];
}

export interface Answer {
  readonly manifests: readonly Manifest[];
  readonly truncated: boolean;
}

/** What `flow/toolsDidChange` carries. */
export interface Summary {
  readonly tools: number;
  readonly unfit: number;
  /** What the server is doing, as a short sentence; null where that is nothing. */
  readonly doing: string | null;
}

export const NOTHING: Summary = { tools: 0, unfit: 0, doing: null };

export function readSummary(value: unknown): Summary {
  const data = dataOf(value);
  return { tools: countOf(data["tools"]), unfit: countOf(data["unfit"]), doing: textOrNull(data["doing"]) };
}

export function readAnswer(value: unknown): Answer {
  const data = dataOf(value);
  return { manifests: listOf(data["manifests"]).map(readManifest), truncated: data["truncated"] === true };
}

function readManifest(value: unknown): Manifest {
  const data = dataOf(value);
  return { uri: textOrNull(data["uri"]), label: textOf(data["label"]), files: listOf(data["files"]).map(readFile) };
}

function readFile(value: unknown): SourceFile {
  const data = dataOf(value);
  return { uri: textOf(data["uri"]), label: textOf(data["label"]), tools: listOf(data["tools"]).map(readTool) };
}

function readTool(value: unknown): Tool {
  const data = dataOf(value);
  return {
    name: textOf(data["name"]),
    identity: textOf(data["identity"]),
    range: rangeOf(data["range"]),
    state: textOf(data["state"]),
    text: textOf(data["text"]),
    detail: textOf(data["detail"]),
    implementation: textOrNull(data["implementation"]),
    asOf: textOrNull(data["asOf"]),
    standing: textOrNull(data["standing"]),
    commands: listOf(data["commands"]).filter((one) => typeof one === "string"),
  };
}
