import type { Queryable, Tx } from "../../db/database.ts";
import { sql, type Sql } from "../../db/sql.ts";
import { conversationAt } from "../../conversations/conversation-sql.ts";
import { lowestIdAt } from "../../lib/ids.ts";
import type { RoomByKey } from "../../lib/in-flight.ts";
import { storable } from "../../lib/storable.ts";
import { archivedBots } from "../record/bot-sql.ts";
import type { BotKind, HandOverReason, RunOutcome } from "../../wire/words.ts";

/**
 * Where a run is: a worker goes on, it waits for the customer or a time, a call is under way (without a lease: it waits for a
 * free call), it is over.
 */
export type RunState = "ready" | "waiting" | "calling" | "ended";

/** A step that a run took, as people see it later. */
export interface RunStep {
  readonly at: string;
  readonly step: string;
  readonly type: string;
  readonly detail?: string;
}

/** One bot in one conversation. */
export interface BotRun {
  readonly workspaceId: string;
  readonly id: string;
  readonly botId: string;
  readonly version: number;
  readonly conversationId: string;
  /** Whose workers have it: `flow` while a flow goes on that its AI bot began. */
  readonly kind: BotKind;
  /** The flow that its AI bot began, and that has the run now; null: none. */
  readonly flowId: string | null;
  readonly flowVersion: number | null;
  readonly state: RunState;
  readonly step: string | null;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly steps: readonly RunStep[];
  /** When it goes on; null: only the customer moves it. */
  readonly dueAt: Date | null;
  /** Since when the customer waits for the bot's answer; null: answered. */
  readonly askedAt: Date | null;
  readonly fence: number;
  readonly beganAt: Date;
  readonly endedAt: Date | null;
  readonly outcome: RunOutcome | null;
  readonly reason: HandOverReason | null;
  readonly summary: string | null;
  readonly topic: string | null;
  readonly turns: number;
}

/** Proves that a run is still this worker's. */
export interface RunClaim {
  readonly workspaceId: string;
  readonly id: string;
  readonly fence: number;
}

const COLUMNS: Sql = sql`r.workspace_id as "workspaceId", r.id, r.bot_id as "botId", r.version,
  r.conversation_id as "conversationId", r.kind, r.flow_id as "flowId", r.flow_version as "flowVersion", r.state, r.step, r.variables, r.steps, r.due_at as "dueAt",
  r.asked_at as "askedAt", r.fence, r.began_at as "beganAt", r.ended_at as "endedAt", r.outcome, r.reason, r.summary,
  r.topic, r.turns`;

/** Stores a new run. */
export async function insertRun(
  tx: Tx,
  run: Pick<BotRun, "workspaceId" | "id" | "botId" | "version" | "conversationId" | "kind"> & {
    readonly at: Date;
    /** When it answers. */
    readonly dueAt: Date;
  },
): Promise<void> {
  await tx.query(sql`
    insert into bot_run (workspace_id, id, bot_id, version, conversation_id, kind, state, due_at, asked_at, began_at)
    values (${run.workspaceId}, ${run.id}, ${run.botId}, ${run.version}, ${run.conversationId}, ${run.kind}, 'ready',
      ${run.dueAt}, ${run.at}, ${run.at})`);
}

/**
 * Claims runs of a kind that are due, the longest waiting first: each gets the next fence and a lease. A call whose worker
 * is lost is claimed again when its lease ends, or when its process is found lost (`freeRunsOf`). Of each workspace no more are
 * claimed than it has `places` for calls: the others wait as they are, and nothing is written for them. `callers`: only runs
 * in the state `calling` need a place. The window function reads all runs that are due; the sweep bounds how many these are.
 */
export function claimRuns(
  db: Queryable,
  {
    kind,
    processId,
    now,
    leaseUntil,
    limit,
    places,
    callers = false,
  }: {
    readonly kind: BotKind;
    readonly processId: string;
    readonly now: Date;
    readonly leaseUntil: Date;
    readonly limit: number;
    readonly places: RoomByKey;
    readonly callers?: boolean;
  },
): Promise<BotRun[]> {
  const { left, perKey } = places;
  const needs = callers ? sql`state = 'calling'` : sql`true`;
  const isFree = sql`(lease_until is null or lease_until <= ${now}::timestamptz)`;
  return db.query<BotRun>(sql`
    update bot_run r set fence = r.fence + 1, lease_until = ${leaseUntil}::timestamptz,
      process_id = ${processId}::uuid
    from (select b.workspace_id, b.id from (
        select d.workspace_id, d.id, d.due_at from (
          select workspace_id, id, due_at, ${needs} as needs,
            row_number() over (partition by workspace_id, ${needs} order by due_at, id) as place
          from bot_run where state <> 'ended' and due_at is not null and due_at <= ${now}::timestamptz
            and kind = ${kind} and ${isFree}) d
        left join unnest(${[...left.keys()]}::uuid[], ${[...left.values()]}::int[]) as f (workspace_id, free)
          on f.workspace_id = d.workspace_id
        where not d.needs or d.place <= coalesce(f.free, ${perKey}::int)
        order by d.due_at, d.id limit ${limit}::int) d
      join bot_run b on b.workspace_id = d.workspace_id and b.id = d.id
      where b.state <> 'ended' and b.kind = ${kind} and b.due_at <= ${now}::timestamptz
        and (b.lease_until is null or b.lease_until <= ${now}::timestamptz)
      for update of b skip locked) k
    where r.workspace_id = k.workspace_id and r.id = k.id
    returning ${COLUMNS}`);
}

/** Ends the leases of a process that is lost: its runs are due at once, for another. Gives how many. */
export async function freeRunsOf(tx: Tx, processId: string, now: Date): Promise<number> {
  const rows = await tx.query(sql`
    update bot_run r set lease_until = null, due_at = least(r.due_at, ${now}::timestamptz)
    from (select workspace_id, id from bot_run
      where lease_until is not null and process_id = ${processId}::uuid and state <> 'ended' for update skip locked) k
    where r.workspace_id = k.workspace_id and r.id = k.id returning 1`);
  return rows.length;
}

/** What a worker writes into its run. A member that is absent stays as it was. */
export interface RunPatch {
  /** An AI bot's run goes to a flow that it begins; null: it has the run again. */
  readonly flow?: { readonly id: string; readonly version: number } | null;
  readonly state?: Exclude<RunState, "ended">;
  readonly step?: string | null;
  readonly variables?: Readonly<Record<string, unknown>>;
  readonly steps?: readonly RunStep[];
  /** Null: only the customer moves it. */
  readonly dueAt?: Date | null;
  /** Null: the customer was answered. */
  readonly askedAt?: Date | null;
  readonly topic?: string;
  /** Answers that were sent now. */
  readonly turns?: number;
  /** The lease goes on until then. Absent: it ends. */
  readonly leaseUntil?: Date;
}

/** The most steps that a run remembers. */
const STEPS = 200;

/** Moves a claimed run. False: it is not this worker's any more, and nothing may be done for it. */
export async function moveRun(tx: Queryable, claim: RunClaim, patch: RunPatch): Promise<boolean> {
  const set = <T>(value: T | undefined) => (value === undefined ? "keep" : "set");
  const rows = await tx.query(sql`
    update bot_run set
      state = coalesce(${patch.state ?? null}::text, state),
      kind = case when ${set(patch.flow)}::text = 'keep' then kind when ${patch.flow?.id ?? null}::uuid is null then 'ai'
        else 'flow' end,
      flow_id = case when ${set(patch.flow)}::text = 'set' then ${patch.flow?.id ?? null}::uuid else flow_id end,
      flow_version = case when ${set(patch.flow)}::text = 'set' then ${patch.flow?.version ?? null}::int
        else flow_version end,
      step = case when ${set(patch.step)}::text = 'set' then ${patch.step ?? null}::text else step end,
      variables = coalesce(${patch.variables ? JSON.stringify(storable(patch.variables)) : null}::jsonb, variables),
      steps = coalesce(${patch.steps ? JSON.stringify(patch.steps.slice(-STEPS)) : null}::jsonb, steps),
      due_at = case when ${set(patch.dueAt)}::text = 'set' then ${patch.dueAt ?? null}::timestamptz else due_at end,
      asked_at = case when ${set(patch.askedAt)}::text = 'set' then ${patch.askedAt ?? null}::timestamptz
        else asked_at end,
      topic = coalesce(${patch.topic ?? null}::text, topic), turns = turns + ${patch.turns ?? 0}::int,
      lease_until = ${patch.leaseUntil ?? null}::timestamptz
    where workspace_id = ${claim.workspaceId} and id = ${claim.id} and fence = ${claim.fence} and state <> 'ended'
    returning 1`);
  return rows.length > 0;
}

/** How a run ended. */
export interface RunEnd {
  readonly workspaceId: string;
  readonly id: string;
  readonly outcome: RunOutcome;
  readonly reason?: HandOverReason | null;
  readonly summary?: string | null;
  /** Added to what the run has collected. */
  readonly collected?: Readonly<Record<string, unknown>>;
}

/** Ends runs that are open, whoever has claimed them. Gives them as they are now. The conversations must be locked. */
export function endRuns(tx: Tx, ends: readonly RunEnd[], at: Date): Promise<BotRun[]> {
  return tx.query<BotRun>(sql`
    update bot_run r set state = 'ended', ended_at = ${at}::timestamptz, due_at = null, lease_until = null,
      fence = r.fence + 1, outcome = k.outcome, reason = k.reason, summary = k.summary,
      variables = case when octet_length((r.variables || k.collected)::text) <= 16384 then r.variables || k.collected
        else r.variables end
    from unnest(${ends.map((one) => one.workspaceId)}::uuid[], ${ends.map((one) => one.id)}::uuid[],
      ${ends.map((one) => one.outcome)}::text[], ${ends.map((one) => one.reason ?? null)}::text[],
      ${ends.map((one) => one.summary ?? null)}::text[],
      ${ends.map((one) => JSON.stringify(storable(one.collected ?? {})))}::jsonb[])
      as k (workspace_id, id, outcome, reason, summary, collected)
    where r.workspace_id = k.workspace_id and r.id = k.id and r.state <> 'ended'
    returning ${COLUMNS}`);
}

/** The open run of a conversation; null: there is none. */
export async function selectOpenRun(
  db: Queryable,
  workspaceId: string,
  conversationId: string,
): Promise<BotRun | null> {
  const [row] = await db.query<BotRun>(sql`
    select ${COLUMNS} from bot_run r where r.workspace_id = ${workspaceId}
      and r.conversation_id = ${conversationId} and r.state <> 'ended'`);
  return row ?? null;
}

/** The newest run of a conversation, open or not. */
export async function selectLastRun(
  db: Queryable,
  workspaceId: string,
  conversationId: string,
): Promise<BotRun | null> {
  const [row] = await db.query<BotRun>(sql`
    select ${COLUMNS} from bot_run r where r.workspace_id = ${workspaceId}
      and r.conversation_id = ${conversationId} order by r.id desc limit 1`);
  return row ?? null;
}

/** A customer wrote: the open run goes on at `dueAt`, also when a worker has it now. Gives the run; null: none is open. */
export async function wakeRun(
  tx: Tx,
  workspaceId: string,
  conversationId: string,
  { askedAt, dueAt }: { readonly askedAt: Date; readonly dueAt: Date },
): Promise<BotRun | null> {
  const [row] = await tx.query<BotRun>(sql`
    update bot_run r set state = 'ready', due_at = ${dueAt}::timestamptz,
      asked_at = coalesce(r.asked_at, ${askedAt}::timestamptz)
    where r.workspace_id = ${workspaceId} and r.conversation_id = ${conversationId} and r.state <> 'ended'
    returning ${COLUMNS}`);
  return row ?? null;
}

/** Open runs that were due before `before`, in no workspace's order: the sweep hands them over. */
export function selectStuck(
  db: Queryable,
  before: Date,
  limit: number,
): Promise<
  { readonly workspaceId: string; readonly id: string; readonly conversationId: string }[]
> {
  return db.query(sql`
    select workspace_id as "workspaceId", id, conversation_id as "conversationId" from bot_run
    where state <> 'ended' and due_at is not null and due_at <= ${before}::timestamptz
    order by due_at limit ${limit}::int`);
}

/** An open run is due from now on: the sweep leaves it to its bot for a while. */
export async function postponeRun(
  db: Queryable,
  { workspaceId, id }: Pick<BotRun, "workspaceId" | "id">,
  now: Date,
): Promise<void> {
  await db.query(sql`
    update bot_run set due_at = ${now}::timestamptz
    where workspace_id = ${workspaceId} and id = ${id} and state <> 'ended'`);
}

/** Open runs that a worker has, or that are due. */
export function selectUnderWay(
  db: Queryable,
  now: Date,
  limit: number,
): Promise<{ readonly workspaceId: string; readonly conversationId: string }[]> {
  return db.query(sql`
    select workspace_id as "workspaceId", conversation_id as "conversationId" from bot_run
    where state <> 'ended' and (due_at <= ${now}::timestamptz or lease_until is not null) limit ${limit}::int`);
}

/** Runs that only the customer moves, in conversations without a message since a time. */
export function selectSilent(
  db: Queryable,
  before: Date,
  limit: number,
): Promise<
  { readonly workspaceId: string; readonly id: string; readonly conversationId: string }[]
> {
  return db.query(sql`
    select r.workspace_id as "workspaceId", r.id, r.conversation_id as "conversationId" from bot_run r
    cross join lateral ${conversationAt(sql`r.workspace_id`, sql`r.conversation_id`)} c
    where r.state = 'waiting' and r.due_at is null and r.id < ${lowestIdAt(before)}::uuid
      and c.last_message_at <= ${before}::timestamptz
    order by r.id limit ${limit}::int`);
}

/** The bot whose document a run follows now: the flow that its AI bot began, or its own. */
export const followedBy = ({ botId, version, flowId, flowVersion }: BotRun) => ({
  botId: flowId ?? botId,
  version: flowVersion ?? version,
});

/** Open runs of bots that were archived, and of AI bots whose flow was. */
export function selectOfArchived(
  db: Queryable,
  limit: number,
): Promise<
  { readonly workspaceId: string; readonly id: string; readonly conversationId: string }[]
> {
  return db.query(sql`
    select r.workspace_id as "workspaceId", r.id, r.conversation_id as "conversationId"
    from ${archivedBots} b cross join lateral (
      select * from bot_run o where o.workspace_id = b.workspace_id and o.bot_id = b.id and o.state <> 'ended'
      union all
      select * from bot_run f where f.workspace_id = b.workspace_id and f.flow_id = b.id and f.state <> 'ended') r
    limit ${limit}::int`);
}

/**
 * Gives the runs of a conversation to the one that it is joined into. `open`: an open one goes on there, and a call that is
 * under way for it is begun again; else it ends. Gives since when the customer of a run that ended so waits; null: none does.
 */
export async function moveRuns(
  tx: Tx,
  {
    workspaceId,
    fromId,
    intoId,
    at,
  }: {
    readonly workspaceId: string;
    readonly fromId: string;
    readonly intoId: string;
    readonly at: Date;
  },
  open: boolean,
): Promise<Date | null> {
  const ended = open
    ? []
    : await tx.query<{ since: Date | null }>(sql`
        update bot_run r set state = 'ended', ended_at = ${at}::timestamptz, outcome = 'abandoned', due_at = null, lease_until = null,
          fence = r.fence + 1
        from (select id, asked_at from bot_run
          where workspace_id = ${workspaceId} and conversation_id = ${fromId} and state <> 'ended' for update) o
        where r.workspace_id = ${workspaceId} and r.id = o.id returning o.asked_at as since`);
  await tx.query(sql`
    update bot_run set conversation_id = ${intoId},
      fence = case when state = 'calling' then fence + 1 else fence end,
      lease_until = case when state = 'calling' then null else lease_until end,
      state = case when state = 'calling' then 'ready' else state end
    where workspace_id = ${workspaceId} and conversation_id = ${fromId}`);
  return ended[0]?.since ?? null;
}

/** A customer wrote again: what was resolved since a moment in the conversation is marked as reopened, once. */
export async function markReopened(
  tx: Tx,
  {
    workspaceId,
    conversationId,
  }: { readonly workspaceId: string; readonly conversationId: string },
  since: Date,
  at: Date,
): Promise<void> {
  await tx.query(sql`
    update bot_run set reopened_at = ${at} where workspace_id = ${workspaceId} and conversation_id = ${conversationId}
      and outcome = 'resolved' and ended_at >= ${since}::timestamptz and reopened_at is null`);
}

/** What a bot did: conversations that it answered, and those that it handed over. */
export interface RunFigures {
  readonly answered: number;
  readonly handedOver: number;
}

/** What each bot did since a time, by its id. */
export async function countRuns(
  db: Queryable,
  workspaceId: string,
  since: Date,
): Promise<Map<string, RunFigures>> {
  const rows = await db.query<RunFigures & { id: string }>(sql`
    select bot_id as id, sum(turns)::int as answered,
      (count(*) filter (where outcome = 'handed_over'))::int as "handedOver"
    from bot_run where workspace_id = ${workspaceId} and began_at >= ${since}::timestamptz group by bot_id`);
  return new Map(rows.map(({ id, ...figures }) => [id, figures]));
}

/** How many runs each version of a bot had. */
export async function countRunsByVersion(
  db: Queryable,
  workspaceId: string,
  botId: string,
): Promise<Map<number, number>> {
  const rows = await db.query<{ version: number; n: number }>(sql`
    select version, count(*)::int as n from bot_run
    where workspace_id = ${workspaceId} and bot_id = ${botId} group by version`);
  return new Map(rows.map(({ version, n }) => [version, n]));
}

/** Blanks the words of the next runs between two ids that are over. Gives how many it looked at, and the last id. */
export async function blankRuns(
  tx: Tx,
  workspaceId: string,
  { above, below }: { readonly above: string; readonly below: string },
  limit: number,
): Promise<{ readonly looked: number; readonly last: string | null }> {
  const rows = await tx.query<{ id: string }>(sql`
    select id from bot_run where workspace_id = ${workspaceId} and id > ${above} and id < ${below}
    order by id limit ${limit}`);
  const ids = rows.map(({ id }) => id);
  await tx.query(sql`
    update bot_run set variables = '{}', steps = '[]', summary = null
    where workspace_id = ${workspaceId} and id = any(${ids}::uuid[]) and state = 'ended'
      and (variables <> '{}' or steps <> '[]' or summary is not null)`);
  return { looked: rows.length, last: ids.at(-1) ?? null };
}
