import { spawn } from "node:child_process";
import { once } from "node:events";
import { openSync } from "node:fs";
import path from "node:path";
import { SECRETS } from "./config.ts";
import { peakMegabytes } from "./process-memory.ts";

const MAIN = path.join(import.meta.dirname, "../apps/server/src/cli/main.ts");

export interface Ran {
  readonly seconds: number;
  /** The most memory its process held; null where Linux does not tell. */
  readonly megabytes: number | null;
  readonly output: string;
}

/** Runs a command of the product in a process of its own, as an operator does. Throws when it fails. */
export async function runCommand(
  databaseUrl: string,
  args: readonly string[],
  outputFile?: string,
): Promise<Ran> {
  const begun = performance.now();
  // As the launcher starts a command: the run itself was started by it.
  const child = spawn(process.execPath, [...process.execArgv, MAIN, ...args], {
    stdio: ["ignore", outputFile === undefined ? "pipe" : openSync(outputFile, "w"), "inherit"],
    env: {
      ...process.env,
      DATABASE_URL: databaseUrl,
      PARLEY_MASTER_KEY: SECRETS.masterKey.toString("base64"),
    },
  });
  let output = "";
  child.stdout?.on("data", (chunk: Buffer) => (output += chunk.toString()));
  let megabytes: number | null = null;
  const watch = setInterval(() => {
    megabytes = peakMegabytes(child.pid ?? 0) ?? megabytes;
  }, 100);
  const [code] = (await once(child, "exit")) as [number | null];
  clearInterval(watch);
  if (code !== 0) throw new Error(`parley ${args.slice(0, 2).join(" ")} ended with ${code}`);
  return { seconds: (performance.now() - begun) / 1_000, megabytes, output };
}
