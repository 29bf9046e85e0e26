import { sql, type Sql } from "../../db/sql.ts";

/**
 * What every event of a message says of its contact, as JSON text in a statement: `id`, `name`, `phone` and `externalId` as
 * they are in this transaction (contract §5, Webhook request). Null when there is no such contact, any more.
 */
export function contactFacts(workspaceId: Sql, contactId: Sql): Sql {
  const text = (column: Sql): Sql => sql`coalesce(to_json(${column})::text, 'null')`;
  return sql`(select '{"id":"' || c.id || '","name":' || ${text(sql`c.name`)} || ',"phone":' || ${text(sql`c.phone`)}
    || ',"externalId":' || ${text(sql`c.external_id`)} || '}'
    from contact c where c.workspace_id = ${workspaceId} and c.id = ${contactId} limit 1)`;
}

/** The contacts of a workspace, to stand after `from` or `join`. */
export const contactsOf = (workspaceId: Sql | string): Sql =>
  sql`(select * from contact where workspace_id = ${workspaceId})`;

/** One contact, to stand after `lateral`: a look-up by the key, which no planner makes a join of all contacts of. */
export const contactAt = (workspaceId: Sql | string, id: Sql): Sql =>
  sql`(select * from contact where workspace_id = ${workspaceId} and id = ${id} limit 1)`;

/** The ids of merged contacts (`id`) with the contact that each was merged into (`contact_id`), after `from` or `join`. */
export const aliasesOf = (workspaceId: Sql | string): Sql =>
  sql`(select id, contact_id from contact_alias where workspace_id = ${workspaceId})`;

/** The id of the contact that one was merged into; null when it was not merged. */
export const mergedId = (workspaceId: Sql | string, id: Sql): Sql =>
  sql`(select contact_id from contact_alias where workspace_id = ${workspaceId} and id = ${id})`;

/** The id of a contact now: another one when it was merged. */
export const currentIdColumn = (workspaceId: Sql | string, id: Sql): Sql =>
  sql`coalesce(${mergedId(workspaceId, id)}, ${id})`;

/** The ids of the contacts that were merged into one, as a query. */
export const formerIds = (workspaceId: Sql | string, id: Sql | string): Sql =>
  sql`select id from contact_alias where workspace_id = ${workspaceId} and contact_id = ${id}`;

/** How many contacts a workspace has. */
export const contactTotal = (workspaceId: string): Sql =>
  sql`coalesce((select total from contact_total where workspace_id = ${workspaceId}), 0)`;

/** How many contacts stand up to an id in the order of the list, by the counts of its blocks. */
export const contactsUpTo = (workspaceId: string, id: Sql): Sql =>
  sql`(select coalesce(sum(count), 0)::bigint from contact_block
    where workspace_id = ${workspaceId} and level = 0 and start_id <= ${id})`;
