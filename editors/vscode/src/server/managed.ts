/**
 * The managed environment: a Python environment in the extension's own storage, with the server that came in the
 * extension and its pinned, hashed dependencies. It is made when a person asks, and again when the extension or its
 * Python is another. Each is made in a folder of its own, so that a server which still runs is not disturbed.
 */
import { createHash } from "node:crypto";
import * as fs from "node:fs";
import * as path from "node:path";

import { environmentProgram } from "./find";
import { type Ended, run } from "./processes";

const MARKER = "environment.json";
const MINUTES = 60_000;

export interface ManagedOptions {
  /** The folder of all environments. */
  readonly storage: string;
  /** The wheel and requirements.txt that came with the extension. */
  readonly bundled: string;
  readonly platform: NodeJS.Platform;
}

export type Standing = "none" | "stale" | "current";

export interface Tools {
  /** The program uv, where there is one. */
  readonly uv: string | undefined;
  /** Pythons to try, the best first. */
  readonly pythons: readonly string[];
}

/** Shows what is done, and ends it when asked. */
export interface Watcher {
  readonly step: (sentence: string) => void;
  readonly said: (text: string) => void;
  readonly signal: AbortSignal;
}

export class ManagedEnvironment {
  constructor(private readonly options: ManagedOptions) {}

  /** The server in it, and whether it is the one of this extension and its Python still there. */
  look(): { readonly standing: Standing; readonly program: string | undefined } {
    const folder = this.folder();
    const marker = folder === undefined ? undefined : readMarker(folder);
    if (folder !== undefined && marker !== undefined && realPython(folder, this.options.platform) === marker.interpreter) {
      const program = environmentProgram(folder, "flow-lsp", this.options.platform);
      if (isFile(program)) return { standing: "current", program };
    }
    return { standing: this.others(undefined).length > 0 ? "stale" : "none", program: undefined };
  }

  /** Makes it; the server's path. Throws an Error with a sentence for people. */
  async make(tools: Tools, watcher: Watcher): Promise<string> {
    const wheel = this.wheel();
    const folder = this.folder();
    if (wheel === undefined || folder === undefined) throw new Error("This build of the extension holds no server.");
    fs.rmSync(folder, { recursive: true, force: true });
    fs.mkdirSync(folder, { recursive: true });
    try {
      await this.fill(folder, wheel, tools, watcher);
      const interpreter = realPython(folder, this.options.platform);
      if (interpreter === undefined) throw new Error("The environment holds no Python.");
      fs.writeFileSync(path.join(folder, MARKER), JSON.stringify({ interpreter }));
    } catch (error) {
      fs.rmSync(folder, { recursive: true, force: true });
      throw error;
    }
    for (const other of this.others(folder)) {
      try {
        fs.rmSync(other, { recursive: true, force: true });
      } catch {
        // A server of another window may still run from it; the next one that is made takes it away.
      }
    }
    return environmentProgram(folder, "flow-lsp", this.options.platform);
  }

  /** Takes all of it away. */
  remove(): void {
    fs.rmSync(this.options.storage, { recursive: true, force: true });
  }

  private async fill(folder: string, wheel: string, tools: Tools, watcher: Watcher): Promise<void> {
    const requirements = path.join(this.options.bundled, "requirements.txt");
    const python = environmentProgram(folder, "python", this.options.platform);
    const step = async (sentence: string, program: string, ...words: string[]): Promise<void> => {
      watcher.step(sentence);
      watcher.said(`> ${[program, ...words].join(" ")}\n`);
      const ended = await run(program, words, {
        directory: this.options.storage,
        milliseconds: 10 * MINUTES,
        said: watcher.said,
        signal: watcher.signal,
      });
      if (watcher.signal.aborted) throw new Error("It was cancelled.");
      if (ended.status !== 0) throw new Error(failure(sentence, ended));
    };
    const chosen = await this.python(tools, watcher);
    if (tools.uv !== undefined) {
      await step("Making an environment", tools.uv, "venv", "--python", chosen ?? ">=3.11", folder);
      const install = ["pip", "install", "--python", python];
      await step("Installing what the server needs", tools.uv, ...install, "--require-hashes", "--requirement", requirements);
      await step("Installing the server", tools.uv, ...install, "--no-deps", "--no-index", wheel);
      return;
    }
    if (chosen === undefined) {
      throw new Error("No Python 3.11 or later was found. Install one, or uv, or name one in flow.server.python.");
    }
    await step("Making an environment", chosen, "-I", "-m", "venv", folder);
    const install = ["-I", "-m", "pip", "install", "--no-input", "--disable-pip-version-check"];
    await step("Installing what the server needs", python, ...install, "--require-hashes", "--requirement", requirements);
    await step("Installing the server", python, ...install, "--no-deps", "--no-index", wheel);
  }

  /** The first Python that is new enough. */
  private async python(tools: Tools, watcher: Watcher): Promise<string | undefined> {
    const enough = "import sys, venv; sys.exit(sys.version_info < (3, 11))";
    for (const python of tools.pythons) {
      const ended = await run(python, ["-I", "-c", enough], {
        directory: this.options.storage,
        milliseconds: MINUTES,
        signal: watcher.signal,
      });
      if (ended.status === 0) return python;
    }
    return undefined;
  }

  private wheel(): string | undefined {
    const names = fs.existsSync(this.options.bundled) ? fs.readdirSync(this.options.bundled) : [];
    const name = names.find((one) => one.endsWith(".whl"));
    return name === undefined ? undefined : path.join(this.options.bundled, name);
  }

  /** The folder for this very server and what it needs. */
  private folder(): string | undefined {
    const wheel = this.wheel();
    if (wheel === undefined) return undefined;
    const hash = createHash("sha256");
    for (const file of [wheel, path.join(this.options.bundled, "requirements.txt")]) hash.update(fs.readFileSync(file));
    return path.join(this.options.storage, hash.digest("hex").slice(0, 16));
  }

  private others(folder: string | undefined): string[] {
    const names = fs.existsSync(this.options.storage) ? fs.readdirSync(this.options.storage) : [];
    return names.map((name) => path.join(this.options.storage, name)).filter((one) => one !== folder);
  }
}

function failure(sentence: string, ended: Ended): string {
  const lines = ended.output.trim().split("\n");
  const last = lines.slice(-3).join(" ").slice(0, 400);
  return `${sentence} failed: ${ended.problem ?? (last === "" ? "no reason was given." : last)}`;
}

function readMarker(folder: string): { readonly interpreter: string } | undefined {
  try {
    const data: unknown = JSON.parse(fs.readFileSync(path.join(folder, MARKER), "utf8"));
    if (typeof data === "object" && data !== null && "interpreter" in data && typeof data.interpreter === "string") {
      return { interpreter: data.interpreter };
    }
  } catch {
    // None, or not written to its end.
  }
  return undefined;
}

/** The Python that an environment stands on: another version of it has no use for what is installed. */
function realPython(folder: string, platform: NodeJS.Platform): string | undefined {
  try {
    if (platform !== "win32") return fs.realpathSync(environmentProgram(folder, "python", platform));
    const home = /^home\s*=\s*(.+)$/m.exec(fs.readFileSync(path.join(folder, "pyvenv.cfg"), "utf8"))?.[1]?.trim();
    return home !== undefined && fs.existsSync(home) ? home : undefined;
  } catch {
    return undefined;
  }
}

function isFile(file: string): boolean {
  try {
    return fs.statSync(file).isFile();
  } catch {
    return false;
  }
}
