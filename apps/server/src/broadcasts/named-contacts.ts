import { findContacts } from "../contacts/find-contact.ts";
import type { Context } from "../context.ts";
import { invalid } from "../errors.ts";

/**
 * The ids, each once. Throws VALIDATION_FAILED (`contactIds`) when they are none or more than `most`, and for one that
 * names no contact of the workspace: a test that reached nobody would look as if it had been sent.
 */
export async function namedContacts(
  context: Pick<Context, "db">,
  workspaceId: string,
  ids: readonly string[],
  most: number,
): Promise<string[]> {
  if (ids.length === 0 || ids.length > most)
    throw invalid("contactIds", `must be 1 to ${most} contacts`);
  const known = new Set((await findContacts(context.db, workspaceId, ids)).map((one) => one.id));
  const unknown = ids.find((id) => !known.has(id));
  if (unknown !== undefined) throw invalid("contactIds", `there is no contact ${unknown}`);
  return [...new Set(ids)];
}
