/** The steps of a test: each is named, bounded, pictured, and told to the test as it ends. */
import fs from "node:fs";
import path from "node:path";

import { given, startBrowser, startServer } from "./machine.mjs";
import { Workbench } from "./workbench.mjs";

const BOUND = 60_000; // milliseconds for one step

/** Plays a script in a VS Code of its own, and ends the process: with 0 where each step went right. */
export async function play(options, script) {
  const report = { steps: [] };
  let server, browser, status = 1;
  const write = () => fs.writeFileSync(given.report, JSON.stringify(report, null, 1));
  try {
    const began = Date.now();
    server = await startServer(options);
    browser = await startBrowser(server.address, options);
    report.started = Date.now() - began;
    const workbench = new Workbench(browser.page, server.address);
    await script(workbench, (name, what, bound = BOUND) => step(workbench, report, write, name, what, bound));
    status = 0;
  } catch (error) {
    report.problem = error instanceof Error ? (error.stack ?? error.message) : String(error);
  } finally {
    write();
    await browser?.stop();
    await server?.stop();
  }
  process.exit(status);
}

async function step(workbench, report, write, name, what, bound) {
  const began = Date.now();
  const number = String(report.steps.length + 1).padStart(2, "0");
  const entry = { name, right: false };
  report.steps.push(entry);
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`"${name}" took more than ${bound} ms.`)), bound);
  });
  try {
    entry.seen = await Promise.race([what(), late]);
    entry.right = true;
    await workbench.picture(`${number}-${name.replaceAll(/[^A-Za-z0-9]+/g, "-")}`);
  } catch (error) {
    await workbench.picture(`${number}-FAILED-${name.replaceAll(/[^A-Za-z0-9]+/g, "-")}`).catch(() => undefined);
    entry.seen = await workbench.words().catch(() => "nothing");
    throw error;
  } finally {
    clearTimeout(timer);
    entry.milliseconds = Date.now() - began;
    write();
  }
}

/** The path of a file of the workspace. */
export const at = (...names) => path.join(given.workspace, ...names);
