import type { Tx } from "../db/database.ts";
import { isId } from "../lib/ids.ts";
import type { Media, MediaKey } from "./media.ts";
import { clearUploadDeadline } from "./media-store.ts";

/**
 * Keeps an upload that something other than a message needs (a campaign's header): it is not swept any more. Gives it,
 * or null when there is no such stored upload.
 */
export async function retainUpload(tx: Tx, key: MediaKey): Promise<Media | null> {
  return isId(key.id) ? clearUploadDeadline(tx, key) : null;
}
