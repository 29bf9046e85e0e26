import type { Context } from "../../context.ts";
import type { Media } from "../../media/media.ts";
import { findMedia } from "../../media/open-media.ts";
import { HEADER_MEDIA, type HeaderMedia } from "../../templates/template-needs.ts";
import type { Broadcast } from "../record/broadcast.ts";

/** The file of the campaign's header with its kind; null when it has none or the file is gone. */
export async function findHeaderMedia(
  context: Pick<Context, "db">,
  broadcast: Pick<Broadcast, "workspaceId" | "headerMediaId">,
): Promise<(Omit<Media, "kind"> & { readonly kind: HeaderMedia }) | null> {
  if (broadcast.headerMediaId === null) return null;
  const media = await findMedia(context, broadcast.workspaceId, broadcast.headerMediaId);
  const kind = HEADER_MEDIA.find((one) => one === media?.kind);
  return media?.state === "stored" && kind !== undefined ? { ...media, kind } : null;
}
