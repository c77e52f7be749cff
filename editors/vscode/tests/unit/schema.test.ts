import assert from "node:assert/strict";
import { test } from "node:test";

import { htmlOf } from "../../src/schema/html";
import { readPage } from "../../src/schema/page";

const EVIL = `"><img src=x onerror=alert(1)><script>alert(2)</script>'\`&{{</style></code>`;

function page(text: string): ReturnType<typeof readPage> {
  const location = { uri: "file:///w/weather.flow", range: { start: { line: 1, character: 2 }, end: { line: 1, character: 5 } } };
  const section = { heading: text, kind: text, doc: text, location, notes: [text] };
  return readPage({
    title: text,
    identity: text,
    fingerprint: text,
    state: text,
    detail: text,
    doc: text,
    json: text,
    sections: [
      { ...section, id: "tool", lines: [[{ text: "fn f(place: " }, { text, to: "type-Place" }, { text: ")" }]] },
      { ...section, id: "type-Place", lines: [[{ text: `    /// ${text}` }], [{ text, to: "type-nowhere" }]] },
    ],
  });
}

test("nothing that the workspace wrote becomes markup", () => {
  const html = htmlOf(page(EVIL), "NONCE", EVIL);
  const plain = htmlOf(page("word"), "NONCE", "word");
  const tags = (text: string): string[] => text.match(/<[^>]*>/g)!.map((tag) => tag.replace(/aria-label="[^"]*"|class="state [a-z]+"/g, ""));
  assert.deepEqual(tags(html), tags(plain));
  assert.ok(!html.includes(EVIL.slice(0, 6)));
});

test("scripts and styles run by the nonce alone, and nothing is loaded", () => {
  const html = htmlOf(page("word"), "NONCE", undefined);
  const policy = /content="(default-src[^"]*)"/.exec(html)?.[1];
  assert.equal(policy, "default-src 'none'; style-src 'nonce-NONCE'; script-src 'nonce-NONCE'; base-uri 'none'; form-action 'none'");
  assert.ok(!/\s(?:on[a-z]+|style|src)=/.test(html));
  assert.equal(html.match(/<(?:script|style)[ >]/g)?.length, 2);
  assert.equal(html.match(/<(?:script|style) nonce="NONCE">/g)?.length, 2);
});

test("pieces lead to the sections that are there, by numbers of our own", () => {
  const html = htmlOf(page("Place"), "NONCE", undefined);
  assert.ok(html.includes('fn f(place: <a href="#s1">Place</a>)'));
  assert.ok(html.includes('id="s1"'));
  assert.ok(!html.includes("nowhere"));
});

test("each declaration with a place has a button that a keyboard reaches", () => {
  const html = htmlOf(page("Place"), "NONCE", undefined);
  assert.deepEqual(html.match(/<button type="button" data-[a-z]+="[a-z0-9]+"/g)?.length, 3);
  const without = page("Place").sections.map((section) => ({ ...section, location: undefined }));
  assert.equal(htmlOf({ ...page("Place"), sections: without }, "NONCE", undefined).match(/data-open="/g), null);
});

test("a page of another shape is read as far as it is one", () => {
  for (const value of [undefined, null, 3, [], { sections: 3 }, { sections: [null, { lines: [3, [null]] }] }]) {
    assert.match(htmlOf(readPage(value), "NONCE", undefined), /^<!DOCTYPE html>/);
  }
});
