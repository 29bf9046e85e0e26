import { write } from "../../write.ts";
import { SYSTEM, type Actor } from "../../actor.ts";
import type { Context } from "../../context.ts";
import type { Tx } from "../../db/database.ts";
import { AppError, invalid } from "../../errors.ts";
import { isId } from "../../lib/ids.ts";
import { emitEvents } from "../../webhooks/emit-events.ts";
import type { NewEvent } from "../../webhooks/event.ts";
import { audit } from "../../workspaces/write-audit.ts";
import { attributesFit } from "../record/contact-input.ts";
import { moveTotals } from "../record/contact-total-store.ts";
import type { Attributes, ContactRow } from "../record/contact.ts";
import type { ContactJson } from "../../wire/contact.ts";
import { findContact } from "./find-contact.ts";
import { lockCurrent } from "./lock-current.ts";
import { absorbContact, areTwoPeople, dropDueMerge, selectDueMerges } from "./merge-store.ts";
import { followNumbers, setConsent } from "../consent/set-consent.ts";
import { stoppedAmong } from "../consent/stopped-by-customer.ts";
import { writeChanges } from "../record/write-changes.ts";

const MAX_NOTES = 5_000;

/**
 * Merges two contacts (docs/identities.md, Merging). Identities, conversations, campaign recipients and the
 * consent ledger pass to the kept one. The kept one's values win, the other's fill what it lacks, tags are joined,
 * and opted out wins. The merged id still answers, as the kept contact. A repeated merge gives the same answer.
 * Emits `contact.merged`, `contact.updated` and the events that follow from it. Throws NOT_FOUND, and VALIDATION_FAILED for merging
 * a contact with itself.
 */
export const mergeContacts = write(
  "contact.merge",
  async (
    actor,
    context: Context,
    workspaceId: string,
    keepId: string,
    mergedId: string,
    options: { readonly within?: (tx: Tx, contact: ContactJson) => Promise<void> } = {},
  ): Promise<ContactJson> => {
    for (const id of [keepId, mergedId]) if (!isId(id)) throw missing();
    if (keepId === mergedId) throw invalid("mergedId", "must be another contact");
    return context.db.transaction(async (tx) => {
      const { current, rows } = await lockCurrent(tx, workspaceId, [keepId, mergedId]);
      const [keep = keepId, merged = mergedId] = current;
      const kept = rows.find((row) => row.id === keep);
      const other = rows.find((row) => row.id === merged);
      if (!kept || !other) throw missing();
      if (keep !== merged)
        await emitEvents(context, tx, await join(actor, context, tx, kept, other), actor);
      const contact = await findContact(tx, workspaceId, keep);
      if (!contact) throw missing();
      await options.within?.(tx, contact);
      return contact;
    });
  },
);

async function join(
  actor: Actor,
  context: Context,
  tx: Tx,
  kept: ContactRow,
  other: ContactRow,
): Promise<NewEvent[]> {
  const { workspaceId } = kept;
  const at = context.clock.now();
  const facts = { workspaceId, keepId: kept.id, mergedId: other.id, at };
  const row = joined(kept, other);
  const cause = { source: "merge", ref: other.id } as const;
  const whose = [{ workspaceId, contactId: other.id, phone: other.phone }];
  const byCustomer = (await stoppedAmong(context, tx, whose)).size > 0;
  await writeChanges(context, tx, [{ before: kept, after: row }], cause);
  await absorbContact(tx, facts);
  // An opt-out of either is an opt-out of the person, for whatever number the contact has now.
  const wish = { workspaceId, contactId: kept.id, optedOut: true, source: "merge", at, byCustomer };
  const consent = [
    ...(await setConsent(context, tx, other.optedOutAt === null ? [] : [wish])),
    ...(await followNumbers(context, tx, workspaceId, [kept.id])),
  ];
  const events: NewEvent[] = [
    {
      workspaceId,
      type: "contact.merged",
      data: { contactId: kept.id, mergedId: other.id, occurredAt: at.toISOString() },
    },
  ];
  const contact = await findContact(tx, workspaceId, kept.id);
  if (contact) events.push({ workspaceId, type: "contact.updated", data: { contact } });
  events.push(...consent);
  for (const follower of context.mergeFollowers)
    events.push(...(await follower(context, tx, facts)));
  await audit(actor, context, tx, workspaceId, {
    action: "contact.merged",
    subject: kept.id,
    facts: { mergedId: other.id },
  });
  moveTotals(tx, [{ workspaceId, by: -1 }]);
  return events;
}

/** What `mergeContacts` would make of two contacts; the id of a merged one means the one that it became. Throws as it does. */
export async function previewMerge(
  context: Pick<Context, "db">,
  workspaceId: string,
  keepId: string,
  mergedId: string,
): Promise<{
  readonly kept: ContactJson;
  readonly merged: ContactJson;
  readonly result: ContactJson;
}> {
  if (keepId === mergedId) throw invalid("mergedId", "must be another contact");
  const [kept, merged] = await Promise.all([
    findContact(context.db, workspaceId, keepId),
    findContact(context.db, workspaceId, mergedId),
  ]);
  if (!kept || !merged) throw missing();
  if (kept.id === merged.id) return { kept, merged, result: kept };
  const optedOutAt = kept.optedOutAt ?? merged.optedOutAt;
  return {
    kept,
    merged,
    result: { ...joined(kept, merged), optedOut: optedOutAt !== null, optedOutAt },
  };
}

/** The values that a merge changes; everything else of the kept contact stays. */
type Joining = Pick<
  ContactRow,
  "name" | "email" | "phone" | "notes" | "channelType" | "externalId" | "tags" | "attributes"
>;

/** The kept contact's values after the other was merged into it. */
function joined<C extends Joining>(kept: C, other: Joining): C {
  const notes = [kept.notes, other.notes].filter((one) => one !== null).join("\n");
  let attributes: Attributes = kept.attributes;
  for (const [key, value] of Object.entries(other.attributes)) {
    const wider = Object.fromEntries([...Object.entries(attributes), [key, value]]);
    // What does not fit stays in the merged contact's document.
    if (!Object.hasOwn(attributes, key) && attributesFit(wider)) attributes = wider;
  }
  return {
    ...kept,
    name: kept.name ?? other.name,
    email: kept.email ?? other.email,
    phone: kept.phone ?? other.phone,
    notes: notes === "" || Array.from(notes).length > MAX_NOTES ? kept.notes : notes,
    channelType: kept.channelType ?? other.channelType,
    externalId: externalIdOf(kept, other),
    tags: [...new Set([...kept.tags, ...other.tags])],
    attributes,
  };
}

/** A channel's id goes with its channel. An id that no channel gave is merged as any field is. */
function externalIdOf(kept: Joining, other: Joining): string | null {
  if (kept.channelType !== null) return kept.externalId;
  return other.channelType === null ? (kept.externalId ?? other.externalId) : other.externalId;
}

/** Merges contacts that a platform said are one person. Gives how many merges there were. */
export async function mergeDue(context: Context): Promise<number> {
  const due = await selectDueMerges(context.db, 50);
  for (const one of due) {
    try {
      // Something seen since then may show that they are two people.
      if (!(await areTwoPeople(context.db, one)))
        await mergeContacts(SYSTEM, context, one.workspaceId, one.keepId, one.mergedId);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      context.log.info({ ...one, error: error.code }, "contacts that were to be merged are gone");
    }
    await dropDueMerge(context.db, one);
  }
  return due.length;
}

const missing = (): AppError =>
  new AppError("NOT_FOUND", { explanation: "there is no such contact" });
