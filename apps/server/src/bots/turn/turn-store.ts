import type { Queryable, Tx } from "../../db/database.ts";
import { ifGiven, sql, type Sql } from "../../db/sql.ts";
import { MAX_ID } from "../../lib/ids.ts";
import { channelAt } from "../../channels/channel-sql.ts";
import { conversationAt } from "../../conversations/conversation-sql.ts";
import type { TurnStatus } from "../../wire/words.ts";
import { caseCostSince } from "../cases/case-sql.ts";
import type { Thought } from "./think.ts";

/** One answer of a model, as it is kept for 30 days. */
export interface Turn {
  readonly id: string;
  readonly botId: string;
  readonly version: number;
  readonly conversationId: string;
  readonly runId: string | null;
  readonly status: TurnStatus;
  readonly decision: string | null;
  readonly text: string | null;
  readonly reason: string | null;
  /** The model's name at its provider; null: it was not asked. */
  readonly model: string | null;
  readonly sources: Thought["sources"];
  readonly checks: Thought["checks"];
  readonly lookups: Thought["lookups"];
  /** The flow that it began. */
  readonly procedure: string | null;
  readonly tokens: number;
  readonly cost: number;
  readonly ms: number;
  readonly messageId: string | null;
  readonly createdAt: Date;
  readonly settledAt: Date | null;
  readonly ratedGood: boolean | null;
  readonly rating: string | null;
}

const COLUMNS: Sql = sql`id, bot_id as "botId", version, conversation_id as "conversationId", run_id as "runId", status,
  decision, text, reason, request ->> 'model' as model, sources, checks, lookups, procedure, tokens, cost, ms, message_id as "messageId", created_at as "createdAt",
  settled_at as "settledAt", rated_good as "ratedGood", rating`;

/** A turn that begins: the reservation of one AI reply. */
export interface TurnStart {
  readonly workspaceId: string;
  readonly id: string;
  readonly botId: string;
  readonly version: number;
  readonly conversationId: string;
  readonly runId: string | null;
  readonly month: string;
  /** The most that the turn may cost. It counts as spent until the cost is known. */
  readonly held: number;
  /** Whose turn it is. */
  readonly processId: string;
  readonly leaseUntil: Date;
  readonly at: Date;
}

export async function insertTurn(tx: Tx, one: TurnStart): Promise<void> {
  await tx.query(sql`
    insert into ai_turn (workspace_id, id, bot_id, version, conversation_id, run_id, month, cost, process_id, lease_until,
      created_at)
    values (${one.workspaceId}, ${one.id}, ${one.botId}, ${one.version}, ${one.conversationId}, ${one.runId},
      ${one.month}::date, ${one.held}, ${one.processId}, ${one.leaseUntil}, ${one.at})`);
}

/** Ends the leases of a process that is lost: the sweep gives their reservations back. Gives how many. */
export async function freeTurnsOf(tx: Tx, processId: string, now: Date): Promise<number> {
  const rows = await tx.query(sql`
    update ai_turn t set lease_until = ${now}::timestamptz
    from (select workspace_id, id from ai_turn
      where status = 'open' and lease_until is not null and process_id = ${processId}::uuid for update skip locked) k
    where t.workspace_id = k.workspace_id and t.id = k.id returning 1`);
  return rows.length;
}

/** How a turn ended. */
export interface TurnEnd {
  readonly status: Exclude<TurnStatus, "open">;
  readonly thought: Thought | null;
  readonly messageId?: string | null;
  readonly at: Date;
}

/** Ends an open turn. Gives the month of its reservation; null: it is not open any more. */
export async function endTurn(
  tx: Tx,
  workspaceId: string,
  id: string,
  { status, thought, messageId = null, at }: TurnEnd,
): Promise<string | null> {
  const [row] = await tx.query<{ month: string }>(sql`
    update ai_turn set status = ${status}, decision = ${thought?.decision ?? null}, text = ${thought?.text ?? null},
      reason = ${thought?.reason ?? null}, sources = ${JSON.stringify(thought?.sources ?? [])}::jsonb,
      checks = ${JSON.stringify(thought?.checks ?? [])}::jsonb,
      lookups = ${JSON.stringify(thought?.lookups ?? [])}::jsonb, procedure = ${thought?.procedure ?? null},
      request = ${thought ? JSON.stringify(thought.request) : null}::jsonb,
      answer = ${thought ? JSON.stringify(thought.answer) : null}::jsonb,
      tokens = ${thought?.tokens ?? 0}, cost = ${thought?.cost ?? 0}, ms = ${thought?.ms ?? 0},
      message_id = ${messageId}, settled_at = ${at}
    where workspace_id = ${workspaceId} and id = ${id} and status = 'open'
    returning to_char(month, 'YYYY-MM-DD') as month`);
  return row?.month ?? null;
}

/** A question to a model that is not about a reply: it has a cost, and reserves nothing. */
export type AsideTurn = Omit<TurnStart, "processId" | "leaseUntil">;

/** What the model answered, and what that took. */
export interface AsideAnswer {
  readonly decision: string | null;
  readonly reason: string | null;
  readonly request: unknown;
  readonly tokens: number;
  readonly cost: number;
  readonly ms: number;
}

/** Stores a question that is not about a reply, before it is asked. Of a lost worker's what it held counts as spent. */
export async function insertAside(tx: Tx, one: AsideTurn): Promise<void> {
  await tx.query(sql`
    insert into ai_turn (workspace_id, id, bot_id, version, conversation_id, run_id, month, status, cost, lease_until,
      created_at, settled_at)
    select ${one.workspaceId}, ${one.id}, ${one.botId}, ${one.version}, c.id, ${one.runId}, ${one.month}::date,
      'classified', ${one.held}, ${one.at}, ${one.at}, ${one.at}
    from ${conversationAt(one.workspaceId, one.conversationId)} c`);
}

/** Stores the answer to a question that was not about a reply. */
export async function answerAside(
  db: Queryable,
  workspaceId: string,
  id: string,
  answer: AsideAnswer,
): Promise<void> {
  await db.query(sql`
    update ai_turn set decision = ${answer.decision}, reason = ${answer.reason},
      request = ${JSON.stringify(answer.request)}::jsonb, tokens = ${answer.tokens}, cost = ${answer.cost},
      ms = ${answer.ms}
    where workspace_id = ${workspaceId} and id = ${id} and status = 'classified'`);
}

/** Open turns whose worker is lost, in no workspace's order. */
export function selectLostTurns(
  db: Queryable,
  now: Date,
  limit: number,
): Promise<{ readonly workspaceId: string; readonly id: string }[]> {
  return db.query(sql`
    select workspace_id as "workspaceId", id from ai_turn where status = 'open' and lease_until <= ${now}
    order by lease_until limit ${limit}::int`);
}

/** Whether a conversation is on a channel of the sandbox; null: there is no such conversation. */
export async function isInSandbox(
  db: Queryable,
  workspaceId: string,
  conversationId: string,
): Promise<boolean | null> {
  const [row] = await db.query<{ sandbox: boolean }>(sql`
    select h.sandbox from ${conversationAt(workspaceId, conversationId)} c
    cross join lateral ${channelAt(sql`c.workspace_id`, sql`c.channel_id`)} h`);
  return row?.sandbox ?? null;
}

/** One transaction of a workspace at a time looks at what is spent and held, until its commit. */
export async function lockMoney(tx: Tx, workspaceId: string): Promise<void> {
  await tx.query(
    sql`select pg_advisory_xact_lock(hashtextextended(${`model money:${workspaceId}`}, 0))`,
  );
}

/** What bots spent since a moment on turns and cases, what open ones hold included; of one bot, or of all. */
export async function spentSince(
  db: Queryable,
  workspaceId: string,
  since: Date,
  botId: string | null,
): Promise<number> {
  const [row] = await db.query<{ sum: number }>(sql`
    select coalesce(sum(cost), 0)::float8 + ${caseCostSince(workspaceId, since, botId)} as sum from ai_turn
    where workspace_id = ${workspaceId} and created_at >= ${since}
      ${ifGiven(botId, (given) => sql`and bot_id = ${given}`)}`);
  return row?.sum ?? 0;
}

/** Answers of bots that a conversation got since a moment. */
export async function turnsSince(
  db: Queryable,
  workspaceId: string,
  conversationId: string,
  since: Date,
): Promise<number> {
  const [row] = await db.query<{ count: number }>(sql`
    select count(*)::int as count from ai_turn
    where workspace_id = ${workspaceId} and conversation_id = ${conversationId} and status = 'sent'
      and created_at >= ${since}`);
  return row?.count ?? 0;
}

/** What a model did in a run, oldest first. */
export function selectTurnsOfRun(
  db: Queryable,
  workspaceId: string,
  { conversationId, runId }: { readonly conversationId: string; readonly runId: string },
): Promise<Pick<Turn, "id" | "status" | "decision" | "lookups" | "createdAt">[]> {
  return db.query(sql`
    select id, status, decision, lookups, created_at as "createdAt" from (select * from ai_turn
      where workspace_id = ${workspaceId} and conversation_id = ${conversationId} order by id desc limit 200) t
    where run_id = ${runId} order by id`);
}

/** Turns of a bot or of a conversation, newest first, from before an id on. */
export function selectTurns(
  db: Queryable,
  workspaceId: string,
  of: { readonly botId?: string; readonly conversationId?: string },
  { before, limit }: { readonly before: string | null; readonly limit: number },
): Promise<Turn[]> {
  return db.query<Turn>(sql`
    select ${COLUMNS} from ai_turn where workspace_id = ${workspaceId}
      and id < ${before ?? MAX_ID}::uuid
      ${ifGiven(of.botId, (given) => sql`and bot_id = ${given}`)}
      ${ifGiven(of.conversationId, (given) => sql`and conversation_id = ${given}`)}
    order by id desc limit ${limit}::int`);
}

export async function selectTurn(
  db: Queryable,
  workspaceId: string,
  id: string,
): Promise<Turn | null> {
  const [row] = await db.query<Turn>(
    sql`select ${COLUMNS} from ai_turn where workspace_id = ${workspaceId} and id = ${id}`,
  );
  return row ?? null;
}

/** Stores what a member thinks of a turn. True: it was not rated bad before and is now. */
export async function rateTurnRow(
  tx: Tx,
  workspaceId: string,
  id: string,
  { good, why }: { readonly good: boolean; readonly why: string | null },
): Promise<boolean> {
  const [row] = await tx.query<{ newlyBad: boolean }>(sql`
    update ai_turn t set rated_good = ${good}, rating = ${why}
    from (select rated_good from ai_turn where workspace_id = ${workspaceId} and id = ${id} for update) before
    where t.workspace_id = ${workspaceId} and t.id = ${id}
    returning before.rated_good is distinct from false and not ${good}::boolean as "newlyBad"`);
  return row?.newlyBad ?? false;
}

/** Gives the turns of a conversation to the one that it is joined into. */
export async function moveTurns(
  tx: Tx,
  workspaceId: string,
  fromId: string,
  intoId: string,
): Promise<void> {
  await tx.query(sql`
    update ai_turn set conversation_id = ${intoId}
    where workspace_id = ${workspaceId} and conversation_id = ${fromId}`);
}

/** Deletes up to a thousand turns that were settled and made before a moment. Gives how many. */
export async function deleteTurnsBefore(db: Queryable, before: Date): Promise<number> {
  const rows = await db.query(sql`
    delete from ai_turn where ctid = any(array(
      select ctid from ai_turn where created_at <= ${before} and status <> 'open' limit 1000))
      and status <> 'open' returning 1`);
  return rows.length;
}
