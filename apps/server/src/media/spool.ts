import { createHash } from "node:crypto";
import { mkdir, open, readdir, rm, stat, statfs } from "node:fs/promises";
import path from "node:path";
import { SNIFFED_BYTES } from "./media-type.ts";
import { StorageFault } from "./storage.ts";

/** A received file: complete, on this machine's disk, under a name of ours. */
export interface SpooledFile {
  readonly path: string;
  readonly size: number;
  /** In hex. */
  readonly sha256: string;
  /** Its first bytes, by which its type is told. */
  readonly head: Uint8Array;
}

/** More bytes came than are allowed, whatever length was announced. */
export class TooLarge extends Error {}

/** The disk has no room for the file. Trying again helps once somebody has made room. */
export class DiskFull extends StorageFault {
  constructor() {
    super("the disk of the data folder is nearly full");
  }
}

/** The size of a folder's disk, and how much of it this user may still write, in bytes. */
export type RoomOf = (folder: string) => Promise<{ readonly total: number; readonly free: number }>;

const roomOfDisk: RoomOf = async (folder) => {
  const { blocks, bavail, bsize } = await statfs(folder);
  return { total: blocks * bsize, free: bavail * bsize };
};

/**
 * Always stays free without `diskReserve`: the smaller of both. A file can wait, and PostgreSQL on the same disk cannot.
 * Visitors of a site send files too.
 */
const KEPT_FREE = { share: 0.05, bytes: 1024 ** 3 } as const;
/** The room is checked again after this many bytes. */
const LOOK_BYTES = 8 * 1024 ** 2;

/** What a file must leave of the disk. */
export interface Reserve {
  /** In bytes (PARLEY_DISK_RESERVE). Undefined: `KEPT_FREE`. */
  readonly diskReserve?: number | undefined;
  readonly roomOf?: RoomOf;
}

async function checkRoom(
  folder: string,
  { diskReserve, roomOf = roomOfDisk }: Reserve,
): Promise<void> {
  const { total, free } = await roomOf(folder);
  if (free < (diskReserve ?? Math.min(total * KEPT_FREE.share, KEPT_FREE.bytes)))
    throw new DiskFull();
}

/** Why uploads are refused for want of room, as a sentence for the operator. Null: there is room. */
export async function roomFault(dataDir: string, reserve: Reserve): Promise<string | null> {
  try {
    await checkRoom(dataDir, reserve);
    return null;
  } catch (error) {
    if (!(error instanceof DiskFull)) throw error;
    return `PARLEY_DATA_DIR: too little of the disk of ${dataDir} is free, so every upload is refused: make room (PARLEY_DISK_RESERVE says how much must stay free)`;
  }
}

/** Longer than any fetch or upload takes. */
const ABANDONED_MS = 60 * 60_000;

/** The folder of files in the data folder. The spool is inside it, so that a finished file is moved and not copied. */
export const uploadsFolder = (dataDir: string): string => path.join(dataDir, "uploads");
const spoolFolder = (dataDir: string): string => path.join(uploadsFolder(dataDir), "spool");

/**
 * Writes a stream to disk, and counts the bytes that really come. At most one chunk is in memory. Throws `TooLarge` as
 * soon as one byte too many comes, `DiskFull` when too little of the disk is free, and whatever the stream throws. Then
 * nothing is left on the disk.
 */
export async function spool(
  dataDir: string,
  name: string,
  body: AsyncIterable<Uint8Array>,
  maxBytes: number,
  reserve: Reserve = {},
): Promise<SpooledFile> {
  const folder = spoolFolder(dataDir);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await checkRoom(folder, reserve);
  const file = path.join(folder, name);
  const hash = createHash("sha256");
  const heads: Uint8Array[] = [];
  let size = 0;
  let looked = 0;
  const handle = await open(file, "w", 0o600);
  try {
    for await (const chunk of body) {
      if (size + chunk.length > maxBytes) throw new TooLarge();
      if (size < SNIFFED_BYTES)
        heads.push(Uint8Array.from(chunk.subarray(0, SNIFFED_BYTES - size)));
      size += chunk.length;
      hash.update(chunk);
      await handle.writeFile(chunk);
      if (size - looked < LOOK_BYTES) continue;
      looked = size;
      await checkRoom(folder, reserve);
    }
    // The file must be on the disk before anybody hears of it.
    await handle.sync();
    await handle.close();
  } catch (error) {
    await handle.close();
    await discard({ path: file });
    throw isFull(error) ? new DiskFull() : error;
  }
  return { path: file, size, sha256: hash.digest("hex"), head: Buffer.concat(heads) };
}

const isFull = (error: unknown): boolean =>
  error instanceof Error && "code" in error && /^(ENOSPC|EDQUOT)$/.test(String(error.code));

/** Removes a spooled file. Does nothing when it was moved to its place already. */
export async function discard(file: Pick<SpooledFile, "path">): Promise<void> {
  await rm(file.path, { force: true });
}

/** Removes files that a dead process left in the spool. Gives how many. */
export async function sweepSpool(dataDir: string, now: Date): Promise<number> {
  const folder = spoolFolder(dataDir);
  const names = await readdir(folder).catch(() => []);
  let removed = 0;
  for (const name of names) {
    const file = path.join(folder, name);
    const found = await stat(file).catch(() => null);
    if (found === null || now.getTime() - found.mtimeMs < ABANDONED_MS) continue;
    await rm(file, { force: true });
    removed++;
  }
  return removed;
}
