import type { Context } from "../context.ts";
import { createDiskStorage } from "./disk-storage.ts";
import { createS3Storage } from "./s3-storage.ts";
import type { MediaStorage } from "./storage.ts";

/** Where files are kept: in the store of `S3_URL`, or else in the data folder. It is cheap to make. */
export function storageOf(
  context: Pick<Context, "config" | "providerHttp" | "clock">,
): MediaStorage {
  const { s3, dataDir } = context.config;
  return s3 ? createS3Storage(s3, context) : createDiskStorage(dataDir);
}
