import type { Queryable } from "../../db/database.ts";
import { parseContact } from "./contact.ts";
import type { ContactJson } from "../../wire/contact.ts";
import type { Person } from "./person.ts";
import { selectHistory } from "./person-store.ts";

/** A person's record as it is and as it was. */
export interface PersonHistory {
  /** Null: it was deleted. */
  readonly contact: ContactJson | null;
  readonly merged: readonly {
    readonly id: string;
    readonly mergedAt: Date;
    /** The record as it was when it was merged. */
    readonly contact: ContactJson;
  }[];
}

/** The contact's record and the records merged into it. */
export async function personHistory(db: Queryable, person: Person): Promise<PersonHistory> {
  const rows = await selectHistory(db, person.workspaceId, person.ids);
  const own = rows.find((row) => row.mergedAt === null);
  return {
    contact: own ? parseContact(own.document) : null,
    merged: rows.flatMap(({ id, mergedAt, document }) =>
      mergedAt === null ? [] : [{ id, mergedAt, contact: parseContact(document) }],
    ),
  };
}
