import type { Queryable, Tx } from "../db/database.ts";
import { nilId, sql } from "../db/sql.ts";
import type { ChannelUsageJson } from "../wire/usage.ts";
import { botCount } from "../bots/record/bot-sql.ts";
import { seatCount } from "../workspaces/workspace-sql.ts";

export interface SlotWant {
  readonly workspaceId: string;
  readonly count: number;
  readonly limit: number | null;
  readonly suspended: boolean;
}

export interface Grant {
  readonly granted: number;
  readonly used: number;
  readonly announcedBefore: number;
  readonly announced: number;
}

/**
 * Reserves slots, in one statement. The first message of a month needs two more, which make the row and reserve again.
 */
export async function reserve(
  tx: Tx,
  month: string,
  wants: readonly SlotWant[],
): Promise<Map<string, Grant>> {
  const grants = await take(tx, month, wants);
  const missing = wants.filter((want) => !grants.has(want.workspaceId));
  if (missing.length === 0) return grants;
  await tx.query(sql`
    insert into usage_month (workspace_id, month)
    select w, ${month}::date from unnest(${missing.map((one) => one.workspaceId)}::uuid[]) w order by w
    on conflict do nothing`);
  for (const [id, grant] of await take(tx, month, missing)) grants.set(id, grant);
  return grants;
}

async function take(
  tx: Tx,
  month: string,
  wants: readonly SlotWant[],
): Promise<Map<string, Grant>> {
  if (wants.length === 0) return new Map();
  // The lock comes before the sum, so what is left is counted on the row as it is while we hold it.
  const rows = await tx.query<Grant & { workspaceId: string }>(sql`
    with want as (
      select * from unnest(
        ${wants.map((one) => one.workspaceId)}::uuid[], ${wants.map((one) => one.count)}::bigint[],
        ${wants.map((one) => one.limit)}::bigint[]) as w (workspace_id, count, ceiling)
    ), held as (
      select m.workspace_id, m.used, m.announced, w.count, w.ceiling
      from want w join usage_month m on m.workspace_id = w.workspace_id and m.month = ${month}::date
      order by m.workspace_id for update of m
    ), given as (
      select workspace_id, used, announced, ceiling,
        case when ceiling is null then count else least(count, greatest(0, ceiling - used)) end as granted
      from held
    )
    update usage_month m set used = m.used + g.granted,
      announced = greatest(m.announced, case
        when g.granted = 0 or g.ceiling is null or g.ceiling = 0 then 0
        when (g.used + g.granted) * 100 >= g.ceiling * 100 then 100
        when (g.used + g.granted) * 100 >= g.ceiling * 80 then 80
        else 0 end)
    from given g where m.workspace_id = g.workspace_id and m.month = ${month}::date
    returning m.workspace_id as "workspaceId", g.granted, m.used, g.announced as "announcedBefore", m.announced`);
  return new Map(rows.map(({ workspaceId, ...grant }) => [workspaceId, grant]));
}

export interface ChannelCount {
  readonly workspaceId: string;
  readonly day: string;
  readonly channelId: string;
  sent: number;
  received: number;
  failed: number;
  aiReplies: number;
}

/**
 * Adds to the meter. There is one count for each channel and day, and it may be negative. The rows are locked in key
 * order.
 */
export async function addCounts(tx: Tx, counts: readonly ChannelCount[]): Promise<void> {
  await tx.query(sql`
    insert into usage_day as u (workspace_id, day, channel_id, sent, received, failed, ai_replies)
    select * from unnest(
      ${counts.map((one) => one.workspaceId)}::uuid[], ${counts.map((one) => one.day)}::date[],
      ${counts.map((one) => one.channelId)}::uuid[], ${counts.map((one) => one.sent)}::bigint[],
      ${counts.map((one) => one.received)}::bigint[], ${counts.map((one) => one.failed)}::bigint[], ${counts.map((one) => one.aiReplies)}::bigint[]
    ) as c (workspace_id, day, channel_id, sent, received, failed, ai_replies)
    order by workspace_id, day, channel_id
    on conflict (workspace_id, day, channel_id) do update
    set sent = u.sent + excluded.sent, received = u.received + excluded.received, failed = u.failed + excluded.failed,
      ai_replies = u.ai_replies + excluded.ai_replies`);
}

export interface SummaryRow {
  readonly used: number;
  /** AI replies that are reserved, sent or suggested. */
  readonly aiUsed: number;
  readonly seats: number;
  readonly channels: number;
  readonly bots: number;
  readonly meters: readonly ChannelUsageJson[];
}

/** Reads the whole summary in one statement, so that its figures belong to one moment. */
export async function selectSummary(
  db: Queryable,
  workspaceId: string,
  month: string,
  now: Date,
): Promise<SummaryRow> {
  const [row] = await db.query<SummaryRow>(sql`
    select
      coalesce((select used from usage_month
        where workspace_id = ${workspaceId} and month = ${month}::date), 0) as used,
      coalesce((select ai_used from usage_month
        where workspace_id = ${workspaceId} and month = ${month}::date), 0) as "aiUsed",
      ${seatCount(workspaceId, now)} as seats,
      (select count(*) from channel where workspace_id = ${workspaceId} and status <> 'disconnected') as channels,
      ${botCount(workspaceId)} as bots,
      coalesce((
        select json_agg(json_build_object(
          'channelId', case when u.channel_id <> ${nilId} then u.channel_id end,
          'channelType', c.type,
          'displayName', case when u.channel_id = ${nilId} then 'SMS' else c.name end,
          'sent', u.sent, 'received', u.received, 'failed', u.failed, 'aiReplies', u.ai_replies)
          order by u.channel_id)
        from (
          select channel_id, sum(sent)::bigint as sent, sum(received)::bigint as received,
            sum(failed)::bigint as failed, sum(ai_replies)::bigint as ai_replies
          from (
            select channel_id, sent, received, failed, ai_replies from usage_day
            where workspace_id = ${workspaceId} and day >= ${month}::date
              and day < (${month}::date + interval '1 month')::date
            union all
            -- What was metered before there were days.
            select channel_id, sent, received, failed, ai_replies from usage_channel
            where workspace_id = ${workspaceId} and month = ${month}::date
          ) counted
          group by channel_id
        ) u left join channel c on c.workspace_id = ${workspaceId} and c.id = u.channel_id), '[]') as meters`);
  if (!row) throw new Error("no summary row");
  return row;
}

/** The messages of one day, over all channels. */
export interface DayRow {
  /** `2026-11-25` */
  readonly day: string;
  readonly sent: number;
  readonly received: number;
  readonly failed: number;
}

/** The days from `from` on that have messages, oldest first. It reads one row for each channel and day. */
export function selectDays(db: Queryable, workspaceId: string, from: string): Promise<DayRow[]> {
  return db.query<DayRow>(sql`
    select to_char(day, 'YYYY-MM-DD') as day, sum(sent)::bigint as sent, sum(received)::bigint as received,
      sum(failed)::bigint as failed
    from usage_day where workspace_id = ${workspaceId} and day >= ${from}::date
    group by usage_day.day order by usage_day.day`);
}

/** What was metered in one month. */
export interface MonthRow {
  /** `2026-11` */
  readonly month: string;
  readonly messages: number;
  readonly sent: number;
  readonly received: number;
  readonly failed: number;
  readonly aiReplies: number;
}

/** The months before the day `before` in which something was metered, newest first. */
export function selectMonths(
  db: Queryable,
  workspaceId: string,
  before: string,
  limit: number,
): Promise<MonthRow[]> {
  return db.query<MonthRow>(sql`
    select to_char(c.month, 'YYYY-MM') as month,
      coalesce((select used from usage_month m where m.workspace_id = ${workspaceId} and m.month = c.month), 0) as messages,
      sum(sent)::bigint as sent, sum(received)::bigint as received, sum(failed)::bigint as failed,
      sum(ai_replies)::bigint as "aiReplies"
    from (
      select date_trunc('month', day)::date as month, sent, received, failed, ai_replies from usage_day
      where workspace_id = ${workspaceId} and day < ${before}::date
      union all
      -- What was metered before there were days.
      select month, sent, received, failed, ai_replies from usage_channel
      where workspace_id = ${workspaceId} and month < ${before}::date
    ) c
    group by c.month order by c.month desc limit ${limit}`);
}
