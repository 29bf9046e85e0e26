import type { Queryable, Tx } from "../../db/database.ts";
import { nilId, sql, type Sql } from "../../db/sql.ts";
import { lowestIdAt } from "../../lib/ids.ts";
import { EVIDENCE_WAIT_MS, OUTCOME_UNKNOWN } from "../../sending/give-up-lost.ts";
import type { AttachmentJson } from "../../wire/attachment.ts";
import type { MediaKind } from "../../wire/words.ts";
import type { MessageKey } from "../record/message-store.ts";
import { holderOf } from "../../contacts/identity/identity-sql.ts";
import { conversationAt, threadOf } from "../../conversations/conversation-sql.ts";
import { mediaAt } from "../../media/media-sql.ts";

/** One reply of a conversation is under way at a time; of those whose answers were lost, the oldest count. */
const MOST_IN_FLIGHT = 100;

/** Whether this is an outbound message of the channel. */
export async function isOutboundOf(
  db: Queryable,
  key: MessageKey & { readonly channelId: string },
): Promise<boolean> {
  const rows = await db.query(sql`
    select 1 from message where workspace_id = ${key.workspaceId} and id = ${key.id}
      and channel_id = ${key.channelId} and direction = 'outbound'`);
  return rows.length > 0;
}

/** A send that is under way, or whose answer was lost: a reply, or a part of one. */
export interface OpenSend {
  readonly messageId: string;
  readonly part: number | null;
  /** Of the whole reply. */
  readonly text: string | null;
  readonly attachments: readonly AttachmentJson[];
  /** Of the part. */
  readonly partText: string | null;
  readonly partKind: MediaKind | null;
}

/**
 * Our sends to this customer that are under way or lost their answer, the oldest first. When the contact was deleted, no
 * identity leads to the conversation; then they are found by its address among the calls under way.
 */
export async function selectInFlight(
  db: Queryable,
  where: {
    readonly workspaceId: string;
    readonly channelId: string;
    readonly customerExternalId: string;
    /** Where a reply goes: the customer, or the thread with them. */
    readonly address: string;
  },
): Promise<OpenSend[]> {
  const ofCustomer = sql`
    ${holderOf(where.workspaceId, where.channelId, where.customerExternalId)} i
    cross join lateral ${threadOf(where.workspaceId, where.channelId, sql`i.contact_id`)} c
    join message_outbox o on o.workspace_id = c.workspace_id and o.conversation_id = c.id
      and o.state in ('calling', 'unknown')`;
  const toAddress = sql`
    (select workspace_id, message_id, conversation_id from message_outbox
      where workspace_id = ${where.workspaceId} and state = 'calling'
      union all
      select workspace_id, message_id, conversation_id from message_outbox
      where workspace_id = ${where.workspaceId} and state = 'unknown') o
    join lateral ${conversationAt(sql`o.workspace_id`, sql`o.conversation_id`)} c
      on c.channel_id = ${where.channelId} and c.external_id = ${where.address}`;
  const found = await selectSends(db, ofCustomer);
  return found.length > 0 ? found : selectSends(db, toAddress);
}

/** How far a platform's clock may be from ours. */
export const CLOCKS_APART_MS = 60_000;

/**
 * Replies to this customer that were given up because their answers were lost, and that the platform may have taken at
 * `at`, its own time: they were accepted in the quarter of an hour before. The oldest first.
 */
export function selectGivenUp(
  db: Queryable,
  where: {
    readonly workspaceId: string;
    readonly channelId: string;
    readonly customerExternalId: string;
    readonly at: Date;
  },
): Promise<OpenSend[]> {
  const from = lowestIdAt(new Date(where.at.getTime() - EVIDENCE_WAIT_MS));
  const to = lowestIdAt(new Date(where.at.getTime() + CLOCKS_APART_MS));
  return db.query<OpenSend>(sql`
    select m.id as "messageId", null::int as part, m.text, m.attachments, null::text as "partText",
      null::text as "partKind"
    from ${holderOf(where.workspaceId, where.channelId, where.customerExternalId)} i
    cross join lateral ${threadOf(where.workspaceId, where.channelId, sql`i.contact_id`)} c
    join message m on m.workspace_id = c.workspace_id and m.conversation_id = c.id
      and m.id >= ${from}::uuid and m.id < ${to}::uuid
    where m.direction = 'outbound' and m.status = 'failed' and m.error_code = ${OUTCOME_UNKNOWN}
      and m.provider_message_id is null and m.part_count is null
    order by m.id limit ${MOST_IN_FLIGHT}`);
}

/** The sends of these rows of the outbox (`o`). */
function selectSends(db: Queryable, inFlight: Sql): Promise<OpenSend[]> {
  return db.query<OpenSend>(sql`
    select o.message_id as "messageId", p.number as part, m.text, m.attachments, p.text as "partText",
      f.kind as "partKind"
    from ${inFlight}
    join message m on m.workspace_id = o.workspace_id and m.id = o.message_id
    left join message_part p on p.workspace_id = o.workspace_id and p.message_id = o.message_id
      and p.status = 'sent' and p.sent_at is null
    left join lateral ${mediaAt(sql`p.workspace_id`, sql`p.media_id`)} f on true
    where m.part_count is null or p.number is not null
    order by o.message_id, p.number limit ${MOST_IN_FLIGHT}`);
}

/**
 * Sets when the platform took our message, as the platform says. It replaces our own time only when it is earlier: ours
 * is taken when the answer comes.
 */
export async function setEarlierSentAt(
  tx: Tx,
  key: {
    readonly workspaceId: string;
    readonly channelId: string;
    readonly providerMessageId: string;
  },
  at: Date,
): Promise<void> {
  await tx.query(sql`
    update message set sent_at = ${at}::timestamptz
    where workspace_id = ${key.workspaceId}
      and coalesce(channel_id, ${nilId}) = ${key.channelId}
      and provider_message_id = ${key.providerMessageId} and provider_message_id is not null
      and direction = 'outbound' and sent_at > ${at}::timestamptz`);
}
