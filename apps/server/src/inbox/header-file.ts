import { loadAccounts } from "../channels/load-accounts.ts";
import { adapterFor } from "../channels/registry.ts";
import type { Context } from "../context.ts";
import { AppError, invalid } from "../errors.ts";
import { httpFor } from "../lib/check-address.ts";
import { readAttachments } from "../media/attach-uploads.ts";
import { findMedia } from "../media/open-media.ts";
import { outboundMedia } from "../media/outbound-media.ts";
import { HEADER_MEDIA, type HeaderMedia } from "../templates/template-needs.ts";

/**
 * The upload for a header, of the kind that WhatsApp takes it as; null: none was named. Throws VALIDATION_FAILED
 * for a file that no header can show.
 */
export async function findHeaderFile(
  context: Context,
  workspaceId: string,
  id: string | undefined,
): Promise<{ readonly id: string; readonly kind: HeaderMedia } | null> {
  if (id === undefined) return null;
  const media = await findMedia(context, workspaceId, id);
  const found = new Map(media ? [[`${workspaceId}/${id}`, media]] : []);
  const rules = adapterFor("WHATSAPP").media;
  const read = readAttachments(context, { workspaceId, ids: [id] }, found, rules);
  if (!read.ok) throw invalid("headerMedia", read.error.facts.details?.[0]?.message ?? "cannot go");
  const kind = HEADER_MEDIA.find((one) => one === read.media[0]?.kind);
  if (kind === undefined) throw invalid("headerMedia", "must be an image, a video or a document");
  return { id, kind };
}

/**
 * Uploads the file to the platform, which keeps it for 30 days: the send names it by the id that it gets there.
 * Throws VALIDATION_FAILED with the platform's words when it refuses the file, OVERLOADED when it cannot accept it
 * now, and NOT_ALLOWED_IN_STATE without a connected channel.
 */
export async function giveHeaderFile(
  context: Context,
  channel: { readonly workspaceId: string; readonly channelId: string },
  id: string,
): Promise<{ readonly id: string; readonly fileName: string }> {
  const account = (await loadAccounts(context, [channel])).get(channel.channelId);
  const adapter = account && adapterFor(account.type);
  if (account === undefined || adapter?.uploadMedia === undefined)
    throw new AppError("NOT_ALLOWED_IN_STATE", { explanation: "the channel is not connected" });
  const media = await outboundMedia(context, { workspaceId: channel.workspaceId, id });
  if (media === null) throw invalid("headerMedia", "is not there any more: upload it again");
  const given = await adapter.uploadMedia(httpFor(context, account), account, media);
  if (given.ok) return { id: given.id, fileName: media.fileName };
  if (given.reason === "rejected") throw invalid("headerMedia", `was refused: ${given.detail}`);
  throw new AppError("OVERLOADED", {
    retryAfterSeconds: Math.ceil((given.retryAfterMs ?? 30_000) / 1_000),
    explanation: `the platform did not take the file: ${given.detail}`,
  });
}
