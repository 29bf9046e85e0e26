import type { Context } from "../../context.ts";
import type { Tx } from "../../db/database.ts";
import { parseContact } from "../record/contact.ts";
import type { FilledContact, Touch } from "../record/touch-store.ts";
import { recordChanges } from "../record/write-changes.ts";

/** What a platform told of contacts that were there goes to their timelines; that they were seen does not. */
export function recordFilledFields(
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
