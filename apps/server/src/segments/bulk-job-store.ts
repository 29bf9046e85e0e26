import type { ContactChange } from "../contacts/record/change-contacts.ts";
import type { Queryable, Tx } from "../db/database.ts";
import { deleteOldRows } from "../db/delete-old-rows.ts";
import { ifGiven, sql, type Sql } from "../db/sql.ts";
import { MAX_ID, NIL_ID } from "../lib/ids.ts";
import type { BulkAction, BulkJob, JobProgress } from "./bulk-job.ts";
import type { Definition } from "./segment.ts";
import { aliasesOf, contactsOf, contactTotal } from "../contacts/record/contact-sql.ts";

const COLUMNS = sql`id, action, details, segment_id as "segmentId", state, reason, matched, changed, actor,
  iso(created_at) as "createdAt", iso(updated_at) as "updatedAt", iso(finished_at) as "finishedAt"`;

export interface NewJob {
  readonly workspaceId: string;
  readonly id: string;
  readonly action: BulkAction;
  readonly details: Omit<ContactChange, "action">;
  readonly segmentId: string | null;
  readonly definition: Definition | null;
  readonly ids: readonly string[] | null;
  readonly actor: string;
  readonly at: Date;
}

/** Stores a job that begins before the first contact and ends with the contacts that exist now. */
export async function insertJob(tx: Tx, job: NewJob): Promise<BulkJob[]> {
  return tx.query<BulkJob>(sql`
    insert into contact_job (workspace_id, id, action, details, segment_id, definition, ids, state, cursor, until,
      actor, created_at, updated_at)
    values (${job.workspaceId}, ${job.id}, ${job.action}, ${JSON.stringify(job.details)}::jsonb, ${job.segmentId},
      ${job.definition && JSON.stringify(job.definition)}::json, ${job.ids}::uuid[], 'running', ${NIL_ID}, ${job.id},
      ${job.actor}, ${job.at}, ${job.at})
    returning ${COLUMNS}`);
}

/** The newest hundred jobs of the workspace, or the one with that id. */
export function selectJobs(
  db: Queryable,
  workspaceId: string,
  id: string | null,
): Promise<BulkJob[]> {
  return db.query<BulkJob>(sql`
    select ${COLUMNS} from contact_job
    where workspace_id = ${workspaceId} ${ifGiven(id, (given) => sql`and id = ${given}`)} order by id desc limit 100`);
}

/** The next jobs of the workspace after one of them, newest first. */
export function selectJobPage(
  db: Queryable,
  workspaceId: string,
  after: string | null,
  limit: number,
): Promise<BulkJob[]> {
  return db.query<BulkJob>(sql`
    select ${COLUMNS} from contact_job
    where workspace_id = ${workspaceId} and id < ${after ?? MAX_ID}::uuid
    order by id desc limit ${limit}`);
}

/** The progress of running jobs: how many contacts were read, of all that the workspace has or had. */
export function selectProgress(db: Queryable, workspaceId: string): Promise<JobProgress[]> {
  const deleted = sql`case when action = 'delete' then changed else 0 end`;
  return db.query<JobProgress>(sql`
    select id,
      case when ids is null then looked else matched end as done,
      case when ids is null then ${deleted} + ${contactTotal(workspaceId)} else cardinality(ids) end as total
    from contact_job where workspace_id = ${workspaceId} and state in ('running', 'paused')
    order by id desc limit 100`);
}

export interface RunningJob {
  readonly workspaceId: string;
  readonly id: string;
  readonly action: BulkAction;
  readonly details: Readonly<Record<string, unknown>>;
  readonly definition: Definition | null;
  readonly ids: readonly string[] | null;
  readonly cursor: string;
  readonly until: string;
  readonly actor: string;
  readonly startedAt: Date;
  readonly matched: number;
  readonly changed: number;
}

/** Claims the running job that has waited longest, or the named one, until the transaction ends. */
export async function lockJob(tx: Tx, id: string | null): Promise<RunningJob | undefined> {
  const [job] = await tx.query<RunningJob>(sql`
    select workspace_id as "workspaceId", id, action, details, definition, ids, cursor, until, actor,
      created_at as "startedAt", matched, changed
    from contact_job where state = 'running' ${ifGiven(id, (given) => sql`and id = ${given}`)}
    order by updated_at limit 1 for update skip locked`);
  return job;
}

/** Reading contacts takes a fraction of the time of changing them. */
const LOOKED_AT = 10;

interface NextContacts {
  readonly ids: string[];
  readonly cursor: string;
  readonly end: boolean;
  /** How many contacts were read, those that do not fit included. */
  readonly looked: number;
}

/**
 * The next contacts of a job that fit `where`, in order of ids, at most `window`, among ten times as many read.
 * The last batch of a job by ids also includes the contacts into which those were merged since its start.
 */
export async function selectNext(
  tx: Tx,
  job: RunningJob,
  where: Sql,
  window: number,
): Promise<NextContacts> {
  const chosen = job.ids === null ? sql`true` : sql`c.id = any(${job.ids}::uuid[])`;
  const contacts = sql`${contactsOf(job.workspaceId)} c where c.id > ${job.cursor} and ${chosen}`;
  const [last] = await tx.query<{ id: string }>(sql`
    select c.id from ${contacts} and c.id <= ${job.until} order by c.id offset ${window * LOOKED_AT - 1} limit 1`);
  const looked = last?.id ?? job.until;
  const rows = await tx.query<{ id: string }>(sql`
    select c.id from ${contacts} and c.id <= ${looked} and ${where}
    order by c.id limit ${window}`);
  const ids = rows.map((row) => row.id);
  // Full: among those that were read there may be more.
  const full = ids.length === window;
  const cursor = full ? (ids.at(-1) ?? looked) : looked;
  const end = last === undefined && !full;
  const [read] = await tx.query<{ looked: number }>(
    sql`select count(*)::int as looked from ${contacts} and c.id <= ${cursor}`,
  );
  const next = { ids, cursor, end, looked: read?.looked ?? 0 };
  if (!end || job.ids === null) return next;
  const given = new Set(job.ids);
  const now = await currentIds(tx, job.workspaceId, job.ids);
  return { ...next, ids: [...ids, ...now.filter((id) => !given.has(id))] };
}

/** Stores how far a job is, in the transaction of the batch. */
export async function moveJob(
  tx: Tx,
  job: Pick<RunningJob, "workspaceId" | "id">,
  step: {
    readonly cursor: string;
    readonly end: boolean;
    readonly looked: number;
    readonly matched: number;
    readonly changed: number;
    readonly at: Date;
  },
): Promise<void> {
  await tx.query(sql`
    update contact_job set cursor = ${step.cursor}, looked = looked + ${step.looked}, matched = matched + ${step.matched},
      changed = changed + ${step.changed}, updated_at = ${step.at},
      state = case when ${step.end} then 'done' else state end,
      definition = case when not ${step.end} then definition end,
      finished_at = case when ${step.end} then ${step.at}::timestamptz end
    where workspace_id = ${job.workspaceId} and id = ${job.id}`);
}

/** Puts a job behind the other waiting ones. */
export async function postponeJob(
  db: Queryable,
  job: Pick<RunningJob, "workspaceId" | "id">,
  at: Date,
): Promise<void> {
  await db.query(sql`
    update contact_job set updated_at = ${at} where workspace_id = ${job.workspaceId} and id = ${job.id}`);
}

/** Changes a job's state, only from one of `from`. Gives the changed job. */
export function setJobState(
  db: Queryable,
  workspaceId: string,
  id: string,
  move: {
    readonly from: readonly BulkJob["state"][];
    readonly to: BulkJob["state"];
    readonly reason: string | null;
    readonly at: Date;
  },
): Promise<BulkJob[]> {
  return db.query<BulkJob>(sql`
    update contact_job set state = ${move.to}, reason = ${move.reason}, updated_at = ${move.at},
      definition = case when ${move.to} not in ('cancelled', 'failed') then definition end,
      finished_at = case when ${move.to} in ('cancelled', 'failed') then ${move.at}::timestamptz end
    where workspace_id = ${workspaceId} and id = ${id} and state = any(${move.from}::text[])
    returning ${COLUMNS}`);
}

/** The present ids: for a merged contact, that of the contact it became. */
export async function currentIds(
  tx: Tx,
  workspaceId: string,
  ids: readonly string[],
): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(sql`
    select distinct coalesce(a.contact_id, g.id) as id from unnest(${ids}::uuid[]) as g (id)
    left join ${aliasesOf(workspaceId)} a on a.id = g.id order by 1`);
  return rows.map((row) => row.id);
}

/** Deletes jobs that ended before that time. Gives how many. */
export function deleteOldJobs(db: Queryable, before: Date, limit: number): Promise<number> {
  const where = sql`o.finished_at < ${before}`;
  return deleteOldRows(db, sql`contact_job`, { before, where, limit });
}
