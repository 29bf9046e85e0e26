import type { Queryable } from "../db/database.ts";
import { sql } from "../db/sql.ts";

export interface Label {
  readonly name: string;
  /** #rrggbb */
  readonly color: string;
}

export async function upsertLabel(db: Queryable, workspaceId: string, label: Label): Promise<void> {
  await db.query(sql`insert into label (workspace_id, name, color) values (${workspaceId}, ${label.name}, ${label.color})
    on conflict (workspace_id, name) do update set color = excluded.color`);
}

/** Whether there was one. */
export async function dropLabel(
  db: Queryable,
  workspaceId: string,
  name: string,
): Promise<boolean> {
  const rows = await db.query(
    sql`delete from label where workspace_id = ${workspaceId} and name = ${name} returning 1`,
  );
  return rows.length > 0;
}

/** By name, those behind `after`. */
export function selectLabels(
  db: Queryable,
  workspaceId: string,
  { after, limit }: { readonly after: string; readonly limit: number },
): Promise<Label[]> {
  return db.query(sql`select name, color from label
    where workspace_id = ${workspaceId} and name > ${after} order by name limit ${limit}::int`);
}

export async function selectLabel(
  db: Queryable,
  workspaceId: string,
  name: string,
): Promise<Label | undefined> {
  const [label] = await db.query<Label>(
    sql`select name, color from label where workspace_id = ${workspaceId} and name = ${name}`,
  );
  return label;
}

/** Some of the conversations that have the label. */
export async function selectLabelled(
  db: Queryable,
  workspaceId: string,
  name: string,
  limit: number,
): Promise<string[]> {
  const rows = await db.query<{ id: string }>(sql`select conversation_id as id from desk_label
    where workspace_id = ${workspaceId} and label = ${name} limit ${limit}::int`);
  return rows.map(({ id }) => id);
}
