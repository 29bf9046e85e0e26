import type { Tx } from "../db/database.ts";
import { isId } from "../lib/ids.ts";
import type { Media, MediaKey } from "./media.ts";
import { clearFreshDeadline, clearUploadDeadline, setUploadDeadline } from "./media-store.ts";

/**
 * Keeps an upload that something other than a message needs (a campaign's header): it is not swept any more. Gives it,
 * or null when there is no such stored upload.
 */
export async function retainUpload(tx: Tx, key: MediaKey): Promise<Media | null> {
  return isId(key.id) ? clearUploadDeadline(tx, key) : null;
}

/** Keeps an upload that nothing has taken yet. Gives it, or null when there is none or something has taken it. */
export async function retainFreshUpload(tx: Tx, key: MediaKey): Promise<Media | null> {
  return isId(key.id) ? clearFreshDeadline(tx, key) : null;
}

/** Gives up a retained upload: the sweep removes it after `at`. */
export async function discardUpload(tx: Tx, key: MediaKey, at: Date): Promise<void> {
  await setUploadDeadline(tx, key, at);
}
