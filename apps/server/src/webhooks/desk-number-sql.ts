import { sql, type Sql } from "../db/sql.ts";

/**
 * Part of a `with`: gives each workspace of `wanted (workspace_id, n)` its next `n` numbers of the inbox. It locks the
 * workspaces' sequence rows until the commit, in workspace order, as events do. `allotted` has `workspace_id` and
 * `desk`, the last of the numbers. Events have other numbers: a receiver would take the gaps for lost events.
 */
export const allotDeskNumbers: Sql = sql`
    allotted as (
      insert into event_sequence as s (workspace_id, last, desk)
      select workspace_id, 0, n from wanted order by workspace_id
      on conflict (workspace_id) do update set desk = s.desk + excluded.desk
      returning s.workspace_id, s.desk
    )`;

/** The current number of a workspace's inbox. */
export const deskNumberOf = (workspaceId: Sql | string): Sql =>
  sql`coalesce((select desk from event_sequence where workspace_id = ${workspaceId}), 0)::float8`;
