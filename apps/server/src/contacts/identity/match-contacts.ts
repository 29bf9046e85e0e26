import type { Context } from "../../context.ts";
import type { Tx } from "../../db/database.ts";
import type { NewEvent } from "../../webhooks/event.ts";
import { parseContact, presentContact, type ContactRow } from "../record/contact.ts";
import type { ChannelType } from "../../wire/words.ts";
import { withNumberConsent } from "../consent/opted-out-store.ts";
import { insertContacts } from "../record/contact-store.ts";
import { moveTotals } from "../record/contact-total-store.ts";
import {
  addIdentities,
  dueMerge,
  lockPeople,
  readPeople,
  readPeopleById,
  type NewIdentity,
} from "./identity-store.ts";
import type { People, CandidateContact, SightingResult } from "./people.ts";
import { releaseNumbers } from "./release-numbers.ts";
import { followNumbers } from "../consent/set-consent.ts";
import {
  moveLastSeen,
  touchContacts,
  type FilledContact,
  type Touch,
} from "../record/touch-store.ts";
import { recordChanges } from "../record/write-changes.ts";

/** Somebody seen on a channel, named as the platform names them. */
export interface Sighting {
  readonly workspaceId: string;
  readonly channelId: string;
  readonly channelType: ChannelType;
  /** The customer's id on that channel. */
  readonly externalId: string;
  /** A second id of the same person on that channel. */
  readonly alternateId?: string | undefined;
  /** Digits, when the platform vouches for them. */
  readonly phone: string | null;
  /** An address that somebody trustworthy vouches for (a site that signed it), never one that a visitor only typed. */
  readonly verifiedEmail?: string | null | undefined;
  readonly name: string | null;
  readonly at: Date;
  /** True when the person acted (wrote), false when we only write to them. */
  readonly seen: boolean;
}

export interface MatchedContact {
  readonly contactId: string;
  readonly created: boolean;
  readonly optedOut: boolean;
}

/**
 * The first query of `matchContacts`: which people are known by their id? A caller can send it together with
 * another statement, and for more sightings than it matches afterwards.
 */
export function lookUpContacts(tx: Tx, sightings: readonly Sighting[]): Promise<People> {
  return readPeopleById(tx, sightings);
}

/**
 * Finds or creates the contact of each sighting, in the order given, by the rules of docs/identities.md: the
 * platform's own id of the person, the number on the channel, the phone (the oldest contact with it), a verified
 * e-mail, else a new contact; never a contact that the platform knows by another id of its own. The same person
 * twice is one contact, within a call and across processes: a sender that is not fully known yet is looked up
 * again under a lock. A known contact without a name or phone gets the platform's. Gives the events for the caller
 * to emit last.
 */
export async function matchContacts(
  context: Pick<Context, "ids" | "clock" | "sealer">,
  tx: Tx,
  sightings: readonly Sighting[],
  known?: People,
): Promise<{ matches: MatchedContact[]; events: NewEvent[] }> {
  if (sightings.length === 0) return { matches: [], events: [] };
  let people = known ?? (await readPeopleById(tx, sightings));
  const unsettled = sightings.filter((sighting) => !people.isSettled(sighting));
  if (unsettled.length > 0) {
    await lockPeople(tx, unsettled);
    people = await readPeople(tx, sightings);
  }

  const made = new Map<string, ContactRow>();
  const verdicts: SightingResult[] = [];
  const matches = sightings.map((sighting): MatchedContact => {
    let person: CandidateContact | undefined = people.find(sighting);
    const created = !person;
    if (!person) {
      const row = newContact(context, sighting);
      made.set(row.id, row);
      person = {
        contactId: row.id,
        optedOut: false,
        phone: null,
        email: row.email,
        lacks: { name: row.name === null, phone: row.phone === null, channel: false },
        users: new Map(),
        numbers: new Map(),
      };
    }
    verdicts.push(people.learn(sighting, person, created));
    return { contactId: person.contactId, created, optedOut: person.optedOut };
  });

  const rows = await withNumberConsent(context, tx, [...made.values()]);
  await insertContacts(
    tx,
    rows.map((row) => ({ ...row, author: null })),
  );
  await addIdentities(tx, identitiesOf(sightings, verdicts), { takeOver: true });
  const released = await releaseNumbers(context, tx, sightings, verdicts);
  const touches = touchesOf(sightings, matches, made);
  const lacking = new Map(verdicts.map(({ person }) => [person.contactId, person.lacks]));
  const mayFill = touches.some(({ contactId, name, phone }) => {
    const lacks = lacking.get(contactId);
    return (
      !lacks || lacks.channel || (lacks.name && name !== null) || (lacks.phone && phone !== null)
    );
  });
  const filled = mayFill ? await touchContacts(tx, touches) : [];
  if (!mayFill && touches.length > 0) tx.later(moveLastSeen(tx, touches));
  recordFilledFields(context, tx, filled, touches);
  const consent = await followFilled(context, tx, filled);
  await dueMerge(tx, pairsOf(sightings, verdicts), context.clock.now());
  moveTotals(
    tx,
    rows.map(({ workspaceId }) => ({ workspaceId, by: 1 })),
  );
  const optedOut = new Set(rows.filter((row) => row.optedOutAt !== null).map((row) => row.id));
  return {
    matches: matches.map((one) => (optedOut.has(one.contactId) ? { ...one, optedOut: true } : one)),
    events: [
      ...rows.map((row): NewEvent => ({
        workspaceId: row.workspaceId,
        type: "contact.created",
        data: { contact: presentContact(row) },
      })),
      ...released,
      ...filled.map((row): NewEvent => ({
        workspaceId: row.workspaceId,
        type: "contact.updated",
        data: { contact: parseContact(row.document) },
      })),
      ...consent,
    ],
  };
}

function identitiesOf(
  sightings: readonly Sighting[],
  verdicts: readonly SightingResult[],
): NewIdentity[] {
  return sightings.flatMap(({ workspaceId, channelId, at }, index) => {
    const { claims = [], person } = verdicts[index] ?? {};
    const contactId = person?.contactId ?? "";
    return claims.map((claim) => ({ workspaceId, channelId, contactId, at, ...claim }));
  });
}

function pairsOf(sightings: readonly Sighting[], verdicts: readonly SightingResult[]) {
  return sightings.flatMap(({ workspaceId }, index) => {
    const { same = null, person } = verdicts[index] ?? {};
    if (same === null || !person) return [];
    return [{ workspaceId, ids: [person.contactId, same.contactId] as const }];
  });
}

/** What a platform told about existing contacts goes to their timelines; that they were seen does not. */
function recordFilledFields(
  context: Pick<Context, "ids" | "clock">,
  tx: Tx,
  filled: readonly FilledContact[],
  touches: readonly Touch[],
): void {
  const pairs = filled.map(({ workspaceId, document, lacked }) => {
    const after = { workspaceId, ...parseContact(document) };
    const before = {
      ...after,
      ...(lacked.named && { name: null }),
      ...(lacked.numbered && { phone: null }),
      ...(lacked.placed && { channelType: null, externalId: lacked.formerId }),
    };
    return { before, after };
  });
  const channels = new Map(touches.map((touch) => [touch.contactId, touch.channelId]));
  recordChanges(context, tx, pairs, ({ after }) => ({
    source: "platform",
    ref: channels.get(after.id) ?? null,
  }));
}

/** A contact that just got a number may have got an opted-out one. */
async function followFilled(
  context: Pick<Context, "ids" | "clock" | "sealer">,
  tx: Tx,
  filled: readonly { readonly workspaceId: string; readonly document: string }[],
): Promise<NewEvent[]> {
  const events: NewEvent[] = [];
  const withPhone = filled.flatMap(({ workspaceId, document }) => {
    const { id, phone } = parseContact(document);
    return phone === null ? [] : [{ workspaceId, id }];
  });
  for (const [workspaceId, some] of Map.groupBy(withPhone, (one) => one.workspaceId))
    events.push(
      ...(await followNumbers(
        context,
        tx,
        workspaceId,
        some.map((one) => one.id),
      )),
    );
  return events;
}

/** One touch for each existing contact that acted: the latest time, the first name and the first number given. */
function touchesOf(
  sightings: readonly Sighting[],
  matches: readonly MatchedContact[],
  made: ReadonlyMap<string, ContactRow>,
): Touch[] {
  const touches = new Map<string, Touch>();
  for (const [index, sighting] of sightings.entries()) {
    const contactId = matches[index]?.contactId ?? "";
    // A contact that this batch created may get its number from a later message of the batch.
    const phone =
      made.get(contactId)?.phone === null || !made.has(contactId) ? sighting.phone : null;
    if ((made.has(contactId) && phone === null) || !sighting.seen) continue;
    const before = touches.get(contactId);
    const { workspaceId, channelId, channelType, externalId, at } = sighting;
    touches.set(contactId, {
      workspaceId,
      channelId,
      contactId,
      channelType,
      externalId,
      name: before?.name ?? tidyName(sighting.name),
      phone: before?.phone ?? phone,
      at: before && before.at > at ? before.at : at,
    });
  }
  return [...touches.values()];
}

/** A platform's profile name as a contact's name: at most 200 characters, and nothing that the database refuses. */
function tidyName(name: string | null): string | null {
  const text = Array.from((name ?? "").toWellFormed().replaceAll("\0", "").trim());
  return text.length === 0 ? null : text.slice(0, 200).join("");
}

function newContact(context: Pick<Context, "ids" | "clock">, sighting: Sighting): ContactRow {
  return {
    workspaceId: sighting.workspaceId,
    id: context.ids.next(),
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
    // The time of the record, not of the message: a late message would date its contact before contacts that stand
    // below it in the list.
    createdAt: context.clock.now(),
  };
}
