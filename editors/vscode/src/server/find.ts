/** Where the server is: setting, workspace, PATH, managed environment, in this order. No I/O but what is given. */
import * as path from "node:path";

export interface Surroundings {
  readonly platform: NodeJS.Platform;
  readonly searchPath: string | undefined;
  /** The workspace folders, as paths. */
  readonly folders: readonly string[];
  readonly trusted: boolean;
  readonly home: string;
  /** The setting flow.server.path, of which VS Code leaves out what an untrusted workspace says. */
  readonly setting: string;
  /** The program of the managed environment, where that is whole. */
  readonly managed: string | undefined;
  readonly isProgram: (path: string) => boolean;
}

export type Origin = "setting" | "workspace" | "path" | "managed";

export interface Found {
  readonly origin: Origin;
  readonly program: string;
}

/** Nothing is there. `problem` is a sentence where a setting names what is not there. */
export interface Missing {
  readonly origin: "none";
  readonly problem: string | undefined;
}

/** A value of flow.server.path: the managed environment, whatever else there is. */
export const MANAGED = "managed";

/** The first of them. */
export function findServer(at: Surroundings): Found | Missing {
  const found = findServers(at);
  return "origin" in found ? found : found[0]!;
}

/** The programs to try, the best first: a later one counts where an earlier one turns out to be none, or too old. */
export function findServers(at: Surroundings): readonly Found[] | Missing {
  const setting = at.setting.trim();
  if (setting !== "" && setting !== MANAGED) {
    const found = named(at, setting);
    return found.origin === "none" ? found : [found];
  }
  const found: Found[] = [];
  if (setting === "") {
    for (const folder of at.trusted ? at.folders : []) {
      const program = environmentProgram(path.join(folder, ".venv"), "flow-lsp", at.platform);
      if (at.isProgram(program)) found.push({ origin: "workspace", program });
    }
    const program = onPath("flow-lsp", at);
    if (program !== undefined) found.push({ origin: "path", program });
  }
  if (at.managed !== undefined) found.push({ origin: "managed", program: at.managed });
  return found.length > 0 ? found : { origin: "none", problem: undefined };
}

function named(at: Surroundings, setting: string): Found | Missing {
  const [first] = at.folders;
  let program = setting.replace(/^~(?=[/\\]|$)/, () => at.home);
  if (program.includes("${workspaceFolder}") || !path.isAbsolute(program)) {
    if (first === undefined || !at.trusted) {
      const why = first === undefined ? "no folder is open" : "the workspace is not trusted";
      return { origin: "none", problem: `flow.server.path is "${shown(setting)}", which counts from the workspace, and ${why}.` };
    }
    program = path.resolve(first, program.replaceAll("${workspaceFolder}", () => first));
  }
  if (at.isProgram(program)) return { origin: "setting", program };
  return { origin: "none", problem: `flow.server.path names "${shown(program)}", which is no program.` };
}

/** A program of a Python environment. */
export function environmentProgram(folder: string, name: string, platform: NodeJS.Platform): string {
  return platform === "win32" ? path.join(folder, "Scripts", `${name}.exe`) : path.join(folder, "bin", name);
}

/** A program on PATH. Relative entries never count, and in a workspace that is not trusted none inside of it. */
export function onPath(name: string, at: Omit<Surroundings, "setting" | "managed" | "home">): string | undefined {
  const file = at.platform === "win32" ? `${name}.exe` : name;
  for (const entry of (at.searchPath ?? "").split(at.platform === "win32" ? ";" : ":")) {
    const inside = at.folders.some((folder) => isInside(entry, folder));
    if (!path.isAbsolute(entry) || (inside && !at.trusted)) continue;
    const program = path.join(entry, file);
    if (at.isProgram(program)) return program;
  }
  return undefined;
}

function isInside(entry: string, folder: string): boolean {
  const relative = path.relative(folder, entry);
  return relative === "" || (!relative.startsWith("..") && !path.isAbsolute(relative));
}

/** At most 80 characters of what somebody else wrote. */
export function shown(text: string): string {
  const letters = Array.from(text.replace(/\p{Cc}/gu, "�"));
  return letters.length > 80 ? `${letters.slice(0, 79).join("")}…` : letters.join("");
}
