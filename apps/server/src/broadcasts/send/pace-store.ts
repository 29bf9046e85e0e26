import type { Queryable, Tx } from "../../db/database.ts";
import { sql, type Sql } from "../../db/sql.ts";
import type { Broadcast } from "../record/broadcast.ts";
import { columns, type BroadcastKey } from "../record/broadcast-store.ts";
import type { NumberPace, Sharer } from "./number-pace.ts";
import type { Pace } from "./pace.ts";
import { waitingIn } from "../audience/waiting-store.ts";
import { channelAt } from "../../channels/channel-sql.ts";

/**
 * The number of channel `c` as its platform knows it, in any workspace. The same number at another address is
 * another number; a sandbox moves and keeps its ids.
 */
const accountOfChannel = sql`c.type || ' ' || case when c.sandbox then '' else coalesce(c.api_url, '') end || ' '
  || c.external_id`;

/** The number of campaign `b` on channel `c`; SMS has the workspace's gateway. */
const accountOf = sql`case when c.id is null then 'SMS ' || b.workspace_id else ${accountOfChannel} end`;

const numberColumns = sql`n.account, n.tokens as "numberTokens", n.at as "numberAt", n.ceiling,
  n.halved_at as "halvedAt", n.most, n.sharers`;

interface NumberRow {
  readonly account: string;
  readonly numberTokens: number;
  readonly numberAt: Date | null;
  readonly ceiling: number | null;
  readonly halvedAt: Date | null;
  readonly most: number | null;
  readonly sharers: Readonly<Record<string, Sharer>>;
}

const toNumber = (row: NumberRow): NumberPace => ({
  account: row.account,
  pace: { tokens: row.numberTokens, at: row.numberAt },
  ceiling: row.ceiling,
  halvedAt: row.halvedAt,
  most: row.most,
  sharers: row.sharers,
});

export interface Locked {
  readonly broadcast: Broadcast;
  readonly pace: Pace;
  /** Null: nothing is known of the number yet (`openNumber`). */
  readonly number: NumberPace | null;
}

interface LockedRow extends Broadcast, Omit<NumberRow, "account"> {
  readonly tokens: number;
  readonly paceAt: Date | null;
  readonly account: string | null;
}

/**
 * The running campaign, locked, and its number, locked before it. A pause or cancel of the campaign waits for
 * this, or comes first and this finds it paused. Also null while the platform asked the number or the campaign to
 * wait.
 */
export async function lockRunning(tx: Tx, key: BroadcastKey, now: Date): Promise<Locked | null> {
  const [row] = await tx.query<LockedRow>(sql`
    with number as (
      select ${numberColumns}, n.throttled_until from broadcast b
      left join lateral ${channelAt(sql`b.workspace_id`, sql`b.channel_id`)} c on true
      join number_pace n on n.account = ${accountOf}
      where b.workspace_id = ${key.workspaceId} and b.id = ${key.id} for no key update of n
    )
    select ${columns}, b.pace_tokens as tokens, b.pace_at as "paceAt", n.account, n."numberTokens", n."numberAt",
      n.ceiling, n."halvedAt", n.most, n.sharers
    from broadcast b left join number n on true
    where b.workspace_id = ${key.workspaceId} and b.id = ${key.id} and b.status = 'RUNNING'
      and (b.throttled_until is null or b.throttled_until <= ${now})
      and (n.throttled_until is null or n.throttled_until <= ${now}) for no key update of b`);
  if (!row) return null;
  const {
    tokens,
    paceAt,
    account,
    numberTokens,
    numberAt,
    ceiling,
    halvedAt,
    most,
    sharers,
    ...broadcast
  } = row;
  const budget = { numberTokens, numberAt, ceiling, halvedAt, most, sharers };
  const number = account === null ? null : toNumber({ account, ...budget });
  return { broadcast, pace: { tokens, at: paceAt }, number };
}

/** The first campaign on a number creates its row, in a transaction of its own. */
export async function openNumber(db: Queryable, key: BroadcastKey): Promise<void> {
  await db.query(sql`
    insert into number_pace (account) select ${accountOf} from broadcast b
      left join lateral ${channelAt(sql`b.workspace_id`, sql`b.channel_id`)} c on true
      where b.workspace_id = ${key.workspaceId} and b.id = ${key.id} on conflict do nothing`);
}

const placesOf = ({ account, pace, sharers }: NumberPace): Sql => sql`
  update number_pace set tokens = ${pace.tokens}, at = ${pace.at}, sharers = ${JSON.stringify(sharers)}::jsonb
  where account = ${account}`;

/** Stores taken places, of the campaign and of its number, in one statement. Both rows are locked. */
export async function updatePace(
  tx: Tx,
  key: BroadcastKey,
  own: Pace,
  number: NumberPace,
): Promise<void> {
  await tx.query(sql`
    with taken as (${placesOf(number)})
    update broadcast set pace_tokens = ${own.tokens}, pace_at = ${own.at}
    where workspace_id = ${key.workspaceId} and id = ${key.id}`);
}

/**
 * Stores that a campaign which could take nothing from its number wants its share, if somebody of these zones
 * waits.
 */
export async function updateSharers(
  tx: Tx,
  key: BroadcastKey,
  number: NumberPace,
  zones: readonly string[],
  now: Date,
): Promise<void> {
  await tx.query(sql`
    update number_pace set sharers = ${JSON.stringify(number.sharers)}::jsonb
    where account = ${number.account} and ${waitingIn(key, zones, now)}`);
}

/** The number of a campaign, locked before everything else in the transaction. */
export async function lockNumber(tx: Tx, key: BroadcastKey): Promise<NumberPace | null> {
  const [row] = await tx.query<NumberRow>(sql`
    select ${numberColumns} from broadcast b
    left join lateral ${channelAt(sql`b.workspace_id`, sql`b.channel_id`)} c on true
    join number_pace n on n.account = ${accountOf}
    where b.workspace_id = ${key.workspaceId} and b.id = ${key.id} for no key update of n`);
  return row ? toNumber(row) : null;
}

/**
 * The number of a channel, locked, for what batches send on it; its row is made where there is none. Null while the
 * platform asked the number to wait, and for a channel that was removed.
 */
export async function lockNumberOf(
  tx: Tx,
  workspaceId: string,
  channelId: string,
  now: Date,
): Promise<NumberPace | null> {
  const select = () =>
    tx.query<NumberRow & { readonly waits: boolean }>(sql`
      select ${numberColumns}, coalesce(n.throttled_until > ${now}, false) as waits
      from ${channelAt(workspaceId, channelId)} c
      join number_pace n on n.account = ${accountOfChannel} for no key update of n`);
  let [row] = await select();
  if (!row) {
    await tx.query(sql`
      insert into number_pace (account) select ${accountOfChannel} from ${channelAt(workspaceId, channelId)} c
      on conflict do nothing`);
    [row] = await select();
  }
  return row && !row.waits ? toNumber(row) : null;
}

/** Stores the places that were taken of a number, and who shares it. The row is locked. */
export async function updatePlaces(tx: Tx, number: NumberPace): Promise<void> {
  await tx.query(placesOf(number));
}

/** The number's new limit; a wait is never shortened. The row is locked. */
export async function updateNumber(
  tx: Tx,
  number: NumberPace,
  throttledUntil: Date | null,
): Promise<void> {
  await tx.query(sql`
    update number_pace set ceiling = ${number.ceiling}, halved_at = ${number.halvedAt},
      throttled_until = greatest(throttled_until, ${throttledUntil}::timestamptz)
    where account = ${number.account}`);
}

/** Sets the pace of a campaign in one of these states; null when it is in another. A changed pace is recorded. */
export async function setRate(
  tx: Tx,
  key: BroadcastKey,
  states: readonly string[],
  rate: number,
  facts: { readonly at: Date; readonly actor: string | null },
): Promise<Broadcast | null> {
  const [row] = await tx.query<Broadcast>(sql`
    with old as (
      select rate_limit_per_minute as rate from broadcast where workspace_id = ${key.workspaceId} and id = ${key.id}
        and status = any (${states}::text[]) for no key update
    ), entry as (
      insert into broadcast_entry (workspace_id, broadcast_id, kind, actor, rate_from, rate_to, created_at)
      select ${key.workspaceId}, ${key.id}, 'paced', ${facts.actor}, old.rate, ${rate}::integer, ${facts.at}
      from old where old.rate <> ${rate}
    )
    update broadcast b set rate_limit_per_minute = ${rate}, halved_at = ${facts.at} from old
    where b.workspace_id = ${key.workspaceId} and b.id = ${key.id} returning ${columns}`);
  return row ?? null;
}

/** Lets the number send at least this fast again, whatever the platform refused before. Locked before the campaign. */
export async function liftNumber(tx: Tx, key: BroadcastKey, rate: number): Promise<void> {
  await tx.query(sql`
    update number_pace n set ceiling = greatest(n.ceiling, ${rate}::integer) from broadcast b
    left join lateral ${channelAt(sql`b.workspace_id`, sql`b.channel_id`)} c on true
    where b.workspace_id = ${key.workspaceId} and b.id = ${key.id} and n.account = ${accountOf}
      and n.ceiling < ${rate}`);
}

export interface ChannelPace {
  /** Messages a minute by hand, null: none. */
  readonly most: number | null;
  /** The limit that the platform's refusals set for the number since `halvedAt`, for a day. */
  readonly ceiling: number | null;
  readonly halvedAt: Date | null;
}

/** The settings and limits of the number of a channel; undefined: there is no such channel. */
export async function selectChannelPace(
  db: Queryable,
  workspaceId: string,
  channelId: string,
): Promise<ChannelPace | undefined> {
  const [row] = await db.query<ChannelPace>(sql`
    select n.most, n.ceiling, n.halved_at as "halvedAt" from ${channelAt(workspaceId, channelId)} c
    left join number_pace n on n.account = ${accountOfChannel}`);
  return row;
}

/** Sets the most that the number of a channel may send; null removes that limit. */
export async function setMost(
  tx: Tx,
  workspaceId: string,
  channelId: string,
  most: number | null,
): Promise<void> {
  await tx.query(sql`
    insert into number_pace as n (account, most)
    select ${accountOfChannel}, ${most}::integer from ${channelAt(workspaceId, channelId)} c
    on conflict (account) do update set most = excluded.most`);
}

/**
 * Ends waits of numbers beyond `latestWait`, and takes a halving after `latest` for one of now. Returns how many numbers
 * had one.
 */
export async function endNumberWaits(
  tx: Tx,
  times: { readonly now: Date; readonly latest: Date; readonly latestWait: Date },
): Promise<number> {
  const { now, latest, latestWait } = times;
  const rows = await tx.query(sql`
    update number_pace set
      throttled_until = case when throttled_until > ${latestWait}::timestamptz then null else throttled_until end,
      halved_at = case when halved_at > ${latest}::timestamptz then ${now}::timestamptz else halved_at end
    where throttled_until > ${latestWait}::timestamptz or halved_at > ${latest}::timestamptz returning 1`);
  return rows.length;
}
