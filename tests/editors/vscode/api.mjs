/**
 * Runs a suite of tests/editors/vscode/suites inside the extension host of a real VS Code, as its own browser tests do:
 * the web workbench takes the tests' path in `payload`. With a .vsix, an empty extension stands in for the one that is
 * under development, and workspace trust is off. What the suite throws ends this with 1.
 */
import fs from "node:fs";
import path from "node:path";

import { given, startBrowser, startServer, until } from "./machine.mjs";

const stub = path.join(given.home, "stub");
fs.mkdirSync(stub, { recursive: true });
const about = { name: "stub", publisher: "flow-tests", version: "0.0.1", engines: { vscode: "*" } };
fs.writeFileSync(path.join(stub, "package.json"), JSON.stringify(about));

let server, browser;
let status = 1;
try {
  server = await startServer({ flow: { "flow.trust": "always", ...given.settings }, api: true });
  browser = await startBrowser(server.address);
  let code;
  await browser.page.exposeFunction("codeAutomationExit", (given) => (code = given));
  await browser.page.exposeFunction("codeAutomationLog", (type, words) => console.error(`[${type}]`, ...(words ?? [])));
  const remote = (file) => `vscode-remote://127.0.0.1:${server.port}${file}`;
  const suite = path.join(import.meta.dirname, "suites", given.suite);
  const payload = [["extensionDevelopmentPath", remote(stub)], ["extensionTestsPath", remote(suite)], ["skipWelcome", "true"]];
  const query = `folder=${encodeURIComponent(given.workspace)}&payload=${encodeURIComponent(JSON.stringify(payload))}`;
  await browser.page.goto(`${server.address}/?${query}`);
  await until("the suite comes to its end", () => code !== undefined, 180_000);
  status = code;
} catch (error) {
  console.error(error);
} finally {
  await browser?.page.screenshot({ path: path.join(given.artefacts, "end.png") }).catch(() => undefined);
  await browser?.stop();
  await server?.stop();
}
process.exit(status === 0 ? 0 : 1);
