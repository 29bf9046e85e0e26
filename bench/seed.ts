import type { Db } from "../apps/server/src/db/database.ts";
import { sql, type Sql } from "../apps/server/src/db/sql.ts";

/** The block size of the contact totals; a seed that wrote them otherwise would flatter or hurt the far pages. */
const BLOCK = 1_024;

/** An id whose order is the order of `index`: the shape of UUIDv7 without its randomness. */
const idAt = (prefix: number, index: Sql): Sql =>
  sql`(lpad(to_hex(${prefix}::int), 4, '0') || lpad(to_hex(${index}), 8, '0') || '70008000000000000000')::uuid`;

/**
 * Fills a workspace with `count` contacts straight in SQL, totals and blocks included, as if they had come by API.
 * One in a thousand carries the word "needle": the term of the search case.
 */
export async function seedContacts(db: Db, workspaceId: string, prefix: number, count: number): Promise<void> {
  const step = 50_000;
  for (let from = 1; from <= count; from += step) {
    await db.query(sql`
      insert into contact (workspace_id, id, name, email, phone, tags, attributes, created_at, updated_at, search)
      select ${workspaceId}, ${idAt(prefix, sql`i`)}, name, email, phone, array['lead'],
        jsonb_build_object('city', 'Kuwait', 'n', i), now(), now(), name || chr(10) || email || chr(10) || phone
      from generate_series(${from}::int, ${Math.min(from + step - 1, count)}::int) i,
        lateral (select case when i % 1000 = 0 then 'needle ' else '' end || 'contact ' || md5(i::text) as name,
          'person' || i || '@example.com' as email, (96500000000 + i)::text as phone) person`);
  }
  const open = Math.floor((count - 1) / BLOCK) * BLOCK + 1;
  await db.query(sql`
    insert into contact_block (workspace_id, start_id, count)
    select ${workspaceId}, ${idAt(prefix, sql`i`)}, ${BLOCK} from generate_series(1, ${open}::int - 1, ${BLOCK}) i`);
  await db.query(sql`
    insert into contact_total (workspace_id, total, open_start, open_count)
    values (${workspaceId}, ${count}, ${idAt(prefix, sql`${open}::int`)}, ${count - open + 1})`);
}
