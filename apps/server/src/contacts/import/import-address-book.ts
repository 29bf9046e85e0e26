import { isId } from "../../lib/ids.ts";
import type { ContactRow } from "../record/contact.ts";
import type { RowAddresses } from "./import-match-store.ts";
import type { ImportedContact } from "./import-rows.ts";
import { otherSpelling } from "../identity/other-spelling.ts";
import { emailKey } from "../identity/people.ts";
import type { MatchBy } from "../../wire/words.ts";

/** The addresses of a row that may identify it. */
export function seenBy(given: ImportedContact, match: MatchBy): RowAddresses {
  if (match === "any") return given;
  return { id: null, externalId: null, phone: null, email: null, [match]: given[match] };
}

/** The contacts of a batch by every address, as they are after the rows so far: a file may name a person twice. */
export class AddressBook {
  readonly #rows = new Map<string, ContactRow>();
  readonly #ids = new Map<string, string[]>();
  readonly #match: MatchBy;
  readonly #merged: ReadonlyMap<string, string>;

  /** `merged`: the ids of merged contacts, each with the contact it is now. */
  constructor(rows: readonly ContactRow[], match: MatchBy, merged: ReadonlyMap<string, string>) {
    this.#match = match;
    this.#merged = merged;
    for (const row of rows) this.put(row);
  }

  put(row: ContactRow): void {
    this.#rows.set(row.id, row);
    for (const key of keysOf(row)) {
      const ids = this.#ids.get(key) ?? [];
      if (!ids.includes(row.id)) this.#ids.set(key, [...ids, row.id]);
    }
  }

  find(given: ImportedContact): ContactRow | undefined {
    const kept = this.#rows.get(this.currentOf(given) ?? "");
    if (kept) return kept;
    const seen = seenBy(given, this.#match);
    const other = seen.phone === null ? null : otherSpelling(seen.phone);
    const asked =
      other === null
        ? [seen]
        : [
            { ...seen, email: null },
            { ...seen, phone: other },
          ];
    for (const key of asked.flatMap(keysOf)) {
      // The oldest contact, even when it got the address later than another. The next batch would find that one
      // too, and where a batch ends depends on the server's other work.
      let oldest: ContactRow | undefined;
      for (const id of this.#ids.get(key) ?? []) {
        const row = this.#rows.get(id);
        // An address that an earlier row took away no longer counts as the person's, just as it would not in the
        // next batch.
        const has = row !== undefined && keysOf(row).includes(key);
        if (has && (oldest === undefined || row.id < oldest.id)) oldest = row;
      }
      if (oldest) return oldest;
    }
    return undefined;
  }

  /** The contact meant by a row that has the id of a merged contact. */
  currentOf(given: ImportedContact): string | undefined {
    const { id } = seenBy(given, this.#match);
    return id === null ? undefined : this.#merged.get(id);
  }

  all(): ContactRow[] {
    return [...this.#rows.values()];
  }
}

function keysOf(given: RowAddresses): string[] {
  return [
    ...(given.id !== null && isId(given.id) ? [`i${given.id}`] : []),
    ...(given.externalId === null ? [] : [`x${given.externalId}`]),
    ...(given.phone === null ? [] : [`p${given.phone}`]),
    ...(given.email === null ? [] : [`e${emailKey(given.email)}`]),
  ];
}
