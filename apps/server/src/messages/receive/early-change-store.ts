import type { Queryable, Tx } from "../../db/database.ts";
import { nilId, sql } from "../../db/sql.ts";
import type { Message } from "../record/message.ts";
import { providerKeyOf, type ProviderKey } from "../record/message-store.ts";

/** An edit or a withdrawal of a message. */
export interface MessageEdit {
  readonly kind: "edited" | "deleted";
  readonly text: string | null;
  /** The new place of a shared location. It is not kept while the change waits for its message. */
  readonly place?: Readonly<Record<string, unknown>>;
  readonly at: Date;
}

/** Keeps a change whose message is not known yet. The same change is kept once. */
export async function parkChange(
  tx: Tx,
  key: ProviderKey,
  change: MessageEdit,
  receivedAt: Date,
): Promise<void> {
  // The text of a withdrawn message is never kept.
  const text = change.kind === "deleted" ? null : change.text;
  await tx.query(sql`
    insert into early_change (workspace_id, channel_id, provider_message_id, kind, text, occurred_at, received_at)
    values (${key.workspaceId}, ${key.channelId}, ${key.providerMessageId}, ${change.kind}, ${text}, ${change.at},
      ${receivedAt})
    on conflict do nothing`);
}

/**
 * Removes the changes that waited for these messages. Gives them by `providerKeyOf`, in the order in which they
 * happened.
 */
export async function popEarlyChanges(
  tx: Tx,
  keys: readonly ProviderKey[],
): Promise<Map<string, MessageEdit[]>> {
  if (keys.length === 0) return new Map();
  const rows = await tx.query<ProviderKey & MessageEdit>(sql`
    delete from early_change e
    using unnest(${keys.map((key) => key.workspaceId)}::uuid[], ${keys.map((key) => key.channelId)}::uuid[],
      ${keys.map((key) => key.providerMessageId)}::text[]) as k (workspace_id, channel_id, provider_message_id)
    where e.workspace_id = k.workspace_id and e.channel_id = k.channel_id
      and e.provider_message_id = k.provider_message_id
    returning e.workspace_id as "workspaceId", e.channel_id as "channelId",
      e.provider_message_id as "providerMessageId", e.kind, e.text, e.occurred_at as at`);
  return Map.groupBy(
    rows.toSorted((a, b) => a.at.getTime() - b.at.getTime()),
    providerKeyOf,
  );
}

/** The message after these changes, as `rewriteText` would leave it. */
export function withChanges(message: Message, changes: readonly MessageEdit[] = []): Message {
  let now = message;
  for (const { kind, text, at } of changes) {
    const note = { type: kind, at: at.toISOString() };
    if (now.type === "deleted") break;
    now =
      kind === "deleted"
        ? { ...now, type: "deleted", text: null, attachments: [note] }
        : { ...now, text: text ?? now.text, attachments: [...now.attachments.filter(isOwn), note] };
  }
  return now;
}

/** False for the mark of an edit: only the mark of the last edit stays. */
const isOwn = (attachment: unknown): boolean =>
  !(
    typeof attachment === "object" &&
    attachment !== null &&
    "type" in attachment &&
    attachment.type === "edited"
  );

/**
 * Removes and gives changes whose message exists by now. Either the message and its change were stored at the same
 * moment, or our own message has got the platform's id since. Looks only at changes that came after `since`.
 */
export function popMatchedChanges(
  tx: Tx,
  since: Date,
  limit: number,
): Promise<(ProviderKey & MessageEdit)[]> {
  return tx.query(sql`
    delete from early_change e using (
      select p.workspace_id, p.channel_id, p.provider_message_id, p.occurred_at, p.kind from early_change p
      where p.received_at >= ${since} and (select 1 from message where workspace_id = p.workspace_id
        and coalesce(channel_id, ${nilId}) = p.channel_id
        and provider_message_id = p.provider_message_id limit 1) is not null
      order by p.occurred_at limit ${limit} for update skip locked) f
    where e.workspace_id = f.workspace_id and e.channel_id = f.channel_id
      and e.provider_message_id = f.provider_message_id and e.occurred_at = f.occurred_at and e.kind = f.kind
    returning e.workspace_id as "workspaceId", e.channel_id as "channelId",
      e.provider_message_id as "providerMessageId", e.kind, e.text, e.occurred_at as at`);
}

/** Deletes changes that came before `before` and found no message. Gives how many. */
export async function pruneEarlyChanges(db: Queryable, before: Date): Promise<number> {
  const rows = await db.query(
    sql`delete from early_change where received_at < ${before} returning 1`,
  );
  return rows.length;
}
