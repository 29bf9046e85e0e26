import type { InboundMedia } from "../channels/adapter.ts";
import type { Queryable, Tx } from "../db/database.ts";
import { sql } from "../db/sql.ts";
import { latestFor } from "../lib/clock.ts";
import { MOST_FETCH_WAIT_MS } from "./fetch-policy.ts";
import type { MediaFailure, MediaKey } from "./media.ts";
import type { StoredFacts } from "./media-store.ts";

/** A file that this process fetches now. */
export interface ClaimedMedia
  extends MediaKey, Pick<InboundMedia, "kind" | "mimeType" | "fileName" | "size"> {
  readonly messageId: string;
  readonly channelId: string;
  readonly sourceSealed: Buffer;
  /** Includes this try. It is also the fence: a worker that lost its lease cannot settle. */
  readonly attempts: number;
}

/**
 * Claims due files, oldest first. A file whose lease has ended is due again. A channel gets at most `perChannel` files,
 * including those that are being fetched already (`inAir`, by channel).
 */
export function claimFetches(
  db: Queryable,
  options: {
    readonly now: Date;
    readonly leaseUntil: Date;
    /** The process that claims. */
    readonly by: string;
    readonly limit: number;
    readonly perChannel: number;
    readonly inAir: ReadonlyMap<string, number>;
  },
): Promise<ClaimedMedia[]> {
  const { now, leaseUntil, by, limit, perChannel, inAir } = options;
  const busy = [...inAir].filter(([, count]) => count >= perChannel).map(([id]) => id);
  return db.query<ClaimedMedia>(sql`
    with due as (
      select workspace_id, id, channel_id, available_at from media
      where state = 'pending' and available_at <= ${now}::timestamptz and channel_id <> all (${busy}::uuid[])
      order by available_at limit ${limit} for update skip locked
    ),
    placed as (
      select workspace_id, id, channel_id, row_number() over (partition by channel_id order by available_at) as place
      from due
    ),
    fitting as (
      select p.workspace_id, p.id from placed p
        left join unnest(${[...inAir.keys()]}::uuid[], ${[...inAir.values()]}::int[]) as a (channel_id, count) using (channel_id)
      where p.place + coalesce(a.count, 0) <= ${perChannel}
    )
    update media m set attempts = m.attempts + 1, available_at = ${leaseUntil}::timestamptz, claimed_by = ${by}::uuid
    from fitting f where m.workspace_id = f.workspace_id and m.id = f.id
    returning m.workspace_id as "workspaceId", m.id, m.message_id as "messageId", m.channel_id as "channelId", m.kind,
      m.mime_type as "mimeType", m.file_name as "fileName", m.size, m.source_sealed as "sourceSealed", m.attempts`);
}

/** Makes the files due now that a process was fetching. Gives how many. */
export async function releaseFetchesOf(tx: Tx, processId: string, now: Date): Promise<number> {
  const rows = await tx.query(sql`
    update media set available_at = ${now}::timestamptz, claimed_by = null
    where state = 'pending' and available_at > ${now}::timestamptz and claimed_by = ${processId}::uuid returning 1`);
  return rows.length;
}

/** Notes that the bytes are in the store. False: the claim is no longer ours, or the message was withdrawn. */
export async function markStored(
  tx: Tx,
  claim: ClaimedMedia,
  facts: StoredFacts,
): Promise<boolean> {
  const rows = await tx.query(sql`
    update media set state = 'stored', available_at = null, source_sealed = null, mime_type = ${facts.mimeType},
      file_name = ${facts.fileName}, size = ${facts.size}, sha256 = decode(${facts.sha256}, 'hex')
    where workspace_id = ${claim.workspaceId} and id = ${claim.id} and state = 'pending'
      and attempts = ${claim.attempts} and available_at is not null returning 1`);
  return rows.length > 0;
}

/** Notes that the file will never come, and why. False: the claim is no longer ours, or the message was withdrawn. */
export async function markFailed(
  tx: Tx,
  claim: ClaimedMedia,
  reason: MediaFailure,
  detail: string,
): Promise<boolean> {
  const rows = await tx.query(sql`
    update media set state = 'failed', reason = ${reason}, detail = ${detail}, available_at = null,
      source_sealed = null
    where workspace_id = ${claim.workspaceId} and id = ${claim.id} and state = 'pending'
      and attempts = ${claim.attempts} and available_at is not null returning 1`);
  return rows.length > 0;
}

/**
 * Makes the file due again at `at`. `counts` is false when we stopped the try ourselves, which says nothing about the
 * file.
 */
export async function postponeFetch(
  db: Queryable,
  claim: ClaimedMedia,
  at: Date,
  counts: boolean,
): Promise<void> {
  await db.query(sql`
    update media set available_at = ${at}::timestamptz,
      attempts = attempts - case when ${counts}::boolean then 0 else 1 end
    where workspace_id = ${claim.workspaceId} and id = ${claim.id} and state = 'pending'
      and attempts = ${claim.attempts} and available_at is not null`);
}

/** Makes files due now that were stored or tried while a clock was far ahead. Gives how many. */
export async function forgetFutureFiles(tx: Tx, now: Date): Promise<number> {
  const rows = await tx.query(sql`
    update media m set available_at = ${now}::timestamptz
    from (select workspace_id, id from media
      where state = 'pending' and available_at > ${latestFor(now, 0)}::timestamptz
        and (attempts = 0 or available_at > ${latestFor(now, MOST_FETCH_WAIT_MS)}::timestamptz)
      limit 1000 for update skip locked) e
    where m.workspace_id = e.workspace_id and m.id = e.id returning 1`);
  return rows.length;
}
