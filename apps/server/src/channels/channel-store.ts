import { ifGiven, sql } from "../db/sql.ts";
import type { Db, Queryable, Tx } from "../db/database.ts";
import type { ChannelType, ChannelStatus } from "../wire/words.ts";
import type { Channel } from "./channel.ts";
import type { CallCount } from "./hook-calls.ts";

/** A row with its sealed secrets. It leaves this folder only opened (`load-accounts.ts`) or without them. */
export type ChannelRow = Channel & {
  readonly secretsSealed: Buffer;
  /** Since when it has these secrets. */
  readonly secretsSince: Date | null;
  /** True when a workspace set `apiUrl`: the channel is then called through the address guard. */
  readonly apiUrlGuarded: boolean;
};

const COLUMNS = sql`id, workspace_id as "workspaceId", type, name, status, status_reason as "statusReason",
  external_id as "externalId", api_url as "apiUrl", api_url_guarded as "apiUrlGuarded", settings, secrets_sealed as "secretsSealed",
  secrets_since as "secretsSince", sandbox,
  throttled_until as "throttledUntil", synced_at as "syncedAt", sync_error as "syncError",
  last_webhook_at as "lastWebhookAt", wrong_signatures as "wrongSignatures",
  wrong_signatures_since as "wrongSignaturesSince", wrong_signature_at as "wrongSignatureAt",
  wrong_verify_token_at as "wrongVerifyTokenAt", created_at as "createdAt"`;

/** The channel as it may be shown and passed on. */
export function withoutSecrets(row: ChannelRow): Channel {
  const {
    secretsSealed: _secrets,
    secretsSince: _since,
    apiUrlGuarded: _guarded,
    ...channel
  } = row;
  return channel;
}

/** How many of the plan's channels are in use: all but the disconnected ones. */
export async function countOpenChannels(tx: Tx, workspaceId: string): Promise<number> {
  const rows = await tx.query<{ count: number }>(
    sql`select count(*) as count from channel where workspace_id = ${workspaceId} and status <> 'disconnected'`,
  );
  return rows[0]?.count ?? 0;
}

/** All channels of the workspace, disconnected ones too, oldest first. */
export function selectChannels(db: Queryable, workspaceId: string): Promise<ChannelRow[]> {
  return db.query(
    sql`select ${COLUMNS} from channel where workspace_id = ${workspaceId} order by id`,
  );
}

/** One channel of the workspace, or null. Locked until the end of the transaction if asked. */
export async function selectChannel(
  db: Queryable,
  workspaceId: string,
  id: string,
  lock: "for update" | "no lock" = "no lock",
): Promise<ChannelRow | null> {
  const suffix = lock === "for update" ? sql`for update` : sql``;
  const rows = await db.query<ChannelRow>(
    sql`select ${COLUMNS} from channel where workspace_id = ${workspaceId} and id = ${id} ${suffix}`,
  );
  return rows[0] ?? null;
}

/** The workspace's channel on that account, disconnected or not, locked; or null. */
export async function selectByAccountInWorkspace(
  tx: Tx,
  workspaceId: string,
  type: ChannelType,
  externalId: string,
): Promise<ChannelRow | null> {
  const rows = await tx.query<ChannelRow>(
    sql`select ${COLUMNS} from channel
      where workspace_id = ${workspaceId} and type = ${type} and external_id = ${externalId} for update`,
  );
  return rows[0] ?? null;
}

/**
 * The open channels of any workspace with one of these accounts or businesses (WhatsApp: WABA ids). It takes no
 * workspace, so it is only for calls that a platform makes. Each account and each business is one index look-up.
 */
export function selectOpenChannels(
  db: Queryable,
  type: ChannelType,
  of: { readonly externalIds: readonly string[]; readonly businessIds: readonly string[] },
): Promise<ChannelRow[]> {
  return db.query(
    sql`select ${COLUMNS} from channel
      where id = any(array(
        select id from channel
        where type = ${type} and external_id = any(${of.externalIds}::text[]) and status <> 'disconnected'
        union
        select id from channel
        where type = ${type} and settings ->> 'wabaId' = any(${of.businessIds}::text[])
          and status <> 'disconnected'))
      and status <> 'disconnected' order by workspace_id, id`,
  );
}

/** The open channels with these ids, and those of other workspaces with the same accounts. */
export function selectHooked(db: Db, ids: readonly string[]): Promise<ChannelRow[]> {
  return db.read(
    sql`select ${COLUMNS} from channel c
      where status <> 'disconnected' and (type, external_id) in (
        select type, external_id from channel where id = any(${ids}::uuid[]) and status <> 'disconnected')
      order by workspace_id, id`,
  );
}

/** Those of the channels that are not disconnected, of any workspaces, in no order. */
export function selectByKeys(
  db: Queryable,
  keys: readonly { workspaceId: string; channelId: string }[],
): Promise<ChannelRow[]> {
  return db.query(
    sql`select ${COLUMNS} from channel
      where (workspace_id, id) in (select * from unnest(
        ${keys.map((key) => key.workspaceId)}::uuid[], ${keys.map((key) => key.channelId)}::uuid[]))
      and status <> 'disconnected'`,
  );
}

export interface ChannelWrite {
  readonly workspaceId: string;
  readonly id: string;
  readonly type: ChannelType;
  readonly name: string;
  readonly externalId: string;
  readonly apiUrl: string | null;
  readonly apiUrlGuarded: boolean;
  readonly settings: Readonly<Record<string, string>>;
  readonly secretsSealed: Buffer;
  readonly sandbox: boolean;
  readonly syncDueAt: Date | null;
  readonly at: Date;
}

/** Inserts, or replaces what a connect gives. The id, the history and the creation time of a known account stay. */
export async function upsertChannel(tx: Tx, row: ChannelWrite): Promise<ChannelRow> {
  const rows = await tx.query<ChannelRow>(
    sql`insert into channel (workspace_id, id, type, name, status, external_id, api_url, api_url_guarded, settings,
        secrets_sealed, sandbox, sync_due_at, secrets_since, created_at)
      values (${row.workspaceId}, ${row.id}, ${row.type}, ${row.name}, 'connected', ${row.externalId}, ${row.apiUrl}, ${row.apiUrlGuarded},
        ${JSON.stringify(row.settings)}::jsonb, ${row.secretsSealed}, ${row.sandbox}, ${row.syncDueAt}, ${row.at}, ${row.at})
      on conflict (workspace_id, type, external_id) do update set
        name = excluded.name, status = 'connected', status_reason = null, api_url = excluded.api_url,
        api_url_guarded = excluded.api_url_guarded,
        settings = excluded.settings, secrets_sealed = excluded.secrets_sealed, sandbox = excluded.sandbox,
        throttled_until = null, sync_due_at = excluded.sync_due_at, sync_error = null,
        secrets_since = excluded.secrets_since, secrets_end_at = null, secrets_due_at = null,
        wrong_signatures = 0, wrong_signatures_since = null, wrong_signature_at = null, wrong_verify_token_at = null
      returning ${COLUMNS}`,
  );
  const written = rows[0];
  if (!written) throw new Error("channel was not written");
  return written;
}

/** Adds the results of calls. A wrong signature more than a day after the last one begins a new count. */
export async function writeCalls(db: Queryable, counts: readonly CallCount[]): Promise<void> {
  const column = <K extends keyof CallCount>(name: K): CallCount[K][] =>
    counts.map((count) => count[name]);
  await db.query(
    sql`update channel c set
        last_webhook_at = greatest(c.last_webhook_at, n.taken_at),
        wrong_signatures = case when n.wrong = 0 then c.wrong_signatures
          when c.wrong_signature_at > n.wrong_since - interval '1 day' then least(c.wrong_signatures::bigint + n.wrong, 2147483647)
          else n.wrong end,
        wrong_signatures_since = case when n.wrong = 0 or c.wrong_signature_at > n.wrong_since - interval '1 day'
          then c.wrong_signatures_since else n.wrong_since end,
        wrong_signature_at = coalesce(n.wrong_at, c.wrong_signature_at),
        wrong_verify_token_at = coalesce(n.wrong_token_at, c.wrong_verify_token_at)
      from unnest(${column("workspaceId")}::uuid[], ${column("channelId")}::uuid[], ${column("takenAt")}::timestamptz[],
        ${column("wrongSignatures")}::int[], ${column("wrongSince")}::timestamptz[],
        ${column("wrongAt")}::timestamptz[], ${column("wrongTokenAt")}::timestamptz[])
        as n (workspace_id, id, taken_at, wrong, wrong_since, wrong_at, wrong_token_at)
      where c.workspace_id = n.workspace_id and c.id = n.id and c.status <> 'disconnected'`,
  );
}

/** Open channels of the installation that an operator may have to look at, in no particular order. */
export function selectToTell(db: Queryable, now: Date, limit: number): Promise<ChannelRow[]> {
  return db.query(
    sql`select ${COLUMNS} from channel
      where status <> 'disconnected' and (status = 'error' or sync_error is not null
        or (last_webhook_at is null and type <> 'WEB' and not sandbox)
        or wrong_signature_at > ${now}::timestamptz - interval '1 day'
        or wrong_verify_token_at > ${now}::timestamptz - interval '1 day')
      order by workspace_id, id limit ${limit}`,
  );
}

/**
 * Changes the status when it is one of `from`. Null when it was not, or when the credentials are newer than `at`,
 * which platforms give in whole seconds.
 */
export async function moveStatus(
  tx: Tx,
  workspaceId: string,
  id: string,
  from: readonly ChannelStatus[],
  to: ChannelStatus,
  reason: string | null,
  /** Only when its secrets are no newer than `at`, or are those of `since`. */
  { at = null, since }: { readonly at?: Date | null; readonly since?: Date | null } = {},
): Promise<ChannelRow | null> {
  const rows = await tx.query<ChannelRow>(
    sql`update channel set status = ${to}, status_reason = ${reason}
      where workspace_id = ${workspaceId} and id = ${id} and status = any(${from}::text[])
        ${ifGiven(
          at,
          (given) =>
            sql`and (secrets_since is null or secrets_since < ${given}::timestamptz + interval '1 second')`,
        )}
        and (${since === undefined}::boolean or secrets_since is not distinct from ${since ?? null}::timestamptz)
      returning ${COLUMNS}`,
  );
  return rows[0] ?? null;
}

/** Replaces the old credentials by renewed ones; nothing else of the channel changes. */
export async function replaceSecrets(
  tx: Tx,
  workspaceId: string,
  id: string,
  secretsSealed: Buffer,
): Promise<void> {
  await tx.query(
    sql`update channel set secrets_sealed = ${secretsSealed} where workspace_id = ${workspaceId} and id = ${id}`,
  );
}

/** Stores a wait that the platform asked for: it is made longer, never shorter. */
export async function raiseThrottle(
  tx: Tx,
  workspaceId: string,
  id: string,
  until: Date,
): Promise<void> {
  await tx.query(
    sql`update channel set throttled_until = greatest(throttled_until, ${until}::timestamptz)
      where workspace_id = ${workspaceId} and id = ${id}`,
  );
}

/** Ends waits that last beyond `latest`. Returns how many. */
export async function endThrottlesBeyond(tx: Tx, latest: Date): Promise<number> {
  const rows = await tx.query(
    sql`update channel set throttled_until = null where throttled_until > ${latest}::timestamptz returning 1`,
  );
  return rows.length;
}

/**
 * Claims channels whose sync is due and postpones them to `until`, so that no other worker claims them meanwhile.
 * A channel in error is claimed when the error is that it could not be subscribed (only for `subscribedTypes`),
 * and when its secrets are to be renewed, which may be the cure.
 */
export function claimDueSyncs(
  db: Queryable,
  now: Date,
  until: Date,
  limit: number,
  subscribedTypes: readonly string[],
): Promise<{ workspaceId: string; id: string; type: ChannelType }[]> {
  return db.query(
    sql`update channel set sync_due_at = ${until}
      where (workspace_id, id) in (select workspace_id, id from channel
        where status <> 'disconnected' and sync_due_at <= ${now}
          and (status = 'connected' or (sync_error is not null and type = any(${subscribedTypes}::text[]))
            or secrets_due_at <= ${now})
        order by sync_due_at limit ${limit} for update skip locked)
      returning workspace_id as "workspaceId", id, type`,
  );
}

/**
 * Stores how a sync went and when the next one is due (null: as before). A failed one leaves the time of the last good
 * one. A sync that somebody asked for since `asked` stays due.
 */
export async function writeSync(
  db: Queryable,
  workspaceId: string,
  id: string,
  facts: {
    readonly dueAt: Date | null;
    readonly syncedAt: Date | null;
    readonly error: string | null;
    readonly asked: { readonly after: Date; readonly until: Date };
  },
): Promise<void> {
  const { asked } = facts;
  await db.query(
    sql`update channel set
        sync_due_at = case when sync_due_at > ${asked.after} and sync_due_at <= ${asked.until} then sync_due_at
          else coalesce(${facts.dueAt}::timestamptz, sync_due_at) end, sync_error = ${facts.error},
        synced_at = coalesce(${facts.syncedAt}::timestamptz, synced_at)
      where workspace_id = ${workspaceId} and id = ${id}`,
  );
}

/**
 * Makes a sync due for every open channel of a type with this setting, in any workspace: TikTok's channels of one
 * app.
 */
export async function dueNowBySetting(
  db: Queryable,
  type: ChannelType,
  [name, value]: readonly [name: string, value: string],
  now: Date,
): Promise<void> {
  await db.query(
    sql`update channel set sync_due_at = ${now}
      where type = ${type} and status <> 'disconnected' and settings ->> ${name} = ${value}`,
  );
}

/** Makes the channel's sync due at `at` at the latest. */
export async function dueNow(
  db: Queryable,
  workspaceId: string,
  id: string,
  at: Date,
): Promise<void> {
  await db.query(
    sql`update channel set sync_due_at = least(sync_due_at, ${at}::timestamptz)
      where workspace_id = ${workspaceId} and id = ${id}`,
  );
}

/** The workspace of a channel, for the command line, which names only the channel; undefined when there is none. */
export async function workspaceOfChannel(db: Queryable, id: string): Promise<string | undefined> {
  const [row] = await db.query<{ workspaceId: string }>(
    sql`select workspace_id as "workspaceId" from channel where id = ${id}`,
  );
  return row?.workspaceId;
}
