/** JSON laid out over lines, as text: every number, string and name stays as it was written. */

const DEEPEST = 16; // levels that are indented, so that no indent grows without end
const PIECE = /\s+|"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]|[^\s"{}[\],:]+|"/gs;

/** The text laid out with two spaces a level. What is no JSON comes out as some text, with all its letters. */
export function laidOut(json: string): string {
  const out: string[] = [];
  let depth = 0;
  let fresh = false; // a bracket was opened, and nothing came behind it yet
  const line = (): void => void out.push(`\n${"  ".repeat(Math.min(depth, DEEPEST))}`);
  for (const [piece] of json.matchAll(PIECE)) {
    if (/^\s/.test(piece)) continue;
    const closes = piece === "}" || piece === "]";
    if (closes) depth = Math.max(0, depth - 1);
    if (fresh !== closes) line();
    fresh = false;
    if (closes) {
      out.push(piece);
    } else if (piece === "{" || piece === "[") {
      out.push(piece);
      depth++;
      fresh = true;
    } else if (piece === ",") {
      out.push(piece);
      line();
    } else {
      out.push(piece === ":" ? ": " : piece);
    }
  }
  return out.join("");
}
