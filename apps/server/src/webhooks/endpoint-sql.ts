import { sql, type Sql } from "../db/sql.ts";
import type { EventKind } from "../wire/words.ts";

/** True when an endpoint of the workspace names this kind of event. */
export const kindIsWanted = (workspaceId: Sql, kind: EventKind): Sql => sql`exists (
  select from endpoint where workspace_id = ${workspaceId} and ${kind}::text = any (events))`;
