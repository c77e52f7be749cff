/**
 * The story that is played in each editor (tests/editors/editor_story.py): from Tools that nothing binds to a call.
 */
import fs from "node:fs";

import { given } from "./machine.mjs";
import { at, play } from "./steps.mjs";

const COMMAND = "python3 weather_tools.py";
const SOURCE = "weather.flow";
const read = (name) => fs.readFileSync(at(name), "utf8");
const must = (holds, what) => {
  if (!holds) throw new Error(what);
};

const bothFit = async (vscode) => {
  const fitting = async () => (await vscode.lenses()).filter((lens) => lens.startsWith("fits")).length;
  await vscode.until("both lenses say that they fit", async () => (await fitting()) === 2);
  await vscode.waitForProblems("No Problems");
  return vscode.lenses();
};

// For the README: a small window, with nothing in it that is not told about.
const PICTURED = {
  viewport: { width: 1100, height: 560 },
  scale: 1.5,
  settings: { "editor.fontSize": 13, "files.exclude": { "**/__pycache__": true } },
};

await play(given.pictures ? PICTURED : {}, async (vscode, step) => {
  await step("the workspace opens and is trusted", () => vscode.open({ trust: true }));

  await step("both Tools are unbound", async () => {
    await vscode.openFile(SOURCE);
    await vscode.waitForProblems("Errors: 2");
    await vscode.goToText(read(SOURCE), "forecast(place");
    return vscode.hover("forecast", "unbound-no-manifest");
  });

  await step("a quick fix offers a flow.toml", async () => {
    await vscode.page.keyboard.press("Escape");
    const actions = await vscode.actions();
    return actions.allInnerTexts();
  });

  await step("the quick fix makes a flow.toml with a table, and shows where the command belongs", async () => {
    await vscode.take("Create flow.toml beside this file");
    await vscode.until("flow.toml is there", () => read("flow.toml").includes('[tools."weather.flow"]'));
    await vscode.activeTab("flow.toml");
    await vscode.until("the cursor is between the quotes", async () => (await vscode.cursor()) === "Ln 2, Col 12");
    return vscode.text();
  });

  await step("the trust question shows the whole command and its directory", async () => {
    await vscode.page.keyboard.type(COMMAND, { delay: 20 });
    await vscode.until("the command stands there", async () => (await vscode.text()).includes(`"${COMMAND}"`));
    await vscode.page.keyboard.press("Escape");
    await vscode.save();
    const toast = await vscode.toast(COMMAND);
    const asked = await toast.innerText();
    must(asked.includes(at()), `The question names no directory: ${asked}`);
    await vscode.pictureOfAll("trust");
    return asked;
  });
  await step("answered, both Tools fit", async () => {
    await vscode.press(await vscode.toast(COMMAND), "Always for this command here");
    await vscode.openFile(SOURCE);
    return bothFit(vscode);
  });

  await step("another type of a parameter is drift", async () => {
    await vscode.overwrite("forecast(place: Place, days: ", "Int", "Decimal");
    await vscode.save();
    await vscode.waitForProblems("Errors: 1");
    return vscode.waitForLens("drift");
  });

  await step("drift is explained", async () => {
    await vscode.goToText(read(SOURCE), "forecast(place");
    const said = await vscode.hover("forecast", "parameter `days` is Decimal here and Int there");
    await vscode.pictureOfAll("drift");
    return said;
  });

  await step("the side bar tells how each Tool stands", async () => {
    await vscode.page.keyboard.press("Escape");
    await vscode.showView("Flow");
    const rows = await vscode.until("both Tools are in the side bar", async () => {
      const labels = await vscode.rows("Flow Tools");
      return labels.some((label) => /current.*fits/.test(label)) && labels.some((label) => /forecast.*drift/.test(label)) && labels;
    });
    await vscode.restMouse();
    await vscode.pictureOfAll("tools");
    return rows;
  });

  await step("a quick fix updates the generated types", async () => {
    await vscode.showView("Explorer");
    await vscode.openFile(SOURCE);
    await vscode.goToText(read(SOURCE), "forecast(place");
    const titles = await (await vscode.actions()).allInnerTexts();
    must(titles.includes("Update generated types in flow_tools.py"), `The menu offers ${titles.join(", ")}.`);
    return titles;
  });

  await step("all is clean again", async () => {
    await vscode.take("Update generated types in flow_tools.py");
    await vscode.page.locator('.tab.dirty[data-resource-name="flow_tools.py"]').waitFor();
    await vscode.saveAll();
    must(read("flow_tools.py").includes("days: Decimal"), "flow_tools.py was not updated.");
    return bothFit(vscode);
  });

  await step("Call opens the arguments", async () => {
    if (given.pictures) await vscode.command("View: Close Primary Side Bar");
    await vscode.pressLens("Call", 1);
    await vscode.activeTab("forecast.flow-call.json");
    await vscode.overwrite('"latitude": ', "0", "52.5");
    await vscode.overwrite('"longitude": ', "0", "13.4");
    await vscode.overwrite('"days": ', "0", "2");
    await vscode.waitForProblems("No Problems");
    return vscode.text();
  });

  await step("a call comes to its result", async () => {
    await vscode.pressLens("Call");
    await vscode.page.locator('.tab[data-resource-name="forecast.flow-result.json"]').waitFor();
    const shown = await vscode.until("the result is shown", async () => {
      const words = await vscode.words();
      return words.includes('"outcome": {') && words;
    });
    must(shown.includes('"Ok": ['), `The outcome is not Ok: ${shown}`);
    must(shown.split('{"day": ').length === 3, `There are not two days: ${shown}`);
    await vscode.page.keyboard.press("Control+Home");
    await vscode.pictureOfAll("call");
  });
});
