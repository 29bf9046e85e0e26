import { sql, type Sql } from "../db/sql.ts";

/**
 * Part of a `with`: gives each workspace of `wanted (workspace_id, n)` its next `n` numbers of the inbox, and locks its sequence
 * row until commit, in workspace order as events do. `allotted` has `workspace_id, desk`: the last of the numbers.
 * They are not those of events: receivers would take what is missing for lost events.
 */
export const allotDeskNumbers: Sql = sql`
    allotted as (
      insert into event_sequence as s (workspace_id, last, desk)
      select workspace_id, 0, n from wanted order by workspace_id
      on conflict (workspace_id) do update set desk = s.desk + excluded.desk
      returning s.workspace_id, s.desk
    )`;

/** The inbox's number now. */
export const deskNumberOf = (workspaceId: Sql | string): Sql =>
  sql`coalesce((select desk from event_sequence where workspace_id = ${workspaceId}), 0)::float8`;
