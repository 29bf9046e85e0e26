import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { chownSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";

const SOURCE = path.resolve(import.meta.dirname, "../../src");

/** What every program gets of our environment, as from the launcher: without the cache each strips its 600 files anew. */
export const BARE: Record<string, string> = {
  PATH: process.env["PATH"] ?? "",
  NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"] ?? "",
};

export interface Finished {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A program of this package in a process of its own. */
export interface Launched {
  readonly child: ChildProcess;
  readonly ended: Promise<Finished>;
  /** Resolves with the address once it serves; throws with its words when it ends first. */
  readonly serves: Promise<string>;
}

export function launch(
  program: "main.ts" | "cli/main.ts",
  parameters: readonly string[],
  environment: Record<string, string>,
  runAs?: { uid: number; gid: number },
  source = SOURCE,
): Launched {
  const child = spawn(process.execPath, [path.join(source, program), ...parameters], {
    env: { ...BARE, PORT: "0", PARLEY_DEMO: "off", ...environment },
    stdio: ["ignore", "pipe", "pipe"],
    cwd: "/",
    ...runAs,
  });
  const serves = Promise.withResolvers<string>();
  // Only some callers wait for it.
  serves.promise.catch(() => {});
  let seen = "";
  child.stdout.setEncoding("utf8").on("data", (data: string) => {
    seen += data;
    const [, url] = /"url":"([^"]+)"[^\n]*"msg":"ready"/.exec(seen) ?? [];
    if (url !== undefined) serves.resolve(url);
  });
  const ended = Promise.all([once(child, "close"), text(child.stderr)]).then(
    ([[code, signal], stderr]): Finished => {
      serves.reject(new Error(`ended before it served: ${stderr}${seen}`));
      return {
        code: typeof code === "number" ? code : null,
        signal: typeof signal === "string" ? (signal as NodeJS.Signals) : null,
        stdout: seen,
        stderr,
      };
    },
  );
  return { child, ended, serves: serves.promise };
}

/** A folder that only its owner may enter, whatever the test made of it in the end. */
export function privateFolder(owner?: { uid: number; gid: number }): Disposable & { path: string } {
  const folder = mkdtempSync(path.join(os.tmpdir(), "parley-process-"));
  if (owner) chownSync(folder, owner.uid, owner.gid);
  return {
    path: folder,
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }),
  };
}

/** The process number of the main PostgreSQL process of a data folder. */
export function postgresPid(dataDir: string): number {
  return Number(readFileSync(path.join(dataDir, "postgres/postmaster.pid"), "utf8").split("\n")[0]);
}
