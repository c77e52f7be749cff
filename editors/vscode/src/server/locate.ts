/** Looks for the server on this machine, and checks that what was found is one. */
import * as fs from "node:fs";
import * as os from "node:os";
import * as vscode from "vscode";

import { findServers, type Found, onPath, type Origin, shown, type Surroundings } from "./find";
import type { ManagedEnvironment, Tools } from "./managed";
import { run } from "./processes";
import { isAtLeast, OLDEST, versionIn } from "./version";

export interface Server {
  readonly kind: "server";
  readonly origin: Origin;
  readonly program: string;
  readonly version: string;
}

/** Why there is none; `unusable` is a program that is no flow-lsp, `old` one of too old a version. */
export type Cause = "missing" | "stale" | "setting" | "unusable" | "old";

/** There is no server to start; `sentence` says why, and `remedy` what one button can do about it. */
export interface NoServer {
  readonly kind: "none";
  readonly cause: Cause;
  readonly sentence: string;
  readonly remedy: "install" | "renew" | "settings";
}

/** The first server that can be used. `passed` is told of each that was passed over. */
export async function locate(managed: ManagedEnvironment, passed: (sentence: string) => void): Promise<Server | NoServer> {
  const own = managed.look();
  const found = findServers({ ...surroundings(), managed: own.program });
  let problem: NoServer | undefined;
  if ("origin" in found) {
    if (found.problem !== undefined) return { kind: "none", cause: "setting", sentence: found.problem, remedy: "settings" };
  } else {
    for (const one of found) {
      const server = await checked(one);
      if (server.kind === "server") return server;
      passed(server.sentence);
      problem ??= server;
    }
  }
  if (own.standing === "stale") {
    const sentence = "The managed environment is of another version of this extension, or of Python.";
    return { kind: "none", cause: "stale", sentence, remedy: "renew" };
  }
  if (problem !== undefined) return problem;
  const where = vscode.workspace.isTrusted ? "in .venv nor on PATH" : "on PATH; this workspace's .venv is not trusted";
  return { kind: "none", cause: "missing", sentence: `flow-lsp, the server, was not found ${where}.`, remedy: "install" };
}

async function checked(found: Found): Promise<Server | NoServer> {
  const isNamed = found.origin === "setting";
  const remedy = isNamed ? "settings" : "install";
  const ended = await run(found.program, ["--version"], { directory: os.homedir(), milliseconds: 20_000 });
  const version = versionIn(ended.output);
  const what = shown(found.program);
  if (ended.status !== 0 || version === undefined) {
    const why = ended.problem ?? `it says "${shown(ended.output.trim())}"`;
    const sentence = `${what} is no flow-lsp that can be started: ${why}.`;
    return { kind: "none", cause: isNamed ? "setting" : "unusable", sentence, remedy };
  }
  if (!isAtLeast(version, OLDEST)) {
    const sentence = `${what} is flow-lsp ${version}, and ${OLDEST} or later is needed.`;
    return { kind: "none", cause: isNamed ? "setting" : "old", sentence, remedy };
  }
  return { kind: "server", origin: found.origin, program: found.program, version };
}

function surroundings(): Omit<Surroundings, "managed"> {
  return {
    platform: process.platform,
    searchPath: process.env["PATH"],
    folders: (vscode.workspace.workspaceFolders ?? [])
      .filter((folder) => folder.uri.scheme === "file")
      .map((folder) => folder.uri.fsPath),
    trusted: vscode.workspace.isTrusted,
    home: os.homedir(),
    setting: vscode.workspace.getConfiguration("flow.server").get("path", ""),
    isProgram,
  };
}

/** What the managed environment can be made with. */
export function makers(): Tools {
  const at = surroundings();
  const named = vscode.workspace.getConfiguration("flow.server").get("python", "").trim();
  const names = ["python3", "python3.14", "python3.13", "python3.12", "python3.11", "python"];
  const found = names.map((name) => onPath(name, at)).filter((path) => path !== undefined);
  return { uv: onPath("uv", at), pythons: named === "" ? found : [named] };
}

function isProgram(file: string): boolean {
  try {
    fs.accessSync(file, process.platform === "win32" ? fs.constants.F_OK : fs.constants.X_OK);
    return fs.statSync(file).isFile();
  } catch {
    return false;
  }
}
