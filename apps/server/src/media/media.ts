import type { MediaKind } from "../channels/adapter.ts";
import type { AttachmentJson } from "../wire/attachment.ts";

/** `pending`: waiting to be fetched, or being uploaded. */
type MediaState = "pending" | "stored" | "failed";

/**
 * Why a file is not there, for an agent to read:
 * - blocked_address: the platform named an address inside our own network, or one that is not https
 * - too_large: it has more than PARLEY_MEDIA_MAX_BYTES
 * - gone: the platform does not have it
 * - refused: the platform refuses the account (token, rights)
 * - unreachable: the platform could not be reached in six tries over two hours
 * - not_stored: our own store did not take it in six tries over two hours
 * - channel_disconnected, unsupported: no account is left that could open it
 * - expired: the workspace keeps files, or messages, for a shorter time
 */
export type MediaFailure =
  | "blocked_address"
  | "too_large"
  | "gone"
  | "refused"
  | "unreachable"
  | "not_stored"
  | "channel_disconnected"
  | "unsupported"
  | "expired";

export interface MediaKey {
  readonly workspaceId: string;
  readonly id: string;
}

/** A file and its bytes, which other files may share. */
export interface BytesKey extends MediaKey {
  /** The id of the file under which the bytes were stored first. That file may be gone. */
  readonly bytesId: string;
}

/** A file of a message, or an upload for one. */
export interface Media extends BytesKey {
  readonly kind: MediaKind;
  readonly state: MediaState;
  readonly reason: MediaFailure | null;
  /** What the bytes are, whatever the sender called them; null until they are here. */
  readonly mimeType: string | null;
  readonly fileName: string | null;
  /** In bytes; null until they are here. */
  readonly size: number | null;
  /** In hex. */
  readonly sha256: string | null;
  /** Null: an upload that no message carries yet. */
  readonly messageId: string | null;
  /** True when something other than a message keeps it: a campaign, a saved reply. */
  readonly kept: boolean;
  readonly createdAt: Date;
}

/** The most files of one reply. */
export const MAX_ATTACHMENTS = 10;
const FILE_NAME_LENGTH = 255;

/**
 * Where the bytes of a file lie in its store. Never made of a name that a customer gave. The last byte of the id
 * spreads files over 256 folders per workspace; the first bytes are the time.
 */
export const storageKey = ({ workspaceId, id }: MediaKey): string =>
  `${workspaceId}/${id.slice(-2)}/${id}`;

/** Where the bytes of a file lie, which other files may share. */
export const bytesKey = ({ workspaceId, bytesId }: Omit<BytesKey, "id">): string =>
  storageKey({ workspaceId, id: bytesId });

/** What a message's `attachments` tell of a stored file. */
export function presentMedia(
  media: Pick<Media, "id" | "kind" | "mimeType" | "fileName" | "size">,
  url: string,
): AttachmentJson {
  const { id, kind, mimeType, fileName, size } = media;
  return { type: kind, mediaId: id, url, status: "stored", mimeType, size, fileName };
}

/** The files in a message's `attachments`, in order. */
export function attachedMedia(
  attachments: readonly AttachmentJson[],
): { readonly mediaId: string; readonly kind: string }[] {
  return attachments.flatMap(({ mediaId, type }) =>
    mediaId === undefined ? [] : [{ mediaId, kind: type }],
  );
}

/** A name to show and to offer at a download: one line, no path, at most 255 characters. Null when nothing is left. */
export function cleanFileName(name: string | null): string | null {
  const last = name?.split(/[/\\]/).at(-1) ?? "";
  const clean = last
    .toWellFormed()
    // Removes control characters, ends of lines, and characters that turn the direction of writing: "gpj.exe" must not
    // read "exe.jpg".
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, "")
    .trim();
  const short = shortName(clean, FILE_NAME_LENGTH);
  return short === "" || /^\.+$/.test(short) ? null : short;
}

/** The name with at most `most` characters. It is cut before the ending, which tells what the file is. */
export function shortName(name: string, most: number): string {
  const all = Array.from(name);
  if (all.length <= most) return name;
  const [ending = ""] = /\.[\p{L}\p{N}]{1,10}$/u.exec(name) ?? [];
  return all.slice(0, most - ending.length).join("") + ending;
}
