/** What `flow-lsp --version` says, and whether it is enough. */

/** The oldest server that this extension works with. */
export const OLDEST = "0.1.0";

/** The version in the first line of `flow-lsp --version`; undefined where that is another program. */
export function versionIn(output: string): string | undefined {
  return /^flow-lsp (\d+(?:\.\d+)*)/.exec(output)?.[1];
}

/** Whether `version` is `oldest` or newer, by the numbers in them. */
export function isAtLeast(version: string, oldest: string): boolean {
  const [one, other] = [version, oldest].map((text) => text.split(".").map(Number));
  for (let place = 0; place < Math.max(one!.length, other!.length); place++) {
    const difference = (one![place] ?? 0) - (other![place] ?? 0);
    if (difference !== 0) return difference > 0;
  }
  return true;
}
