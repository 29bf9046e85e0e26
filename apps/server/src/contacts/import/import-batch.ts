import type { Actor } from "../../actor.ts";
import type { Context } from "../../context.ts";
import type { Tx } from "../../db/database.ts";
import { AppError } from "../../errors.ts";
import { emitEvents } from "../../webhooks/emit-events.ts";
import type { NewEvent } from "../../webhooks/event.ts";
import { attributesFit } from "../record/contact-input.ts";
import { presentContact, type ContactRow } from "../record/contact.ts";
import { insertContacts, lockContacts } from "../record/contact-store.ts";
import { moveTotals } from "../record/contact-total-store.ts";
import { AddressBook, seenBy } from "./import-address-book.ts";
import { lockAddresses } from "../identity/identity-store.ts";
import { findByAddress, lockImports } from "./import-match-store.ts";
import { mergedInto } from "../identity/merged-into.ts";
import { optedOutNumbers } from "../consent/opted-out-store.ts";
import { stoppedAmong } from "../consent/stopped-by-customer.ts";
import type { ImportResult } from "./import-report.ts";
import type { ImportedContact, ImportRow } from "./import-rows.ts";
import { followNumbers, setConsent, type ConsentChange } from "../consent/set-consent.ts";
import { sameContact } from "../record/update-contact.ts";
import { writeChanges } from "../record/write-changes.ts";
import type { MatchBy } from "../../wire/words.ts";

/** Every look after the first means that somebody was merged or deleted in between. */
const LOOKS = 10;

/** Why a row that names nobody is refused. */
export const NEEDS_IDENTITY = "CONTACT_NEEDS_IDENTITY: neither e-mail, phone nor external id";

const TOO_LARGE = "attributes: must not exceed 16 KiB together with those the contact has";

const refused = ({ line, record }: ImportRow, reason: string): ImportResult => ({
  line,
  record,
  outcome: "refused",
  contactId: null,
  reason,
  done: [],
});

export interface BatchRules {
  readonly allowOptIn: boolean;
  readonly match: MatchBy;
}

/** Stores one batch in the transaction, for the given import and who began it. Gives the result of each row, in order. */
export async function storeBatch(
  context: Pick<Context, "ids" | "clock" | "wake" | "sealer">,
  tx: Tx,
  workspaceId: string,
  batch: readonly ImportRow[],
  { allowOptIn, match }: BatchRules,
  whose: { readonly id: string; readonly actor: Actor } | null,
): Promise<ImportResult[]> {
  const now = context.clock.now();
  const people = batch.flatMap((row) => ("contact" in row ? [row.contact] : []));
  const book = await openBook(tx, workspaceId, people, match);
  const stored = book.all();
  const before = new Map(stored.map((row) => [row.id, row]));
  // Contacts that the batch creates, with their numbers, which a later row can change.
  const made = new Map<string, string | null>();
  const consents = new Map<string, ConsentChange>();

  const numbers = people.flatMap(({ phone }) => (phone === null ? [] : [{ workspaceId, phone }]));
  const optedOut = await optedOutNumbers(context, tx, numbers);
  const optedOutSince = new Map(optedOut.map(({ phone, since }) => [phone, since]));

  const stopped = await stoppedContacts(context, tx, allowOptIn ? stored : []);

  const results = batch.map((row): ImportResult => {
    if (!("contact" in row)) {
      return refused(row, row.reason);
    }
    const given = row.contact;
    const known = book.find(given);
    if (!known && given.email === null && given.phone === null && given.externalId === null) {
      return refused(row, NEEDS_IDENTITY);
    }
    if (match !== "any" && given[match] === null) {
      return refused(row, `${match}: contacts are matched by it, and the row has none`);
    }
    const person = known
      ? (book.currentOf(given) === known.id ? complete : merge)(known, given)
      : create(context.ids.next(), workspaceId, given, now, optedOutSince);
    if (!attributesFit(person.attributes)) return refused(row, TOO_LARGE);
    if (!known) made.set(person.id, person.phone);
    const changed = !known || !sameContact(known, person);
    book.put(person);
    const consent = given.optedOut === true || (given.optedOut === false && allowOptIn);
    if (consent && given.optedOut !== null) {
      consents.set(person.id, {
        workspaceId,
        contactId: person.id,
        optedOut: given.optedOut,
        source: "import",
        at: now,
      });
    }
    // An opt-in against the customer's own STOP is held: it changes nothing.
    const held = given.optedOut === false && stopped.has(person.id);
    const moves = consent && !held && given.optedOut !== (person.optedOutAt !== null);
    const outcome = !known ? "created" : changed || moves ? "updated" : "unchanged";
    const { line, record } = row;
    return { line, record, outcome, contactId: person.id, reason: null, done: given.done };
  });

  const rows = book.all();
  const created = rows.filter((row) => made.has(row.id));
  const changed = rows.flatMap((row) => {
    const old = before.get(row.id);
    return old && !sameContact(old, row) ? [{ before: old, after: row }] : [];
  });
  const updated = changed.map(({ after }) => after);
  await insertContacts(
    tx,
    created.map((row) => ({ ...row, author: null })),
  );
  await writeChanges(context, tx, changed, { source: "import", ref: whose?.id ?? null });
  const renumbered = [
    ...updated.filter((row) => before.get(row.id)?.phone !== row.phone),
    // An opted-out number may be stored as a hash: it is stored in digits again, because a contact has it now.
    ...created.filter((row) => made.get(row.id) !== row.phone || row.optedOutAt !== null),
  ];
  const followed = await followNumbers(
    context,
    tx,
    workspaceId,
    renumbered.map((row) => row.id),
  );
  const consentEvents = [...followed, ...(await setConsent(context, tx, [...consents.values()]))];
  moveTotals(tx, [{ workspaceId, by: created.length }]);
  const event =
    (type: "contact.created" | "contact.updated") =>
    (row: ContactRow): NewEvent => ({
      workspaceId,
      type,
      data: { contact: presentContact(row) },
    });
  const events = [
    ...created.map(event("contact.created")),
    ...updated.map(event("contact.updated")),
    ...consentEvents,
  ];
  await emitEvents(context, tx, events, whose?.actor);
  return results;
}

/** The ids of the contacts whose opt-out is their own word. */
async function stoppedContacts(
  context: Pick<Context, "sealer">,
  tx: Tx,
  contacts: readonly ContactRow[],
): Promise<ReadonlySet<string>> {
  const out = contacts.filter(({ optedOutAt }) => optedOutAt !== null);
  const stopped = await stoppedAmong(
    context,
    tx,
    out.map(({ workspaceId, id, phone }) => ({ workspaceId, contactId: id, phone })),
  );
  return new Set(out.flatMap(({ id }, place) => (stopped.has(place) ? [id] : [])));
}

/**
 * The contacts that the rows could mean, locked. Another import or a message that names the same people runs
 * before or after this one: if both found no contact, each would create one. Locks in the order of `lockPeople`.
 * Throws CONFLICT when each look finds a contact that is gone when locked.
 */
async function openBook(
  tx: Tx,
  workspaceId: string,
  people: readonly ImportedContact[],
  match: MatchBy,
): Promise<AddressBook> {
  const seen = people.map((given) => seenBy(given, match));
  await lockImports(tx, workspaceId);
  await lockAddresses(tx, workspaceId, people);
  for (let looks = 0; looks < LOOKS; looks++) {
    const merged = await mergedInto(
      tx,
      workspaceId,
      seen.map(({ id }) => id),
    );
    const found = await findByAddress(tx, workspaceId, seen);
    const stored = await lockContacts(tx, workspaceId, [...found, ...merged.values()]);
    const held = new Set(stored.map(({ id }) => id));
    // A contact that was merged or deleted while we waited may have another id now. The locked ones cannot change.
    if (found.every((id) => held.has(id))) return new AddressBook(stored, match, merged);
  }
  throw new AppError("CONFLICT", {
    explanation:
      "contacts that these rows name are merged or deleted again and again meanwhile; the same command goes on from here",
  });
}

function create(
  id: string,
  workspaceId: string,
  given: ImportedContact,
  now: Date,
  optedOutSince: ReadonlyMap<string, Date>,
): ContactRow {
  const { name, email, phone, notes, tags, attributes, channelType, externalId } = given;
  return {
    workspaceId,
    id,
    name,
    email,
    phone,
    notes,
    tags,
    attributes,
    channelType,
    externalId,
    optedOutAt: phone === null ? null : (optedOutSince.get(phone) ?? null),
    lastSeenAt: null,
    createdAt: now,
  };
}

function merge(known: ContactRow, given: ImportedContact): ContactRow {
  return {
    ...known,
    name: given.name ?? known.name,
    email: given.email ?? known.email,
    phone: given.phone ?? known.phone,
    notes: given.notes ?? known.notes,
    tags: [...new Set([...known.tags, ...given.tags])],
    attributes: Object.fromEntries([
      ...Object.entries(known.attributes),
      ...Object.entries(given.attributes),
    ]),
    channelType: known.channelType ?? given.channelType,
    externalId: known.externalId ?? given.externalId,
  };
}

/** Applies a row that names somebody by the id of a merged contact. As in a merge, the kept contact's values win. */
function complete(known: ContactRow, given: ImportedContact): ContactRow {
  const { name, email, phone, notes, attributes } = known;
  const joined = merge(known, given);
  return {
    ...joined,
    name: name ?? joined.name,
    email: email ?? joined.email,
    phone: phone ?? joined.phone,
    notes: notes ?? joined.notes,
    attributes: Object.fromEntries([
      ...Object.entries(joined.attributes),
      ...Object.entries(attributes),
    ]),
  };
}
