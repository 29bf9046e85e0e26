import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import path from "node:path";
import { MAX_TEXT, READ_FAULTS, type FileFormat, type ReadFault } from "./formats.ts";

const CHILD = path.join(import.meta.dirname, "extract-child.ts");
/** The child's memory for objects, in MiB, and its time. */
const MEMORY = 256;
const TIME_MS = 30_000;
/**
 * What it may have of writable memory, in KiB. Node takes 650 MiB of it at its start, most of which is never touched. Node's own
 * limit does not count the bytes of files: a PDF of 5 kB took 4 GB.
 */
const ALL_MEMORY = 1_200_000;
const SHELL = "/bin/sh";
/** JSON of the longest text: six bytes for each character at the most. */
const MOST_OUTPUT = 6 * MAX_TEXT;

export type Extraction =
  | { readonly ok: true; readonly title: string; readonly text: string }
  | { readonly ok: false; readonly fault: ReadFault };

/**
 * The text of a file. It is read in a process of its own, which may not write, call or start anything, with 256 MiB of
 * objects, as much for bytes (held by the system; Linux only) and 30 seconds: a file that kills it costs this file only.
 */
export function extractText(
  bytes: Uint8Array,
  format: FileFormat,
  limits: { readonly timeMs?: number } = {},
): Promise<Extraction> {
  return new Promise((resolve) => {
    const [program, ...args] = limited([
      process.execPath,
      "--permission",
      "--allow-fs-read=*",
      `--max-old-space-size=${MEMORY}`,
      "--no-warnings",
      CHILD,
      format,
    ]);
    const child = spawn(program, args, {
      env: {},
      stdio: ["pipe", "pipe", "pipe"],
      windowsHide: true,
    });
    let late = false;
    let large = false;
    let errors = "";
    const output: Buffer[] = [];
    let size = 0;
    const timer = setTimeout(() => {
      late = true;
      child.kill("SIGKILL");
    }, limits.timeMs ?? TIME_MS);
    child.stdout.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size <= MOST_OUTPUT) output.push(chunk);
      else {
        large = true;
        child.kill("SIGKILL");
      }
    });
    child.stderr.on("data", (chunk: Buffer) => {
      if (errors.length < 4_000) errors += chunk.toString();
    });
    child.stdin.on("error", () => {});
    child.on("error", () => {
      clearTimeout(timer);
      resolve({ ok: false, fault: "broken" });
    });
    child.on("close", (_code, signal) => {
      clearTimeout(timer);
      if (late) resolve({ ok: false, fault: "too_slow" });
      else if (large) resolve({ ok: false, fault: "too_large" });
      // Whoever gets no memory dies in many ways, and some leave no word.
      else if (signal !== null) resolve({ ok: false, fault: "too_much_memory" });
      else resolve(readOutput(Buffer.concat(output).toString(), errors));
    });
    child.stdin.end(bytes);
  });
}

/** The command under a limit of memory that the system holds, and without a dump of what it read when it dies. */
function limited(command: readonly [string, ...string[]]): readonly [string, ...string[]] {
  if (process.platform !== "linux" || !existsSync(SHELL)) return command;
  const script = 'ulimit -c 0; ulimit -d "$0"; exec "$@"';
  return [SHELL, "-c", script, String(ALL_MEMORY), ...command];
}

function readOutput(output: string, errors: string): Extraction {
  if (output === "")
    return {
      ok: false,
      fault: /out of memory|heap limit|allocation failed/iu.test(errors)
        ? "too_much_memory"
        : "broken",
    };
  const found = new Map<string, unknown>(Object.entries(asObject(JSON.parse(output))));
  const fault = READ_FAULTS.find((one) => one === found.get("fault"));
  if (fault) return { ok: false, fault };
  const text = tidy(textOf(found.get("text")));
  if (!/\p{L}/u.test(text)) return { ok: false, fault: "no_text" };
  if (text.length > MAX_TEXT) return { ok: false, fault: "too_large" };
  return {
    ok: true,
    title: tidy(textOf(found.get("title")))
      .slice(0, 200)
      .toWellFormed(),
    text,
  };
}

const textOf = (value: unknown): string => (typeof value === "string" ? value : "");
const asObject = (value: unknown): object => (typeof value === "object" && value ? value : {});

/** Without what no database and no prompt takes. */
const tidy = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll(
      /[^\P{Cc}\n\t]|[\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\u{e0000}-\u{e007f}]/gu,
      "",
    )
    .replaceAll(/\n{3,}/gu, "\n\n")
    .trim();
