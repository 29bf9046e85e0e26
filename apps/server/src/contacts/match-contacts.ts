import type { Context } from "../context.ts";
import type { Tx } from "../db/database.ts";
import type { NewEvent } from "../webhooks/event.ts";
import {
  parseContact,
  presentContact,
  type ContactChannelType,
  type ContactRow,
} from "./contact.ts";
import { insertContacts } from "./contact-store.ts";
import { moveTotals } from "./contact-total-store.ts";
import {
  addIdentities,
  lockPeople,
  readPeople,
  touchContacts,
  type Person,
  type Touch,
} from "./identity-store.ts";

/** Somebody seen on a channel: who the platform says it is. */
export interface Sighting {
  readonly workspaceId: string;
  readonly channelId: string;
  readonly channelType: ContactChannelType;
  /** The customer's id on that channel. */
  readonly externalId: string;
  /** A second id of the same person on that channel. */
  readonly alternateId?: string | undefined;
  /** Digits, when the platform vouches for them. */
  readonly phone: string | null;
  readonly name: string | null;
  readonly at: Date;
  /** True when the person acted (wrote), false when we only address them. */
  readonly seen: boolean;
}

export interface Match {
  readonly contactId: string;
  readonly created: boolean;
  readonly optedOut: boolean;
}

/**
 * Finds or makes the contact behind each sighting, in the order given: by identity (channel and id there), then by
 * phone (the oldest contact of the workspace with it), else a new contact. The same person twice is one contact,
 * within a call and across processes: whoever is not known yet is looked up again under a lock on the person.
 * A known contact without a name takes the platform's. Gives the `contact.created` events for the caller to emit
 * last in the transaction.
 */
export async function matchContacts(
  context: Pick<Context, "ids">,
  tx: Tx,
  sightings: readonly Sighting[],
): Promise<{ matches: Match[]; events: NewEvent[] }> {
  let people = await readPeople(tx, sightings);
  const strangers = sightings.filter((sighting) => !people.byIdentity(sighting));
  if (strangers.length > 0) {
    await lockPeople(tx, strangers);
    people = await readPeople(tx, sightings);
  }

  const made: ContactRow[] = [];
  const identities: Parameters<typeof addIdentities>[1][number][] = [];
  const matches = sightings.map((sighting): Match => {
    let person: Person | undefined = people.byIdentity(sighting) ?? people.byPhone(sighting);
    const created = !person;
    if (!person) {
      const row = newContact(context.ids.next(), sighting);
      made.push(row);
      person = { contactId: row.id, optedOut: false };
    }
    for (const externalId of people.learn(sighting, person)) {
      const { workspaceId, channelId, at } = sighting;
      identities.push({ workspaceId, channelId, externalId, contactId: person.contactId, at });
    }
    return { contactId: person.contactId, created, optedOut: person.optedOut };
  });

  await insertContacts(tx, made);
  await addIdentities(tx, identities);
  const filled = await touchContacts(tx, touchesOf(sightings, matches, made));
  await moveTotals(
    tx,
    made.map((row) => ({ workspaceId: row.workspaceId, id: row.id, by: 1 })),
  );
  return {
    matches,
    events: [
      ...made.map((row): NewEvent => ({
        workspaceId: row.workspaceId,
        type: "contact.created",
        data: { contact: presentContact(row) },
      })),
      ...filled.map((row): NewEvent => ({
        workspaceId: row.workspaceId,
        type: "contact.updated",
        data: { contact: parseContact(row.document) },
      })),
    ],
  };
}

/** One touch per contact that was there before and has acted: the latest time, the first name given. */
function touchesOf(
  sightings: readonly Sighting[],
  matches: readonly Match[],
  made: readonly ContactRow[],
): Touch[] {
  const fresh = new Set(made.map((row) => row.id));
  const touches = new Map<string, Touch>();
  for (const [index, sighting] of sightings.entries()) {
    const contactId = matches[index]?.contactId ?? "";
    if (fresh.has(contactId) || !sighting.seen) continue;
    const before = touches.get(contactId);
    const { workspaceId, channelType, externalId, at } = sighting;
    const name = before?.name ?? tidyName(sighting.name);
    const latest = before && before.at > at ? before.at : at;
    touches.set(contactId, { workspaceId, contactId, channelType, externalId, name, at: latest });
  }
  return [...touches.values()];
}

/** A platform's profile name as a contact's name: no more than 200 characters, nothing the database refuses. */
function tidyName(name: string | null): string | null {
  const text = Array.from((name ?? "").toWellFormed().replaceAll("\0", "").trim());
  return text.length === 0 ? null : text.slice(0, 200).join("");
}

function newContact(id: string, sighting: Sighting): ContactRow {
  return {
    workspaceId: sighting.workspaceId,
    id,
    name: tidyName(sighting.name),
    email: null,
    phone: sighting.phone,
    notes: null,
    channelType: sighting.channelType,
    externalId: sighting.externalId,
    tags: [],
    attributes: {},
    optedOutAt: null,
    lastSeenAt: sighting.seen ? sighting.at : null,
    createdAt: sighting.at,
  };
}
