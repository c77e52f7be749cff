/** A workspace that is not trusted: nothing of it is started, the reason can be read, and trust makes it run. */
import fs from "node:fs";

import { at, play } from "./steps.mjs";

const must = (holds, what) => {
  if (!holds) throw new Error(what);
};

/** What of the workspace ran: each of its programs notes that it was started, and would be in /proc while it runs. */
function started() {
  const notes = fs.readdirSync(at()).filter((name) => name.startsWith("started-"));
  for (const entry of fs.readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    try {
      const words = fs.readFileSync(`/proc/${entry}/cmdline`, "utf8").split("\0");
      const here = fs.readlinkSync(`/proc/${entry}/cwd`) === at();
      if (here && words.includes("weather_tools.py")) notes.push(words.join(" "));
      if (words.some((word) => word.startsWith(at(".venv")))) notes.push(words.join(" "));
    } catch {
      continue; // it ended
    }
  }
  return notes;
}

await play({}, async (vscode, step) => {
  await step("the workspace opens in restricted mode", () => vscode.open({ trust: false }));

  await step("the reason why nothing runs can be read", async () => {
    await vscode.openFile("weather.flow");
    await vscode.goToText(fs.readFileSync(at("weather.flow"), "utf8"), "forecast(place");
    const lens = await vscode.waitForLens("not trusted");
    const status = await vscode.until("the status item says it", async () => {
      const label = await vscode.page.locator("#flow-lsp\\.flow-lsp\\.flow\\.status a").getAttribute("aria-label");
      return label?.includes("not trusted") && label;
    });
    return { lens, status, hover: await vscode.hover("forecast", "The editor does not trust this workspace") };
  });

  await step("the side bar says it, and leads to trust", async () => {
    await vscode.page.keyboard.press("Escape");
    await vscode.showView("Flow");
    return vscode.until("the side bar says it", async () => {
      const rows = await vscode.rows("Flow Tools");
      return rows.some((row) => row.includes("restricted mode")) && rows;
    });
  });

  await step("a call is refused with the reason", async () => {
    await vscode.showView("Explorer");
    await vscode.openFile("weather.flow");
    await vscode.pressLens("Call", 0);
    await vscode.activeTab("current.flow-call.json");
    await vscode.pressLens("Call");
    await vscode.until("the result has the reason", async () =>
      (await vscode.words()).includes('"NotRun": "The editor does not trust this workspace."'));
  });

  await step("nothing of the workspace was started", async () => {
    must(started().length === 0, `These ran: ${started().join("; ")}`);
  });

  await step("trust is granted, and the question comes", async () => {
    await vscode.command("Workspaces: Manage Workspace Trust");
    await vscode.page.locator(".workspace-trust-editor .monaco-button", { hasText: /^Trust$/ }).first().click();
    const toast = await vscode.toast("python3 weather_tools.py");
    must(!started().some((note) => note.includes("weather_tools")), "It ran before the question was answered.");
    return toast.innerText();
  });

  await step("agreed to, it runs", async () => {
    await vscode.press(await vscode.toast("python3 weather_tools.py"), "Run once");
    await vscode.until("the implementation ran", () => started().includes("started-weather_tools"));
    await vscode.until("the server is the workspace's own", () => started().includes("started-server"));
    await vscode.openFile("weather.flow");
    await vscode.goToText(fs.readFileSync(at("weather.flow"), "utf8"), "forecast(place");
    await vscode.waitForLens("fits");
    return started();
  });
});
