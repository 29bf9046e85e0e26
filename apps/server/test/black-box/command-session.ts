import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeSync } from "node:fs";
import path from "node:path";
import { createInterface } from "node:readline";
import { runProgram } from "../../src/cli/command-line.ts";
import { buildProgram } from "../../src/cli/program.ts";
import { BARE } from "../process/launch.ts";

/** What one command did. */
export interface Finished {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Runs many commands in one process of their own, since a start each would take a second: every line on its standard
 * input is the words of a command, every line it answers is what that command printed and ended with.
 */
export interface Session extends AsyncDisposable {
  run(...words: readonly string[]): Promise<Finished>;
}

export function startSession(environment: Record<string, string>): Session {
  const child = spawn(process.execPath, [path.join(import.meta.dirname, "command-session.ts")], {
    env: { ...BARE, ...environment },
    stdio: ["pipe", "pipe", "inherit"],
  });
  const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    async run(...words) {
      child.stdin.write(`${JSON.stringify(words)}\n`);
      const { value, done } = await answers.next();
      if (done) throw new Error(`the session ended at: parley ${words.join(" ")}`);
      return JSON.parse(value) as Finished;
    },
    async [Symbol.asyncDispose]() {
      child.stdin.end();
      await once(child, "close");
    },
  };
}

if (import.meta.main) {
  let stdout = "";
  let stderr = "";
  process.stdout.write = (text: string | Uint8Array, ...rest: unknown[]) => {
    stdout += typeof text === "string" ? text : Buffer.from(text).toString();
    for (const one of rest) if (typeof one === "function") one();
    return true;
  };
  process.stderr.write = (text: string | Uint8Array) => {
    stderr += typeof text === "string" ? text : Buffer.from(text).toString();
    return true;
  };
  for await (const line of createInterface({ input: process.stdin })) {
    [stdout, stderr] = ["", ""];
    const code = await runProgram(await buildProgram(), JSON.parse(line) as string[]);
    writeSync(1, `${JSON.stringify({ code, stdout, stderr } satisfies Finished)}\n`);
  }
}
