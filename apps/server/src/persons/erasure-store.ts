import type { Queryable, Tx } from "../db/database.ts";
import { ifGiven, sql } from "../db/sql.ts";
import type { Erasure, Step, StillNamed } from "./erasure.ts";

const COLUMNS = sql`id, contact_id as "contactId", state, step, counts,
  still_named as "stillNamed", waits_for as "waitsFor", actor,
  iso(created_at) as "createdAt", iso(updated_at) as "updatedAt", iso(finished_at) as "finishedAt"`;

export interface NewErasure {
  readonly workspaceId: string;
  readonly id: string;
  readonly contactId: string;
  readonly ids: readonly string[];
  readonly keysSealed: Buffer;
  readonly stillNamed: StillNamed;
  readonly step: Step;
  readonly actor: string;
  readonly at: Date;
}

/** Stores the start of an erasure. Null: an erasure of the person is running already, and its start is committed. */
export async function insertErasure(tx: Tx, row: NewErasure): Promise<Erasure | null> {
  const [made] = await tx.query<Erasure>(sql`
    insert into person_erasure (workspace_id, id, contact_id, ids, keys_sealed, still_named, state, step, due_at, actor,
      created_at, updated_at)
    values (${row.workspaceId}, ${row.id}, ${row.contactId}, ${row.ids}::uuid[], ${row.keysSealed}, ${JSON.stringify(row.stillNamed)}::jsonb,
      'running', ${row.step}, ${row.at}, ${row.actor}, ${row.at}, ${row.at})
    on conflict (workspace_id, contact_id) where state = 'running' do nothing returning ${COLUMNS}`);
  return made ?? null;
}

/** The last erasure of the person with this id. */
export async function selectErasureOf(
  db: Queryable,
  workspaceId: string,
  contactId: string,
): Promise<Erasure | null> {
  const [row] = await db.query<Erasure>(sql`
    select ${COLUMNS} from person_erasure where workspace_id = ${workspaceId} and ${contactId}::uuid = any (ids)
    order by id desc limit 1`);
  return row ?? null;
}

/** The newest hundred erasures of the workspace, or the one with that id. */
export function selectErasures(
  db: Queryable,
  workspaceId: string,
  id: string | null,
): Promise<Erasure[]> {
  return db.query<Erasure>(sql`
    select ${COLUMNS} from person_erasure
    where workspace_id = ${workspaceId} ${ifGiven(id, (given) => sql`and id = ${given}`)} order by id desc limit 100`);
}

export interface DueErasure extends Erasure {
  readonly workspaceId: string;
  readonly ids: readonly string[];
  readonly cursor: string;
  readonly keysSealed: Buffer;
}

/** The step of the erasure that has been due the longest, or of the given one; without a lock. */
export async function peekDue(db: Queryable, now: Date, id: string | null): Promise<string | null> {
  const [row] = await db.query<{ step: string }>(sql`
    select step from person_erasure
    where state = 'running' and due_at <= ${now} ${ifGiven(id, (given) => sql`and id = ${given}`)}
    order by due_at limit 1`);
  return row?.step ?? null;
}

/** Locks it until the transaction ends: nobody else works on it. */
export async function lockDue(
  tx: Tx,
  now: Date,
  id: string | null,
): Promise<DueErasure | undefined> {
  const [row] = await tx.query<DueErasure>(sql`
    select ${COLUMNS}, workspace_id as "workspaceId", ids, cursor, keys_sealed as "keysSealed" from person_erasure
    where state = 'running' and due_at <= ${now} ${ifGiven(id, (given) => sql`and id = ${given}`)}
    order by due_at limit 1 for update skip locked`);
  return row;
}

export interface ErasureKey {
  readonly workspaceId: string;
  readonly id: string;
}

/** Stores how far an erasure is, in the transaction of the batch. */
export async function moveErasure(
  tx: Tx,
  key: ErasureKey,
  move: {
    readonly step: Step;
    readonly cursor: string;
    readonly counts: Readonly<Record<string, number>>;
    readonly waitsFor: string | null;
    readonly dueAt: Date;
    readonly at: Date;
  },
): Promise<void> {
  await tx.query(sql`
    update person_erasure set step = ${move.step}, cursor = ${move.cursor}, counts = ${JSON.stringify(move.counts)}::jsonb,
      waits_for = ${move.waitsFor}, due_at = ${move.dueAt}, updated_at = ${move.at}
    where workspace_id = ${key.workspaceId} and id = ${key.id}`);
}

/** Ends an erasure, and removes the keys by which the person was found. */
export async function finishErasure(
  tx: Tx,
  key: ErasureKey,
  counts: Readonly<Record<string, number>>,
  at: Date,
): Promise<void> {
  await tx.query(sql`
    update person_erasure set state = 'done', step = 'done', cursor = '', keys_sealed = null, waits_for = null,
      counts = ${JSON.stringify(counts)}::jsonb, updated_at = ${at}, finished_at = ${at}
    where workspace_id = ${key.workspaceId} and id = ${key.id}`);
}

/** Puts an erasure that could not go on behind the others. */
export async function postponeErasure(
  db: Queryable,
  key: ErasureKey,
  put: { readonly waitsFor: string; readonly dueAt: Date; readonly at: Date },
): Promise<void> {
  await db.query(sql`
    update person_erasure set waits_for = ${put.waitsFor}, due_at = ${put.dueAt}, updated_at = ${put.at}
    where workspace_id = ${key.workspaceId} and id = ${key.id} and state = 'running'`);
}
