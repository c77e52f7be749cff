import assert from "node:assert/strict";
import { test } from "node:test";

import { readAnswer, readSummary } from "../../src/tools/answer";
import { Forest } from "../../src/tools/forest";
import { contextOf, descriptionOf, lookOf } from "../../src/tools/looks";

interface Given {
  readonly state?: string;
  readonly names?: readonly string[];
  readonly label?: string;
}

function answer(given: Given = {}): ReturnType<typeof readAnswer> {
  const tools = (given.names ?? ["current", "forecast"]).map((name) => ({
    name,
    identity: `weather.${name}`,
    range: { start: { line: 3, character: 7 }, end: { line: 3, character: 14 } },
    state: name === "forecast" ? (given.state ?? "fits") : "fits",
    text: "fits",
    detail: "It fits.",
    implementation: "python3 weather_tools.py",
    asOf: null,
    standing: "current",
    commands: ["flow.describe", "flow.call.open"],
  }));
  const files = [{ uri: "file:///w/weather.flow", label: given.label ?? "weather.flow", tools }];
  return readAnswer({ manifests: [{ uri: "file:///w/flow.toml", label: "flow.toml", files }], tools: 2, unfit: 0, truncated: false });
}

test("what changed is said by node, and nodes stay the same objects", () => {
  const forest = new Forest();
  assert.equal(forest.update(answer()), "all");
  const [before] = forest.roots;
  const tools = [...forest.tools()];
  assert.deepEqual(forest.update(answer()), []);
  assert.deepEqual(forest.update(answer({ state: "drift" })), [tools[1]]);
  assert.equal(tools[1]!.data.state, "drift");
  assert.equal(forest.roots[0], before);
  assert.deepEqual([...forest.tools()], tools);
});

test("a file whose Tools are others is shown anew, without those above it", () => {
  const forest = new Forest();
  forest.update(answer());
  const file = forest.roots[0]!.children[0]!;
  const kept = file.children[1];
  assert.deepEqual(forest.update(answer({ names: ["forecast", "history"] })), [file]);
  assert.equal(file.children[0], kept);
  assert.deepEqual(forest.update(answer({ names: ["forecast", "history"], label: "other.flow" })), [file]);
});

test("two Tools of one name have ids of their own", () => {
  const forest = new Forest();
  forest.update(answer({ names: ["same", "same", "same"] }));
  assert.equal(new Set([...forest.tools()].map((tool) => tool.id)).size, 3);
});

test("many changes are one change of all", () => {
  const names = Array.from({ length: 5000 }, (_, place) => `tool_${place}`);
  const forest = new Forest();
  forest.update(answer({ names }));
  const other = answer({ names });
  const manifests = other.manifests.map((manifest) => ({
    ...manifest,
    files: manifest.files.map((file) => ({ ...file, tools: file.tools.map((tool) => ({ ...tool, state: "drift" })) })),
  }));
  assert.equal(forest.update({ ...other, manifests }), "all");
});

test("manifests that come and go are a change of all", () => {
  const forest = new Forest();
  forest.update(answer());
  assert.equal(forest.update({ manifests: [], truncated: false }), "all");
  assert.deepEqual([...forest.tools()], []);
});

test("an answer of another shape is read as far as it is one", () => {
  for (const value of [null, 1, "x", [], {}, { manifests: 3 }]) assert.deepEqual(readAnswer(value).manifests, []);
  const { manifests } = readAnswer({ manifests: [null, { uri: 3, label: [], files: [{ tools: [{ range: "x", commands: [1, "flow.describe"] }] }] }] });
  const tool = manifests[1]!.files[0]!.tools[0]!;
  assert.deepEqual([tool.name, tool.range.start.line, tool.commands], ["", 0, ["flow.describe"]]);
  assert.deepEqual(readSummary({ tools: -1, unfit: 1.5, doing: 7 }), { tools: 0, unfit: 0, doing: null });
});

test("each state has a look, and one that is not known a plain one", () => {
  const states = ["fits", "drift", "unserved", "describe-failed", "not-checked", "offered", "unbound", "refused", "unknown"];
  for (const state of states) assert.notEqual(lookOf(state).colour, undefined, state);
  assert.equal(lookOf("toString").icon, lookOf("of a newer server").icon);
});

test("menus know what can be done by the commands that the server lists", () => {
  const [tool] = answer().manifests[0]!.files[0]!.tools;
  assert.equal(contextOf(tool!), "tool describe call");
  assert.equal(contextOf({ ...tool!, commands: ["flow.tool.schema", "flow.tool.page", "constructor"] }), "tool schema");
  assert.equal(contextOf({ ...tool!, commands: [] }), "tool");
});

test("the age stands behind the words of the lens where an answer has one", () => {
  const [tool] = answer().manifests[0]!.files[0]!.tools;
  const now = Date.parse("2026-12-03T12:00:00Z");
  assert.equal(descriptionOf(tool!, now), "fits");
  assert.equal(descriptionOf({ ...tool!, asOf: "2026-12-03T11:58:00Z" }, now), "fits · 2 min ago");
});
