import type { Actor } from "../../actor.ts";
import type { ContactRow } from "./contact.ts";

/**
 * The source of a contact's change, with its `ref`: `api` (the public half of the key), `dashboard` (the member),
 * `bot` (the bot), `cli`, `system` (Parley itself), `import` (the import; null for a file that is imported without
 * a row of its own), `bulk` (the job), `platform` (the channel), `site` (what a page said of its visitor), `merge`
 * (the merged contact), `number` (the channel on which the number changed or passed to another person).
 */
export interface ChangeCause {
  readonly source:
    | "api"
    | "dashboard"
    | "bot"
    | "cli"
    | "system"
    | "import"
    | "bulk"
    | "platform"
    | "site"
    | "merge"
    | "number";
  readonly ref: string | null;
}

/** The actor as the cause of a change, for the contact's timeline and the consent ledger. */
export function causeOf(actor: Actor): ChangeCause {
  switch (actor.kind) {
    case "key":
      return { source: "api", ref: actor.publicKey };
    case "member":
      return { source: "dashboard", ref: actor.memberId };
    case "bot":
      return { source: "bot", ref: actor.botId };
    case "operator":
      return { source: "cli", ref: null };
    case "system":
      return { source: "system", ref: null };
  }
}

/** One value that changed. `cut`: the old or new value is longer than what is kept of it. */
export type ContactDifference =
  | {
      readonly field: string;
      readonly from: string | null;
      readonly to: string | null;
      readonly cut?: true;
    }
  | {
      readonly field: "tags";
      readonly added: readonly string[];
      readonly removed: readonly string[];
    }
  /** Without `from` the attribute was not there before; without `to` it was removed. */
  | {
      readonly attribute: string;
      readonly from?: unknown;
      readonly to?: unknown;
      readonly cut?: true;
    }
  /** One record cannot hold all changes: this many are left out. */
  | { readonly omitted: number };

const FIELDS = ["name", "email", "phone", "notes", "channelType", "externalId"] as const;

/** The fields of a contact whose changes are told. */
type ChangingContact = Pick<
  ContactRow,
  "workspaceId" | "id" | "tags" | "attributes" | (typeof FIELDS)[number]
> & {
  /** What other systems call the contact; where a change cannot concern it, it is left out. */
  readonly refs?: Readonly<Record<string, string>>;
};

export interface ContactPair {
  readonly before: ChangingContact;
  readonly after: ChangingContact;
}

/** How many characters of one value are kept; of its JSON when it is not text. */
const MOST_TEXT = 200;
/** How many characters of JSON one record may have. Changes beyond that are only counted. */
const MOST_RECORD = 4_000;

/**
 * The differences between two rows: fields first, then tags, then attributes. Consent and the time last seen do
 * not count. Bounded: about 4,000 characters of JSON whatever a contact holds.
 */
export function differences({ before, after }: ContactPair): ContactDifference[] {
  const all = [
    ...FIELDS.flatMap((field) => fieldDifference(field, before[field], after[field])),
    ...refDifferences(before.refs ?? {}, after.refs ?? {}),
    ...tagDifferences(before.tags, after.tags),
    ...attributeDifferences(before.attributes, after.attributes),
  ];
  let room = MOST_RECORD;
  const kept: ContactDifference[] = [];
  let omitted = 0;
  for (const one of all) {
    const size = JSON.stringify(one).length;
    if (size > room) omitted += sizeOf(one);
    else {
      kept.push(one);
      room -= size;
    }
  }
  return omitted === 0 ? kept : [...kept, { omitted }];
}

function fieldDifference(
  field: string,
  from: string | null,
  to: string | null,
): ContactDifference[] {
  if (from === to) return [];
  const [a, b] = [short(from), short(to)];
  const cut = a !== from || b !== to;
  return [{ field, from: a, to: b, ...(cut && { cut }) }];
}

const refDifferences = (
  before: Readonly<Record<string, string>>,
  after: Readonly<Record<string, string>>,
): ContactDifference[] =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((system) =>
    fieldDifference(`refs.${system}`, before[system] ?? null, after[system] ?? null),
  );

/** All tags of one record take at most half of it. The rest is a difference of its own, which does not fit. */
function tagDifferences(before: readonly string[], after: readonly string[]): ContactDifference[] {
  if (before === after) return [];
  const had = new Set(before);
  const has = new Set(after);
  const added = after.filter((tag) => !had.has(tag));
  const removed = before.filter((tag) => !has.has(tag));
  if (added.length + removed.length === 0) return [];
  let room = MOST_RECORD / 2;
  const fits = (tag: string) => (room -= JSON.stringify(tag).length + 1) >= 0;
  const [some, others] = [added.filter(fits), removed.filter(fits)];
  const left = added.length + removed.length - some.length - others.length;
  return [
    ...(some.length + others.length > 0
      ? [{ field: "tags", added: some, removed: others } as const]
      : []),
    ...(left > 0 ? [{ omitted: left }] : []),
  ];
}

function attributeDifferences(
  before: ContactRow["attributes"],
  after: ContactRow["attributes"],
): ContactDifference[] {
  if (before === after) return [];
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...keys].flatMap((key): ContactDifference[] => {
    const [had, has] = [Object.hasOwn(before, key), Object.hasOwn(after, key)];
    const [from, to] = [before[key], after[key]];
    if (had === has && JSON.stringify(from) === JSON.stringify(to)) return [];
    const [a, b] = [short(from), short(to)];
    const name = short(key);
    const cut = (had && a !== from) || (has && b !== to) || name !== key;
    return [
      { attribute: name, ...(had && { from: a }), ...(has && { to: b }), ...(cut && { cut }) },
    ];
  });
}

const sizeOf = (one: ContactDifference): number => ("omitted" in one ? one.omitted : 1);

/** The beginning of a long value; numbers, truth values and short values as they are. */
function short<T>(value: T): T | string {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  if (text === undefined || text.length <= MOST_TEXT) return value;
  // Does not cut a character in two.
  return `${text.slice(0, MOST_TEXT).replace(/[\ud800-\udbff]$/, "")}…`;
}
