/** Reads what came from outside: a member of the kind that was agreed on, or what stands for none. */

export type Data = Readonly<Record<string, unknown>>;

export function dataOf(value: unknown): Data {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Data) : {};
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

export function textOrNull(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}

export function countOf(value: unknown): number {
  return typeof value === "number" && Number.isInteger(value) && value > 0 ? value : 0;
}

export interface Place {
  readonly line: number;
  readonly character: number;
}

export interface Range {
  readonly start: Place;
  readonly end: Place;
}

export function rangeOf(value: unknown): Range {
  const { start, end } = dataOf(value);
  const place = (one: unknown): Place => ({ line: countOf(dataOf(one)["line"]), character: countOf(dataOf(one)["character"]) });
  return { start: place(start), end: place(end) };
}
