import { emailKey } from "../identity/people.ts";
import { spellingsOf } from "../identity/other-spelling.ts";
import type { ContactRow } from "../record/contact.ts";
import type { Refs } from "../refs/contact-refs.ts";
import type { ContactRef } from "../refs/ref-store.ts";

/** A contact while a batch changes it. */
export interface Entry {
  readonly row: ContactRow;
  readonly refs: Refs;
}

/** The contacts of a batch by what names them, as they are after the upserts so far. */
export class UpsertBook {
  readonly #entries = new Map<string, Entry>();
  readonly #ids = new Map<string, Set<string>>();
  readonly #becameOf: ReadonlyMap<string, string>;
  /** Refs of contacts that were merged: they lead to the kept one. */
  readonly #merged = new Map<string, string>();

  /** `became`: the contact that each merged id means now. */
  constructor(
    entries: readonly Entry[],
    refs: readonly ContactRef[],
    became: ReadonlyMap<string, string>,
  ) {
    this.#becameOf = became;
    for (const { contactId, system, value, merged } of refs)
      if (merged) this.#merged.set(refKey(system, value), contactId);
    for (const entry of entries) this.put(entry);
  }

  put(entry: Entry): void {
    const { id } = entry.row;
    this.#entries.set(id, entry);
    for (const key of keysOf(entry)) {
      const ids = this.#ids.get(key) ?? new Set();
      this.#ids.set(key, ids.add(id));
    }
  }

  /** The contact that this id means: itself, or the one that it was merged into. */
  byId(id: string): readonly string[] {
    const meant = this.#becameOf.get(id) ?? id;
    return this.#entries.has(meant) ? [meant] : [];
  }

  /** Every contact with this phone, in any spelling of its country. */
  byPhone = (phone: string): readonly string[] => this.#having(phoneKeyOf(phone));

  /** Every contact with this e-mail address, in any case. */
  byEmail = (email: string): readonly string[] => this.#having(`e${emailKey(email)}`);

  /** The contact that a system means by this value. */
  byRef(system: string, value: string): readonly string[] {
    const key = refKey(system, value);
    const merged = this.#merged.get(key);
    return merged === undefined ? this.#having(key) : [merged];
  }

  get(id: string): Entry | undefined {
    return this.#entries.get(id);
  }

  all(): Entry[] {
    return [...this.#entries.values()];
  }

  /** An earlier upsert of the batch may have given the contact another value. */
  #having(key: string): readonly string[] {
    return [...(this.#ids.get(key) ?? [])].filter((id) => {
      const entry = this.#entries.get(id);
      return entry !== undefined && keysOf(entry).includes(key);
    });
  }
}

function keysOf({ row: { phone, email }, refs }: Entry): string[] {
  return [
    ...(phone === null ? [] : [phoneKeyOf(phone)]),
    ...(email === null ? [] : [`e${emailKey(email)}`]),
    ...Object.entries(refs).map(([system, value]) => refKey(system, value)),
  ];
}

const phoneKeyOf = (phone: string): string => `p${spellingsOf(phone).toSorted()[0] ?? phone}`;
const refKey = (system: string, value: string): string => `r${system} ${value}`;
