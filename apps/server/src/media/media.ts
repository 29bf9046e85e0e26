import type { MediaKind } from "../channels/adapter.ts";
import type { AttachmentJson } from "../wire/attachment.ts";

/** `pending`: to be fetched, or on its way up. */
type MediaState = "pending" | "stored" | "failed";

/**
 * Why a file is not there, for an agent to read:
 * - blocked_address: the platform's call named an address inside our own network, or one that is not https
 * - too_large: more than PARLEY_MEDIA_MAX_BYTES
 * - gone: the platform has it no more, or never had
 * - refused: the platform refuses the account (token, rights)
 * - unreachable: neither after six tries in two hours
 * - not_stored: our own store took it neither after six tries
 * - channel_disconnected, unsupported: nobody is left who could open it
 */
export type MediaFailure =
  | "blocked_address"
  | "too_large"
  | "gone"
  | "refused"
  | "unreachable"
  | "not_stored"
  | "channel_disconnected"
  | "unsupported";

export interface MediaKey {
  readonly workspaceId: string;
  readonly id: string;
}

/** A file and the bytes that it has, perhaps with others. */
export interface BytesKey extends MediaKey {
  /** The id of the file under which they were stored first; that one may be gone. */
  readonly bytesId: string;
}

/** A file of a message, or one that was uploaded for one. */
export interface Media extends BytesKey {
  readonly kind: MediaKind;
  readonly state: MediaState;
  readonly reason: MediaFailure | null;
  /** What the bytes are, not what somebody called them; null until they are here. */
  readonly mimeType: string | null;
  readonly fileName: string | null;
  /** Bytes; null until they are here. */
  readonly size: number | null;
  /** Hex. */
  readonly sha256: string | null;
  /** Null: uploaded, and no message carries it yet. */
  readonly messageId: string | null;
  /** Something other than a message has it for good: a campaign, a saved reply. */
  readonly kept: boolean;
  readonly createdAt: Date;
}

export const MAX_ATTACHMENTS = 10;
const FILE_NAME_LENGTH = 255;

/**
 * Where the bytes of a file lie in its store: never a name that a customer gave. The last byte of the id spreads them
 * over 256 folders a workspace; the first ones are the time.
 */
export const storageKey = ({ workspaceId, id }: MediaKey): string =>
  `${workspaceId}/${id.slice(-2)}/${id}`;

/** Where the bytes lie that a file has, perhaps with others. */
export const bytesKey = ({ workspaceId, bytesId }: Omit<BytesKey, "id">): string =>
  storageKey({ workspaceId, id: bytesId });

/** What a message's `attachments` tells of a file that is here. */
export function presentMedia(
  media: Pick<Media, "id" | "kind" | "mimeType" | "fileName" | "size">,
  url: string,
): AttachmentJson {
  const { id, kind, mimeType, fileName, size } = media;
  return { type: kind, mediaId: id, url, status: "stored", mimeType, size, fileName };
}

/** The files of a message that is ours, from its `attachments`; in order. */
export function attachedMedia(
  attachments: readonly AttachmentJson[],
): { readonly mediaId: string; readonly kind: string }[] {
  return attachments.flatMap(({ mediaId, type }) =>
    mediaId === undefined ? [] : [{ mediaId, kind: type }],
  );
}

/** A name to show and to offer at a download: one line, no path, at most 255 characters; null when nothing is left. */
export function cleanFileName(name: string | null): string | null {
  const last = name?.split(/[/\\]/).at(-1) ?? "";
  const clean = last
    .toWellFormed()
    // Control characters, and those that turn the direction of writing: "gpj.exe" must not read "exe.jpg".
    .replaceAll(/[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, "")
    .trim();
  const short = shortName(clean, FILE_NAME_LENGTH);
  return short === "" || /^\.+$/.test(short) ? null : short;
}

/** At most so many characters, cut before the ending, which tells what it is. */
export function shortName(name: string, most: number): string {
  const all = Array.from(name);
  if (all.length <= most) return name;
  const [ending = ""] = /\.[\p{L}\p{N}]{1,10}$/u.exec(name) ?? [];
  return all.slice(0, most - ending.length).join("") + ending;
}
