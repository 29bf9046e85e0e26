import type { Queryable, Tx } from "../db/database.ts";
import { sql } from "../db/sql.ts";
import type { GapReason } from "../wire/knowledge.ts";
import type { KnowledgeLang } from "./source.ts";

/** A question as one customer asked it. */
export interface GapRow {
  readonly id: string;
  readonly groupId: string;
  readonly contactId: string | null;
  readonly conversationId: string | null;
  readonly botId: string | null;
  readonly question: string;
  readonly lang: KnowledgeLang;
  readonly why: GapReason;
  readonly askedAt: Date;
}

export interface GapGroup {
  readonly id: string;
  readonly question: string;
  readonly asked: number;
  readonly lastAskedAt: Date;
  readonly lang: KnowledgeLang;
  readonly why: GapReason;
  readonly conversationId: string | null;
  readonly botId: string | null;
  readonly last: string;
}

export async function insertGap(tx: Tx, workspaceId: string, one: GapRow): Promise<void> {
  await tx.query(sql`
    insert into gap (workspace_id, id, group_id, contact_id, conversation_id, bot_id, question, lang, why, asked_at)
    values (${workspaceId}, ${one.id}, ${one.groupId}, ${one.contactId}, ${one.conversationId}, ${one.botId}, ${one.question},
      ${one.lang}, ${one.why}, ${one.askedAt})`);
}

/** The newest open questions, by which alike ones are found. */
export function selectOpenQuestions(
  db: Queryable,
  workspaceId: string,
  limit: number,
): Promise<Pick<GapRow, "groupId" | "question">[]> {
  return db.query(sql`
    select group_id as "groupId", question from gap where workspace_id = ${workspaceId} and state = 'open'
    order by asked_at desc limit ${limit}::int`);
}

/** Open groups, the last asked first; those behind the group `after`. */
export function selectGroups(
  db: Queryable,
  workspaceId: string,
  { after, limit }: { readonly after: string | null; readonly limit: number },
): Promise<GapGroup[]> {
  const behind =
    after === null
      ? sql``
      : sql`where last < (select max(id) from gap where workspace_id = ${workspaceId} and group_id = ${after})`;
  return db.query(sql`
    select * from (
      select distinct on (group_id) group_id as id, question, lang, why, conversation_id as "conversationId", bot_id as "botId",
        asked_at as "lastAskedAt", id as last, (count(*) over (partition by group_id))::int as asked
      from gap where workspace_id = ${workspaceId} and state = 'open' order by group_id, id desc) one
    ${behind} order by last desc limit ${limit}::int`);
}

/** The questions of an open group, locked, newest first. */
export function lockGroup(tx: Tx, workspaceId: string, groupId: string): Promise<GapRow[]> {
  return tx.query(sql`
    select id, group_id as "groupId", contact_id as "contactId", conversation_id as "conversationId", bot_id as "botId",
      question, lang, why, asked_at as "askedAt"
    from gap where workspace_id = ${workspaceId} and group_id = ${groupId} and state = 'open'
    order by id desc for update`);
}

export async function closeGroup(
  tx: Tx,
  workspaceId: string,
  groupId: string,
  by: {
    readonly state: "answered" | "not_ours";
    readonly sourceId: string | null;
    readonly at: Date;
  },
): Promise<void> {
  await tx.query(sql`
    update gap set state = ${by.state}, source_id = ${by.sourceId}, closed_at = ${by.at}
    where workspace_id = ${workspaceId} and group_id = ${groupId} and state = 'open'`);
}

/** Gives the questions of a merged contact to the other one. */
export async function moveGapsOfContact(
  tx: Tx,
  workspaceId: string,
  { mergedId, keepId }: { readonly mergedId: string; readonly keepId: string },
): Promise<void> {
  await tx.query(
    sql`update gap set contact_id = ${keepId} where workspace_id = ${workspaceId} and contact_id = ${mergedId}`,
  );
}

export async function moveGapsOfThread(
  tx: Tx,
  workspaceId: string,
  { fromId, intoId }: { readonly fromId: string; readonly intoId: string },
): Promise<void> {
  await tx.query(sql`
    update gap set conversation_id = ${intoId} where workspace_id = ${workspaceId} and conversation_id = ${fromId}`);
}

/** What contacts asked, for the export of a person. */
export function selectGapsOf(
  db: Queryable,
  workspaceId: string,
  contactIds: readonly string[],
): Promise<
  (Pick<GapRow, "id" | "question" | "askedAt" | "conversationId"> & { readonly state: string })[]
> {
  return db.query(sql`
    select id, question, asked_at as "askedAt", conversation_id as "conversationId", state from gap
    where workspace_id = ${workspaceId} and contact_id = any(${contactIds}::uuid[]) order by id`);
}

/** Deletes what contacts asked. Gives the words and the sources that they went into. */
export function deleteGapsOf(
  tx: Tx,
  workspaceId: string,
  contactIds: readonly string[],
  limit: number,
): Promise<{ readonly question: string; readonly sourceId: string | null }[]> {
  return tx.query(sql`
    delete from gap where workspace_id = ${workspaceId} and id = any(array(
      select id from gap where workspace_id = ${workspaceId} and contact_id = any(${contactIds}::uuid[]) limit ${limit}::int))
    returning question, source_id as "sourceId"`);
}

/** The contact who asked a question of a group in these words last. */
export async function selectAsker(
  db: Queryable,
  workspaceId: string,
  groupId: string,
  question: string,
): Promise<{ readonly contactId: string | null } | null> {
  const [row] = await db.query<{ contactId: string | null }>(sql`
    select contact_id as "contactId" from gap where workspace_id = ${workspaceId} and group_id = ${groupId}
    order by question = ${question} desc, id desc limit 1`);
  return row ?? null;
}

/** Whether somebody else asked in the same words what went into a source. */
export async function isAskedByOthers(
  tx: Tx,
  workspaceId: string,
  sourceId: string,
  question: string,
): Promise<boolean> {
  const rows = await tx.query(sql`
    select 1 from gap where workspace_id = ${workspaceId} and source_id = ${sourceId} and question = ${question} limit 1`);
  return rows.length > 0;
}

/** Deletes questions of the workspace with ids below this one. Gives how many. */
export async function deleteGapsBefore(
  tx: Tx,
  workspaceId: string,
  below: string,
  limit: number,
): Promise<number> {
  const rows = await tx.query(sql`
    delete from gap where workspace_id = ${workspaceId} and id = any(array(
      select id from gap where workspace_id = ${workspaceId} and id < ${below} order by id limit ${limit}))
    returning 1`);
  return rows.length;
}
