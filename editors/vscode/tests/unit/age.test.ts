import assert from "node:assert/strict";
import { test } from "node:test";

import { ago } from "../../src/age";

const NOW = Date.parse("2026-12-03T12:00:00Z");

test("ages are said in the largest unit that is full", () => {
  const ages: [number, string][] = [
    [0, "just now"],
    [59, "just now"],
    [60, "1 min ago"],
    [3599, "59 min ago"],
    [3600, "1 h ago"],
    [86399, "23 h ago"],
    [86400 * 400, "400 d ago"],
    [-30, "just now"],
  ];
  for (const [seconds, words] of ages) assert.equal(ago(new Date(NOW - seconds * 1000).toISOString(), NOW), words);
});

test("what is no moment has no age", () => {
  for (const moment of [null, "", "soon", "2026-13-40"]) assert.equal(ago(moment, NOW), undefined);
});
