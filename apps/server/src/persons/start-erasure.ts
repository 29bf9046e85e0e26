import { write } from "../write.ts";
import { findNamingCampaigns } from "../broadcasts/record/find-naming-campaigns.ts";
import { deletedEvent } from "../contacts/record/deleted-event.ts";
import { eraseContact } from "../contacts/record/erase-contact.ts";
import { lockPersonUntilCommit } from "../contacts/identity/lock-current.ts";
import { actorName } from "../actor.ts";
import type { Context } from "../context.ts";
import { AppError } from "../errors.ts";
import { isId } from "../lib/ids.ts";
import { findNamingSegments } from "../segments/find-naming-segments.ts";
import { emitEvents } from "../webhooks/emit-events.ts";
import { audit } from "../workspaces/write-audit.ts";
import { insertErasure, selectErasures, selectErasureOf } from "./erasure-store.ts";
import { keysPlace, STEPS, type Erasure, type Keys } from "./erasure.ts";
import { identifyPerson } from "./identify-person.ts";

export interface StartedErasure extends Erasure {
  /** Other contacts with the same number or e-mail address: perhaps the same person. They are left alone. */
  readonly alike: readonly string[];
}

/**
 * Begins to forget a person (docs/privacy.md), by the id of the contact or of one merged into it. The contact is
 * gone from the commit on: a later message creates a new one, and campaigns skip the person. The rest is removed
 * in batches (`runErasureBatch`). Emits `contact.deleted`. A repeated call gives the erasure that runs or ran. Throws NOT_FOUND when
 * nothing is known of such a contact.
 */
export const startErasure = write(
  "contact.erase",
  async (
    actor,
    context: Pick<Context, "db" | "ids" | "clock" | "sealer" | "wake">,
    workspaceId: string,
    contactId: string,
  ): Promise<StartedErasure> => {
    if (!isId(contactId)) throw new AppError("NOT_FOUND");
    return context.db.transaction(async (tx) => {
      // A merge or a change at this moment is erased with the rest.
      await lockPersonUntilCommit(tx, workspaceId, contactId);
      const found = await identifyPerson(tx, workspaceId, contactId);
      if (!found) {
        const before = await selectErasureOf(tx, workspaceId, contactId);
        if (!before) throw new AppError("NOT_FOUND", { explanation: "there is no such contact" });
        return { ...before, alike: [] };
      }
      const { person } = found;
      const addresses = found.threads.map((thread) => thread.externalId);
      const id = context.ids.next();
      const at = context.clock.now();
      const keys: Keys = {
        phones: person.phones,
        pastPhones: person.pastPhones,
        emails: person.emails,
        externalIds: [...new Set([...person.externalIds, ...addresses])],
        identities: person.identities.map(({ channelId, externalId }) => ({
          channelId,
          externalId,
        })),
      };
      const stillNamed = {
        segments: await findNamingSegments(tx, workspaceId, person),
        campaigns: await findNamingCampaigns(tx, workspaceId, person),
      };
      const made = await insertErasure(tx, {
        workspaceId,
        id,
        contactId: person.contactId,
        ids: person.ids,
        stillNamed,
        keysSealed: context.sealer.seal(JSON.stringify(keys), keysPlace(workspaceId, id)),
        step: STEPS[0],
        actor: actorName(actor),
        at,
      });
      if (!made) {
        const running = await selectErasureOf(tx, workspaceId, person.contactId);
        if (!running) throw new Error("the erasure that was in the way is gone");
        return { ...running, alike: person.alike };
      }
      await eraseContact(context, tx, person);
      await audit(actor, context, tx, workspaceId, {
        action: "contact.erasure_started",
        subject: person.contactId,
        facts: { erasureId: id },
      });
      await emitEvents(context, tx, [deletedEvent(workspaceId, person.contactId, true, at)], actor);
      tx.afterCommit(() => context.wake.nudge("housekeeping"));
      return { ...made, alike: person.alike };
    });
  },
);

/** The erasures of a workspace, newest first. */
export function listErasures(
  context: Pick<Context, "db">,
  workspaceId: string,
): Promise<Erasure[]> {
  return selectErasures(context.db, workspaceId, null);
}

/** An erasure of the workspace. Throws NOT_FOUND. */
export async function findErasure(
  context: Pick<Context, "db">,
  workspaceId: string,
  id: string,
): Promise<Erasure> {
  const [found] = isId(id) ? await selectErasures(context.db, workspaceId, id) : [];
  if (!found) throw new AppError("NOT_FOUND", { explanation: "there is no such erasure" });
  return found;
}
