import type { Context } from "../context.ts";
import { deleteExpiredKept, hasExpiredKept } from "../db/master-keys.ts";
import type { Sealer } from "../lib/seal.ts";
import { rewriteKeyed } from "./rewrite-keyed.ts";

/**
 * Deletes the kept keys whose time has passed, after one more look for values that one of them sealed. Gives how many.
 */
export async function pruneKeptKeys(
  context: Pick<Context, "db"> & { readonly sealer: Sealer },
): Promise<number> {
  if (!(await hasExpiredKept(context.db))) return 0;
  await rewriteKeyed(context);
  return context.db.transaction(deleteExpiredKept);
}
