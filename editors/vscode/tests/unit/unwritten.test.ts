import assert from "node:assert/strict";
import test from "node:test";

import { unwrittenAt } from "../../src/unwritten";

const TABLE = '\n[tools."b.flow"]\ncommand = ""\n';

test("the place is between the quotes of the table that was added", () => {
  const before = '[tools."a.flow"]\ncommand = ""\n';
  const text = before + TABLE;
  const at = unwrittenAt(text, TABLE);
  assert.equal(at, text.lastIndexOf('""') + 1);
});

test("line ends may be others in the document", () => {
  const text = TABLE.replaceAll("\n", "\r\n");
  assert.equal(unwrittenAt(text, TABLE), text.indexOf('""') + 1);
});

test("nothing is to be written where a command stands, or where the text is another by now", () => {
  assert.equal(unwrittenAt('[tools."b.flow"]\ncommand = "x"\n', '[tools."b.flow"]\ncommand = "x"\n'), undefined);
  assert.equal(unwrittenAt("", TABLE), undefined);
});
