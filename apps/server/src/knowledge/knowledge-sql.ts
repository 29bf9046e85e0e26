import { sql, type Sql } from "../db/sql.ts";

/** The newest change of each workspace's knowledge (`workspace_id`, `version`, `changed_at`), to stand after `from`. */
export const knowledgeChanges: Sql = sql`(select workspace_id, version, changed_at from knowledge_version)`;

/** The number of the newest change of a workspace's knowledge. */
export const knowledgeNumber = (workspaceId: Sql | string): Sql =>
  sql`coalesce((select version from knowledge_version where workspace_id = ${workspaceId}), 0)`;

/** What changes with the chunks of a source; '' for one without chunks, and for one that was deleted. */
export const chunkPrint = (workspaceId: Sql | string, sourceId: Sql): Sql =>
  sql`coalesce((select md5(string_agg(id::text, ',' order by id)) from knowledge_chunk
    where workspace_id = ${workspaceId} and source_id = ${sourceId}), '')`;

/** Since when a source of the knowledge has been due to be read; null: none is. */
export const oldestDueSource = (now: Date): Sql =>
  sql`(select min(due_at) from knowledge_source where due_at <= ${now}::timestamptz)`;
