import { createHmac, timingSafeEqual } from "node:crypto";
import { web } from "../channels/adapters/web/adapter.ts";
import { webFileKind } from "../channels/adapters/web/files.ts";
import type { Context } from "../context.ts";
import { AppError, invalid, tooLarge } from "../errors.ts";
import { isId } from "../lib/ids.ts";
import { lockWanted, presentAttachments, readAttachments } from "../media/attach-uploads.ts";
import { mediaUrl } from "../media/sign-link.ts";
import { storeUpload } from "../media/upload-media.ts";
import { maxFileBytes, type Guest } from "./chat-channel.ts";
import type { Visitor } from "./visitor-token.ts";

/** A file that a visitor uploaded for a later message. */
export interface ChatUpload {
  /** Only the browser that uploaded it can use it. */
  readonly id: string;
  readonly url: string;
  readonly mimeType: string;
  readonly size: number;
  readonly fileName: string;
}

/**
 * Keeps a visitor's file. If no message takes it within a day, it is removed. The type that the browser names and
 * the type that its bytes show must both be allowed in web chat. Throws UNSUPPORTED_MEDIA_TYPE, BODY_TOO_LARGE
 * beyond the channel's limit, VALIDATION_FAILED.
 */
export async function uploadChatFile(
  context: Context,
  { account, visitor }: Guest,
  file: {
    readonly fileName: string;
    readonly mimeType: string;
    readonly body: AsyncIterable<Uint8Array>;
  },
): Promise<ChatUpload> {
  if (webFileKind(file.mimeType) === null) throw new AppError("UNSUPPORTED_MEDIA_TYPE");
  const { workspaceId } = account;
  const body = bounded(file.body, maxFileBytes(account));
  const media = await storeUpload(context, workspaceId, { ...file, body }, null);
  if (webFileKind(media.mimeType ?? "") === null) throw new AppError("UNSUPPORTED_MEDIA_TYPE");
  return {
    id: `${media.id}.${ownerMark(context.sealer.derive("web chat upload"), visitor, media.id)}`,
    url: mediaUrl(context, media),
    mimeType: media.mimeType ?? "",
    size: media.size ?? 0,
    fileName: media.fileName ?? "",
  };
}

/**
 * The attachments of a message, made from these uploads. Throws VALIDATION_FAILED for an upload that is not this
 * browser's.
 */
export async function findUploads(
  context: Context,
  visitor: Visitor,
  workspaceId: string,
  uploadIds: readonly string[],
): Promise<readonly Readonly<Record<string, unknown>>[]> {
  if (uploadIds.length === 0) return [];
  const ids = uploadIds.map((uploadId, index) => {
    const id = readUploadId(context, visitor, uploadId);
    if (id === null) throw invalid(`attachments[${index}]`, "is no file that was uploaded here");
    return id;
  });
  const wanted = { workspaceId, ids };
  const found = await context.db.transaction((tx) => lockWanted(tx, [wanted]));
  const read = readAttachments(context, wanted, found, web.media);
  if (!read.ok) throw read.error;
  return presentAttachments(context, read.media);
}

/** The file that an id of an upload names, whoever may use it. */
export const uploadIn = (uploadId: string): string => uploadId.split(".", 1)[0] ?? "";

function readUploadId(context: Context, visitor: Visitor, uploadId: string): string | null {
  const [id = "", mark = ""] = uploadId.split(".");
  if (!isId(id)) return null;
  const given = Buffer.from(mark);
  const isOwn = context.sealer.accepted("web chat upload").some((key) => {
    const right = Buffer.from(ownerMark(key, visitor, id));
    return given.length === right.length && timingSafeEqual(given, right);
  });
  return isOwn ? id : null;
}

function ownerMark(key: Buffer, { channelId, visitorId }: Visitor, id: string): string {
  return createHmac("sha256", key)
    .update(JSON.stringify([channelId, visitorId, id]))
    .digest("base64url")
    .slice(0, 22);
}

async function* bounded(body: AsyncIterable<Uint8Array>, most: number): AsyncGenerator<Uint8Array> {
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > most) throw tooLarge(most, "the file");
    yield chunk;
  }
}
