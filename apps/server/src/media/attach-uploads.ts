import type { MediaKind, MediaRule } from "../channels/adapter.ts";
import type { Context } from "../context.ts";
import type { Tx } from "../db/database.ts";
import { invalid, type AppError } from "../errors.ts";
import { isId } from "../lib/ids.ts";
import type { AttachmentJson } from "../wire/attachment.ts";
import { MAX_ATTACHMENTS, presentMedia, type Media, type MediaKey } from "./media.ts";
import { attachUploads, lockUploads } from "./media-store.ts";
import { mediaUrl } from "./sign-link.ts";

export type MediaRules = Readonly<Partial<Record<MediaKind, MediaRule>>>;

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
  const refuse = (index: number, message: string) =>
    ({ ok: false, error: invalid(`attachments[${index}]`, message) }) as const;
  if (wanted.ids.length > MAX_ATTACHMENTS)
    return { ok: false, error: invalid("attachments", `must be at most ${MAX_ATTACHMENTS} files`) };
  const media: Media[] = [];
  for (const [index, id] of wanted.ids.entries()) {
    const one = found.get(`${wanted.workspaceId}/${id}`);
    if (!one || one.state !== "stored") return refuse(index, "is no file that was uploaded here");
    if (one.messageId !== null || media.some((other) => other.id === id))
      return refuse(index, "already belongs to another message: upload it again");
    if (one.kept) return refuse(index, "belongs to a campaign or a saved reply: upload it again");
    const fit = fitOf(one, rules);
    if (typeof fit === "string") return refuse(index, fit);
    media.push({ ...one, kind: fit.kind });
  }
  return { ok: true, media };
}

/** As which kind a channel takes a file: its own kind, or else a document. A sentence when it takes neither. */
function fitOf(media: Media, rules: MediaRules | undefined): { readonly kind: MediaKind } | string {
  if (!rules || Object.keys(rules).length === 0) return "cannot go: this channel takes no files";
  const type = media.mimeType ?? "";
  const size = media.size ?? 0;
  const kinds = [...new Set([media.kind, "document" as const])].filter((kind) => rules[kind]);
  const takes = kinds.filter((kind) => rules[kind]?.mimeTypes.some((rule) => covers(rule, type)));
  const fitting = takes.find((kind) => size <= (rules[kind]?.maxBytes ?? 0));
  if (fitting) return { kind: fitting };
  if (takes.length === 0) return `cannot go: this channel does not take ${type}`;
  const most = Math.max(...takes.map((kind) => rules[kind]?.maxBytes ?? 0));
  return `cannot go: it has ${size} bytes and this channel takes ${most}`;
}

/** Whether a rule (`image/png`, `image/*` or `*` + `/*`) covers a type. */
function covers(rule: string, type: string): boolean {
  const bare = rule.split(";", 1)[0]?.trim() ?? "";
  return (
    bare === "*/*" || bare === type || (bare.endsWith("/*") && type.startsWith(bare.slice(0, -1)))
  );
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
