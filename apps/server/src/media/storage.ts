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
  /** The bytes as they come, or null when there are none. Ending the loop early ends the reading. */
  open(key: string, range?: ByteRange): Promise<AsyncIterable<Uint8Array> | null>;
  /** Nothing to do when it is not there. */
  remove(key: string): Promise<void>;
}
