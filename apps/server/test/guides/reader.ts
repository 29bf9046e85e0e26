import assert from "node:assert/strict";
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { cp, mkdir, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { PHP_COMMAND, PYTHON_COMMAND, without } from "../../../../packages/sdk/test/languages.ts";
import type { Block } from "./blocks.ts";

export const ROOT = path.join(import.meta.dirname, "../../../..");
export const PAGES = path.join(ROOT, "docs/programs");

export interface Language {
  readonly skip: string | false;
  readonly file: string;
  /** The page's own command, and of a server another. */
  readonly command: readonly string[];
  readonly server?: (port: number) => readonly string[];
}
const PHP_STRICT = ["-d", "error_reporting=-1", "-d", "display_errors=1"];
/** As the page says it; what each installs is installed once, by the tests of the packages. */
export const LANGUAGES: Record<string, Language> = {
  ts: { skip: false, file: "program.ts", command: [process.execPath, "program.ts"] },
  python: {
    skip: without("Python"),
    file: "program.py",
    command: [PYTHON_COMMAND ?? "", "program.py"],
  },
  php: {
    skip: without("PHP"),
    file: "program.php",
    command: [PHP_COMMAND ?? "", ...PHP_STRICT, "program.php"],
    server: (port) => [PHP_COMMAND ?? "", "-S", `127.0.0.1:${port}`, "program.php"],
  },
};

/** A folder as the reader has it after `start.md`, with the files that the page shows. */
export async function folderOf(
  home: string,
  page: string,
  language: string,
  blocks: readonly Block[],
  kind: "program" | "receiver" = "program",
) {
  const folder = path.join(home, `${page}-${language}-${kind}`);
  await mkdir(path.join(folder, "node_modules/@parley"), { recursive: true });
  await symlink(path.join(ROOT, "packages/sdk"), path.join(folder, "node_modules/@parley/sdk"));
  await writeFile(path.join(folder, "package.json"), '{"type":"module"}');
  await cp(path.join(ROOT, "packages/sdk-php"), path.join(folder, "parley-sdk"), {
    recursive: true,
  });
  const python = path.join(ROOT, "packages/sdk-python/src/parley");
  await cp(python, path.join(folder, "parley"), { recursive: true });
  for (const { words, code } of blocks)
    if (words[0] !== undefined && /\.\w+$/.test(words[0]))
      await writeFile(path.join(folder, words[0]), code);
  if (page === "crm") await cp(path.join(folder, "crm.json"), path.join(folder, "first.json"));
  const program = blocks.filter((one) => one.language === language && one.words[0] === kind);
  assert.equal(program.length, 1, `${page} has one ${kind} in ${language}`);
  const { file = "" } = LANGUAGES[language] ?? {};
  // The languages share a workspace: each sends a campaign of its own name, a long Arabic one, and looks at it more often.
  const code = program[0]?.code
    .replace("December 2026", `of ${language} ${"عرض الشتاء ".repeat(8).trim()}`)
    .replace(/done, 2_500\b|sleep\(2\.5\)|usleep\(2_500_000\)/, (wait) =>
      wait.replace("2.5", "0.25").replace("2_500", "250"),
    );
  await writeFile(path.join(folder, file), code ?? "");
  return folder;
}

/** What every program finds in its environment: Python keeps the client compiled beside it, for the next run. */
export const READERS_ENV = { PYTHONDONTWRITEBYTECODE: "" };

/** Runs what follows so that no file takes a byte, as on a full disk. A pipe still does. */
export const FULL_DISK = ["sh", "-c", `trap '' XFSZ; ulimit -f 0; exec "$0" "$@"`];

/** The same with room for small files alone: 8 or 16 KiB, by the shell's blocks. */
export const NEARLY_FULL = ["sh", "-c", `trap '' XFSZ; ulimit -f 16; exec "$0" "$@"`];

/** What the server has to do is done until the program ended. */
export async function workUntil(
  closed: Promise<unknown>,
  child: ChildProcess,
  work: () => Promise<unknown>,
): Promise<void> {
  while (child.exitCode === null && child.signalCode === null) {
    await work();
    await Promise.race([closed, new Promise((later) => setTimeout(later, 250))]);
  }
  await closed;
}

/** Runs it once; while it runs, what the server has to do is done. */
export async function output(
  [command = "", ...parameters]: readonly string[],
  cwd: string,
  env: Record<string, string>,
  work: () => Promise<unknown>,
  status = 0,
): Promise<string> {
  const child = spawn(command, parameters, { cwd, env: { ...process.env, ...env } });
  const printed: string[] = [];
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (data: Buffer) => printed.push(data.toString()));
  const closed = once(child, "close");
  await workUntil(closed, child, work);
  assert.equal(child.exitCode, status, printed.join(""));
  return printed.join("");
}
