import { statfs } from "node:fs/promises";
import path from "node:path";

/** The room of a disk, in bytes. `free` is what this user may still write. */
export interface DiskRoom {
  readonly size: number;
  readonly free: number;
}

/** The disk that a folder is on, or will be on when it is made; null when that cannot be read. */
export async function diskRoom(folder: string): Promise<DiskRoom | null> {
  try {
    const { bsize, blocks, bavail } = await statfs(folder);
    return { size: blocks * bsize, free: bavail * bsize };
  } catch {
    const parent = path.dirname(folder);
    return parent === folder ? null : diskRoom(parent);
  }
}
