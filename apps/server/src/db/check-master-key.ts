import type { Sealer } from "../lib/seal.ts";
import type { Queryable } from "./database.ts";
import { sql } from "./sql.ts";

/** Tells one master key from another; says nothing about it. */
export const masterKeyMark = (sealer: Pick<Sealer, "derive">): string =>
  sealer.derive("backup-key-mark").subarray(0, 8).toString("hex");

/**
 * The first process leaves the mark of its master key in the database; one with another key throws, in one line for the
 * operator. It would serve, answer 201 and then fail every reply, and seal what it is given so that the others cannot
 * read it. While there is no workspace nothing is sealed yet, and the key may change: a backup wants its own.
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
