import type { Actor } from "../../actor.ts";
import type { ContactRow } from "./contact.ts";

/**
 * The source of a contact's change: `api` (ref: the key's public half), `dashboard` (the member), `bot` (the bot), `cli`,
 * `system` (Parley itself), `import` (the import; null for a file that is
 * taken in without a row of its own), `bulk` (the job), `platform` (the channel), `site` (what a page said of its
 * visitor), `merge` (the contact that was merged), `number` (the channel on which the number passed on or changed).
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

/** The actor as the cause of its change, for the contact's timeline and the consent ledger. */
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

/** One thing that is other than before. `cut`: what stood or stands there is longer than what is kept of it. */
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
  /** Without `from` the attribute was not there, without `to` it was taken away. */
  | {
      readonly attribute: string;
      readonly from?: unknown;
      readonly to?: unknown;
      readonly cut?: true;
    }
  /** There was more than one record holds: how many things it leaves out. */
  | { readonly omitted: number };

const FIELDS = ["name", "email", "phone", "notes", "channelType", "externalId"] as const;

/** A contact as far as its changes are told. */
type ChangingContact = Pick<
  ContactRow,
  "workspaceId" | "id" | "tags" | "attributes" | (typeof FIELDS)[number]
>;

export interface ContactPair {
  readonly before: ChangingContact;
  readonly after: ChangingContact;
}

/** Characters that are kept of one value; of the JSON where it is no text. */
const MOST_TEXT = 200;
/** Characters of JSON that one record may have; what is beyond is counted. */
const MOST_RECORD = 4_000;

/**
 * What the second row has other than the first, fields first, then tags, then attributes; consent and the time last
 * seen are no part of it. Bounded: about 4,000 characters of JSON whatever a contact holds.
 */
export function differences({ before, after }: ContactPair): ContactDifference[] {
  const all = [
    ...FIELDS.flatMap((field) => fieldDifference(field, before[field], after[field])),
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

/** Tags of one record together take no more than half of it: the rest is a difference of its own, which does not fit. */
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

/** The beginning of what is longer than what is kept; numbers, truth values and short things as they are. */
function short<T>(value: T): T | string {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  if (text === undefined || text.length <= MOST_TEXT) return value;
  // Not through the middle of a character.
  return `${text.slice(0, MOST_TEXT).replace(/[\ud800-\udbff]$/, "")}…`;
}
