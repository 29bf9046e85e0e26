import { createHmac, timingSafeEqual } from "node:crypto";
import type { Context } from "../context.ts";
import { isId } from "../lib/ids.ts";
import type { MediaKey } from "./media.ts";

/**
 * The address that lets anybody who has it read a file. It holds the workspace, because every query starts with the
 * workspace, and an HMAC over workspace and id. The key of the HMAC is not in the database. The address never expires,
 * but for one of before a rotation of the master key; the file may be removed.
 */
export function mediaUrl(context: Pick<Context, "config" | "sealer">, key: MediaKey): string {
  const token = Buffer.concat([
    bytesOf(key.workspaceId),
    markWith(context.sealer.derive("media-link"), key),
  ]).toString("base64url");
  return `${context.config.publicUrl}/media/${key.id}/${token}`;
}

/** Where a signed-in member reads a file. It is worth nothing without the session. */
export const memberFileAddress = (id: string): string => `/api/app/files/${id}`;

/**
 * The file that an address names, or null when we never gave that address out. Takes the same time for every forgery.
 */
export function readLink(
  context: Pick<Context, "sealer">,
  id: string,
  token: string,
): MediaKey | null {
  if (!isId(id) || !/^[\w-]{64}$/.test(token)) return null;
  const bytes = Buffer.from(token, "base64url");
  const key = { workspaceId: idOf(bytes.subarray(0, 16)), id };
  const rights = context.sealer.accepted("media-link").map((one) => markWith(one, key));
  return rights.some((right) => timingSafeEqual(bytes.subarray(16), right)) ? key : null;
}

const markWith = (key: Buffer, { workspaceId, id }: MediaKey): Buffer =>
  createHmac("sha256", key).update(`${workspaceId}/${id}`).digest();

const bytesOf = (id: string): Buffer => Buffer.from(id.replaceAll("-", ""), "hex");

function idOf(bytes: Buffer): string {
  const hex = bytes.toString("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
