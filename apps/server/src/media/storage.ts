import type { SpooledFile } from "./spool.ts";

/** The bytes from `start` to `end`, both included. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** The store failed, and trying again may help. The message names no address and no key. */
export class StorageFault extends Error {}

/** Keeps the bytes of files, by a key of ours (`storageKey`). */
export interface MediaStorage {
  /**
   * Stores the whole file or nothing. When it resolves, the file is durable and the spooled one is gone. A key may be
   * written again.
   */
  put(key: string, file: SpooledFile): Promise<void>;
  /**
   * The bytes of a file that has `size` bytes. Null when the store has no such file, or says that it has another length
   * (the file was cut). When only reading shows that, the loop ends with a `StorageFault`: a part never passes for the
   * whole. Leaving the loop early ends the reading.
   */
  open(key: string, size: number, range?: ByteRange): Promise<AsyncIterable<Uint8Array> | null>;
  /** Does nothing when the file is not there. */
  remove(key: string): Promise<void>;
}

/**
 * Gives the bytes of `body` while they are no more than `length`. Throws `StorageFault` when more come, and at the end
 * when fewer came.
 */
export async function* exactly(
  length: number,
  body: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  let came = 0;
  for await (const chunk of body) {
    came += chunk.length;
    if (came > length) throw new StorageFault(`more than the ${length} bytes that were asked for`);
    yield chunk;
  }
  if (came < length) throw new StorageFault(`${came} of ${length} bytes came`);
}

/** How many bytes a range, or else the whole file, has. */
export const lengthOf = (size: number, range: ByteRange | undefined): number =>
  range ? range.end - range.start + 1 : size;
