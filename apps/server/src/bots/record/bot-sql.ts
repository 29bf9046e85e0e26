import { sql, type Sql } from "../../db/sql.ts";

/** Whether a workspace has a bot that answers: a paused one goes on with the conversations that it has. */
export const hasBot = (workspaceId: Sql): Sql =>
  sql`exists (select 1 from bot where workspace_id = ${workspaceId} and status in ('live', 'paused'))`;

/** How many bots count for the plan: from their first publishing until they are archived. */
export const botCount = (workspaceId: Sql | string): Sql =>
  sql`(select count(*) from bot where workspace_id = ${workspaceId} and status in ('live', 'paused'))`;

/** Bots of workspaces that changed since a time (`workspace_id`, `id`, `at`), to stand in a union. */
export const changedBots = (workspaceIds: readonly string[], since: Date): Sql =>
  sql`select workspace_id, id, updated_at as at from bot
    where workspace_id = any(${workspaceIds}::uuid[]) and updated_at >= ${since}`;

/** The archived bots of all workspaces, to stand after `from`. */
export const archivedBots: Sql = sql`(select workspace_id, id from bot where status = 'archived')`;

/** Whether a bot is an AI assistant; null when there is none with that id. */
export const isAiBot = (workspaceId: Sql | string, id: Sql): Sql =>
  sql`(select kind = 'ai' from bot where workspace_id = ${workspaceId} and id = ${id})`;

/** The name of a bot; null when there is none with that id. */
export const botName = (workspaceId: Sql | string, id: Sql): Sql =>
  sql`(select name from bot where workspace_id = ${workspaceId} and id = ${id})`;
