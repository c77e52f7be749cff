/** Children that run to their end, without a shell. */
import { spawn } from "node:child_process";

export interface Ended {
  readonly status: number | null;
  readonly output: string;
  /** Why it could not be started, or was ended. */
  readonly problem: string | undefined;
}

export interface RunOptions {
  readonly directory: string;
  readonly milliseconds: number;
  readonly environment?: Readonly<Record<string, string>> | undefined;
  readonly said?: (text: string) => void;
  readonly signal?: AbortSignal | undefined;
}

const MOST_OUTPUT = 1 << 20;

/** Runs a program; what it wrote to both of its outputs, at most a megabyte. Never throws. */
export function run(program: string, words: readonly string[], options: RunOptions): Promise<Ended> {
  return new Promise((resolve) => {
    let output = "";
    const child = spawn(program, words, {
      cwd: options.directory,
      env: { ...process.env, ...options.environment },
      stdio: ["ignore", "pipe", "pipe"],
      windowsHide: true,
      timeout: options.milliseconds,
      killSignal: "SIGKILL",
      ...(options.signal === undefined ? {} : { signal: options.signal }),
    });
    // Letters of several bytes may come in two pieces.
    child.stdout.setEncoding("utf8");
    child.stderr.setEncoding("utf8");
    const take = (text: string): void => {
      options.said?.(text);
      if (output.length < MOST_OUTPUT) output += text;
    };
    child.stdout.on("data", take);
    child.stderr.on("data", take);
    child.on("error", (error) => resolve({ status: null, output, problem: error.message }));
    child.on("close", (status, signal) =>
      resolve({ status, output, problem: signal === null ? undefined : `it was ended by ${signal}` }),
    );
  });
}
