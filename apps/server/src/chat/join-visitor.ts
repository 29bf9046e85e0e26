import type { Context } from "../context.ts";
import { findContact } from "../contacts/identity/find-contact.ts";
import { joinIdentities } from "../contacts/identity/join-identities.ts";
import { addAttributes } from "../contacts/attributes/add-attributes.ts";
import { setConsent } from "../contacts/consent/set-consent.ts";
import type { Tx } from "../db/database.ts";
import { joinThreads } from "../messages/receive/join-threads.ts";
import { emitEvents } from "../webhooks/emit-events.ts";
import type { NewEvent } from "../webhooks/event.ts";
import { storeVisitorProfile } from "./store-visitor-profile.ts";
import { saveVisitor, type Profile, type VisitorKey, type VisitorRow } from "./visitor-store.ts";
import { userExternalId } from "./visitor-token.ts";

const isUser = (externalId: string): boolean => externalId.startsWith(userExternalId(""));

/**
 * A browser proved its user. It belongs to that user from now on, and its anonymous tokens end, in one transaction
 * with everything that follows. Messages that were written anonymously go on under the user. When the user already
 * has a contact, the messages move to it; the anonymous contact stays, marked and without its id on the channel.
 * An opt-out of either contact holds for the user. Null: the browser became another user's meanwhile.
 */
export async function joinVisitor(
  context: Pick<Context, "db" | "ids" | "clock" | "wake" | "topics" | "sealer" | "joinFollowers">,
  key: VisitorKey,
  userId: string,
  profile: Profile,
): Promise<VisitorRow | null> {
  const { workspaceId, channelId, visitorId } = key;
  return context.db.transaction(async (tx) => {
    const at = context.clock.now();
    const row = await saveVisitor(tx, key, { proven: userId, profile, at });
    if (row === null) return null;
    const externalId = userExternalId(userId);
    const { contactId, formerId } = await joinIdentities(
      tx,
      { workspaceId, channelId, channelType: "WEB", from: visitorId, to: externalId, at },
      isUser,
    );
    if (contactId === null) return row;
    const events: NewEvent[] = [];
    if (formerId !== null)
      events.push(...(await retire(context, tx, workspaceId, formerId, contactId)));
    events.push(
      ...(await storeVisitorProfile(context, tx, workspaceId, contactId, userId, row.profile)),
    );
    const fromContactId = formerId ?? contactId;
    const people = { workspaceId, channelId, fromContactId, intoContactId: contactId, externalId };
    events.push(...(await joinThreads(context, tx, people)));
    await emitEvents(context, tx, events);
    return row;
  });
}

/** Records on the anonymous contact which contact replaced it. Its opt-out goes along. */
async function retire(
  context: Pick<Context, "ids" | "clock" | "sealer">,
  tx: Tx,
  workspaceId: string,
  formerId: string,
  contactId: string,
): Promise<NewEvent[]> {
  const events = await addAttributes(context, tx, workspaceId, formerId, {
    attributes: { web_merged_into: contactId },
  });
  const former = await findContact(tx, workspaceId, formerId);
  if (former?.optedOut !== true) return events;
  const at = context.clock.now();
  const change = { workspaceId, contactId, optedOut: true, source: "merge", at };
  return [...events, ...(await setConsent(context, tx, [change]))];
}
