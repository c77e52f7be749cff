/** Which server is started: each of them notes when it is. */
const assert = require("node:assert/strict");
const fs = require("node:fs");
const path = require("node:path");
const vscode = require("vscode");
const { find, given, runAll, running, until, uri } = require("./suite.cjs");

const source = uri("weather.flow");
const notes = () => fs.readdirSync(given.notes);
const forget = () => notes().forEach((name) => fs.rmSync(path.join(given.notes, name)));

/** The one server that was started since the last look, once it answers. */
async function started() {
  await until("a server is started", () => notes().length > 0);
  await until("it answers", async () => (await find("CodeLensProvider", source)).length > 0);
  const names = notes();
  forget();
  return names;
}

const set = (value) =>
  vscode.workspace.getConfiguration("flow").update("server.path", value, vscode.ConfigurationTarget.Global);

const tests = {
  "without a setting, the one of the workspace": async () => {
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(source));
    await running();
    assert.deepEqual(await started(), ["workspace"]);
  },
  "a setting comes first, and counts at once": async () => {
    await set(given.setting);
    assert.deepEqual(await started(), ["setting"]);
  },
  "a setting that names nothing starts nothing": async () => {
    await set("/nowhere/flow-lsp");
    await until("nothing answers", async () => (await find("CodeLensProvider", source)).length === 0);
    assert.deepEqual(notes(), []);
  },
  "without one in the workspace, the one on PATH": async () => {
    fs.rmSync(uri(".venv").fsPath, { recursive: true });
    await set(undefined);
    assert.deepEqual(await started(), ["path"]);
  },
};

exports.run = () => runAll(tests);
