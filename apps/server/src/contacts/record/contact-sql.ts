import { sql, type Sql } from "../../db/sql.ts";

/**
 * What every event of a message says of its contact, as JSON text in a statement: `id`, `name`, `phone` and
 * `externalId` as they are in this transaction (contract §5, Webhook request). Null when the contact does not
 * exist.
 */
export function contactFacts(workspaceId: Sql, contactId: Sql): Sql {
  const text = (column: Sql): Sql => sql`coalesce(to_json(${column})::text, 'null')`;
  return sql`(select '{"id":"' || c.id || '","name":' || ${text(sql`c.name`)} || ',"phone":' || ${text(sql`c.phone`)}
    || ',"externalId":' || ${text(sql`c.external_id`)} || '}'
    from contact c where c.workspace_id = ${workspaceId} and c.id = ${contactId} limit 1)`;
}

/** The contacts of a workspace. Goes after `from` or `join`. */
export const contactsOf = (workspaceId: Sql | string): Sql =>
  sql`(select * from contact where workspace_id = ${workspaceId})`;

/**
 * One contact. Goes after `lateral`: a look-up by the key, which the planner never turns into a join over all
 * contacts.
 */
export const contactAt = (workspaceId: Sql | string, id: Sql): Sql =>
  sql`(select * from contact where workspace_id = ${workspaceId} and id = ${id} limit 1)`;

/**
 * The ids of merged contacts (`id`), each with the contact it was merged into (`contact_id`). Goes after `from` or
 * `join`.
 */
export const aliasesOf = (workspaceId: Sql | string): Sql =>
  sql`(select id, contact_id from contact_alias where workspace_id = ${workspaceId})`;

/** The id of the contact that a contact was merged into; null when it was not merged. */
export const mergedId = (workspaceId: Sql | string, id: Sql): Sql =>
  sql`(select contact_id from contact_alias where workspace_id = ${workspaceId} and id = ${id})`;

/** The present id of a contact: another one when it was merged. */
export const currentIdColumn = (workspaceId: Sql | string, id: Sql): Sql =>
  sql`coalesce(${mergedId(workspaceId, id)}, ${id})`;

/** The ids of the contacts that were merged into one, as a query. */
export const formerIds = (workspaceId: Sql | string, id: Sql | string): Sql =>
  sql`select id from contact_alias where workspace_id = ${workspaceId} and contact_id = ${id}`;

/** How many contacts a workspace has. */
export const contactTotal = (workspaceId: string): Sql =>
  sql`coalesce((select total from contact_total where workspace_id = ${workspaceId}), 0)`;
