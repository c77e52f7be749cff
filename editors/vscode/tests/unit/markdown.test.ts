import assert from "node:assert/strict";
import { test } from "node:test";

import { escapedMarkdown } from "../../src/markdown";

test("nothing in the text is markup, and words can be broken apart", () => {
  assert.equal(escapedMarkdown("[a](command:x) <b> `c` https://x *d*"), "\\[a\\]\\(command\\:x\\) \\<b\\> \\`c\\` https\\://x \\*d\\*");
  assert.equal(escapedMarkdown("one two  three\nfour"), "one two\u00a0\u00a0three\n\nfour");
});
