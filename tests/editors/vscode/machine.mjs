/**
 * A VS Code of its own for one test: a clean profile with the packaged extension, served by code-server, shown by the
 * system's Chromium. What it is made of comes from the test, as JSON in FLOW_TEST (tests/editors/vscode_session.py).
 */
import { execFileSync, spawn } from "node:child_process";
import fs from "node:fs";
import { createRequire } from "node:module";
import net from "node:net";
import path from "node:path";

export const given = JSON.parse(process.env.FLOW_TEST);
const { chromium } = createRequire(path.join(given.playwright, "here.js"))("playwright-core");

const SETTINGS = {
  "workbench.startupEditor": "none",
  "workbench.enableExperiments": false,
  "workbench.secondarySideBar.defaultVisibility": "hidden",
  "workbench.colorTheme": "Default Dark Modern",
  "telemetry.telemetryLevel": "off",
  "extensions.autoUpdate": false,
  "extensions.autoCheckUpdates": false,
  "extensions.ignoreRecommendations": true,
  "update.mode": "none",
  "chat.commandCenter.enabled": false,
  "git.enabled": false,
  "remote.autoForwardPorts": false,
  "window.menuBarVisibility": "hidden",
  "editor.minimap.enabled": false,
  "editor.hover.delay": 100,
  "editor.fontFamily": "DejaVu Sans Mono",
  "editor.cursorBlinking": "solid",
  "files.autoSave": "off",
};

/** What tells pip how to reach its index on this machine. */
const REACHES = /^(PIP_|SSL_CERT|REQUESTS_CA|(https?|no)_proxy$)/i;

const inside = (name) => {
  const folder = path.join(given.home, name);
  fs.mkdirSync(folder, { recursive: true });
  return folder;
};

/** Writes a profile's settings. `flow` goes to where VS Code keeps what counts for this machine alone. */
function writeSettings(user, settings, flow) {
  for (const [name, values] of [["User", settings], ["Machine", flow]]) {
    fs.mkdirSync(path.join(user, name), { recursive: true });
    fs.writeFileSync(path.join(user, name, "settings.json"), JSON.stringify(values, null, 2));
  }
}

/** The environment of the server, of the extension and of what they start. */
function environment() {
  const home = inside("home");
  // VS Code's server takes what a login shell has, and /etc/profile may set another PATH.
  fs.writeFileSync(path.join(home, ".bash_profile"), `export PATH='${given.path}'\n`);
  return {
    PATH: given.path,
    SHELL: "/bin/bash",
    LANG: "C.UTF-8",
    TZ: "UTC",
    HOME: home,
    TMPDIR: inside("t"),
    XDG_CONFIG_HOME: home,
    XDG_DATA_HOME: home,
    XDG_CACHE_HOME: home,
    XDG_RUNTIME_DIR: inside("t"),
    FLOW_TEST_RUN: process.env.FLOW_TEST_RUN,
    FLOW_LSP_STATE_DIRECTORY: inside("state"),
    EXTENSIONS_GALLERY: JSON.stringify({ serviceUrl: "" }), // so that nothing is asked of a gallery
    ...Object.fromEntries(Object.entries(process.env).filter(([name]) => REACHES.test(name))),
    ...given.environment,
  };
}

async function freePort() {
  return new Promise((resolve, reject) => {
    const server = net.createServer().on("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

/** Waits until `condition` gives something, at most so many milliseconds; what it gave. */
export async function until(what, condition, milliseconds = 30_000) {
  const end = Date.now() + milliseconds;
  let problem = "";
  for (;;) {
    try {
      const value = await condition();
      if (value) return value;
    } catch (error) {
      problem = ` (${error instanceof Error ? error.message : error})`;
    }
    if (Date.now() > end) throw new Error(`Waited ${milliseconds} ms in vain: ${what}${problem}.`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/**
 * Starts VS Code's server with the extension installed from its .vsix. `api` starts it so that the extension host runs
 * tests; in that way workspace trust cannot be had. Gives the address and what ends it.
 */
export async function startServer({ settings = {}, flow = {}, api = false } = {}) {
  const [user, extensions] = [inside("user"), inside("extensions")];
  writeSettings(user, { ...SETTINGS, ...settings }, flow);
  const package_ = path.join(given.codeServer, "node_modules", "code-server");
  const main = path.join(package_, "lib", "vscode", "out", "server-main.js");
  const env = { ...environment(), ...(api ? { FLOW_TEST: process.env.FLOW_TEST } : {}) };
  const folders = ["--user-data-dir", user, "--extensions-dir", extensions, "--server-data-dir", inside("server")];
  const installed = [main, ...folders, "--install-extension", given.vsix];
  execFileSync(process.execPath, installed, { env, stdio: ["ignore", "ignore", "pipe"], timeout: 60_000 });
  const port = await freePort();
  const log = fs.openSync(path.join(given.artefacts, "server.log"), "w");
  const words = api
    ? [main, ...folders, "--host", "127.0.0.1", "--port", String(port), "--without-connection-token",
       "--accept-server-license-terms", "--enable-smoke-test-driver", "--disable-workspace-trust", "--telemetry-level", "off"]
    : [path.join(package_, "out", "node", "entry.js"), "--user-data-dir", user, "--extensions-dir", extensions,
       "--config", configuration(), "--bind-addr", `127.0.0.1:${port}`, "--auth", "none", "--disable-telemetry",
       "--disable-update-check", "--disable-getting-started-override"];
  const child = spawn(process.execPath, words, { env, stdio: ["ignore", log, log] });
  let ended;
  child.on("exit", (status, signal) => (ended = signal ?? status));
  const address = `http://127.0.0.1:${port}`;
  await until("VS Code's server answers", async () => {
    if (ended !== undefined) throw new Error(`it ended with ${ended}`);
    return (await fetch(address + (api ? "/version" : "/healthz"))).ok;
  }, 60_000);
  const stop = async () => {
    child.kill("SIGTERM");
    await until("VS Code's server ends", () => ended !== undefined, 10_000).catch(() => child.kill("SIGKILL"));
  };
  return { address, port, stop };
}

function configuration() {
  const file = path.join(given.home, "config.yaml");
  fs.writeFileSync(file, "auth: none\ncert: false\n");
  return file;
}

/** A browser with one empty page; nothing but `address` is reached. */
export async function startBrowser(address, { scale = 1, viewport = { width: 1280, height: 800 } } = {}) {
  const context = await chromium.launchPersistentContext(inside("browser"), {
    executablePath: given.chromium,
    headless: true,
    viewport,
    deviceScaleFactor: scale,
    env: { ...process.env, HOME: inside("home"), TMPDIR: inside("t") },
    args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
           "--disable-component-update", "--disable-sync", "--force-color-profile=srgb"],
  });
  context.setDefaultTimeout(30_000);
  await context.route((url) => !url.href.startsWith(address) && url.protocol.startsWith("http"), (route) => route.abort());
  const page = context.pages()[0] ?? (await context.newPage());
  page.on("console", (message) => fs.appendFileSync(path.join(given.artefacts, "console.log"), `[${message.type()}] ${message.text()}\n`));
  return { page, stop: () => context.close().catch(() => undefined) };
}
