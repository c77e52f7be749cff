/** Where a table that was just added waits for its command. */

const EMPTY = /^command = "(?=")/m;

/** The offset between the quotes of the command that is to be written in `written`, which stands in `text`. */
export function unwrittenAt(text: string, written: string): number | undefined {
  const lines = written.trim().split(/\r?\n/);
  for (const end of ["\n", "\r\n"]) {
    const start = text.indexOf(lines.join(end));
    if (start < 0) continue;
    const found = EMPTY.exec(text.slice(start, start + lines.join(end).length));
    return found === null ? undefined : start + found.index + found[0].length;
  }
  return undefined;
}
