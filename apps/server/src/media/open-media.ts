import type { Context } from "../context.ts";
import { isId } from "../lib/ids.ts";
import { bytesKey, type Media } from "./media.ts";
import { selectMedia } from "./media-store.ts";
import type { ByteRange } from "./storage.ts";
import { storageOf } from "./storage-of.ts";

export { selectStored as nextStoredFiles } from "./media-store.ts";

/** A file of the workspace, or null. */
export function findMedia(
  context: Pick<Context, "db">,
  workspaceId: string,
  id: string,
): Promise<Media | null> {
  return isId(id) ? selectMedia(context.db, { workspaceId, id }) : Promise.resolve(null);
}

/**
 * The bytes of a stored file, or of a range of it. Null when the store has lost them, or some of them. Throws
 * `StorageFault`.
 */
export function openMedia(
  context: Pick<Context, "config" | "providerHttp" | "clock">,
  media: Pick<Media, "workspaceId" | "bytesId" | "size">,
  range?: ByteRange,
): Promise<AsyncIterable<Uint8Array> | null> {
  if (media.size === null) return Promise.resolve(null);
  return storageOf(context).open(bytesKey(media), media.size, range);
}
