import assert from "node:assert/strict";
import { test } from "node:test";

import { isAtLeast, versionIn } from "../../src/server/version";

test("the version is read from the first line alone", () => {
  assert.equal(versionIn("flow-lsp 0.1.0 (Flow data version 0.1, Language Server Protocol 3.17)\n"), "0.1.0");
  assert.equal(versionIn("flow-lsp 12.0"), "12.0");
  for (const other of ["", "flow 0.1.0", "Python 3.11\nflow-lsp 0.1.0", "flow-lsp x"]) {
    assert.equal(versionIn(other), undefined);
  }
});

test("versions are compared by their numbers", () => {
  for (const [version, oldest] of [["0.1.0", "0.1.0"], ["0.10.0", "0.9.9"], ["1", "0.9"], ["0.1.1", "0.1"], ["1.0", "1.0.0"]]) {
    assert.ok(isAtLeast(version!, oldest!), `${version} ${oldest}`);
  }
  for (const [version, oldest] of [["0.0.9", "0.1.0"], ["0.9.9", "0.10"], ["0.1", "0.1.1"]]) {
    assert.ok(!isAtLeast(version!, oldest!), `${version} ${oldest}`);
  }
});
