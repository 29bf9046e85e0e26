import { personRecipients } from "../broadcasts/erase-recipients.ts";
import { eraseContact } from "../contacts/erase-contact.ts";
import { findPerson, type Person } from "../contacts/person.ts";
import type { Context } from "../context.ts";
import { personThreads } from "../conversations/person-threads.ts";
import type { Queryable } from "../db/database.ts";
import { AppError } from "../errors.ts";
import { isId } from "../lib/ids.ts";
import { writeAudit } from "../workspaces/write-audit.ts";
import { insertErasure, selectErasures, selectOfContact } from "./erasure-store.ts";
import { keysPlace, STEPS, type Erasure, type Keys } from "./erasure.ts";

/** Campaigns of a deleted contact that are asked for its number. */
const ASKED = 1_000;

export interface StartedErasure extends Erasure {
  /** Other contacts with the same number or e-mail address: perhaps the same person, and not touched. */
  readonly alike: readonly string[];
}

/**
 * Begins to forget a person (docs/privacy.md), by the id of the contact or of one that was merged into it. From the
 * commit on the contact is gone: a message that comes after it makes a new one, campaigns skip the person. The rest goes
 * in batches (`runErasureBatch`). Asked again, it gives the erasure that runs or ran. Throws NOT_FOUND when nothing is
 * known of such a contact.
 */
export async function startErasure(
  context: Pick<Context, "db" | "ids" | "clock" | "sealer" | "wake">,
  workspaceId: string,
  contactId: string,
  actor: string,
): Promise<StartedErasure> {
  if (!isId(contactId)) throw new AppError("NOT_FOUND");
  return context.db.transaction(async (tx) => {
    const found = await personOf(tx, workspaceId, contactId);
    if (!found) {
      const before = await selectOfContact(tx, workspaceId, contactId);
      if (!before) throw new AppError("NOT_FOUND", { explanation: "there is no such contact" });
      return { ...before, alike: [] };
    }
    const { person, threadIds } = found;
    const id = context.ids.next();
    const at = context.clock.now();
    const keys: Keys = {
      phones: person.phones,
      pastPhones: person.pastPhones,
      emails: person.emails,
      externalIds: [...new Set([...person.externalIds, ...threadIds])],
      identities: person.identities.map(({ channelId, externalId }) => ({ channelId, externalId })),
    };
    const made = await insertErasure(tx, {
      workspaceId,
      id,
      contactId: person.contactId,
      ids: person.ids,
      keysSealed: context.sealer.seal(JSON.stringify(keys), keysPlace(workspaceId, id)),
      step: STEPS[0],
      actor,
      at,
    });
    if (!made) {
      const running = await selectOfContact(tx, workspaceId, person.contactId);
      if (!running) throw new Error("the erasure that was in the way is gone");
      return { ...running, alike: person.alike };
    }
    await eraseContact(context, tx, person);
    await writeAudit(context, tx, workspaceId, {
      actor,
      action: "contact.erasure_started",
      subject: person.contactId,
      facts: { erasureId: id },
    });
    tx.afterCommit(() => context.wake.nudge("housekeeping"));
    return { ...made, alike: person.alike };
  });
}

/** Also of a contact that was deleted and left something behind. Null: there is nothing. */
async function personOf(
  db: Queryable,
  workspaceId: string,
  contactId: string,
): Promise<{ readonly person: Person; readonly threadIds: readonly string[] } | null> {
  const first = await findPerson(db, workspaceId, contactId);
  if (!first) return null;
  const threads = await personThreads(db, workspaceId, first.ids);
  const addresses = threads.map((thread) => thread.externalId);
  if (first.alive) return { person: first, threadIds: addresses };
  const recipients = await personRecipients(db, workspaceId, first.ids, LAST, ASKED);
  const numbers = [...addresses, ...recipients.flatMap(({ address }) => address ?? [])];
  // A row that an erasure blanked has nothing to give.
  const left = recipients.some((one) => one.address !== null || one.messageId !== null);
  if (threads.length === 0 && !left && first.phones.length === 0) return null;
  const person = await findPerson(
    db,
    workspaceId,
    contactId,
    numbers.filter((number) => /^\d{7,15}$/.test(number)),
  );
  return person && { person, threadIds: addresses };
}
const LAST = "ffffffff-ffff-ffff-ffff-ffffffffffff";

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
  if (!found) throw new AppError("NOT_FOUND", { explanation: `there is no erasure ${id}` });
  return found;
}
