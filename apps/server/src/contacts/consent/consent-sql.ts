import { sql, type Sql } from "../../db/sql.ts";

/**
 * Whether contact `c` opted out. Consent follows the number (docs/identities.md): an opt-out under one record counts
 * under all records with it. The look-up is a scalar with a limit and no `exists`, which the planner answers by hashing every
 * number of the workspace for each batch.
 */
export const optedOut: Sql = sql`(c.opted_out_at is not null or coalesce((select true from opted_out_phone o
  where o.workspace_id = c.workspace_id and o.phone = c.phone limit 1), false))`;

/** The opt-outs of a workspace that customers or their platforms asked for, to stand after `from`. */
export const optOutsOf = (workspaceId: Sql): Sql =>
  sql`(select * from consent_entry
    where workspace_id = ${workspaceId} and opted_out and source in ('stop_word', 'platform'))`;

/** Where the last word on a contact's consent came from; null: nothing was said. */
export const lastConsentSource = (workspaceId: Sql, contactId: Sql): Sql =>
  sql`(select source from consent_entry where workspace_id = ${workspaceId} and contact_id = ${contactId}
    order by id desc limit 1)`;
