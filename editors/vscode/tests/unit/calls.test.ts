import assert from "node:assert/strict";
import { test } from "node:test";

import { type CallEntry, CallHistory, duration, kindOf, LONGEST, MOST_CALLS, nameIn } from "../../src/calls/history";
import { laidOut } from "../../src/calls/layout";
import { callText } from "../../src/calls/text";

function call(name: string): Omit<CallEntry, "id" | "ended"> {
  return { document: `file:///s/${name}.flow-call.json`, name, args: "{}", started: 1000 };
}

test("calls stand with the newest first, each with its own outcome", () => {
  const history = new CallHistory();
  const [one, two] = [history.begin(call("one")), history.begin(call("two"))];
  history.end(one, '{"Ok":1}', "", 1500);
  assert.deepEqual(history.entries.map(({ name, ended }) => [name, ended?.kind]), [["two", undefined], ["one", "Ok"]]);
  history.end(two, undefined, "There is no such Tool.", 1600);
  assert.deepEqual(history.find(two)?.ended, { kind: "Refused", outcome: "There is no such Tool.", milliseconds: 600 });
  assert.equal(history.find(one)?.ended?.outcome, '{"Ok":1}');
});

test("the oldest that are over are let go of, and never one that is out", () => {
  const history = new CallHistory();
  const out = history.begin(call("out"));
  for (let number = 0; number < 2 * MOST_CALLS; number++) history.end(history.begin(call(`call ${number}`)), '{"Ok":1}', "", 2000);
  assert.equal(history.entries.length, MOST_CALLS);
  assert.equal(history.entries[0]?.name, `call ${2 * MOST_CALLS - 1}`);
  assert.equal(history.find(out)?.ended, undefined);
  history.clear();
  assert.deepEqual(history.entries.map(({ id }) => id), [out]);
});

test("what is kept of one call is bounded", () => {
  const history = new CallHistory();
  const id = history.begin({ ...call("large"), args: "1".repeat(2 * LONGEST) });
  history.end(id, `{"Ok":"${"x".repeat(2 * LONGEST)}"}`, "", 2000);
  const entry = history.find(id);
  assert.equal(entry?.args.length, LONGEST + 1);
  assert.equal(entry.ended?.outcome.length, LONGEST + 1);
});

test("the kind is the one member of the outcome", () => {
  for (const kind of ["Ok", "Failed", "NotRun", "Unknown", "BadReply"]) assert.equal(kindOf(`{"${kind}":"Ok"}`), kind);
  for (const other of ["", "{}", '{"Other":1}', '["Ok"]']) assert.equal(kindOf(other), "Unknown");
});

test("a document of arguments is called after its Tool", () => {
  assert.equal(nameIn("file:///s/forecast.flow-call.json"), "forecast");
  assert.equal(nameIn("file:///s/gr%C3%BC%C3%9Fe.flow-call.json"), "grüße");
  assert.equal(nameIn("file:///s/%E0%A4%A.flow-call.json"), "%E0%A4%A");
});

test("durations are said in seconds", () => {
  assert.deepEqual([0, 124, 9_994, 12_345].map(duration), ["0.00 s", "0.12 s", "9.99 s", "12 s"]);
});

test("JSON is laid out with every number as it was written", () => {
  const text = '{"Ok":[1e400,0.10000000000000000001,{"a":{}, "b":[]}, "}\\",{"]}';
  const lines = ["{", '  "Ok": [', "    1e400,", "    0.10000000000000000001,", "    {", '      "a": {},', '      "b": []', "    },", '    "}\\",{"', "  ]", "}"];
  assert.equal(laidOut(text), lines.join("\n"));
  assert.equal(laidOut(laidOut(text)), laidOut(text));
});

test("what is deep, or no JSON, is laid out in a size that is linear in it", () => {
  assert.ok(laidOut("[".repeat(10_000) + "]".repeat(10_000)).length < 20_000 * 40);
  for (const broken of ['"', "]}", '{"a":"', "1 2", '{"Ok":"xxxx…']) {
    assert.equal(laidOut(broken).replace(/\s/g, ""), broken.replace(/\s/g, ""));
  }
});

test("the document of a call is JSON with its arguments and its outcome", () => {
  const entry: CallEntry = {
    ...call("forecast"),
    id: 1,
    args: '{"days":2}',
    ended: { kind: "Ok", outcome: '{"Ok":[1]}', milliseconds: 124 },
  };
  assert.deepEqual(JSON.parse(callText(entry)), {
    tool: "forecast",
    outcome: { Ok: [1] },
    args: { days: 2 },
    started: "1970-01-01T00:00:01.000Z",
    seconds: 0.124,
  });
  const refused = { ...entry, args: "{no json", ended: { kind: "Refused", outcome: 'No "Tool".', milliseconds: 1 } };
  const { refused: why, args } = JSON.parse(callText(refused)) as Record<string, unknown>;
  assert.deepEqual([why, args], ['No "Tool".', "{no json"]);
});
