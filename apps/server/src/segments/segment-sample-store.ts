import { contactsOf } from "../contacts/record/contact-sql.ts";
import type { Queryable } from "../db/database.ts";
import { sql, type Sql } from "../db/sql.ts";

/** A contact as a sample shows it. */
export interface SampledContact {
  readonly id: string;
  readonly name: string | null;
  readonly phone: string | null;
  readonly email: string | null;
  readonly tags: readonly string[];
}

const COLUMNS = sql`c.id, c.name, c.phone, c.email, c.tags`;

/** The newest that fit, read from the newest on. */
export const sampleNewest = (workspaceId: string, where: Sql, limit: number): Sql => sql`
  select ${COLUMNS} from ${contactsOf(workspaceId)} c where ${where} order by c.id desc limit ${limit}`;

/** The same, found as a whole: `offset 0` hides the limit from the planner. */
export const sampleWhole = (workspaceId: string, where: Sql, limit: number): Sql => sql`
  select ${COLUMNS} from (
    select ${COLUMNS} from ${contactsOf(workspaceId)} c where ${where} offset 0
  ) as c order by c.id desc limit ${limit}`;

/** Tags and attributes of the newest and the oldest contacts, `each` of both. */
export function selectTagsAndAttributes(
  db: Queryable,
  workspaceId: string,
  each: number,
): Promise<{ tags: string[]; attributes: Record<string, unknown> }[]> {
  const some = (order: Sql): Sql => sql`
    (select c.tags, c.attributes from ${contactsOf(workspaceId)} c order by c.id ${order} limit ${each})`;
  return db.query<{ tags: string[]; attributes: Record<string, unknown> }>(
    sql`${some(sql`desc`)} union all ${some(sql`asc`)}`,
  );
}
