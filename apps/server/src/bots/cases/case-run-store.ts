import type { Queryable, Tx } from "../../db/database.ts";
import { ifGiven, sql, type Sql } from "../../db/sql.ts";
import { knowledgeChanges, knowledgeNumber } from "../../knowledge/knowledge-sql.ts";
import type { CaseAnswer } from "../../wire/case.ts";
import type { StoredBotDocument } from "../record/bot-store.ts";
import { changedBots } from "../record/bot-sql.ts";
import type { CaseTerms } from "./bot-case.ts";

/** A run over cases of a bot. */
export interface CaseRun {
  readonly workspaceId: string;
  readonly id: string;
  readonly botId: string;
  /** Null: the draft. */
  readonly version: number | null;
  readonly repeat: number;
  readonly why: "asked" | "sources";
  readonly state: "running" | "done" | "stopped";
  readonly reason: string | null;
  readonly cost: number;
  readonly startedBy: string;
  readonly createdAt: Date;
  readonly endedAt: Date | null;
}

export type ResultState = "waiting" | "passed" | "failed" | "stopped";

/** One case of a run. */
export interface CaseResult {
  readonly caseId: string;
  readonly talk: CaseTerms["talk"];
  readonly state: ResultState;
  readonly answers: readonly CaseAnswer[];
  readonly passedBefore: boolean;
}

const COLUMNS: Sql = sql`r.workspace_id as "workspaceId", r.id, r.bot_id as "botId", r.version, r.repeat, r.why, r.state,
  r.reason, r.cost, r.started_by as "startedBy", r.created_at as "createdAt", r.ended_at as "endedAt"`;

/** Stores a run over cases, each waiting. Gives how many: those of the ids that the bot still has. */
export async function insertCaseRun(
  tx: Tx,
  run: Pick<
    CaseRun,
    "workspaceId" | "id" | "botId" | "version" | "repeat" | "why" | "startedBy"
  > & {
    readonly document: StoredBotDocument;
    readonly at: Date;
    /** Null: all. */
    readonly only: readonly string[] | null;
  },
): Promise<number> {
  await tx.query(sql`
    insert into case_run (workspace_id, id, bot_id, version, document, repeat, why, started_by, created_at, moved_at)
    values (${run.workspaceId}, ${run.id}, ${run.botId}, ${run.version}, ${JSON.stringify(run.document)}::jsonb,
      ${run.repeat}, ${run.why}, ${run.startedBy}, ${run.at}, ${run.at})`);
  const rows = await tx.query(sql`
    insert into case_result (workspace_id, run_id, case_id, bot_id, place, passed_before, due_at)
    select workspace_id, ${run.id}, id, bot_id, row_number() over (order by id), coalesce(last_passed, false), ${run.at}
    from bot_case where workspace_id = ${run.workspaceId} and bot_id = ${run.botId}
      ${ifGiven(run.only, (given) => sql`and id = any(${given}::uuid[])`)} returning 1`);
  return rows.length;
}

/** How many runs of a bot go on. Call it under the bot's lock. */
export async function countOpenCaseRuns(
  tx: Tx,
  workspaceId: string,
  botId: string,
): Promise<number> {
  const [row] = await tx.query<{ n: number }>(sql`
    select count(*)::int as n from case_run where workspace_id = ${workspaceId} and bot_id = ${botId}
      and state = 'running'`);
  return row?.n ?? 0;
}

/** One run of a bot. */
export async function selectCaseRun(
  db: Queryable,
  workspaceId: string,
  botId: string,
  id: string,
): Promise<CaseRun | null> {
  const [row] = await db.query<CaseRun>(sql`
    select ${COLUMNS} from case_run r where r.workspace_id = ${workspaceId} and r.bot_id = ${botId} and r.id = ${id}`);
  return row ?? null;
}

/** The cases of a run with their answers, in their order. */
export function selectResults(
  db: Queryable,
  workspaceId: string,
  runId: string,
): Promise<CaseResult[]> {
  return db.query(sql`
    select x.case_id as "caseId", c.talk, x.state, x.answers, x.passed_before as "passedBefore"
    from case_result x join bot_case c on c.workspace_id = x.workspace_id and c.id = x.case_id
    where x.workspace_id = ${workspaceId} and x.run_id = ${runId} order by x.place`);
}

/** The newest run of a bot that goes on: how many of its answers are in. */
export async function selectCaseProgress(
  db: Queryable,
  workspaceId: string,
  botId: string,
): Promise<{ readonly id: string; readonly done: number; readonly total: number } | null> {
  const [row] = await db.query<{ id: string; done: number; total: number }>(sql`
    select r.id, (sum(case when x.state = 'waiting' then jsonb_array_length(x.answers) else r.repeat end))::int as done,
      (count(*) * r.repeat)::int as total
    from case_run r join case_result x on x.workspace_id = r.workspace_id and x.run_id = r.id
    where r.workspace_id = ${workspaceId} and r.bot_id = ${botId} and r.state = 'running'
    group by r.workspace_id, r.id order by r.id desc limit 1`);
  return row ?? null;
}

/** One answer that a worker is to get. */
export interface CaseClaim {
  readonly workspaceId: string;
  readonly runId: string;
  readonly caseId: string;
  readonly botId: string;
  readonly fence: number;
}

/** What a claimed answer is made of. */
export interface ClaimedCase extends CaseTerms {
  /** The case's version now, and when its first answer of this run was made. */
  readonly version: number;
  readonly firstVersion: number | null;
  readonly document: StoredBotDocument;
  /** The change of the knowledge now. */
  readonly knowledge: number;
}

/**
 * Claims cases that wait for an answer, the longest waiting first; of one run, or of any. A claim whose worker is lost is
 * made again when its lease ends, and one that was made at a wrong time at once.
 */
export function claimCases(
  db: Queryable,
  {
    now,
    leaseUntil,
    limit,
    of,
  }: {
    readonly now: Date;
    readonly leaseUntil: Date;
    readonly limit: number;
    readonly of: Pick<CaseRun, "workspaceId" | "id"> | null;
  },
): Promise<CaseClaim[]> {
  const one = of ? sql`and workspace_id = ${of.workspaceId} and run_id = ${of.id}` : sql``;
  return db.query<CaseClaim>(sql`
    update case_result x set fence = x.fence + 1, lease_until = ${leaseUntil}::timestamptz
    from (select workspace_id, run_id, case_id from case_result
      where state = 'waiting' ${one} and (lease_until is null or lease_until <= ${now}::timestamptz
        or lease_until > ${leaseUntil}::timestamptz + interval '10 minutes')
      order by due_at, run_id, place limit ${limit}::int for update skip locked) k
    where x.workspace_id = k.workspace_id and x.run_id = k.run_id and x.case_id = k.case_id
    returning x.workspace_id as "workspaceId", x.run_id as "runId", x.case_id as "caseId", x.bot_id as "botId", x.fence`);
}

/** Everything that a claimed answer is made of; null: the case was deleted. */
export async function selectClaimed(
  db: Queryable,
  { workspaceId, runId, caseId }: CaseClaim,
): Promise<ClaimedCase | null> {
  const [row] = await db.query<ClaimedCase>(sql`
    select c.talk, c.must_hold as "mustHold", c.must_not_hold as "mustNotHold", c.sources, c.decision, c.lang, c.version,
      x.case_version as "firstVersion", r.document, ${knowledgeNumber(sql`r.workspace_id`)}::int8 as knowledge
    from case_result x
    join bot_case c on c.workspace_id = x.workspace_id and c.id = x.case_id
    join case_run r on r.workspace_id = x.workspace_id and r.id = x.run_id
    where x.workspace_id = ${workspaceId} and x.run_id = ${runId} and x.case_id = ${caseId}`);
  return row ?? null;
}

/** Locks a run. Whatever changes it or its cases' results locks it first. */
export async function lockCaseRun(
  tx: Tx,
  workspaceId: string,
  id: string,
): Promise<CaseRun | null> {
  const [row] = await tx.query<CaseRun>(sql`
    select ${COLUMNS} from case_run r where r.workspace_id = ${workspaceId} and r.id = ${id} for update`);
  return row ?? null;
}

/** Locks the runs that ask some cases now, in the order of their ids. */
export function lockRunsOf(
  tx: Tx,
  workspaceId: string,
  caseIds: readonly string[],
): Promise<CaseRun[]> {
  return tx.query<CaseRun>(sql`
    select ${COLUMNS} from case_run r where r.workspace_id = ${workspaceId} and r.state = 'running'
      and exists (select 1 from case_result x where x.workspace_id = r.workspace_id and x.run_id = r.id
        and x.case_id = any(${caseIds}::uuid[]))
    order by r.id for update`);
}

/** Holds the most that a call may cost. False: the claim is another worker's. */
export async function writeHeld(tx: Tx, claim: CaseClaim, held: number): Promise<boolean> {
  const rows = await tx.query(sql`
    update case_result set held = ${held} where ${ofClaim(claim)} returning 1`);
  return rows.length > 0;
}

/** Whether other calls of runs hold money that they will hardly cost. */
export async function othersHold(db: Queryable, workspaceId: string): Promise<boolean> {
  const [row] = await db.query<{ held: boolean }>(sql`
    select exists (select 1 from case_run r join case_result x on x.workspace_id = r.workspace_id and x.run_id = r.id
      where r.workspace_id = ${workspaceId} and r.state = 'running' and x.state = 'waiting' and x.held > 0) as held`);
  return row?.held ?? false;
}

/** Gives a claim back: the case is claimed again at a time. */
export async function postponeCase(tx: Tx, claim: CaseClaim, until: Date): Promise<void> {
  await tx.query(sql`update case_result set lease_until = ${until} where ${ofClaim(claim)}`);
}

const ofClaim = ({ workspaceId, runId, caseId, fence }: CaseClaim): Sql =>
  sql`workspace_id = ${workspaceId} and run_id = ${runId} and case_id = ${caseId} and fence = ${fence}
    and state = 'waiting'`;

/** Adds an answer to a claimed case and ends the claim. Gives all its answers and the change of the knowledge at its first
 * one; null: the claim is another worker's. */
export async function addAnswer(
  tx: Tx,
  claim: CaseClaim,
  answer: CaseAnswer,
  first: { readonly version: number; readonly knowledge: number },
  at: Date,
): Promise<{ readonly answers: readonly CaseAnswer[]; readonly knowledge: number } | null> {
  const [row] = await tx.query<{ answers: CaseAnswer[]; knowledge: number }>(sql`
    update case_result set answers = answers || ${JSON.stringify([answer])}::jsonb, held = 0, lease_until = null,
      due_at = ${at}, case_version = coalesce(case_version, ${first.version}),
      knowledge = coalesce(knowledge, ${first.knowledge})
    where ${ofClaim(claim)} returning answers, knowledge`);
  return row ?? null;
}

/** Ends one case of a run. */
export async function endResult(
  tx: Tx,
  { workspaceId, runId, caseId }: CaseClaim,
  state: Exclude<ResultState, "waiting">,
): Promise<void> {
  await tx.query(sql`
    update case_result set state = ${state}, held = 0, lease_until = null
    where workspace_id = ${workspaceId} and run_id = ${runId} and case_id = ${caseId} and state = 'waiting'`);
}

/** What an answer cost, and that the run moved. */
export async function addCost(
  tx: Tx,
  workspaceId: string,
  runId: string,
  cost: number,
  at: Date,
): Promise<void> {
  await tx.query(sql`
    update case_run set cost = cost + ${cost}, moved_at = ${at} where workspace_id = ${workspaceId} and id = ${runId}`);
}

/** Ends a run of which no case waits. True: it ended now. The run must be locked. */
export async function endIfDone(
  tx: Tx,
  workspaceId: string,
  runId: string,
  at: Date,
): Promise<boolean> {
  const rows = await tx.query(sql`
    update case_run r set state = 'done', ended_at = ${at}, moved_at = ${at}
    where workspace_id = ${workspaceId} and id = ${runId} and state = 'running' and not exists (
      select 1 from case_result x where x.workspace_id = r.workspace_id and x.run_id = r.id and x.state = 'waiting')
    returning 1`);
  return rows.length > 0;
}

/** Stops a run: its cases that wait are asked no more. The run must be locked. */
export async function stopCaseRun(
  tx: Tx,
  workspaceId: string,
  runId: string,
  reason: string,
  at: Date,
): Promise<void> {
  await tx.query(sql`
    update case_result set state = 'stopped', held = 0, lease_until = null
    where workspace_id = ${workspaceId} and run_id = ${runId} and state = 'waiting'`);
  await tx.query(sql`
    update case_run set state = 'stopped', reason = ${reason}, ended_at = ${at}, moved_at = ${at}
    where workspace_id = ${workspaceId} and id = ${runId} and state = 'running'`);
}

/** Bots whose state or cases moved since a time, of workspaces, and how far: two moves may have one time. */
export function selectMovedBots(
  db: Queryable,
  workspaceIds: readonly string[],
  since: Date,
): Promise<{ readonly workspaceId: string; readonly id: string; readonly at: string }[]> {
  if (workspaceIds.length === 0) return Promise.resolve([]);
  return db.query(sql`
    select workspace_id as "workspaceId", id, string_agg(at, ' ' order by at) as at from (
      select r.workspace_id, r.bot_id as id, concat(r.id, r.state, r.moved_at, case when r.state = 'running' then (
        select sum(jsonb_array_length(x.answers)) from case_result x
        where x.workspace_id = r.workspace_id and x.run_id = r.id) end) as at from case_run r
      where r.workspace_id = any(${workspaceIds}::uuid[]) and r.moved_at >= ${since}
      union all select workspace_id, id, at::text from (${changedBots(workspaceIds, since)}) b) one
    group by 1, 2`);
}

/** Workspaces with cases whose knowledge changed since they were looked at, and has been quiet since a time. */
export function selectToLook(
  db: Queryable,
  quietSince: Date,
  limit: number,
): Promise<{ readonly workspaceId: string; readonly version: number }[]> {
  return db.query(sql`
    select k.workspace_id as "workspaceId", k.version from ${knowledgeChanges} k
    left join case_look l on l.workspace_id = k.workspace_id
    where k.changed_at <= ${quietSince} and k.version > coalesce(l.version, 0)
      and exists (select 1 from bot_case c where c.workspace_id = k.workspace_id)
    limit ${limit}::int`);
}

export async function writeLook(tx: Tx, workspaceId: string, version: number): Promise<void> {
  await tx.query(sql`
    insert into case_look (workspace_id, version) values (${workspaceId}, ${version})
    on conflict (workspace_id) do update set version = greatest(case_look.version, excluded.version)`);
}

/** Deletes up to a hundred runs that ended before a moment and are the last one of no case. Gives how many. */
export async function deleteCaseRunsBefore(db: Queryable, before: Date): Promise<number> {
  const rows = await db.query(sql`
    delete from case_run where (workspace_id, id) in (
      select r.workspace_id, r.id from case_run r where r.ended_at <= ${before} and not exists (
        select 1 from bot_case c where c.workspace_id = r.workspace_id and c.bot_id = r.bot_id and c.last_run_id = r.id)
      limit 100) returning 1`);
  return rows.length;
}
