import { findContacts } from "../../contacts/identity/find-contact.ts";
import { mergedInto } from "../../contacts/identity/merged-into.ts";
import type { Context } from "../../context.ts";
import { invalid } from "../../errors.ts";

/**
 * The contacts with these ids, each once; for a merged one, the kept contact. Throws VALIDATION_FAILED
 * (`contactIds`) when there are none or more than `most`, and for an id that names no contact of the workspace: a
 * test that reached nobody would look as if it had been sent.
 */
export async function namedContacts(
  context: Pick<Context, "db">,
  workspaceId: string,
  ids: readonly string[],
  most: number,
): Promise<string[]> {
  if (ids.length === 0 || ids.length > most)
    throw invalid("contactIds", `must be 1 to ${most} contacts`);
  const merged = await mergedInto(context.db, workspaceId, ids);
  const nowOf = (id: string) => merged.get(id) ?? id;
  const people = [...new Set(ids.map(nowOf))];
  const known = new Set((await findContacts(context.db, workspaceId, people)).map((one) => one.id));
  const unknown = ids.find((id) => !known.has(nowOf(id)));
  if (unknown !== undefined) throw invalid("contactIds", `there is no contact ${unknown}`);
  return people;
}
