import type { Queryable } from "../../db/database.ts";
import { selectRefs, type ContactRef } from "./ref-store.ts";

export { contactOfEachRef } from "./ref-store.ts";

/** Everything that other systems call these contacts, also what they called contacts that were merged into them. */
export const findRefs = (
  db: Queryable,
  workspaceId: string,
  contactIds: readonly string[],
): Promise<ContactRef[]> => selectRefs(db, workspaceId, contactIds);
