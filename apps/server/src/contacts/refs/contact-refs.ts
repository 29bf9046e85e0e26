import type { ContactRef } from "./ref-store.ts";

/** What other systems call a contact, by the system's name. */
export type Refs = Readonly<Record<string, string>>;

/** The refs of each contact, as they are shown: in the order of the systems' names. */
export function refsByContact(rows: readonly ContactRef[]): ReadonlyMap<string, Refs> {
  const found = new Map<string, Record<string, string>>();
  // Not in the order of the database, which depends on its locale.
  const inOrder = rows.toSorted((a, b) => (a.system < b.system ? -1 : 1));
  for (const { contactId, system, value, merged } of inOrder) {
    if (merged) continue;
    const refs = found.get(contactId) ?? {};
    refs[system] = value;
    found.set(contactId, refs);
  }
  return found;
}
