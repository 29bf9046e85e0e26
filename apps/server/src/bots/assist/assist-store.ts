import type { Queryable, Tx } from "../../db/database.ts";
import { literal, sql } from "../../db/sql.ts";
import type { ResultsFilter } from "../../wire/in-view.ts";
import { madeWithin } from "../thread/run-sql.ts";

/** What a member asks a model for. */
export type AssistKind = "summary" | "translation" | "rewriting" | "questions";

/** A call that begins. `held`: its largest possible cost, which counts as spent until the true cost is known. */
export interface AssistStart {
  readonly workspaceId: string;
  readonly id: string;
  readonly kind: AssistKind;
  readonly conversationId: string | null;
  /** The actor as `actorName` writes it. */
  readonly askedBy: string;
  readonly held: number;
  readonly leaseUntil: Date;
  readonly at: Date;
}

/** Stores a call that begins. */
export async function insertAssist(tx: Tx, one: AssistStart): Promise<void> {
  await tx.query(sql`
    insert into assist_call (workspace_id, id, kind, conversation_id, asked_by, cost, lease_until, created_at)
    values (${one.workspaceId}, ${one.id}, ${one.kind}, ${one.conversationId}, ${one.askedBy}, ${one.held},
      ${one.leaseUntil}, ${one.at})`);
}

/** Ends an open call with what it took. */
export async function endAssist(
  tx: Queryable,
  workspaceId: string,
  id: string,
  end: {
    readonly status: "done" | "failed";
    readonly tokens: number;
    readonly cost: number;
    readonly ms: number;
  },
): Promise<void> {
  await tx.query(sql`
    update assist_call set status = ${end.status}, tokens = ${end.tokens}, cost = ${end.cost}, ms = ${end.ms}
    where workspace_id = ${workspaceId} and id = ${id} and status = 'open'`);
}

/** What members' calls cost since a moment, what open ones hold included. */
export async function spentOnAssists(
  db: Queryable,
  workspaceId: string,
  since: Date,
): Promise<number> {
  const [row] = await db.query<{ sum: number }>(sql`
    select coalesce(sum(cost), 0)::float8 as sum from assist_call
    where workspace_id = ${workspaceId} and created_at >= ${since}`);
  return row?.sum ?? 0;
}

/** What members' calls of a time took. */
export async function costOfAssists(
  db: Queryable,
  workspaceId: string,
  of: ResultsFilter,
): Promise<{ readonly money: number; readonly tokens: number }> {
  const [row] = await db.query<{ money: number; tokens: number }>(sql`
    select coalesce(sum(cost), 0)::float8 as money, coalesce(sum(tokens), 0)::int as tokens from assist_call a
    where a.workspace_id = ${workspaceId} ${madeWithin(sql`a.created_at`, of)}`);
  return row ?? { money: 0, tokens: 0 };
}

/** Ends calls whose process is lost: they cost nothing that is known. Gives how many. */
export async function endLostAssists(db: Queryable, now: Date, limit: number): Promise<number> {
  const rows = await db.query(sql`
    update assist_call a set status = 'failed', cost = 0
    from (select workspace_id, id from assist_call where status = 'open' and lease_until <= ${now}
      order by lease_until limit ${literal(limit)} for update skip locked) k
    where a.workspace_id = k.workspace_id and a.id = k.id and a.status = 'open' returning 1`);
  return rows.length;
}

/** Gives the calls of a conversation to the one that it is joined into. */
export async function moveAssists(
  tx: Tx,
  workspaceId: string,
  fromId: string,
  intoId: string,
): Promise<void> {
  await tx.query(sql`
    update assist_call set conversation_id = ${intoId}
    where workspace_id = ${workspaceId} and conversation_id = ${fromId}`);
}

/** Deletes up to a thousand calls that ended and were made before a moment. Gives how many. */
export async function deleteAssistsBefore(db: Queryable, before: Date): Promise<number> {
  const rows = await db.query(sql`
    delete from assist_call where ctid = any(array(
      select ctid from assist_call where created_at <= ${before} and status <> 'open' limit 1000))
      and status <> 'open' returning 1`);
  return rows.length;
}
