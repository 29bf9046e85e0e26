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
