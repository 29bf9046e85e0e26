import type { Sealer } from "../lib/seal.ts";
import type { Queryable } from "./database.ts";
import { sql } from "./sql.ts";

/** A mark by which two master keys can be told apart, and which reveals nothing about the key. */
export const masterKeyMark = (sealer: Pick<Sealer, "derive">): string =>
  sealer.derive("backup-key-mark").subarray(0, 8).toString("hex");

/**
 * Checks that this process has the master key of the database. The first process stores the mark of its key. A process
 * with another key throws, with one line for the operator. Otherwise it would answer 201 and then fail every reply, and
 * seal secrets that the others cannot read. While there is no workspace nothing is sealed yet, and the key may still
 * change: a restored backup needs its own.
 */
export async function checkMasterKey(db: Queryable, sealer: Pick<Sealer, "derive">): Promise<void> {
  const mark = masterKeyMark(sealer);
  const find = () => db.query<{ mark: string }>(sql`select mark from master_key`);
  const [held] = await find();
  if (held?.mark === mark) return;
  await db.query(sql`
    insert into master_key as k (mark) values (${mark})
    on conflict (only_one) do update set mark = excluded.mark where not exists (select from workspace)`);
  const [now] = await find();
  if (now?.mark !== mark)
    throw new Error(
      "the secrets in this database are sealed with another master key: put that one into PARLEY_MASTER_KEY, or back into the data folder",
    );
}
