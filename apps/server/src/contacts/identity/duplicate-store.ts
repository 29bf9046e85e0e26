import type { Db } from "../../db/database.ts";
import { sql } from "../../db/sql.ts";

// Thousands may share one address; all of them are counted.
const TIMEOUT_MS = 30_000;
/** How many ids a group names. Of a number that thousands share, the count says enough. */
const MAX_NAMED = 50;

export interface DuplicateRow {
  readonly address: string;
  readonly count: number;
  readonly ids: readonly string[];
}

/**
 * Reads the next `window` contacts in the order of their addresses, from after `after`. Gives the addresses that
 * several of them share, each with the contacts' ids, oldest first. For the last address all contacts are counted.
 * `last`: where the next window begins; null when there is none.
 */
export async function selectDuplicates(
  db: Db,
  workspaceId: string,
  by: "phone" | "email" | "externalId",
  after: string,
  window: number,
): Promise<{ readonly groups: readonly DuplicateRow[]; readonly last: string | null }> {
  // Each in the order of its index: (workspace_id, address, id).
  const [address, given] = {
    phone: [sql`phone`, sql`phone is not null`],
    email: [sql`folded(email)`, sql`email is not null`],
    externalId: [sql`external_id`, sql`external_id is not null`],
  }[by];
  const known = sql`from contact where workspace_id = ${workspaceId} and ${given}`;
  const group = sql`count(*) as count, (array_agg(id order by id))[1:${MAX_NAMED}] as ids`;
  const rows = await db.slowQuery<
    { last: string | null } & { [K in keyof DuplicateRow]: DuplicateRow[K] | null }
  >(
    sql`with looked as materialized (
        select ${address} as address, id ${known} and ${address} > ${after} order by ${address}, id limit ${window}::int
      ), ended as materialized (
        select max(address) as last from looked having count(*) = ${window}::int
      )
      select (select last from ended) as last, g.* from (values (1)) one (n) left join (
        select address, ${group} from looked where address is distinct from (select last from ended)
          group by address having count(*) > 1
        union all
        select e.last, l.* from ended e cross join lateral (
          select ${group} ${known} and ${address} = e.last having count(*) > 1) l
      ) g on true order by g.address`,
    TIMEOUT_MS,
  );
  const groups = rows.flatMap(({ address: shared, count, ids }) =>
    shared === null || count === null || ids === null ? [] : [{ address: shared, count, ids }],
  );
  return { groups, last: rows[0]?.last ?? null };
}
