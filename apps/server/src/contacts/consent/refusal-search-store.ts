import type { Queryable, Tx } from "../../db/database.ts";
import { sql } from "../../db/sql.ts";
import { NIL_ID } from "../../lib/ids.ts";
import type { Names } from "./erase-refusals.ts";

export interface RefusalOf {
  readonly importId: string;
  readonly position: number;
  readonly line: number;
  readonly reason: string;
  readonly record: readonly string[];
  readonly createdAt: Date;
}

/** The marks that may stand between the digits of a phone (contact-input.ts), and marks that people write around it. */
const MARKS = String.raw`[\s().+/\[\]\-\u00a0\u2010-\u2015\u200e\u200f\u202a-\u202e\u2066-\u2069]`;
/** Digits as a file may have them (attribute-definition.ts). */
const DIGITS = "٠١٢٣٤٥٦٧٨٩۰۱۲۳۴۵۶۷۸۹";
const WESTERN = "01234567890123456789";

/**
 * Reads by the primary key, `window` rows at a time. Finds a number however it is written with its country code,
 * in the digits of every script that an import reads. Finds an e-mail address in any case, and a platform's id
 * where it fills a cell. A line of JSON Lines counts as one cell.
 */
export async function selectRefusalsOf(
  db: Queryable,
  workspaceId: string,
  names: Names,
  after: string,
  window: number,
): Promise<{ rows: RefusalOf[]; last: string | null }> {
  const [importId = NIL_ID, position = "-1"] = after === "" ? [] : after.split("/");
  const rows = await db.query<
    { last: string | null; looked: number } & { [K in keyof RefusalOf]: RefusalOf[K] | null }
  >(sql`
    with looked as materialized (
      select import_id, position, line, reason, record, created_at from contact_import_refusal
      where workspace_id = ${workspaceId} and (import_id, position) > (${importId}::uuid, ${position}::bigint)
      order by import_id, position limit ${window}::int
    )
    select (select count(*)::int from looked) as looked,
      (select import_id || '/' || position from looked order by import_id desc, position desc limit 1) as last,
      l.import_id as "importId", l.position, l.line, l.reason, l.record, l.created_at as "createdAt"
    from (values (1)) one (n) left join looked l on exists (
      select 1 from unnest(l.record) as c (cell)
      where c.cell = any(${names.externalIds}::text[])
        or exists (select 1 from unnest(${names.emails}::text[]) as e (email) where position(folded(e.email) in folded(c.cell)) > 0)
        or exists (select 1 from unnest(${names.phones}::text[]) as p (phone)
          cross join regexp_replace(translate(c.cell, ${DIGITS}, ${WESTERN}), ${MARKS}, '', 'g') as bare
          where bare = p.phone or length(p.phone) >= 7 and position(p.phone in bare) > 0))
    order by l.import_id, l.position`);
  const found = rows.flatMap(({ importId: id, position: at, line, reason, record, createdAt }) =>
    id === null ||
    at === null ||
    line === null ||
    reason === null ||
    record === null ||
    createdAt === null
      ? []
      : [{ importId: id, position: at, line, reason, record, createdAt }],
  );
  const [first] = rows;
  return { rows: found, last: first && first.looked === window ? first.last : null };
}

/** Removes cells and reason from refused rows, for an erasure. */
export async function blankRefusals(
  tx: Tx,
  workspaceId: string,
  rows: readonly Pick<RefusalOf, "importId" | "position">[],
): Promise<void> {
  if (rows.length === 0) return;
  await tx.query(sql`
    update contact_import_refusal r set record = '{}', reason = 'erased'
    from unnest(${rows.map((row) => row.importId)}::uuid[], ${rows.map((row) => row.position)}::bigint[])
      as n (import_id, position)
    where r.workspace_id = ${workspaceId} and r.import_id = n.import_id and r.position = n.position`);
}
