/** What VS Code asks the extension for, on the workspace of the story, bound and fitting. */
const assert = require("node:assert/strict");
const vscode = require("vscode");
const { before, find, runAll, running, until, uri } = require("./suite.cjs");

const source = uri("weather.flow");
const codes = () => vscode.languages.getDiagnostics(source).map((one) => one.code.value ?? one.code);
const lensTitles = async () => (await find("CodeLensProvider", source)).map((one) => one.command?.title ?? "");
const fits = () => until("both Tools fit", async () => (await lensTitles()).filter((one) => one.startsWith("fits")).length === 2);

async function replace(document, old, fresh) {
  const edit = new vscode.WorkspaceEdit();
  edit.replace(document.uri, new vscode.Range(before(document, old), before(document, old, old.length)), fresh);
  assert.ok(await vscode.workspace.applyEdit(edit));
  assert.ok(await document.save());
}

async function action(document, place, title) {
  const range = new vscode.Range(place, place);
  const offered = await find("CodeActionProvider", document.uri, range);
  const chosen = offered.find((one) => one.title.startsWith(title));
  assert.ok(chosen, `No action "${title}" among: ${offered.map((one) => one.title).join("; ")}`);
  return chosen;
}

async function apply(chosen) {
  if (chosen.edit) assert.ok(await vscode.workspace.applyEdit(chosen.edit));
  if (chosen.command) await vscode.commands.executeCommand(chosen.command.command, ...(chosen.command.arguments ?? []));
}

let document;
const tests = {
  "a .flow file has the language, and a flow.toml stays TOML": async () => {
    document = await vscode.workspace.openTextDocument(source);
    await vscode.window.showTextDocument(document);
    assert.equal(document.languageId, "flow");
    assert.equal((await vscode.workspace.openTextDocument(uri("flow.toml"))).languageId, "toml");
    await running();
  },
  "both Tools fit": async () => {
    await fits();
    assert.deepEqual(codes(), []);
    return lensTitles();
  },
  "a hover tells how a Tool stands": async () => {
    const hovers = await find("HoverProvider", source, before(document, "forecast(place", 2));
    const text = hovers.flatMap((one) => one.contents).map((one) => one.value ?? one).join("\n");
    assert.match(text, /fits/);
    assert.match(text, /weather\.forecast/);
    assert.match(text, /The days to come, the nearest first/);
  },
  "a definition is where the type is declared": async () => {
    const found = await find("DefinitionProvider", source, before(document, "Place, days", 1));
    const range = found[0].targetSelectionRange ?? found[0].range;
    assert.equal(range.start.line, before(document, "record Place").line);
  },
  "completion offers the types of the file": async () => {
    const list = await find("CompletionItemProvider", source, before(document, "Int) -> Result<List"));
    const labels = list.items.map((one) => one.label.label ?? one.label);
    for (const name of ["Forecast", "Place", "Decimal", "Option<T>"]) assert.ok(labels.includes(name), `${name}: ${labels}`);
  },
  "completion offers the keys of flow.toml": async () => {
    const manifest = await vscode.workspace.openTextDocument(uri("flow.toml"));
    const list = await find("CompletionItemProvider", manifest.uri, before(manifest, "command"));
    const labels = list.items.map((one) => one.label.label ?? one.label);
    assert.ok(labels.some((one) => one.startsWith("mcp")), String(labels));
  },
  "the outline has types and Tools": async () => {
    const symbols = await find("DocumentSymbolProvider", source);
    const names = symbols.map((one) => one.name);
    for (const name of ["Place", "Sky", "current", "forecast"]) assert.ok(names.includes(name), `${name}: ${names}`);
  },
  "a change of a parameter is drift, in words": async () => {
    await replace(document, "days: Int", "days: Decimal");
    await until("drift is found", () => codes().includes("drift"));
    const [one] = vscode.languages.getDiagnostics(source);
    assert.match(one.message, /parameter `days` is Decimal here and Int there/);
    assert.equal(document.getText(one.range), "forecast");
    assert.equal(one.severity, vscode.DiagnosticSeverity.Error);
  },
  "a quick fix updates the generated types, and all fits": async () => {
    await apply(await action(document, before(document, "forecast(place", 1), "Update generated types"));
    const generated = await vscode.workspace.openTextDocument(uri("flow_tools.py"));
    await until("flow_tools.py is saved", async () => generated.isDirty && (await generated.save()));
    await fits();
    assert.deepEqual(codes(), []);
    assert.match(generated.getText(), /days: Decimal/);
  },
  "a rename changes every place of a name": async () => {
    const edit = await find("DocumentRenameProvider", source, before(document, "Sky {", 1), "Heavens");
    assert.ok(await vscode.workspace.applyEdit(edit));
    assert.match(document.getText(), /pub enum Heavens/);
    assert.match(document.getText(), /sky: Heavens/);
    assert.doesNotMatch(document.getText(), /\bSky\b/);
    await vscode.commands.executeCommand("undo");
    await until("it is undone", () => document.getText().includes("pub enum Sky"));
    await document.save();
  },
  "a page and the difference of a Tool are answered": async () => {
    const changes = await vscode.commands.executeCommand("flow.tool.schema", source.toString(), "forecast");
    await until("the schema is shown as a page", () =>
      vscode.window.tabGroups.all.flatMap((group) => group.tabs).some((tab) => tab.input instanceof vscode.TabInputWebview));
    return changes;
  },
  "a call is opened, made, and comes to an outcome": async () => {
    const opened = await vscode.commands.executeCommand("flow.call.open", source.toString(), "forecast");
    const args = await vscode.workspace.openTextDocument(vscode.Uri.parse(opened.uri));
    const edit = new vscode.WorkspaceEdit();
    const all = new vscode.Range(new vscode.Position(0, 0), args.lineAt(args.lineCount - 1).range.end);
    edit.replace(args.uri, all, '{"place": {"latitude": 52.5, "longitude": 13.4}, "days": 2}');
    assert.ok(await vscode.workspace.applyEdit(edit));
    const answer = await vscode.commands.executeCommand("flow.call", opened.uri);
    assert.equal(JSON.parse(answer.outcome).Ok.length, 2);
    return answer.outcome;
  },
  "faulty arguments are shown, and a call of them is refused": async () => {
    const opened = await vscode.commands.executeCommand("flow.call.open", source.toString(), "current");
    const args = await vscode.workspace.openTextDocument(vscode.Uri.parse(opened.uri));
    await vscode.window.showTextDocument(args);
    const edit = new vscode.WorkspaceEdit();
    const all = new vscode.Range(new vscode.Position(0, 0), args.lineAt(args.lineCount - 1).range.end);
    edit.replace(args.uri, all, '{"place": {"latitude": "north", "longitude": 13.4}}');
    assert.ok(await vscode.workspace.applyEdit(edit));
    const found = await until("a finding is there", () => {
      const all = vscode.languages.getDiagnostics(args.uri).filter((one) => one.source === "flow");
      return all.length > 0 && all;
    });
    assert.equal(args.getText(found[0].range), '"north"');
  },
  "restarted, the server answers as before": async () => {
    await vscode.commands.executeCommand("flow.server.restart");
    await fits();
    assert.deepEqual(codes(), []);
  },
};

exports.run = () => runAll(tests);
