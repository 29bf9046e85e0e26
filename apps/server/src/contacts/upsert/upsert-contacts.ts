import { actorName, type Actor } from "../../actor.ts";
import type { Context } from "../../context.ts";
import type { Tx } from "../../db/database.ts";
import { AppError, faultsToShow } from "../../errors.ts";
import { isId } from "../../lib/ids.ts";
import { contactOperations } from "../../operations/contacts.ts";
import { emitEvents } from "../../webhooks/emit-events.ts";
import type { NewEvent } from "../../webhooks/event.ts";
import { refuseUnfit } from "../../unfit-item.ts";
import type { ContactUpsert, UPSERT_OUTCOMES } from "../../wire/contact-record.ts";
import { perform } from "../../write.ts";
import { followNumbers } from "../consent/set-consent.ts";
import { withNumberConsent } from "../consent/opted-out-store.ts";
import { lockAddresses } from "../identity/identity-store.ts";
import { mergedInto } from "../identity/merged-into.ts";
import { findByAddress } from "../import/import-match-store.ts";
import { causeOf } from "../record/contact-change.ts";
import { insertContacts, lockContacts } from "../record/contact-store.ts";
import { moveTotals } from "../record/contact-total-store.ts";
import { presentContact, type ContactRow } from "../record/contact.ts";
import { sameContact } from "../record/update-contact.ts";
import { writeChanges } from "../record/write-changes.ts";
import { refsByContact } from "../refs/contact-refs.ts";
import { readRecords } from "../refs/read-records.ts";
import { findByRefs, moveRefs, selectRefs, type RefMove } from "../refs/ref-store.ts";
import { UpsertBook, type Entry } from "./upsert-book.ts";
import { applied, findMeant, readUpsert, type Upsert } from "./upsert.ts";

type Deps = Pick<Context, "db" | "ids" | "clock" | "wake" | "sealer">;
type Result =
  | { readonly outcome: (typeof UPSERT_OUTCOMES)[number]; readonly contactId: string }
  | { readonly outcome: "refused"; readonly error: AppError };

/** Every look after the first means that somebody was merged or deleted in between. */
const LOOKS = 10;

/**
 * Creates a contact or changes the one that `match` finds, and answers what it did. Equal calls at once create one contact.
 * A contact that is so already is not written, and no event is emitted. Throws VALIDATION_FAILED, CONTACT_NEEDS_IDENTITY for
 * a new contact without e-mail and phone, CONTACT_CONFLICT.
 */
export const upsertContact = perform(
  contactOperations.upsertContact,
  async (actor, context: Deps, workspaceId, input, { keep }) =>
    context.db.transaction(async (tx) => {
      const [result] = await storeUpserts(actor, context, tx, workspaceId, [input]);
      if (!result) throw new Error("the upsert has no result");
      if (result.outcome === "refused") throw result.error;
      const { outcome, contactId } = result;
      const [contact] = await readRecords(tx, workspaceId, [contactId]);
      if (!contact) throw new Error("the contact was not stored");
      return keep(tx, { outcome, contact });
    }),
);

/**
 * As `upsertContact`, for many in one transaction, in their order: a later one sees what an earlier one did. Each has its own
 * result; one that is refused changes nothing and stops no other.
 */
export const batchContacts = perform(
  contactOperations.batchContacts,
  async (actor, context: Deps, workspaceId, { contacts: given }, { keep }) =>
    context.db.transaction(async (tx) => {
      const results = await storeUpserts(actor, context, tx, workspaceId, given);
      return keep(tx, {
        results: results.map((one) =>
          one.outcome === "refused"
            ? { outcome: one.outcome, contactId: null, error: shownFault(one.error) }
            : one,
        ),
      });
    }),
);

const shownFault = (error: AppError) => ({
  message: error.code,
  details: (faultsToShow(error) ?? []).map(({ path, message }) => ({ path, message })),
});

async function storeUpserts(
  actor: Actor,
  context: Deps,
  tx: Tx,
  workspaceId: string,
  given: readonly ContactUpsert[],
): Promise<Result[]> {
  const read = given.map((one) =>
    attempt(() => {
      refuseUnfit(one);
      return readUpsert(one);
    }),
  );
  const upserts = read.flatMap((one) => (one instanceof AppError ? [] : [one]));
  const book = await openBook(tx, workspaceId, upserts);
  const before = new Map(book.all().map((entry) => [entry.row.id, entry]));
  const now = context.clock.now();
  const results = read.map((upsert): Result => {
    const done = upsert instanceof AppError ? upsert : attempt(() => upsertOne(upsert));
    return done instanceof AppError ? { outcome: "refused", error: done } : done;
  });

  function upsertOne(upsert: Upsert): Result {
    const known = findMeant(book, upsert);
    if (!known && upsert.given.match.includes("id"))
      throw new AppError("NOT_FOUND", { explanation: "there is no such contact" });
    const base = known ?? { row: emptyRow(workspaceId, context.ids.next(), now), refs: {} };
    const next = applied(book, base, upsert);
    if (!known && next.row.email === null && next.row.phone === null)
      throw new AppError("CONTACT_NEEDS_IDENTITY");
    const contactId = next.row.id;
    if (known && sameEntry(known, next)) return { outcome: "unchanged", contactId };
    book.put(next);
    return { outcome: known ? "updated" : "created", contactId };
  }

  await writeEntries(actor, context, tx, workspaceId, before, book.all());
  return results;
}

/** Stores what the upserts changed, and emits the events: some ten statements, however many contacts. */
async function writeEntries(
  actor: Actor,
  context: Deps,
  tx: Tx,
  workspaceId: string,
  before: ReadonlyMap<string, Entry>,
  entries: readonly Entry[],
): Promise<void> {
  const now = context.clock.now();
  const fresh = entries.filter(({ row }) => !before.has(row.id));
  const changed = entries.flatMap((after) => {
    const old = before.get(after.row.id);
    return old && !sameEntry(old, after) ? [{ old, after }] : [];
  });
  if (fresh.length + changed.length === 0) return;
  // Consent follows the number: it may have been opted out before any contact had it.
  const created = await withNumberConsent(
    context,
    tx,
    fresh.map(({ row }) => ({ ...row, author: actorName(actor) })),
  );
  await insertContacts(tx, created);
  await writeChanges(
    context,
    tx,
    changed.map(({ old, after }) => ({
      before: { ...old.row, refs: old.refs },
      after: { ...after.row, refs: after.refs },
    })),
    causeOf(actor),
  );
  await moveRefs(tx, workspaceId, refMoves(before, entries), now);
  const renumbered = changed.filter(({ old, after }) => old.row.phone !== after.row.phone);
  const followed = await followNumbers(
    context,
    tx,
    workspaceId,
    renumbered.map(({ after }) => after.row.id),
  );
  moveTotals(tx, [{ workspaceId, by: created.length }]);
  const events = [
    ...created.map((row) => contactEvent("contact.created", row)),
    ...changed.map(({ after }) => contactEvent("contact.updated", after.row)),
    ...followed,
  ];
  await emitEvents(context, tx, events, actor);
}

const contactEvent = (type: "contact.created" | "contact.updated", row: ContactRow): NewEvent => ({
  workspaceId: row.workspaceId,
  type,
  data: { contact: presentContact(row) },
});

/** The refs that changed. */
function refMoves(before: ReadonlyMap<string, Entry>, entries: readonly Entry[]): RefMove[] {
  return entries.flatMap(({ row: { id: contactId }, refs }) => {
    const had = before.get(contactId)?.refs ?? {};
    return [...new Set([...Object.keys(had), ...Object.keys(refs)])].flatMap((system) => {
      const [old, value] = [had[system] ?? null, refs[system] ?? null];
      return old === value ? [] : [{ contactId, system, before: old, value }];
    });
  });
}

const sameEntry = (a: Entry, b: Entry): boolean =>
  sameContact(a.row, b.row) && JSON.stringify(a.refs) === JSON.stringify(b.refs);

/**
 * The contacts that the upserts could mean, locked. Whoever else looks for the same people waits until we are done: if both
 * found no contact, each would create one. Locks in the order of `lockPeople`.
 */
async function openBook(
  tx: Tx,
  workspaceId: string,
  upserts: readonly Upsert[],
): Promise<UpsertBook> {
  const named = upserts.map(({ given, fields }) => ({
    phone: given.match.includes("phone") ? fields.phone : null,
    email: given.match.includes("email") ? fields.email : null,
    refs: Object.entries(given.refs ?? {}).flatMap(([system, value]) =>
      value === null ? [] : [[system, value] as const],
    ),
  }));
  await lockAddresses(tx, workspaceId, named);
  const refs = named.flatMap((one) => one.refs.map(([system, value]) => ({ system, value })));
  const addresses = named.map(({ phone, email }) => ({ id: null, externalId: null, phone, email }));
  const ids = upserts.flatMap(({ given: { match, id } }) =>
    match.includes("id") && id !== undefined && isId(id) ? [id] : [],
  );
  for (let looks = 0; looks < LOOKS; looks++) {
    const [byAddress, byRef, became] = await Promise.all([
      findByAddress(tx, workspaceId, addresses),
      findByRefs(tx, workspaceId, refs),
      mergedInto(tx, workspaceId, ids),
    ]);
    const found = [...new Set([...byAddress, ...byRef])];
    const meant = ids.map((id) => became.get(id) ?? id);
    const rows = await lockContacts(tx, workspaceId, [...new Set([...found, ...meant])]);
    const held = new Set(rows.map(({ id }) => id));
    // A contact that was merged or deleted while we waited may have another id now. The locked ones cannot change.
    if (!found.every((id) => held.has(id))) continue;
    // An id that is of no contact may have been merged meanwhile, or never was one.
    const lost = meant.filter((id) => !held.has(id));
    if (lost.length > 0 && (await mergedInto(tx, workspaceId, lost)).size > 0) continue;
    const known = await selectRefs(tx, workspaceId, [...held]);
    const shown = refsByContact(known);
    return new UpsertBook(
      rows.map((row) => ({ row, refs: shown.get(row.id) ?? {} })),
      known,
      became,
    );
  }
  throw new AppError("OVERLOADED", { retryAfterSeconds: 1 });
}

const emptyRow = (workspaceId: string, id: string, createdAt: Date): ContactRow => ({
  workspaceId,
  id,
  name: null,
  email: null,
  phone: null,
  notes: null,
  channelType: null,
  externalId: null,
  tags: [],
  attributes: {},
  optedOutAt: null,
  lastSeenAt: null,
  createdAt,
});

/** What the work gives, or why it was refused. Throws everything else. */
function attempt<T>(work: () => T): T | AppError {
  try {
    return work();
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
}
