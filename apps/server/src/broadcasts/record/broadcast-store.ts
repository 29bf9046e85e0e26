import type { Queryable, Tx } from "../../db/database.ts";
import { ifGiven, sql, type Sql } from "../../db/sql.ts";
import { TRANSITIONS, type Broadcast, type Trigger } from "./broadcast.ts";
import type { BroadcastKind, BroadcastStatus } from "../../wire/words.ts";
import { channelAt } from "../../channels/channel-sql.ts";
import { foldText } from "../../contacts/record/contact.ts";

/** A whole campaign; `b` is the broadcast. */
export const columns = sql`b.workspace_id as "workspaceId", b.id, b.name, b.channel_id as "channelId",
  b.channel_type as "channelType", b.kind, b.status, b.status_reason as "statusReason", b.template_id as "templateId",
  b.body, b.variables, b.header_text as "headerText", b.header_media_id as "headerMediaId",
  b.button_texts as "buttonTexts", coalesce(b.variants, '[]') as variants, b.reply_days as "replyDays", b.segment_id as "segmentId", b.scheduled_at as "scheduledAt",
  b.time_zone as "timeZone", b.local_time as "localTime", b.quiet_from as "quietFrom", b.quiet_until as "quietUntil",
  b.zones, b.parent_id as "parentId", b.parent_all as "parentAll", b.parent_unknown as "parentUnknown",
  b.contact_ids as "contactIds",
  b.rate_limit_per_minute as "rateLimitPerMinute", b.total_count as "totalCount", b.sent_count as "sentCount",
  b.delivered_count as "deliveredCount", b.read_count as "readCount", b.failed_count as "failedCount",
  b.skipped_count as "skippedCount", b.started_at as "startedAt", b.completed_at as "completedAt",
  b.created_at as "createdAt"`;

/** One campaign of the workspace, or null. Takes no lock. */
export async function selectBroadcast(
  db: Queryable,
  workspaceId: string,
  id: string,
): Promise<Broadcast | null> {
  const [row] = await db.query<Broadcast>(
    sql`select ${columns} from broadcast b where b.workspace_id = ${workspaceId} and b.id = ${id}`,
  );
  return row ?? null;
}

/** The names of these campaigns, in no order. Unknown ids are left out. */
export function selectBroadcastNames(
  db: Queryable,
  workspaceId: string,
  ids: readonly string[],
): Promise<{ readonly id: string; readonly name: string }[]> {
  return db.query(sql`
    select id, name from broadcast where workspace_id = ${workspaceId} and id = any (${ids}::uuid[])`);
}

/** Which campaigns a list shows; what is left out chooses none away. */
export interface BroadcastFilter {
  readonly statuses?: readonly BroadcastStatus[] | undefined;
  readonly kind?: BroadcastKind | undefined;
  readonly channelId?: string | undefined;
  readonly segmentId?: string | undefined;
  readonly parentId?: string | undefined;
  /** A part of the name, whatever its case. */
  readonly name?: string | undefined;
  readonly createdAfter?: Date | undefined;
  readonly createdBefore?: Date | undefined;
}

/** Newest first, along the key: ids are in order of time. */
export function selectNewestBroadcasts(
  db: Queryable,
  workspaceId: string,
  page: BroadcastFilter & { readonly before?: string | undefined; readonly limit: number },
): Promise<Broadcast[]> {
  const { statuses = [], name, before, limit } = page;
  const equal = (column: Sql, id: string | undefined) =>
    id === undefined ? sql`` : sql`and ${column} = ${id}`;
  const older = before === undefined ? sql`` : sql`and b.id < ${before}`;
  const only = statuses.length === 0 ? sql`` : sql`and b.status = any (${statuses}::text[])`;
  const named = name === undefined ? sql`` : sql`and strpos(folded(b.name), ${foldText(name)}) > 0`;
  const since = page.createdAfter ? sql`and b.created_at > ${page.createdAfter}` : sql``;
  const until = page.createdBefore ? sql`and b.created_at < ${page.createdBefore}` : sql``;
  return db.query<Broadcast>(sql`select ${columns} from broadcast b
    where b.workspace_id = ${workspaceId} ${older} ${only} ${equal(sql`b.kind`, page.kind)}
      ${equal(sql`b.channel_id`, page.channelId)} ${equal(sql`b.segment_id`, page.segmentId)}
      ${equal(sql`b.parent_id`, page.parentId)} ${named} ${since} ${until}
    order by b.id desc limit ${limit}`);
}

/** Stores a new campaign, in the state that it is created in. */
export async function insertBroadcast(tx: Tx, broadcast: Broadcast): Promise<void> {
  const b = broadcast;
  await tx.query(sql`
    insert into broadcast (workspace_id, id, name, channel_id, channel_type, kind, status, template_id, body, variables,
      header_text, header_media_id, button_texts, variants, reply_days, segment_id, scheduled_at, time_zone,
      local_time, quiet_from, quiet_until, parent_id, parent_all, parent_unknown, contact_ids, rate_limit_per_minute, created_at)
    values (${b.workspaceId}, ${b.id}, ${b.name}, ${b.channelId}, ${b.channelType}, ${b.kind}, ${b.status},
      ${b.templateId}, ${b.body}, ${b.variables}::text[],
      ${b.headerText}, ${b.headerMediaId}, ${JSON.stringify(b.buttonTexts)}::jsonb,
      ${b.variants.length > 0 ? JSON.stringify(b.variants) : null}::jsonb, ${b.replyDays}, ${b.segmentId}, ${b.scheduledAt},
      ${b.timeZone}, ${b.localTime}, ${b.quietFrom}, ${b.quietUntil}, ${b.parentId}, ${b.parentAll}, ${b.parentUnknown}, ${b.contactIds}::uuid[],
      ${b.rateLimitPerMinute},
      ${b.createdAt})`);
}

/** Writes a draft anew, everything that `createBroadcast` decides; false when it is no longer a draft. */
export async function rewriteDraft(tx: Tx, b: Broadcast): Promise<boolean> {
  const rows = await tx.query(sql`
    update broadcast set name = ${b.name}, kind = ${b.kind}, channel_id = ${b.channelId}, channel_type = ${b.channelType},
      template_id = ${b.templateId}, body = ${b.body}, variables = ${b.variables}::text[], header_text = ${b.headerText},
      header_media_id = ${b.headerMediaId}, button_texts = ${JSON.stringify(b.buttonTexts)}::jsonb,
      variants = ${b.variants.length > 0 ? JSON.stringify(b.variants) : null}::jsonb, reply_days = ${b.replyDays},
      segment_id = ${b.segmentId}, time_zone = ${b.timeZone}, local_time = ${b.localTime}, quiet_from = ${b.quietFrom},
      quiet_until = ${b.quietUntil}, rate_limit_per_minute = ${b.rateLimitPerMinute}
    where workspace_id = ${b.workspaceId} and id = ${b.id} and status = 'DRAFT' returning 1`);
  return rows.length > 0;
}

/** The draft, locked; null when it is no draft. */
export async function lockDraft(
  tx: Tx,
  { workspaceId, id }: BroadcastKey,
): Promise<Broadcast | null> {
  const [row] = await tx.query<Broadcast>(sql`select ${columns} from broadcast b
    where b.workspace_id = ${workspaceId} and b.id = ${id} and b.status = 'DRAFT' for no key update`);
  return row ?? null;
}

/** Deletes a draft with its timeline. Its tests stay, as campaigns of their own. */
export async function deleteDraftRows(tx: Tx, { workspaceId, id }: BroadcastKey): Promise<void> {
  await tx.query(sql`
    with entries as (
      delete from broadcast_entry where workspace_id = ${workspaceId} and broadcast_id = ${id}
    ), tests as (
      update broadcast set parent_id = null where workspace_id = ${workspaceId} and parent_id = ${id}
    )
    delete from broadcast where workspace_id = ${workspaceId} and id = ${id}`);
}

export interface Moved {
  readonly broadcast: Broadcast;
  readonly previousStatus: BroadcastStatus;
}

/**
 * Moves a campaign by the state table, or gives null when the table has no move from its present state. Of racing
 * calls one succeeds: the others find the status changed once they get the row. `condition` (over `b`) narrows it.
 * The same statement writes the move into the campaign's timeline. When a person starts a campaign that was
 * scheduled by each recipient's time, it loses that time: it starts now, for all recipients. A copy of it still
 * follows their clocks.
 */
export async function moveBroadcast(
  tx: Tx,
  key: { readonly workspaceId: string; readonly id: string },
  trigger: Trigger,
  facts: {
    readonly at: Date;
    readonly reason?: string;
    readonly scheduledAt?: Date | null;
    /** The actor, for the timeline: `key:ID`, `cli`; none: the engine. */
    readonly actor?: string | undefined;
  },
  condition: Sql = sql`true`,
): Promise<Moved | null> {
  const moves = Object.entries(TRANSITIONS[trigger]);
  const scheduled =
    facts.scheduledAt === undefined ? sql`b.scheduled_at` : sql`${facts.scheduledAt}::timestamptz`;
  const [row] = await tx.query<Broadcast & { previousStatus: BroadcastStatus }>(sql`
    with moved as (
    update broadcast b set status = m.target, status_reason = ${facts.reason ?? null},
      scheduled_at = case when ${trigger}::text = 'start' and m.origin = 'SCHEDULED' and b.local_time then null
        else ${scheduled} end,
      started_at = case when m.target = 'RUNNING' then coalesce(b.started_at, ${facts.at}::timestamptz)
        else b.started_at end,
      resumed_at = case when m.target = 'RUNNING' then ${facts.at}::timestamptz else b.resumed_at end,
      completed_at = case when m.target in ('COMPLETED', 'CANCELLED', 'FAILED') then ${facts.at}::timestamptz end
    from unnest(${moves.map(([from]) => from)}::text[], ${moves.map(([, to]) => to)}::text[]) as m (origin, target)
    where b.workspace_id = ${key.workspaceId} and b.id = ${key.id} and b.status = m.origin and ${condition}
    returning ${columns}, m.origin as "previousStatus"
    ), entry as (
      insert into broadcast_entry (workspace_id, broadcast_id, kind, from_status, to_status, cause, actor, created_at)
      select "workspaceId", id, ${trigger}, "previousStatus", status, "statusReason", ${facts.actor ?? null}, ${facts.at}
      from moved
    )
    select * from moved`);
  if (!row) return null;
  const { previousStatus, ...broadcast } = row;
  return { broadcast, previousStatus };
}

export interface BroadcastKey {
  readonly workspaceId: string;
  readonly id: string;
}

/**
 * The campaign, the campaigns that it resends, and all other resends of these; without tests. `over`: a recipient
 * who still waits in it will get nothing from it. `above`: the campaign itself, or one that it resends.
 */
export function selectFamily(
  db: Queryable,
  { workspaceId, id }: BroadcastKey,
): Promise<{ id: string; over: boolean; above: boolean }[]> {
  return db.query(sql`
    with recursive above as (
      select id, parent_id from broadcast where workspace_id = ${workspaceId} and id = ${id}
      union all
      select b.id, b.parent_id from above a
      join broadcast b on b.workspace_id = ${workspaceId} and b.id = a.parent_id
    ), family as (
      select id from above
      union
      select b.id from family f
      join broadcast b on b.workspace_id = ${workspaceId} and b.parent_id = f.id and b.contact_ids is null
    )
    select b.id, b.status in ('CANCELLED', 'FAILED') as over, b.id in (select id from above) as above from family f
    join broadcast b on b.workspace_id = ${workspaceId} and b.id = f.id`);
}

/**
 * Delays the storing of the audience of another resend of this family until the transaction ends: neither would
 * see the other's. An advisory lock, because late statuses need the campaigns' rows.
 */
export async function lockFamily(tx: Tx, { workspaceId, id }: BroadcastKey): Promise<void> {
  await tx.query(sql`
    with recursive above as (
      select id, parent_id from broadcast where workspace_id = ${workspaceId} and id = ${id}
      union all
      select b.id, b.parent_id from above a
      join broadcast b on b.workspace_id = ${workspaceId} and b.id = a.parent_id
    )
    select pg_advisory_xact_lock(hashtextextended('resends:' || id, 0)) from above where parent_id is null`);
}

/**
 * Scheduled campaigns of all workspaces that may be due. One that follows each recipient's zone is given from 27
 * hours before its own time on. The caller decides for each (`scheduledStart`).
 */
export function selectDue(db: Queryable, now: Date, limit: number): Promise<Broadcast[]> {
  return db.query<Broadcast>(sql`select ${columns} from broadcast b
    where b.status = 'SCHEDULED' and b.scheduled_at <= ${now}::timestamptz + interval '27 hours'
      and (b.local_time or b.scheduled_at <= ${now}) order by b.local_time, b.scheduled_at limit ${limit}`);
}

/** Campaigns whose audience is not stored yet, in all workspaces. */
export function selectQueued(db: Queryable): Promise<BroadcastKey[]> {
  return db.query<BroadcastKey>(
    sql`select workspace_id as "workspaceId", id from broadcast where status = 'QUEUED' order by id`,
  );
}

/** Running campaigns that may send now, in all workspaces: neither they nor their channel were asked to wait. */
export function selectSendable(db: Queryable, now: Date): Promise<BroadcastKey[]> {
  return db.query<BroadcastKey>(sql`
    select b.workspace_id as "workspaceId", b.id from broadcast b
    left join lateral ${channelAt(sql`b.workspace_id`, sql`b.channel_id`)} c on true
    where b.status = 'RUNNING' and (b.throttled_until is null or b.throttled_until <= ${now})
      and (c.throttled_until is null or c.throttled_until <= ${now})
    order by b.id`);
}

/** The queued campaign, locked, with the contact up to which its audience is stored. */
export async function lockQueued(
  tx: Tx,
  key: BroadcastKey,
): Promise<{ broadcast: Broadcast; cursor: string | null } | null> {
  const [row] = await tx.query<Broadcast & { cursor: string | null }>(sql`
    select ${columns}, b.audience_cursor as cursor from broadcast b
    where b.workspace_id = ${key.workspaceId} and b.id = ${key.id} and b.status = 'QUEUED' for no key update skip locked`);
  if (!row) return null;
  const { cursor, ...broadcast } = row;
  return { broadcast, cursor };
}

/** Parks a campaign until that time; never shortens a wait. The timeline tells where a wait begins, and why. */
export async function parkBroadcast(
  tx: Tx,
  key: BroadcastKey,
  until: Date,
  why: { readonly cause: string; readonly at: Date },
): Promise<void> {
  await tx.query(sql`
    with old as (
      select coalesce(throttled_until > ${why.at}, false) as waits from broadcast
      where workspace_id = ${key.workspaceId} and id = ${key.id} for no key update
    ), entry as (
      insert into broadcast_entry (workspace_id, broadcast_id, kind, cause, until, created_at)
      select ${key.workspaceId}, ${key.id}, 'waited', ${why.cause}, ${until}, ${why.at} from old where not waits
    )
    update broadcast set throttled_until = greatest(throttled_until, ${until}::timestamptz) from old
    where workspace_id = ${key.workspaceId} and id = ${key.id}`);
}

/**
 * Halves the rate once per episode: calls begun before the last halving were already open and do not count. The
 * next refill cuts the remaining tokens to the new rate.
 */
export async function halveRate(
  tx: Tx,
  key: BroadcastKey,
  floor: number,
  calledAt: Date,
  now: Date,
): Promise<void> {
  await tx.query(sql`
    with old as (
      select rate_limit_per_minute as rate from broadcast
      where workspace_id = ${key.workspaceId} and id = ${key.id} and (halved_at is null or halved_at < ${calledAt})
      for no key update
    ), moved as (
      update broadcast set rate_limit_per_minute = greatest(${floor}::integer, old.rate / 2), halved_at = ${now}
      from old where workspace_id = ${key.workspaceId} and id = ${key.id}
      returning old.rate as was, rate_limit_per_minute as became
    )
    insert into broadcast_entry (workspace_id, broadcast_id, kind, cause, rate_from, rate_to, created_at)
    select ${key.workspaceId}, ${key.id}, 'halved', 'THROTTLED', was, became, ${now} from moved`);
}

/**
 * Pauses every running campaign and makes drafts of those that would start, with an entry in the timeline of each.
 * Recipients with an open send count as called. Gives the number of campaigns and of such recipients.
 */
export async function haltCampaigns(
  tx: Tx,
  now: Date,
  reason: string,
): Promise<{ readonly campaigns: number; readonly recipients: number }> {
  const recipients = await tx.query(sql`update broadcast_recipient
    set called_at = coalesce(called_at, ${now}::timestamptz)
    where status = 'sending' returning 1`);
  // Calls that had not begun when the backup was made may have been made since: no other process makes them (`cutFlights`).
  await tx.query(sql`update broadcast_flight set begun = null`);
  const campaigns = await tx.query(sql`
    with halted as (
      update broadcast b set status = case when b.status = 'RUNNING' then 'PAUSED' else 'DRAFT' end,
        status_reason = ${reason}, scheduled_at = null
      from (select workspace_id, id, status from broadcast where status in ('SCHEDULED', 'QUEUED', 'RUNNING')) o
      where b.workspace_id = o.workspace_id and b.id = o.id
      returning b.workspace_id, b.id, o.status as origin, b.status)
    insert into broadcast_entry (workspace_id, broadcast_id, kind, from_status, to_status, cause, created_at)
    select workspace_id, id, 'halt', origin, status, ${reason}, ${now}::timestamptz from halted returning 1`);
  return { campaigns: campaigns.length, recipients: recipients.length };
}

/** The workspace of a campaign, for the command line, which names only the campaign; undefined when there is none. */
export async function workspaceOfBroadcast(db: Queryable, id: string): Promise<string | undefined> {
  const [row] = await db.query<{ workspaceId: string }>(
    sql`select workspace_id as "workspaceId" from broadcast where id = ${id}`,
  );
  return row?.workspaceId;
}

/** Names of the campaigns that are about to read the segment or may still do so. */
export async function campaignsWaitingFor(
  tx: Tx,
  workspaceId: string,
  segmentId: string,
): Promise<string[]> {
  const rows = await tx.query<{ name: string }>(sql`
    select name from broadcast
    where workspace_id = ${workspaceId} and segment_id = ${segmentId}
      and status in ('SCHEDULED', 'QUEUED', 'RUNNING', 'PAUSED')
    order by id limit 5`);
  return rows.map((row) => row.name);
}

/** Those of the newest 1,000 campaigns that send on a channel or are about to, newest first. */
export function selectUnfinishedOn(
  db: Queryable,
  workspaceId: string,
  channelId: string,
): Promise<{ id: string; name: string; status: BroadcastStatus }[]> {
  return db.query(sql`
    select id, name, status from (
      select id, name, status, channel_id from broadcast where workspace_id = ${workspaceId} order by id desc limit 1000) newest
    where channel_id = ${channelId} and status in ('SCHEDULED', 'QUEUED', 'RUNNING', 'PAUSED')
    order by id desc limit 20`);
}

/**
 * Campaigns that are scheduled, under way, paused or ended after `since`, with a text that differs once anything of them that
 * pages show has moved.
 */
export function selectMoving(
  db: Queryable,
  workspaceIds: readonly string[],
  since: Date,
): Promise<{ readonly workspaceId: string; readonly id: string; readonly at: string }[]> {
  // Each of the three has an index of its own.
  return db.query(sql`
    select b.workspace_id as "workspaceId", b.id, concat_ws(' ', b.status, b.total_count, b.sent_count, b.delivered_count,
      b.read_count, b.failed_count, b.skipped_count, (select max(e.id) from broadcast_entry e
        where e.workspace_id = b.workspace_id and e.broadcast_id = b.id)) as at
    from (
      select * from broadcast where status in ('QUEUED', 'RUNNING') and workspace_id = any (${workspaceIds}::uuid[])
      union all
      select * from broadcast where status = 'SCHEDULED' and workspace_id = any (${workspaceIds}::uuid[])
      union all
      select * from broadcast where workspace_id = any (${workspaceIds}::uuid[]) and started_at is not null
        and coalesce(completed_at, 'infinity') > ${since}::timestamptz and status not in ('QUEUED', 'RUNNING', 'SCHEDULED')
    ) b`);
}

/** Whether the workspace ever made a campaign. */
export async function hasBroadcasts(db: Queryable, workspaceId: string): Promise<boolean> {
  const rows = await db.query(
    sql`select 1 from broadcast where workspace_id = ${workspaceId} limit 1`,
  );
  return rows.length > 0;
}

/** A campaign that has not ended, and the segment it uses. */
export interface SegmentCampaign {
  readonly segmentId: string;
  readonly id: string;
  readonly name: string;
  readonly status: BroadcastStatus;
}

/** Campaigns of the workspace that have not ended and use a segment, the newest first; at most `limit`. */
export function selectSegmentCampaigns(
  db: Queryable,
  workspaceId: string,
  segmentId: string | null,
  limit: number,
): Promise<SegmentCampaign[]> {
  return db.query<SegmentCampaign>(sql`
    select segment_id as "segmentId", id, name, status from broadcast
    where workspace_id = ${workspaceId} and segment_id is not null
      ${ifGiven(segmentId, (given) => sql`and segment_id = ${given}`)}
      and status in ('DRAFT', 'SCHEDULED', 'QUEUED', 'RUNNING', 'PAUSED')
    order by id desc limit ${limit}`);
}

/** The campaigns that are under way or paused, and those of whose calls one is not settled. */
export async function selectUnfinished(db: Queryable, workspaceId: string): Promise<string[]> {
  const rows = await db.query<{ id: string }>(sql`
    select id from broadcast where workspace_id = ${workspaceId} and status in ('QUEUED', 'RUNNING', 'PAUSED')
    union select broadcast_id from broadcast_flight where workspace_id = ${workspaceId}`);
  return rows.map(({ id }) => id);
}
