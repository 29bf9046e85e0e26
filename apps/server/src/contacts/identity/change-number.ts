import type { Context } from "../../context.ts";
import type { Tx } from "../../db/database.ts";
import type { NewEvent } from "../../webhooks/event.ts";
import { presentContact } from "../record/contact.ts";
import { lockContacts } from "../record/contact-store.ts";
import {
  addIdentities,
  dueMerge,
  lockPeople,
  readPeople,
  retireIdentities,
} from "./identity-store.ts";
import { matchContacts, type Sighting } from "./match-contacts.ts";
import { isSameNumber } from "./other-spelling.ts";
import { idsOf, isNumberId, type Holding } from "./people.ts";
import { releaseNumber } from "./release-numbers.ts";
import { followNumbers } from "../consent/set-consent.ts";
import { sameContact } from "../record/update-contact.ts";
import { writeChanges } from "../record/write-changes.ts";

/** What a platform tells: a person has another number or id from now on. */
export interface NumberChange {
  readonly workspaceId: string;
  readonly channelId: string;
  readonly channelType: Sighting["channelType"];
  readonly fromExternalId: string;
  readonly toExternalId: string;
  /** The platform's own new id of the person, beside the number. */
  readonly alternateId?: string;
  readonly at: Date;
}

/**
 * The person known by the old id is known by the new one from now on, and no longer by the old one: a later
 * message from the old number comes from somebody else. The contact's own number changes too when it was the old
 * one. A contact that had the new number before the change is its former owner and loses it. A contact first seen
 * with the new number after the change is the same person, because a message overtook this notice; it is merged. A
 * repeated notice changes nothing. Neither does one that comes after the person moved on again: `moved` says
 * whether the new id is the one to write to. When both ids are unknown, no contact is created and `contactId` is
 * null.
 */
export async function changeNumber(
  context: Pick<Context, "ids" | "clock" | "sealer">,
  tx: Tx,
  change: NumberChange,
): Promise<{
  readonly contactId: string | null;
  readonly moved: boolean;
  readonly events: NewEvent[];
}> {
  const { workspaceId, channelId, channelType, fromExternalId, toExternalId, at } = change;
  const { alternateId } = change;
  const of = (externalId: string): Sighting => ({
    workspaceId,
    channelId,
    channelType,
    externalId,
    phone: isNumberId(channelType, externalId) ? externalId : null,
    name: null,
    at,
    seen: false,
  });
  const from = of(fromExternalId);
  const to: Sighting = { ...of(toExternalId), ...(alternateId !== undefined && { alternateId }) };
  await lockPeople(tx, [from, to]);
  const people = await readPeople(tx, [from, to]);
  const person = people.holding(from, fromExternalId)?.person ?? people.find(from);
  if (!person) {
    if (people.find(to) === undefined) return { contactId: null, moved: false, events: [] };
    // The person may be known by the new id already, which may have come with a second one.
    const { matches, events } = await matchContacts(context, tx, [to]);
    return { contactId: matches[0]?.contactId ?? null, moved: true, events };
  }
  const { contactId } = person;
  const events: NewEvent[] = [];
  const holder = people.holding(to, toExternalId);
  const left = holder?.person === person ? holder.retiredAt : null;
  if (left !== null && left >= at) return { contactId, moved: false, events };
  const isNumber = isNumberId(channelType, toExternalId);
  // A number may have had another owner before. The platform's own id never changes its owner.
  const overtook = (one: Holding) => one.retiredAt === null && (!isNumber || one.since >= at);
  if (holder && holder.person !== person && overtook(holder)) {
    await dueMerge(tx, [{ workspaceId, ids: [contactId, holder.person.contactId] }], at);
  } else if (holder?.person !== person || holder.retiredAt !== null) {
    const identity = { workspaceId, channelId, externalId: toExternalId, contactId, isNumber, at };
    await addIdentities(tx, [identity], { takeOver: true });
    if (holder && holder.person !== person)
      events.push(...(await releaseNumber(context, tx, to, holder.person.contactId, contactId)));
  }
  if (alternateId !== undefined) {
    const other = people.holding(to, alternateId)?.person;
    const second = { workspaceId, channelId, externalId: alternateId, contactId, isNumber: false };
    if (other === undefined) await addIdentities(tx, [{ ...second, at }], { takeOver: false });
    else if (other !== person)
      await dueMerge(tx, [{ workspaceId, ids: [contactId, other.contactId] }], at);
  }
  const retired = await retireIdentities(tx, { workspaceId, channelId, contactId }, idsOf(to), at);
  // When the platform tells only user ids of before and after beside the new number, the old number is the one
  // that just ended.
  const old = [fromExternalId, ...(isNumber ? retired : [])];
  const isOld = (id: string | null): boolean =>
    id !== null && old.some((one) => isSameNumber(one, id));
  const [before] = await lockContacts(tx, workspaceId, [contactId]);
  if (!before) return { contactId, moved: true, events };
  const row = {
    ...before,
    phone: isOld(before.phone) && to.phone !== null ? to.phone : before.phone,
    externalId: isOld(before.externalId) ? toExternalId : before.externalId,
  };
  if (!sameContact(before, row)) {
    const cause = { source: "number", ref: channelId } as const;
    await writeChanges(context, tx, [{ before, after: row }], cause);
    events.push({ workspaceId, type: "contact.updated", data: { contact: presentContact(row) } });
    events.push(...(await followNumbers(context, tx, workspaceId, [contactId])));
  }
  return { contactId, moved: true, events };
}
