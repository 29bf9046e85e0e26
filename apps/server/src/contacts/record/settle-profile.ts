import type { Context } from "../../context.ts";
import { emitEvents } from "../../webhooks/emit-events.ts";
import { presentContact } from "./contact.ts";
import { lockCurrent } from "../identity/lock-current.ts";
import {
  PROFILE_LEASE_MS,
  nextProfileTry,
  tidyProfileName,
  type ClaimedProfile,
} from "./profile-request.ts";
import { claimRequests, deleteProfileRequest, postponeRequest } from "./profile-store.ts";
import { writeChanges } from "./write-changes.ts";

/** Claims up to `limit` contacts whose platform is due to be asked, for a minute. */
export function claimProfiles(
  context: Pick<Context, "db" | "clock">,
  limit: number,
): Promise<ClaimedProfile[]> {
  const now = context.clock.now();
  return claimRequests(context.db, now, new Date(now.getTime() + PROFILE_LEASE_MS), limit);
}

/** What the platform answered: a name (null: it shows none), that it never will, or nothing yet. */
export type ProfileAnswer =
  | { readonly kind: "told"; readonly name: string | null }
  | { readonly kind: "refused" }
  | { readonly kind: "later"; readonly afterMs?: number | undefined };

/**
 * Gives the contact (or the one it was merged into) the platform's name, unless it has a name by now, and emits
 * `contact.updated`. After a failure the platform is asked again a few times; then the contact stays as it is.
 * Nothing else of the contact changes.
 */
export async function settleProfile(
  context: Pick<Context, "db" | "ids" | "clock" | "wake">,
  claim: ClaimedProfile,
  answer: ProfileAnswer,
): Promise<void> {
  if (answer.kind === "later") {
    const wait = nextProfileTry(claim.attempts, answer.afterMs);
    if (wait !== null) {
      const at = new Date(context.clock.now().getTime() + wait);
      return postponeRequest(context.db, claim, at);
    }
  }
  const name = answer.kind === "told" ? tidyProfileName(answer.name) : null;
  const { workspaceId, contactId } = claim;
  await context.db.transaction(async (tx) => {
    const [contact] = name === null ? [] : (await lockCurrent(tx, workspaceId, [contactId])).rows;
    if (!(await deleteProfileRequest(tx, claim))) return;
    // A person or an import was quicker, or the contact is gone.
    if (name === null || contact === undefined || contact.name !== null) return;
    const named = { ...contact, name };
    const cause = { source: "platform", ref: claim.channelId } as const;
    await writeChanges(context, tx, [{ before: contact, after: named }], cause);
    await emitEvents(context, tx, [
      { workspaceId, type: "contact.updated", data: { contact: presentContact(named) } },
    ]);
  });
}
