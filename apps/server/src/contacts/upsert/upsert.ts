import { AppError, invalid, type FaultDetail } from "../../errors.ts";
import { MOST_REFS, type ContactUpsert } from "../../wire/contact-record.ts";
import {
  changeFaults,
  normaliseFields,
  withParts,
  type ContactFields,
} from "../record/contact-input.ts";
import type { ContactRow } from "../record/contact.ts";
import type { Refs } from "../refs/contact-refs.ts";
import type { Entry, UpsertBook } from "./upsert-book.ts";

/** An upsert whose values were each checked alone. */
export interface Upsert {
  readonly given: ContactUpsert;
  readonly fields: ContactFields;
  /** Each key of `match`, and the given refs beside them. */
  readonly keys: readonly UpsertKey[];
}

export interface UpsertKey {
  readonly path: string;
  readonly matches: boolean;
  readonly find: (book: UpsertBook) => readonly string[];
}

/** Checks one upsert alone. Throws VALIDATION_FAILED with every fault. */
export function readUpsert(given: ContactUpsert): Upsert {
  const { refs = {} } = given;
  const faults = changeFaults(given);
  if (faults.length > 0) throw new AppError("VALIDATION_FAILED", { details: faults });
  const fields = normaliseFields(given);
  const matched = given.match.map((path) => keyOf(path, given, fields));
  const lacking = matched.flatMap((one, place) =>
    "message" in one ? [{ path: `match.${place}`, message: one.message }] : [],
  );
  if (lacking.length > 0) throw new AppError("VALIDATION_FAILED", { details: lacking });
  const beside = Object.keys(refs)
    .map((system) => `refs.${system}`)
    .filter((path) => !given.match.includes(path))
    .map((path) => keyOf(path, given, fields));
  return {
    given,
    fields,
    keys: [
      ...matched.flatMap((one) => ("message" in one ? [] : [{ ...one, matches: true }])),
      ...beside.flatMap((one) => ("message" in one ? [] : [{ ...one, matches: false }])),
    ],
  };
}

function keyOf(
  path: string,
  { id, refs = {} }: Pick<ContactUpsert, "id" | "refs">,
  { phone, email }: ContactFields,
): Omit<UpsertKey, "matches"> | { readonly message: string } {
  const lacks = { message: `the upsert has no ${path}` };
  if (path === "id") return id === undefined ? lacks : { path, find: (book) => book.byId(id) };
  if (path === "phone")
    return phone === null ? lacks : { path, find: (book) => book.byPhone(phone) };
  if (path === "email")
    return email === null ? lacks : { path, find: (book) => book.byEmail(email) };
  const system = path.slice("refs.".length);
  const value = refs[system];
  if (value === undefined || value === null) return lacks;
  return { path, find: (book) => book.byRef(system, value) };
}

/**
 * The contact that an upsert means; undefined: there is none yet. Throws CONTACT_CONFLICT, which names each contact that a
 * key met, when the keys lead to several, when a ref is of another contact, and when the contact has another value for a
 * system of `match`.
 */
export function findMeant(book: UpsertBook, { given, keys }: Upsert): Entry | undefined {
  const met = keys.map(({ path, matches, find }) => ({ path, matches, ids: find(book) }));
  const meant = new Set(met.flatMap(({ matches, ids }) => (matches ? ids : [])));
  const [id, ...more] = meant;
  const strangers = met.some(({ matches, ids }) => !matches && ids.some((one) => one !== id));
  if (more.length > 0 || strangers)
    throw conflict(
      met.flatMap(({ path, ids }) => ids.map((one) => ({ path, message: `is of contact ${one}` }))),
    );
  const entry = id === undefined ? undefined : book.get(id);
  if (!entry) return undefined;
  const others = Object.entries(given.refs ?? {}).flatMap(([system, value]) => {
    const path = `refs.${system}`;
    const has = entry.refs[system];
    const found = met.find((one) => one.path === path)?.ids.includes(entry.row.id);
    return given.match.includes(path) && has !== undefined && value !== null && !found
      ? [{ path, message: `contact ${entry.row.id} has another value` }]
      : [];
  });
  if (others.length > 0) throw conflict(others);
  return entry;
}

const conflict = (details: readonly FaultDetail[]): AppError =>
  new AppError("CONTACT_CONFLICT", { details });

/** The contact after an upsert. Throws VALIDATION_FAILED when it would be too large. */
export function applied(book: UpsertBook, before: Entry, upsert: Upsert): Entry {
  const { given, fields } = upsert;
  const { row } = before;
  const replaced: ContactRow = {
    ...row,
    name: fields.name ?? row.name,
    email: fields.email ?? row.email,
    phone: fields.phone ?? row.phone,
    notes: fields.notes ?? row.notes,
    tags: given.tags === undefined ? row.tags : fields.tags,
    attributes: given.attributes === undefined ? row.attributes : fields.attributes,
  };
  const next = withParts(replaced, given);
  const refs = refsOf(book, before, given);
  if (Object.keys(refs).length > MOST_REFS)
    throw invalid("refs", `a contact must not have more than ${MOST_REFS} systems`);
  return { row: next, refs };
}

function refsOf(book: UpsertBook, { row, refs }: Entry, { refs: given = {} }: ContactUpsert): Refs {
  const next = new Map(Object.entries(refs));
  for (const [system, value] of Object.entries(given)) {
    if (value === null) next.delete(system);
    // A value of a contact that was merged into this one leads here already.
    else if (!book.byRef(system, value).includes(row.id)) next.set(system, value);
  }
  return Object.fromEntries([...next].toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
