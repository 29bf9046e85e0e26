import type { Context } from "../context.ts";
import type { Tx } from "../db/database.ts";
import type { AppError } from "../errors.ts";
import { isId } from "../lib/ids.ts";
import type { AttachmentJson } from "../wire/attachment.ts";
import { fitOf, type FileFault, type MediaRules } from "./media-fit.ts";
import { refusedFile } from "./refused-file.ts";
import { MAX_ATTACHMENTS, presentMedia, type Media, type MediaKey } from "./media.ts";
import { attachUploads, lockUploads } from "./media-store.ts";
import { mediaUrl } from "./sign-link.ts";

/** Uploads that a message wants to carry. */
export interface WantedUploads {
  readonly workspaceId: string;
  readonly ids: readonly string[];
}

/** Locks the uploads that messages want, and gives them by `workspace/id`. Makes no query when there are none. */
export async function lockWanted(
  tx: Tx,
  wants: readonly WantedUploads[],
): Promise<Map<string, Media>> {
  const keys = wants.flatMap(({ workspaceId, ids }) =>
    ids.filter(isId).map((id) => ({ workspaceId, id })),
  );
  const found = keys.length > 0 ? await lockUploads(tx, keys) : [];
  return new Map(found.map((media) => [`${media.workspaceId}/${media.id}`, media]));
}

/**
 * Gives the uploads as attachments of a message, each as the kind as which the channel takes it. Or gives the refusal,
 * which names the attachment. Stores nothing. An upload goes with one message only.
 */
export function readAttachments(
  context: Pick<Context, "config" | "sealer">,
  wanted: WantedUploads,
  found: Map<string, Media>,
  rules: MediaRules | undefined,
):
  | { readonly ok: true; readonly media: readonly Media[] }
  | { readonly ok: false; readonly error: AppError } {
  const refuse = (path: string, fault: FileFault) =>
    ({ ok: false, error: refusedFile(path, fault) }) as const;
  if (wanted.ids.length > MAX_ATTACHMENTS)
    return refuse("attachments", { code: "file.count", most: MAX_ATTACHMENTS });
  const media: Media[] = [];
  for (const [index, id] of wanted.ids.entries()) {
    const one = found.get(`${wanted.workspaceId}/${id}`);
    const fault = whyUnusable(one, media);
    if (!one || fault) return refuse(`attachments[${index}]`, fault ?? { code: "file.missing" });
    const { mimeType, size } = one;
    const fit = fitOf({ kind: one.kind, mimeType: mimeType ?? "", size: size ?? 0 }, rules);
    if ("code" in fit) return refuse(`attachments[${index}]`, fit);
    media.push({ ...one, kind: fit.kind });
  }
  return { ok: true, media };
}

/** Why the upload is not there for this message; null: it is. */
function whyUnusable(one: Media | undefined, others: readonly Media[]): FileFault | null {
  if (!one || one.state !== "stored") return { code: "file.missing" };
  if (one.messageId !== null || others.some(({ id }) => id === one.id))
    return { code: "file.used" };
  return one.kept ? { code: "file.kept" } : null;
}

/** The files as the message's `attachments` show them. */
export function presentAttachments(
  context: Pick<Context, "config" | "sealer">,
  media: readonly Media[],
): readonly AttachmentJson[] {
  return media.map((one) => presentMedia(one, mediaUrl(context, one)));
}

/** Ties files to messages that were stored in this transaction. From now on the files stay as long as their message. */
export async function retainAttachments(
  tx: Tx,
  messages: readonly {
    readonly id: string;
    readonly media: readonly (MediaKey & { readonly kind: string })[];
  }[],
): Promise<void> {
  const rows = messages.flatMap(({ id: messageId, media }) =>
    media.map(({ workspaceId, id, kind }) => ({ workspaceId, id, messageId, kind })),
  );
  if (rows.length > 0) await attachUploads(tx, rows);
}
