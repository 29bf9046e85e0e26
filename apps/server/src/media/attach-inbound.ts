import type { InboundMedia } from "../channels/adapter.ts";
import type { Context } from "../context.ts";
import type { Tx } from "../db/database.ts";
import type { AttachmentJson } from "../wire/attachment.ts";
import { cleanFileName, type MediaKey } from "./media.ts";
import { insertInboundMedia, type NewInboundMedia } from "./media-store.ts";
import { mediaUrl } from "./sign-link.ts";

/** The most files of one message. No platform comes near it. */
const MOST = 32;

/** The message that the files belong to. */
export interface MediaOwner {
  readonly workspaceId: string;
  readonly id: string;
  readonly channelId: string;
}

/**
 * Plans the files of an inbound message. Gives its `attachments` with `mediaId`, `url` and `status` added, and the
 * rows, which the message's own transaction must store (`storeInbound`).
 */
export function planInbound(
  context: Pick<Context, "ids" | "sealer" | "config">,
  owner: MediaOwner,
  attachments: readonly AttachmentJson[],
  media: readonly InboundMedia[] | undefined,
): { readonly attachments: readonly AttachmentJson[]; readonly rows: NewInboundMedia[] } {
  if (media === undefined || media.length === 0) return { attachments, rows: [] };
  const named = [...attachments];
  const rows: NewInboundMedia[] = [];
  for (const one of media.slice(0, MOST)) {
    const description = named[one.attachment];
    if (!description) continue;
    const key = { workspaceId: owner.workspaceId, id: context.ids.next() };
    named[one.attachment] = {
      ...description,
      mediaId: key.id,
      url: mediaUrl(context, key),
      status: "pending",
    };
    rows.push({
      ...key,
      messageId: owner.id,
      channelId: owner.channelId,
      kind: one.kind,
      mimeType: one.mimeType?.replaceAll("\0", "").toWellFormed() ?? null,
      fileName: cleanFileName(one.fileName),
      size: sizeOf(one.size),
      sourceSealed: context.sealer.seal(JSON.stringify(one.source), sourcePlace(key)),
    });
  }
  return { attachments: named, rows };
}

/**
 * Stores planned rows, all in one statement, and wakes the worker. Their messages must be stored in this transaction.
 */
export async function storeInbound(
  context: Pick<Context, "clock" | "wake">,
  tx: Tx,
  rows: readonly NewInboundMedia[],
): Promise<void> {
  if (rows.length === 0) return;
  await insertInboundMedia(tx, rows, context.clock.now());
  tx.afterCommit(() => context.wake.nudge("media"));
}

/** The place to which the sealed source of a file is bound. It opens with no other one. */
export const sourcePlace = ({ workspaceId, id }: MediaKey): string => `media:${workspaceId}:${id}`;

/** The platform's number is kept only when it can be true. */
const sizeOf = (size: number | null): number | null =>
  size !== null && Number.isSafeInteger(size) && size >= 0 ? size : null;
