import type { Queryable } from "../../db/database.ts";
import { sql } from "../../db/sql.ts";
import type { AttributeDefinition } from "./attribute-definition.ts";

/** The workspace's definitions, by key. */
export function selectDefinitions(
  db: Queryable,
  workspaceId: string,
): Promise<AttributeDefinition[]> {
  return db.query<AttributeDefinition>(sql`
    select key, label, type, choices from attribute_definition where workspace_id = ${workspaceId} order by key`);
}

/** Defines an attribute, or replaces its definition. Stored values stay. */
export async function upsertDefinition(
  db: Queryable,
  workspaceId: string,
  { key, label, type, choices }: AttributeDefinition,
): Promise<void> {
  await db.query(sql`
    insert into attribute_definition (workspace_id, key, label, type, choices)
    values (${workspaceId}, ${key}, ${label}, ${type}, ${choices}::text[])
    on conflict (workspace_id, key) do update
      set label = excluded.label, type = excluded.type, choices = excluded.choices`);
}

/** False when there was no such definition. */
export async function deleteDefinition(
  db: Queryable,
  workspaceId: string,
  key: string,
): Promise<boolean> {
  const rows = await db.query(sql`
    delete from attribute_definition where workspace_id = ${workspaceId} and key = ${key} returning key`);
  return rows.length > 0;
}
