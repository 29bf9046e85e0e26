import { SYSTEM } from "../../actor.ts";
import type { Context } from "../../context.ts";
import type { Tx } from "../../db/database.ts";
import type { NewEvent } from "../../webhooks/event.ts";
import { audit } from "../../workspaces/write-audit.ts";
import { presentContact } from "../record/contact.ts";
import { lockContacts } from "../record/contact-store.ts";
import { userIdOn } from "./identity-store.ts";
import type { Sighting } from "./match-contacts.ts";
import { isSameNumber } from "./other-spelling.ts";
import type { SightingResult } from "./people.ts";
import { writeChanges } from "../record/write-changes.ts";

/**
 * Takes numbers from contacts that no longer have them: the platform showed the number with another person's id.
 * Otherwise a campaign would write to a stranger under the former owner's name. The audit says what was taken and
 * why.
 */
export async function releaseNumbers(
  context: Pick<Context, "ids" | "clock">,
  tx: Tx,
  sightings: readonly Sighting[],
  verdicts: readonly SightingResult[],
): Promise<NewEvent[]> {
  const events: NewEvent[] = [];
  for (const [index, verdict] of verdicts.entries()) {
    const sighting = sightings[index];
    const released = verdict.released?.contactId;
    if (!sighting || released === undefined || sighting.phone === null) continue;
    events.push(
      ...(await releaseNumber(context, tx, sighting, released, verdict.person.contactId)),
    );
  }
  return events;
}

/** As `releaseNumbers`, for one contact. */
export async function releaseNumber(
  context: Pick<Context, "ids" | "clock">,
  tx: Tx,
  where: Pick<Sighting, "workspaceId" | "channelId" | "channelType" | "phone">,
  contactId: string,
  newOwnerId: string,
): Promise<NewEvent[]> {
  const { workspaceId, channelId, channelType, phone } = where;
  const [before] = await lockContacts(tx, workspaceId, [contactId]);
  if (!before || phone === null) return [];
  const known = before.channelType === channelType && before.externalId === phone;
  const has = before.phone !== null && isSameNumber(before.phone, phone);
  if (!has && !known) return [];
  const row = {
    ...before,
    phone: has ? null : before.phone,
    externalId: known
      ? ((await userIdOn(tx, { workspaceId, channelId, contactId })) ?? before.externalId)
      : before.externalId,
  };
  const cause = { source: "number", ref: channelId } as const;
  await writeChanges(context, tx, [{ before, after: row }], cause);
  await audit(SYSTEM, context, tx, workspaceId, {
    action: "contact.number_passed_on",
    subject: contactId,
    facts: { channelId, newOwnerId },
  });
  return [{ workspaceId, type: "contact.updated", data: { contact: presentContact(row) } }];
}
