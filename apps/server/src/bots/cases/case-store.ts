import type { Queryable, Tx } from "../../db/database.ts";
import { sql, type Sql } from "../../db/sql.ts";
import { chunkPrint } from "../../knowledge/knowledge-sql.ts";
import type { StoredBotDocument } from "../record/bot-store.ts";
import type { CaseTerms } from "./bot-case.ts";

/** A case as it is stored, with how it ended last. */
export interface BotCase extends CaseTerms {
  readonly id: string;
  readonly botId: string;
  readonly version: number;
  readonly contactId: string | null;
  readonly lastRunId: string | null;
  readonly lastPassed: boolean | null;
  readonly lastRight: number;
  readonly lastAsked: number;
  readonly lastAt: Date | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

const COLUMNS: Sql = sql`c.id, c.bot_id as "botId", c.version, c.talk, c.must_hold as "mustHold",
  c.must_not_hold as "mustNotHold", c.sources, c.decision, c.lang, c.contact_id as "contactId",
  c.last_run_id as "lastRunId", c.last_passed as "lastPassed", c.last_right as "lastRight", c.last_asked as "lastAsked",
  c.last_at as "lastAt", c.created_at as "createdAt", c.updated_at as "updatedAt"`;

/** The cases of a bot, the oldest first. `current`: the last result is of this very document. */
export function selectCases(
  db: Queryable,
  workspaceId: string,
  botId: string,
  document: StoredBotDocument,
): Promise<(BotCase & { readonly current: boolean })[]> {
  return db.query(sql`
    with same as materialized (select id from case_run where workspace_id = ${workspaceId} and bot_id = ${botId}
      and document = ${JSON.stringify(document)}::jsonb)
    select ${COLUMNS}, coalesce(c.last_run_id in (select id from same), false) as current
    from bot_case c where c.workspace_id = ${workspaceId} and c.bot_id = ${botId} order by c.id`);
}

/** How the cases of a bot stand for a document. */
export interface CaseSums {
  readonly passed: number;
  readonly failed: number;
  /** Never run against this very document, or changed since. */
  readonly untested: number;
}

export async function sumCases(
  db: Queryable,
  workspaceId: string,
  botId: string,
  document: StoredBotDocument,
): Promise<CaseSums> {
  const [row] = await db.query<CaseSums>(sql`
    with same as materialized (select id from case_run where workspace_id = ${workspaceId} and bot_id = ${botId}
      and document = ${JSON.stringify(document)}::jsonb),
    one as (select case when last_run_id in (select id from same) then last_passed end as passed
      from bot_case where workspace_id = ${workspaceId} and bot_id = ${botId})
    select (count(*) filter (where passed))::int as passed, (count(*) filter (where not passed))::int as failed,
      (count(*) filter (where passed is null))::int as untested from one`);
  return row ?? { passed: 0, failed: 0, untested: 0 };
}

/** One case of a bot, locked. */
export async function lockCase(
  tx: Tx,
  workspaceId: string,
  botId: string,
  id: string,
): Promise<BotCase | null> {
  const [row] = await tx.query<BotCase>(sql`
    select ${COLUMNS} from bot_case c where c.workspace_id = ${workspaceId} and c.bot_id = ${botId} and c.id = ${id}
    for update`);
  return row ?? null;
}

export async function countCases(
  db: Queryable,
  workspaceId: string,
  botId: string,
): Promise<number> {
  const [row] = await db.query<{ n: number }>(
    sql`select count(*)::int as n from bot_case where workspace_id = ${workspaceId} and bot_id = ${botId}`,
  );
  return row?.n ?? 0;
}

/** Stores a new case. The bot must be locked. */
export async function insertCase(
  tx: Tx,
  workspaceId: string,
  one: CaseTerms & {
    readonly id: string;
    readonly botId: string;
    readonly contactId: string | null;
    readonly by: string;
    readonly at: Date;
  },
): Promise<void> {
  await tx.query(sql`
    insert into bot_case (workspace_id, id, bot_id, talk, must_hold, must_not_hold, sources, decision, lang, contact_id,
      created_by, created_at, updated_at)
    values (${workspaceId}, ${one.id}, ${one.botId}, ${JSON.stringify(one.talk)}::jsonb,
      ${JSON.stringify(one.mustHold)}::jsonb, ${JSON.stringify(one.mustNotHold)}::jsonb,
      ${JSON.stringify(one.sources)}::jsonb, ${one.decision}, ${one.lang}, ${one.contactId}, ${one.by}, ${one.at},
      ${one.at})`);
}

/** Replaces what a case asks and expects; its last result counts no more. */
export async function rewriteCase(
  tx: Tx,
  workspaceId: string,
  id: string,
  one: CaseTerms,
  at: Date,
): Promise<void> {
  await tx.query(sql`
    update bot_case set version = version + 1, talk = ${JSON.stringify(one.talk)}::jsonb,
      must_hold = ${JSON.stringify(one.mustHold)}::jsonb, must_not_hold = ${JSON.stringify(one.mustNotHold)}::jsonb,
      sources = ${JSON.stringify(one.sources)}::jsonb, decision = ${one.decision}, lang = ${one.lang},
      last_run_id = null, last_passed = null, last_right = 0, last_asked = 0, last_at = null, cited = '{}',
      updated_at = ${at}
    where workspace_id = ${workspaceId} and id = ${id}`);
}

/** How a case ended, and what its answers rest on. */
export interface CaseEnd {
  readonly id: string;
  /** The case's version that was asked: a changed one keeps no result. */
  readonly version: number;
  readonly runId: string;
  readonly passed: boolean;
  readonly right: number;
  readonly asked: number;
  /** By source: a print of its chunks. */
  readonly cited: Readonly<Record<string, string>>;
  readonly at: Date;
}

/** Stores how a case ended, unless a newer run has ended before or the case was changed. */
export async function endCase(tx: Tx, workspaceId: string, end: CaseEnd): Promise<void> {
  await tx.query(sql`
    update bot_case set last_run_id = ${end.runId}, last_passed = ${end.passed}, last_right = ${end.right},
      last_asked = ${end.asked}, last_at = ${end.at}, cited = ${JSON.stringify(end.cited)}::jsonb
    where workspace_id = ${workspaceId} and id = ${end.id} and version = ${end.version}
      and (last_run_id is null or last_run_id <= ${end.runId})`);
}

/** Deletes cases by their ids. */
export async function deleteCases(
  tx: Tx,
  workspaceId: string,
  ids: readonly string[],
): Promise<void> {
  await tx.query(
    sql`delete from bot_case where workspace_id = ${workspaceId} and id = any(${ids}::uuid[])`,
  );
}

/** Cases whose words are of these contacts. */
export function selectCasesOf(
  db: Queryable,
  workspaceId: string,
  contactIds: readonly string[],
  limit: number,
): Promise<
  {
    readonly id: string;
    readonly botId: string;
    readonly talk: CaseTerms["talk"];
    readonly createdAt: Date;
  }[]
> {
  return db.query(sql`
    select id, bot_id as "botId", talk, created_at as "createdAt" from bot_case
    where workspace_id = ${workspaceId} and contact_id = any(${contactIds}::uuid[]) order by id limit ${limit}::int`);
}

/** The cases of a merged contact become the other one's. */
export async function moveCasesOf(
  tx: Tx,
  workspaceId: string,
  { mergedId, keepId }: { readonly mergedId: string; readonly keepId: string },
): Promise<void> {
  await tx.query(sql`
    update bot_case set contact_id = ${keepId} where workspace_id = ${workspaceId} and contact_id = ${mergedId}`);
}

/** Cases whose sources have changed since their last answers, and whether a run asks them now. */
export function selectTouched(
  db: Queryable,
  workspaceId: string,
): Promise<{ readonly id: string; readonly botId: string; readonly busy: boolean }[]> {
  return db.query(sql`
    select c.id, c.bot_id as "botId", exists (select 1 from case_result x where x.workspace_id = c.workspace_id
      and x.case_id = c.id and x.state = 'waiting') as busy
    from bot_case c where c.workspace_id = ${workspaceId} and c.cited <> '{}' and exists (
      select 1 from jsonb_each_text(c.cited) one
      where one.value is distinct from ${chunkPrint(sql`c.workspace_id`, sql`one.key::uuid`)})
    order by c.id`);
}
