import { normaliseFields } from "../contacts/record/contact-input.ts";
import type { Context } from "../context.ts";
import { invalid } from "../errors.ts";
import { emitEvents } from "../webhooks/emit-events.ts";
import type { Guest } from "./chat-channel.ts";
import { storeVisitorProfile } from "./store-visitor-profile.ts";
import { selectContactId, selectStand } from "./thread-store.ts";
import { saveVisitor, type Profile } from "./visitor-store.ts";
import { externalIdOf } from "./visitor-token.ts";

/**
 * Stores what an anonymous visitor says of themselves when the window asks: on the browser's record, and on the contact
 * when there is one already. Of a proven user nothing is stored, because the site says who that is. Name and e-mail
 * address are held to the rules of contacts. Throws VALIDATION_FAILED, also when both are missing.
 */
export async function introduceVisitor(
  context: Pick<Context, "db" | "clock" | "ids" | "wake">,
  { account, visitor }: Guest,
  said: { readonly name?: string; readonly email?: string },
): Promise<void> {
  const { name, email } = normaliseFields(said);
  if (name === null && email === null) throw invalid("name", "or an e-mail address is required");
  if (visitor.userId !== null) return;
  const { workspaceId, channelId } = account;
  const profile: Profile = { ...(name !== null && { name }), ...(email !== null && { email }) };
  const owner = { workspaceId, channelId, externalId: externalIdOf(visitor) };
  await context.db.transaction(async (tx) => {
    const key = { workspaceId, channelId, visitorId: visitor.visitorId };
    await saveVisitor(tx, key, { proven: null, profile, at: context.clock.now() });
    const stand = await selectStand(tx, owner);
    const contactId = stand && (await selectContactId(tx, workspaceId, stand.conversationId));
    if (contactId === null) return;
    const events = await storeVisitorProfile(context, tx, workspaceId, contactId, null, profile);
    if (events.length > 0) await emitEvents(context, tx, events);
  });
}
