import type { Context } from "../context.ts";
import { createDiskStorage } from "./disk-storage.ts";
import { createS3Storage } from "./s3-storage.ts";
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

/** Where files are kept: `S3_URL`, else the data folder. Costs nothing to make. */
export function storageOf(
  context: Pick<Context, "config" | "providerHttp" | "clock">,
): MediaStorage {
  const { s3, dataDir } = context.config;
  return s3 ? createS3Storage(s3, context) : createDiskStorage(dataDir);
}
