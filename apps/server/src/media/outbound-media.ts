import type { OutboundMedia } from "../channels/adapter.ts";
import type { Context } from "../context.ts";
import { sentAs } from "./file-ending.ts";
import type { MediaKey } from "./media.ts";
import { selectMedia } from "./media-store.ts";
import { mediaUrl } from "./sign-link.ts";
import { StorageFault } from "./storage.ts";
import { storageOf } from "./storage-of.ts";
import { bytesKey } from "./media.ts";

/** A file of our message, ready for an adapter. Null when it is not there any more. */
export async function outboundMedia(
  context: Pick<Context, "db" | "config" | "sealer" | "providerHttp" | "clock">,
  key: MediaKey,
): Promise<OutboundMedia | null> {
  const media = await selectMedia(context.db, key);
  const { kind, mimeType, fileName, size } = media ?? {};
  if (media?.state !== "stored" || !kind || !mimeType || size === null || size === undefined)
    return null;
  const storage = storageOf(context);
  return {
    kind,
    mimeType,
    fileName: sentAs(fileName ?? null, { kind, mimeType }),
    size,
    url: mediaUrl(context, key),
    async *open() {
      const body = await storage.open(bytesKey(media), size);
      if (body === null) throw new StorageFault("the file is not in the store, or not whole");
      yield* body;
    },
  };
}
