import type { Db } from "../db/database.ts";
import { sql } from "../db/sql.ts";

// It walks the index of the address once from `after`; where nearly everybody is unique that is all of it.
const TIMEOUT_MS = 30_000;
/** Ids that a group names; of a number that thousands share the count says enough. */
const MAX_NAMED = 50;

export interface DuplicateRow {
  readonly address: string;
  readonly count: number;
  readonly ids: readonly string[];
}

/** Addresses after `after` that several contacts have, each with their ids, oldest first. */
export function selectDuplicates(
  db: Db,
  workspaceId: string,
  by: "phone" | "email" | "externalId",
  after: string,
  limit: number,
): Promise<DuplicateRow[]> {
  // Each as its index has it: (workspace_id, address, id).
  const [address, given] = {
    phone: [sql`phone`, sql`phone is not null`],
    email: [sql`folded(email)`, sql`email is not null`],
    externalId: [sql`external_id`, sql`external_id is not null`],
  }[by];
  return db.slowQuery<DuplicateRow>(
    sql`select ${address} as address, count(*) as count, (array_agg(id order by id))[1:${MAX_NAMED}] as ids
      from contact where workspace_id = ${workspaceId} and ${given} and ${address} > ${after}
      group by ${address} having count(*) > 1 order by ${address} limit ${limit}`,
    TIMEOUT_MS,
  );
}
