import type { SpooledFile } from "./spool.ts";

/** Bytes from `start` to `end`, both included. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** The store did not do it; worth trying again. Says no address and no key. */
export class StorageFault extends Error {}

/** Where the bytes of files are kept, by a key of ours (`storageKey`). */
export interface MediaStorage {
  /** Whole or not at all, and for good when it resolves; takes the spooled file away. A key may be written again. */
  put(key: string, file: SpooledFile): Promise<void>;
  /**
   * The bytes of a file of `size` bytes as they come, or null when the store has none, or says that it has another
   * number (a file was cut). Where only reading shows that, the loop ends with a `StorageFault`: a part never passes
   * for the whole. Ending the loop early ends the reading.
   */
  open(key: string, size: number, range?: ByteRange): Promise<AsyncIterable<Uint8Array> | null>;
  /** Nothing to do when it is not there. */
  remove(key: string): Promise<void>;
}

/** The bytes of `body` as long as they are `length`. Throws `StorageFault` instead of more, and at the end of fewer. */
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
