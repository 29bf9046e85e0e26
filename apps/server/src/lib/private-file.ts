import { closeSync, existsSync, fsyncSync, linkSync, mkdirSync, openSync } from "node:fs";
import { renameSync, rmSync, writeSync } from "node:fs";
import path from "node:path";

/**
 * Makes a folder and its parents, mode 0700. `mkdirSync(…, { recursive })` would never return where a parent exists and
 * refuses with ENOENT (/proc).
 */
export function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  const parent = path.dirname(folder);
  if (parent !== folder) makeFolder(parent);
  mkdirSync(folder, { mode: 0o700 });
}

/** Writes a file of mode 0600, whole or not at all. A file that another process made first stays. */
export function writeOnce(file: string, text: string): void {
  const draft = `${file}.${process.pid}`;
  const handle = openSync(draft, "w", 0o600);
  writeSync(handle, text);
  fsyncSync(handle);
  closeSync(handle);
  try {
    linkSync(draft, file);
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw error;
  } finally {
    rmSync(draft);
  }
}

/** Writes a file of mode 0600 in place of another one: the old text or the new is there at every moment. */
export function writeWhole(file: string, text: string): void {
  const draft = `${file}.${process.pid}`;
  const handle = openSync(draft, "w", 0o600);
  writeSync(handle, text);
  fsyncSync(handle);
  closeSync(handle);
  moveFile(draft, file);
}

/** Moves a file in place of another one of its folder, on the disk when this returns. */
export function moveFile(from: string, to: string): void {
  renameSync(from, to);
  const folder = openSync(path.dirname(to), "r");
  fsyncSync(folder);
  closeSync(folder);
}

/** The system's code of an error (`EEXIST`), or the error as text when it has none. */
export function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : String(error);
}
