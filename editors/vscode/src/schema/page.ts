/** The page of a Tool's types (docs/editors.md, `flow.tool.page`), read member by member. */
import { dataOf, listOf, type Range, rangeOf, textOf, textOrNull } from "../shape";

export interface Piece {
  readonly text: string;
  /** The id of the section that it leads to. */
  readonly to: string | undefined;
}

export interface Location {
  readonly uri: string;
  readonly range: Range;
}

export interface Section {
  readonly id: string;
  readonly heading: string;
  readonly kind: string;
  readonly doc: string | null;
  readonly location: Location | undefined;
  readonly lines: readonly (readonly Piece[])[];
  readonly notes: readonly string[];
}

export interface Page {
  readonly title: string;
  readonly identity: string;
  readonly fingerprint: string;
  readonly state: string;
  readonly detail: string;
  readonly doc: string | null;
  readonly json: string;
  readonly sections: readonly Section[];
}

export function readPage(value: unknown): Page {
  const data = dataOf(value);
  return {
    title: textOf(data["title"]),
    identity: textOf(data["identity"]),
    fingerprint: textOf(data["fingerprint"]),
    state: textOf(data["state"]),
    detail: textOf(data["detail"]),
    doc: textOrNull(data["doc"]),
    json: textOf(data["json"]),
    sections: listOf(data["sections"]).map(readSection),
  };
}

function readSection(value: unknown): Section {
  const data = dataOf(value);
  const location = data["location"] === null || data["location"] === undefined ? undefined : dataOf(data["location"]);
  return {
    id: textOf(data["id"]),
    heading: textOf(data["heading"]),
    kind: textOf(data["kind"]),
    doc: textOrNull(data["doc"]),
    location: location && { uri: textOf(location["uri"]), range: rangeOf(location["range"]) },
    lines: listOf(data["lines"]).map((line) => listOf(line).map(readPiece)),
    notes: listOf(data["notes"]).filter((note) => typeof note === "string"),
  };
}

function readPiece(value: unknown): Piece {
  const data = dataOf(value);
  return { text: textOf(data["text"]), to: textOrNull(data["to"]) ?? undefined };
}
