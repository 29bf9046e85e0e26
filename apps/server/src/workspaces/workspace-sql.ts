import { sql, type Sql } from "../db/sql.ts";

/** The ids of all workspaces, to stand after `from`: for statements that go through them one by one. */
export const workspaceIds: Sql = sql`(select id from workspace)`;

/** The workspace's id, when there is such a workspace; to stand after `from`. */
export const workspaceWith = (id: string): Sql => sql`(select id from workspace where id = ${id})`;

/** How many members a workspace has, without those who are disabled. */
export const memberCount = (workspaceId: string): Sql =>
  sql`(select count(*) from member where workspace_id = ${workspaceId} and disabled_at is null)`;

/** Whether somebody is a member of the workspace. */
export const isMember = (workspaceId: string, id: string | null): Sql =>
  sql`exists (select 1 from member where workspace_id = ${workspaceId} and id = ${id}::uuid)`;

/** One member, to stand after `lateral`. */
export const memberAt = (workspaceId: Sql, id: Sql): Sql =>
  sql`(select * from member where workspace_id = ${workspaceId} and id = ${id} limit 1)`;

/** The login of each member of all workspaces, to stand after `from`. */
export const loginsOfMembers: Sql = sql`(select login_id from member)`;
