/**
 * The story that is played in each editor (tests/editors/editor_story.py): from Tools that nothing binds to a call.
 */
import fs from "node:fs";

import { at, play } from "./steps.mjs";

const COMMAND = "python3 weather_tools.py";
const SOURCE = "weather.flow";
const read = (name) => fs.readFileSync(at(name), "utf8");
const must = (holds, what) => {
  if (!holds) throw new Error(what);
};

await play({}, async (vscode, step) => {
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

  await step("the quick fix makes a flow.toml with a table", async () => {
    await vscode.take("Create flow.toml beside this file");
    await vscode.until("flow.toml is there", () => read("flow.toml").includes('[tools."weather.flow"]'));
    await vscode.openFile("flow.toml");
    return vscode.text();
  });

  await step("the trust question shows the whole command and its directory", async () => {
    await vscode.goToText(read("flow.toml"), '"\n');
    await vscode.page.keyboard.type(COMMAND, { delay: 20 });
    await vscode.until("the command stands there", async () => (await vscode.text()).includes(`"${COMMAND}"`));
    await vscode.page.keyboard.press("Escape");
    await vscode.save();
    const toast = await vscode.toast(COMMAND);
    const asked = await toast.innerText();
    must(asked.includes(at()), `The question names no directory: ${asked}`);
    return asked;
  });
  await step("answered, both Tools fit", async () => {
    await vscode.press(await vscode.toast(COMMAND), "Always for this command here");
    await vscode.openFile(SOURCE);
    await vscode.until("both lenses say that they fit", async () => (await vscode.lenses()).filter((lens) => lens.startsWith("fits")).length === 2);
    await vscode.waitForProblems("No Problems");
    return vscode.lenses();
  });

  await step("another type of a parameter is drift", async () => {
    await vscode.overwrite("forecast(place: Place, days: ", "Int", "Decimal");
    await vscode.save();
    await vscode.waitForProblems("Errors: 1");
    return vscode.waitForLens("drift");
  });

  await step("drift is explained", async () => {
    await vscode.goToText(read(SOURCE), "forecast(place");
    return vscode.hover("forecast", "parameter `days` is Decimal here and Int there");
  });

  await step("a quick fix updates the generated types", async () => {
    await vscode.page.keyboard.press("Escape");
    return (await vscode.actions()).allInnerTexts();
  });

  await step("all is clean again", async () => {
    await vscode.take("Update generated types in flow_tools.py");
    await vscode.page.locator('.tab.dirty[data-resource-name="flow_tools.py"]').waitFor();
    await vscode.saveAll();
    await vscode.until("both lenses say that they fit", async () => (await vscode.lenses()).filter((lens) => lens.startsWith("fits")).length === 2);
    await vscode.waitForProblems("No Problems");
    return vscode.lenses();
  });

  await step("Call opens the arguments", async () => {
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
    await new Promise((r) => setTimeout(r, 4000));
    return vscode.words();
  });
});
