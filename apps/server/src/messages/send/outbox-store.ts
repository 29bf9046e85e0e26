import type { TemplateContent } from "../../channels/adapter.ts";
import type { AttachmentJson } from "../../wire/attachment.ts";
import type { ChannelType } from "../../wire/words.ts";
import type { Queryable, Tx } from "../../db/database.ts";
import { sql, type Sql } from "../../db/sql.ts";
import { latestFor } from "../../lib/clock.ts";
import { EVIDENCE_WAIT_MS } from "../../sending/give-up-lost.ts";
import { MOST_WAIT_MS } from "../../sending/judge-outcome.ts";
import { throttledIds, throttledUntilOf } from "../../channels/channel-sql.ts";
import { conversationAt } from "../../conversations/conversation-sql.ts";

/** Replies, and what is sent after them. It names both, because the index of what is due begins with this column. */
const EITHER: Sql = sql`after_replies = any ('{f,t}')`;

/** Longer than any call (20 s), so that a live worker always settles inside its lease. */
export const LEASE_MS = 30_000;
/** The lease of a call that carries a file. */
export const MEDIA_LEASE_MS = 300_000;

/** Proves that a reply is still this worker's. */
export interface ReplyClaim {
  readonly workspaceId: string;
  readonly id: string;
  readonly fence: number;
}

/** A claimed reply with what its send needs. */
export interface ClaimedReply extends ReplyClaim {
  readonly conversationId: string;
  readonly contactId: string;
  readonly channelId: string;
  readonly channelType: ChannelType;
  readonly to: string;
  readonly text: string | null;
  readonly attachments: readonly AttachmentJson[];
  readonly template: TemplateContent | null;
  /** The actor that wrote it (`actorName`). */
  readonly author: string | null;
  /** Null: not in parts, or not cut yet. */
  readonly partCount: number | null;
  readonly windowExpiresAt: Date | null;
  /** Calls that were begun before this claim. */
  readonly attempts: number;
}

/** What a claim writes. */
interface Claim {
  readonly now: Date;
  readonly leaseUntil: Date;
  /** The process that claims. */
  readonly by: string;
}

/** What is due of the outbox. */
interface DueOptions {
  readonly now: Date;
  readonly limit: number;
  /** Channels of which nothing is taken. */
  readonly busy: readonly string[];
}

/**
 * Due rows `o` of the outbox, the oldest first and at most one per conversation. Throttled channels wait as a whole, and so
 * do the channels in `busy`. A conversation with a claimed or called reply gives none; a reply of unknown outcome does not
 * block it.
 * The conditions are subqueries with a limit, so that the planner walks the due index and stops at the limit. As joins
 * they made it sort the whole backlog (115 ms with 30,000 waiting). The condition for an older waiting reply lists the
 * states that it does not have. If it named the state `waiting`, the planner could use the due index for it; without
 * statistics it then read that index for every waiting reply.
 */
const dueOf = (afterReplies: Sql, { now, limit, busy }: DueOptions): Sql => sql`
  from message_outbox o
  where o.state = 'waiting' and o.after_replies = ${afterReplies} and o.available_at <= ${now}::timestamptz
    and o.channel_id <> all (${busy}::uuid[])
    and o.channel_id <> all (array(${throttledIds(now)}))
    and (select 1 from message_outbox e where e.workspace_id = o.workspace_id
      and e.conversation_id = o.conversation_id and e.state not in ('claimed', 'calling', 'unknown')
      and e.message_id < o.message_id limit 1) is null
    and (select 1 from message_outbox e where e.workspace_id = o.workspace_id
      and e.conversation_id = o.conversation_id and e.state in ('claimed', 'calling') limit 1) is null
  order by o.available_at, o.message_id limit ${limit}::int`;

/**
 * Claims due replies, at most one per conversation: its oldest. When two workers claim at the same moment, the unique index
 * on the conversation stops one (23505); its caller tries again.
 */
export function claimReplies(db: Queryable, options: Claim & DueOptions): Promise<ClaimedReply[]> {
  const due = sql`select o.workspace_id, o.message_id ${dueOf(sql`false`, options)} for update of o skip locked`;
  return claim(db, due, options);
}

/** A message that a batch handed in and that is due. */
export interface DueOfBatch {
  readonly workspaceId: string;
  readonly id: string;
  readonly channelId: string;
}

/** The messages of batches that are due longest. They are not claimed: their number may have no place for them. */
export function selectDueOfBatches(db: Queryable, options: DueOptions): Promise<DueOfBatch[]> {
  return db.query<DueOfBatch>(sql`
    select o.workspace_id as "workspaceId", o.message_id as id, o.channel_id as "channelId"
    ${dueOf(sql`true`, options)}`);
}

/** Claims these messages of batches, those that another worker took meanwhile excepted. Fails as `claimReplies`. */
export function claimOfBatches(
  db: Queryable,
  messages: readonly DueOfBatch[],
  options: Claim,
): Promise<ClaimedReply[]> {
  const due = sql`
    select o.workspace_id, o.message_id from unnest(${messages.map((one) => one.workspaceId)}::uuid[],
      ${messages.map((one) => one.id)}::uuid[]) as k (workspace_id, message_id)
    join message_outbox o on o.workspace_id = k.workspace_id and o.message_id = k.message_id
    where o.state = 'waiting' and o.available_at <= ${options.now}::timestamptz for update of o skip locked`;
  return claim(db, due, options);
}

function claim(db: Queryable, due: Sql, { leaseUntil, by }: Claim): Promise<ClaimedReply[]> {
  return db.query<ClaimedReply>(sql`
    with due as (${due}), claimed as (
      update message_outbox o set state = 'claimed', fence = o.fence + 1, lease_until = ${leaseUntil}::timestamptz,
        claimed_by = ${by}::uuid
      from due where o.workspace_id = due.workspace_id and o.message_id = due.message_id
      returning o.workspace_id, o.message_id, o.channel_id, o.fence, o.attempts
    )
    select o.workspace_id as "workspaceId", o.message_id as id, o.fence, o.attempts,
      c.id as "conversationId", o.channel_id as "channelId", c.channel_type as "channelType",
      c.contact_id as "contactId", c.external_id as "to", m.text, m.attachments, m.template,
      m.author, m.part_count as "partCount", c.window_expires_at as "windowExpiresAt"
    from claimed o
    cross join lateral (select conversation_id, text, attachments, template, author, part_count from message
      where workspace_id = o.workspace_id and id = o.message_id limit 1) m
    -- The message's own: while a reply is claimed, another conversation may take its messages in.
    cross join lateral ${conversationAt(sql`o.workspace_id`, sql`m.conversation_id`)} c
    order by o.message_id`);
}

/** Where a reply waits that is not sent yet. */
export interface WaitingReply {
  readonly state: "waiting" | "claimed" | "calling" | "unknown";
  readonly attempts: number;
  /** The earliest time of the next try. */
  readonly availableAt: Date;
  /** When a claim ends automatically. */
  readonly leaseUntil: Date | null;
  /** Until when an unknown outcome may still be cleared up by the platform. */
  readonly unknownUntil: Date | null;
  /** How many of its conversation go before it, counted up to 1,000. One of unknown outcome holds nothing back. */
  readonly ahead: number;
  /** The next of those. */
  readonly nextAhead: string | null;
  /** Until when the platform throttles its channel. */
  readonly throttledUntil: Date | null;
}

/** The row of a reply in the outbox at `now`, or null when it has left it. */
export async function selectOutboxRow(
  db: Queryable,
  { workspaceId, id }: { readonly workspaceId: string; readonly id: string },
  now: Date,
): Promise<WaitingReply | null> {
  const [row] = await db.query<WaitingReply>(sql`
    select o.state, o.attempts, o.available_at as "availableAt", o.lease_until as "leaseUntil",
      o.unknown_until as "unknownUntil", a.n as ahead, a.next as "nextAhead", t.until as "throttledUntil"
    from message_outbox o
    cross join lateral (select count(*) as n, min(e.message_id::text) as next from (
      select message_id from message_outbox where workspace_id = o.workspace_id
        and conversation_id = o.conversation_id and message_id < o.message_id and state <> 'unknown'
      order by message_id limit 1000) e) a
    cross join lateral (select ${throttledUntilOf(sql`o.workspace_id`, sql`o.channel_id`, now)} as until) t
    where o.workspace_id = ${workspaceId} and o.message_id = ${id}`);
  return row ?? null;
}

/**
 * Writes the intent to call, to be committed before the first byte leaves. Gives the claims that are still ours, as
 * `workspace/message/fence`.
 */
export async function markCalling(
  tx: Tx,
  claims: readonly ReplyClaim[],
  now: Date,
  leaseUntil: Date,
): Promise<Set<string>> {
  const rows = await tx.query<{ key: string }>(sql`
    with mine as (
      select o.workspace_id, o.message_id from message_outbox o join ${keyed(claims)}
      on o.workspace_id = k.workspace_id and o.message_id = k.message_id and o.fence = k.fence
      where o.state = 'claimed' and o.lease_until > ${now}::timestamptz
      order by o.workspace_id, o.message_id for update of o
    )
    update message_outbox o set state = 'calling', attempts = o.attempts + 1, lease_until = ${leaseUntil}::timestamptz
    from mine where o.workspace_id = mine.workspace_id and o.message_id = mine.message_id
    returning o.workspace_id || '/' || o.message_id || '/' || o.fence as key`);
  return new Set(rows.map((row) => row.key));
}

/**
 * Locks the calls whose end is still open. Gives them as `workspace/message/fence`. A call that was stored as unknown
 * is open too: a refusal that comes late still tells something.
 */
export async function lockHeldCalls(tx: Tx, claims: readonly ReplyClaim[]): Promise<Set<string>> {
  const rows = await tx.query<{ key: string }>(sql`
    select o.workspace_id || '/' || o.message_id || '/' || o.fence as key
    from message_outbox o join ${keyed(claims)}
    on o.workspace_id = k.workspace_id and o.message_id = k.message_id and o.fence = k.fence
    where o.state in ('calling', 'unknown')
    order by o.workspace_id, o.message_id for update of o`);
  return new Set(rows.map((row) => row.key));
}

const keyed = (claims: readonly ReplyClaim[]) => sql`unnest(
  ${claims.map((one) => one.workspaceId)}::uuid[], ${claims.map((one) => one.id)}::uuid[],
  ${claims.map((one) => one.fence)}::integer[]) as k (workspace_id, message_id, fence)`;

/** Puts replies back into the queue that were proven not sent, even when they were stored as unknown meanwhile. */
export async function postpone(
  tx: Tx,
  rows: readonly (ReplyClaim & { readonly availableAt: Date })[],
): Promise<void> {
  await tx.query(sql`
    update message_outbox o set state = 'waiting', available_at = k.available_at, lease_until = null,
      unknown_until = null
    from unnest(${rows.map((one) => one.workspaceId)}::uuid[], ${rows.map((one) => one.id)}::uuid[],
      ${rows.map((one) => one.fence)}::integer[], ${rows.map((one) => one.availableAt)}::timestamptz[])
      as k (workspace_id, message_id, fence, available_at)
    where o.workspace_id = k.workspace_id and o.message_id = k.message_id and o.fence = k.fence
      and o.state in ('calling', 'unknown')`);
}

/**
 * Notes that the answer to a call was lost. The reply waits for evidence until `until`, and does not block its
 * conversation.
 */
export async function markUnknown(tx: Tx, rows: readonly ReplyClaim[], until: Date): Promise<void> {
  await tx.query(sql`
    update message_outbox o set state = 'unknown', unknown_until = ${until}::timestamptz, lease_until = null
    from ${keyed(rows)}
    where o.workspace_id = k.workspace_id and o.message_id = k.message_id and o.fence = k.fence
      and o.state = 'calling'`);
}

/** Removes replies whose calls are over, whatever came of them. */
export async function deleteOutbox(
  tx: Tx,
  keys: readonly { readonly workspaceId: string; readonly id: string }[],
): Promise<void> {
  if (keys.length === 0) return;
  await tx.query(sql`
    delete from message_outbox o
    using unnest(${keys.map((key) => key.workspaceId)}::uuid[], ${keys.map((key) => key.id)}::uuid[])
      as k (workspace_id, message_id)
    where o.workspace_id = k.workspace_id and o.message_id = k.message_id`);
}

/** Removes replies whose wait for evidence is over. A reply that went on meanwhile stays. */
export async function deleteExpired(tx: Tx, claims: readonly ReplyClaim[]): Promise<void> {
  await tx.query(sql`
    delete from message_outbox o using ${keyed(claims)}
    where o.workspace_id = k.workspace_id and o.message_id = k.message_id and o.fence = k.fence
      and o.state = 'unknown'`);
}

/**
 * Ends leases that ran out. A claim without a call goes back to the queue; a call gets an unknown outcome. Gives how
 * many.
 */
export async function releaseLeases(db: Queryable, now: Date, unknownUntil: Date): Promise<number> {
  const rows = await db.query(sql`
    update message_outbox o set
      state = case when o.state = 'claimed' then 'waiting' else 'unknown' end,
      unknown_until = case when o.state = 'calling' then ${unknownUntil}::timestamptz end,
      lease_until = null
    from (select workspace_id, message_id from message_outbox
      where state in ('claimed', 'calling') and lease_until <= ${now}::timestamptz
      limit 1000 for update skip locked) e
    where o.workspace_id = e.workspace_id and o.message_id = e.message_id
    returning 1`);
  return rows.length;
}

/** Does the same for claims of a process that is gone, without waiting for their leases. */
export async function releaseClaimsOf(
  tx: Tx,
  processId: string,
  unknownUntil: Date,
): Promise<number> {
  const rows = await tx.query(sql`
    update message_outbox o set
      state = case when o.state = 'claimed' then 'waiting' else 'unknown' end,
      unknown_until = case when o.state = 'calling' then ${unknownUntil}::timestamptz end,
      lease_until = null
    from (select workspace_id, message_id from message_outbox
      where state in ('claimed', 'calling') and claimed_by = ${processId}::uuid for update) e
    where o.workspace_id = e.workspace_id and o.message_id = e.message_id
    returning 1`);
  return rows.length;
}

/** Replies for which no evidence came in time. Takes no lock: a settlement locks the message first. */
export function selectExpired(
  db: Queryable,
  now: Date,
  limit: number,
): Promise<{ workspaceId: string; id: string; channelId: string; fence: number }[]> {
  return db.query(sql`
    select workspace_id as "workspaceId", message_id as id, channel_id as "channelId", fence from message_outbox
    where state = 'unknown' and unknown_until <= ${now}::timestamptz order by unknown_until limit ${limit}`);
}

/**
 * Frees replies that were accepted, tried or claimed while a clock was far ahead. Waiting ones are due now. A lease, or
 * the wait for evidence, ends as if it began now. Gives how many.
 */
export async function forgetFutureReplies(tx: Tx, now: Date): Promise<number> {
  // The states are written out, so that each condition is that of an index.
  const forget = async (beyond: Sql, column: Sql, ms: number): Promise<number> => {
    const rows = await tx.query(sql`
      update message_outbox o set ${column} = ${new Date(now.getTime() + ms)}::timestamptz
      from (select workspace_id, message_id from message_outbox where ${beyond} limit 1000 for update skip locked) e
      where o.workspace_id = e.workspace_id and o.message_id = e.message_id returning 1`);
    return rows.length;
  };
  const late = (ms: number) => sql`${latestFor(now, ms)}::timestamptz`;
  return (
    (await forget(
      // A reply that was not called yet was due when it was accepted. Only one that was called may wait rightly.
      sql`state = 'waiting' and ${EITHER} and available_at > ${late(0)}
        and (attempts = 0 or available_at > ${late(MOST_WAIT_MS)})`,
      sql`available_at`,
      0,
    )) +
    (await forget(
      sql`state in ('claimed', 'calling') and lease_until > ${late(MEDIA_LEASE_MS)}`,
      sql`lease_until`,
      MEDIA_LEASE_MS,
    )) +
    (await forget(
      sql`state = 'unknown' and unknown_until > ${late(EVIDENCE_WAIT_MS)}`,
      sql`unknown_until`,
      EVIDENCE_WAIT_MS,
    ))
  );
}
