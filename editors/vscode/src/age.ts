/** How long ago a moment was, in the words of people. */

const UNITS: readonly [number, string][] = [
  [60, "min"],
  [60 * 60, "h"],
  [24 * 60 * 60, "d"],
];

/** "2 min ago"; undefined where `moment` is none. What lies ahead of a clock that is behind is just now. */
export function ago(moment: string | null, now: number): string | undefined {
  const then = moment === null ? Number.NaN : Date.parse(moment);
  if (Number.isNaN(then)) return undefined;
  const seconds = Math.max(0, Math.floor((now - then) / 1000));
  const unit = UNITS.findLast(([size]) => seconds >= size);
  return unit === undefined ? "just now" : `${String(Math.floor(seconds / unit[0]))} ${unit[1]} ago`;
}
