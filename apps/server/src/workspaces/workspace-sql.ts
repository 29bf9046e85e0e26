import { sql, type Sql } from "../db/sql.ts";

/** The ids of all workspaces, to stand after `from`, for statements that go through them one by one. */
export const workspaceIds: Sql = sql`(select id from workspace)`;

/** The id of this workspace if it exists, to stand after `from`. */
export const workspaceWith = (id: string): Sql => sql`(select id from workspace where id = ${id})`;

/** Whether a workspace is for tests, by its id. */
export const isTestWorkspace = (id: Sql | string): Sql =>
  sql`exists (select 1 from workspace where id = ${id} and kind = 'test')`;

/** How many of the plan's seats are taken: by members who are not disabled and by open invitations. */
export const seatCount = (workspaceId: string, now: Date): Sql =>
  sql`((select count(*) from member where workspace_id = ${workspaceId} and disabled_at is null)
    + (select count(*) from invitation
       where workspace_id = ${workspaceId} and expires_at > ${now}::timestamptz))`;

/** Whether somebody is a member of the workspace. */
export const isMember = (workspaceId: string, id: string | null): Sql =>
  sql`exists (select 1 from member where workspace_id = ${workspaceId} and id = ${id}::uuid)`;

/** Whether a member can take a conversation: neither away nor disabled, and has signed in before. */
export const isAtWork = (workspaceId: Sql, id: Sql): Sql =>
  sql`exists (select 1 from member where workspace_id = ${workspaceId} and id = ${id}
    and disabled_at is null and availability = 'online' and signed_in_at is not null)`;

/** One member, to stand after `lateral`. */
export const memberAt = (workspaceId: Sql, id: Sql): Sql =>
  sql`(select * from member where workspace_id = ${workspaceId} and id = ${id} limit 1)`;

/** Whether a workspace lets its members in, which is until its deletion is requested. */
export const letsMembersIn = (workspaceId: Sql): Sql =>
  sql`exists (select 1 from workspace where id = ${workspaceId} and removal_asked_at is null)`;

/** Whether a workspace requires two-factor of its members. */
export const requiresTwoFactor = (workspaceId: Sql): Sql =>
  sql`exists (select 1 from workspace where id = ${workspaceId} and two_factor_required)`;

/** The login of each member of all workspaces, to stand after `from`. */
export const loginsOfMembers: Sql = sql`(select login_id from member)`;
