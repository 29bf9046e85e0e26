import { createReadStream } from "node:fs";
import { Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import type { Sealer } from "../lib/seal.ts";
import type { FileMark } from "./backup-files.ts";
import { Damaged, readBackupHeader, readMark, type Header } from "./backup-format.ts";
import { opened, sealOf } from "./backup-seal.ts";

/** A backup whose first line was read. Its lines are read once. */
export interface OpenBackup {
  readonly header: Header;
  readonly lines: AsyncIterable<string>;
}

/** The first line is a name, a time and the list of migrations. */
const MOST_HEADER = 256 * 1024;

/**
 * Opens a backup. Throws one sentence when it is none, when another master key sealed it, or when it has no seal and
 * `unsealed` does not say that it is trusted: whoever could write to the file may have changed it.
 */
export async function openBackup(
  { sealer }: { readonly sealer: Pick<Sealer, "derive" | "mark"> },
  file: string,
  { unsealed = false } = {},
): Promise<OpenBackup> {
  const bytes = bytesOf(file);
  const first = (await bytes.next()).value ?? Buffer.alloc(0);
  // What gzip begins with: a backup from before there were seals.
  if (first[0] === 0x1f && first[1] === 0x8b) {
    const old = await openUnsealed(file, first, bytes, unsealed);
    checkKey(sealer, old.header);
    return old;
  }
  let start: Buffer = first;
  let end = start.indexOf("\n");
  while (end < 0 && start.length < MOST_HEADER) {
    const { value } = await bytes.next();
    if (value === undefined) break;
    start = Buffer.concat([start, value]);
    end = start.indexOf("\n");
  }
  const line = start.subarray(0, Math.max(end, 0)).toString("utf8");
  const header = readBackupHeader(file, line, "sealed");
  checkKey(sealer, header);
  const seal = sealOf(sealer, line, header.salt ?? "");
  const sealed = opened(file, seal, joined(start.subarray(end + 1), bytes));
  return { header, lines: linesOf(file, sealed) };
}

/** What the first line of a file says may be anything. */
const isMark = (text: string): boolean => /^[0-9a-f]{16}$/.test(text);

function checkKey({ mark }: Pick<Sealer, "mark">, { key }: Header): void {
  if (key !== mark)
    throw new Error(
      `the backup was sealed with another master key (mark ${isMark(key) ? key : "unknown"}; the one in use has ${mark}): put that one into the data folder or PARLEY_MASTER_KEY`,
    );
}

async function openUnsealed(
  file: string,
  first: Buffer,
  bytes: AsyncIterable<Buffer>,
  trusted: boolean,
): Promise<OpenBackup> {
  const lines = linesOf(file, joined(first, bytes));
  const { value: line } = await lines.next();
  if (line === undefined) throw new Error(`${file} is no backup of Parley: it is empty`);
  const header = readBackupHeader(file, line, "unsealed");
  if (!trusted)
    throw new Error(
      `${file} has no seal, as backups of older versions: it cannot be said whether it was changed. Restore it with --unsealed if you trust the place where it was kept`,
    );
  return { header, lines };
}

async function* bytesOf(file: string): AsyncGenerator<Buffer, undefined> {
  for await (const chunk of createReadStream(file)) yield Buffer.from(chunk);
  return undefined;
}

async function* joined(first: Buffer, rest: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  yield first;
  yield* rest;
}

/** The lines of zipped bytes. */
async function* linesOf(
  file: string,
  zipped: AsyncIterable<Buffer>,
): AsyncGenerator<string, undefined> {
  const unzipped = createGunzip();
  const source = Readable.from(zipped);
  source.on("error", (error) => unzipped.destroy(error));
  source.pipe(unzipped);
  // Iterated by hand, because readline ends silently when its input fails.
  let rest = "";
  unzipped.setEncoding("utf8");
  try {
    for await (const chunk of unzipped) {
      const lines = `${rest}${String(chunk)}`.split("\n");
      rest = lines.pop() ?? "";
      yield* lines;
    }
    if (rest !== "") yield rest;
    return undefined;
  } catch (error) {
    if (error instanceof Damaged) throw error;
    // zlib's own message ("incorrect header check") says neither which file it is nor what is wrong with it.
    const why = error instanceof Error ? error.message : String(error);
    throw new Error(`${file} is no backup of Parley, or damaged: ${why}`, { cause: error });
  }
}

/** What a backup holds after its first line: the beginning of a table or of a file, and their lines. */
export type Part =
  | { readonly kind: "table"; readonly table: string; readonly columns: readonly string[] }
  | { readonly kind: "file"; readonly file: FileMark }
  | { readonly kind: "row"; readonly line: string }
  | { readonly kind: "bytes"; readonly line: string }
  /** Its counts are compared once this was taken. */
  | { readonly kind: "end" };

/** The parts of a backup in their order. Throws `Damaged` when it ends too early, or not as its last line says. */
export async function* readParts(file: string, lines: AsyncIterable<string>): AsyncGenerator<Part> {
  let within: "row" | "bytes" | null = null;
  let rows = 0;
  let files = 0;
  let ended = false;
  for await (const line of lines) {
    if (ended) throw new Damaged(file, "something follows its end");
    const mark = readMark(file, line);
    if (mark === null) {
      if (within === null) throw new Damaged(file, "a row of it belongs to no table");
      if (within === "row") rows++;
      yield { kind: within, line };
    } else if (mark.kind === "end") {
      yield { kind: "end" };
      if (mark.rows !== rows || mark.files !== files)
        throw new Damaged(file, "it lacks rows or files");
      ended = true;
    } else {
      within = mark.kind === "table" ? "row" : "bytes";
      if (mark.kind === "file") files++;
      yield mark;
    }
  }
  if (!ended) throw new Damaged(file, "its end is missing");
}
