import type { Queryable, Tx } from "../../db/database.ts";
import { sql } from "../../db/sql.ts";
import { isId } from "../../lib/ids.ts";
import type { ImportedContact } from "./import-rows.ts";
import { spellingsOf } from "../identity/other-spelling.ts";

/** What a row can be matched by. */
export type RowAddresses = Pick<ImportedContact, "id" | "externalId" | "phone" | "email">;

/**
 * Makes the imports of a workspace take turns, until the transaction ends: a contact that two files name for the
 * first time cannot be locked before it exists.
 */
export async function lockImports(tx: Tx, workspaceId: string): Promise<void> {
  await tx.query(
    sql`select pg_advisory_xact_lock(hashtextextended(${`import:${workspaceId}`}, 0))`,
  );
}

/**
 * Ids of the contacts that any of these could be: by id, external id, phone or e-mail. Gives the ten oldest of
 * each address: an earlier row of the batch can take the address from the oldest, and then the next one is
 * matched.
 */
export async function findByAddress(
  db: Queryable,
  workspaceId: string,
  people: readonly RowAddresses[],
): Promise<string[]> {
  const given = (values: readonly (string | null)[]): string[] => [
    ...new Set(values.filter((value) => value !== null)),
  ];
  const rows = await db.query<{ id: string }>(sql`
    select id from contact
    where workspace_id = ${workspaceId} and id = any(${given(people.map((p) => p.id)).filter(isId)}::uuid[])
    union
    select c.id from unnest(${given(people.map((p) => p.externalId))}::text[]) as a(value) cross join lateral (
      select id from contact where workspace_id = ${workspaceId} and external_id = a.value order by id limit 10) as c
    union
    select c.id from unnest(${given(people.map((p) => p.phone)).flatMap(spellingsOf)}::text[]) as a(value) cross join lateral (
      select id from contact where workspace_id = ${workspaceId} and phone = a.value order by id limit 10) as c
    union
    select c.id from unnest(${given(people.map((p) => p.email))}::text[]) as a(value) cross join lateral (
      select id from contact where workspace_id = ${workspaceId} and email is not null and folded(email) = folded(a.value)
      order by id limit 10) as c`);
  return rows.map((row) => row.id);
}
