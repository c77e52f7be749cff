/** What the suites inside the extension host share. */
const fs = require("node:fs");
const vscode = require("vscode");

const given = JSON.parse(process.env.FLOW_TEST);

/** Waits until `condition` gives something; what it gave. */
async function until(what, condition, milliseconds = 30_000) {
  const end = Date.now() + milliseconds;
  for (;;) {
    const value = await condition();
    if (value) return value;
    if (Date.now() > end) throw new Error(`Waited ${milliseconds} ms in vain: ${what}.`);
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}

/** Runs the tests one after another and writes the report; throws where one went wrong. */
async function runAll(tests) {
  const steps = [];
  for (const [name, test] of Object.entries(tests)) {
    const began = Date.now();
    try {
      steps.push({ name, right: true, seen: await test() });
    } catch (error) {
      steps.push({ name, right: false, seen: String(error.stack ?? error) });
    }
    steps.at(-1).milliseconds = Date.now() - began;
    fs.writeFileSync(given.report, JSON.stringify({ steps }, null, 1));
  }
  const wrong = steps.filter((step) => !step.right);
  if (wrong.length > 0) throw new Error(`${wrong.length} of ${steps.length} went wrong.`);
}

const uri = (name) => vscode.Uri.joinPath(vscode.workspace.workspaceFolders[0].uri, name);

/** The place just before `text` in a document, and `further` columns behind. */
function before(document, text, further = 0) {
  const offset = document.getText().indexOf(text);
  if (offset < 0) throw new Error(`There is no "${text}".`);
  return document.positionAt(offset + further);
}

const find = (name, ...words) => vscode.commands.executeCommand(`vscode.execute${name}`, ...words);
const running = () => until("the extension is active", () => vscode.extensions.getExtension("flow-lsp.flow-lsp")?.isActive);

module.exports = { before, find, given, runAll, running, until, uri };
