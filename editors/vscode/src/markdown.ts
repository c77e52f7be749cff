/** Text as Markdown in which nothing is markup. */

/**
 * `MarkdownString.appendText` makes every space one that does not break, so that long sentences break inside of words;
 * this leaves single spaces alone.
 */
export function escapedMarkdown(text: string): string {
  return text
    .replace(/[\\`*_{}[\]()#+\-.!<>|~$:&"'@]/g, "\\$&")
    .replace(/\r\n?|\n/g, "\n\n")
    .replace(/ {2,}|^ |\t/gm, (spaces) => "\u00a0".repeat(spaces.length));
}
