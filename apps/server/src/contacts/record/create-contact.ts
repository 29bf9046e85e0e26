import { storeAnswersOf } from "../../api-keys/kept-answers.ts";
import { write } from "../../write.ts";
import { actorName, madeByName, type Actor } from "../../actor.ts";
import type { Context } from "../../context.ts";
import type { Tx } from "../../db/database.ts";
import type { Settled } from "../../lib/group-commit.ts";
import { emitEvents } from "../../webhooks/emit-events.ts";
import type { NewEvent } from "../../webhooks/event.ts";
import { withNumberConsent } from "../consent/opted-out-store.ts";
import { normaliseContact } from "./contact-input.ts";
import { insertContacts } from "./contact-store.ts";
import { moveTotals } from "./contact-total-store.ts";
import { presentContact, type ContactInput, type NewContactRow } from "./contact.ts";
import { type ContactJson } from "../../wire/contact.ts";

interface CreateItem {
  readonly actor: Actor;
  readonly workspaceId: string;
  readonly contact: ContactInput;
}

/**
 * Creates contacts of one or many workspaces in one transaction, with their totals and `contact.created` events.
 * Each item has its own answer: a fault in its input fails only that item.
 */
export async function createContacts(
  context: Pick<Context, "ids" | "clock" | "wake" | "sealer">,
  tx: Tx,
  items: readonly CreateItem[],
): Promise<Settled<ContactJson>[]> {
  const { outcomes, events, count } = await insertNewContacts(context, tx, items);
  count();
  await emitEvents(context, tx, events);
  return outcomes;
}

/**
 * The same for callers that have more to do: `count` adds the contacts to the totals, which locks the workspace's until the
 * commit; the events are the caller's to emit, last and once.
 */
export async function insertNewContacts(
  context: Pick<Context, "ids" | "clock" | "sealer">,
  tx: Tx,
  items: readonly CreateItem[],
): Promise<{
  readonly outcomes: Settled<ContactJson>[];
  readonly events: readonly NewEvent[];
  readonly count: () => void;
}> {
  const now = context.clock.now();
  const read = items.map(({ actor, workspaceId, contact }): Settled<NewContactRow> => {
    try {
      const row: NewContactRow = {
        workspaceId,
        author: actorName(actor),
        id: context.ids.next(),
        ...normaliseContact(contact),
        channelType: null,
        externalId: null,
        optedOutAt: null,
        lastSeenAt: null,
        createdAt: now,
      };
      return { ok: true, value: row };
    } catch (error) {
      return { ok: false, error: error instanceof Error ? error : new Error(String(error)) };
    }
  });
  // Consent follows the number: it may have been opted out before any contact had it.
  const rows = await withNumberConsent(
    context,
    tx,
    read.flatMap((one) => (one.ok ? [one.value] : [])),
  );
  const inOrder = rows.values();
  const outcomes = read.map((one): Settled<ContactJson> => {
    const row = one.ok ? inOrder.next().value : undefined;
    return one.ok ? { ok: true, value: presentContact(row ?? one.value) } : one;
  });
  tx.later(insertContacts(tx, rows));
  const events = rows.map((row): NewEvent => ({
    workspaceId: row.workspaceId,
    type: "contact.created",
    data: { contact: presentContact(row), ...madeByName(row.author) },
  }));
  const count = (): void =>
    moveTotals(
      tx,
      rows.map(({ workspaceId }) => ({ workspaceId, by: 1 })),
    );
  return { outcomes, events, count };
}

/**
 * Creates a contact (spec, POST /v1/contacts). It is always a new one, also when another has the same e-mail or
 * phone. Its `channelType` and `externalId` are null, because no channel knows the person yet; the first message
 * from a channel fills them in. Throws VALIDATION_FAILED, CONTACT_NEEDS_IDENTITY. `keep` stores the caller's answer in
 * the contact's transaction, which other calls share.
 */
export const createContact = write(
  "contact.create",
  async (
    actor,
    context: Pick<Context, "db" | "ids" | "clock" | "wake" | "sealer" | "groupCommit">,
    workspaceId: string,
    contact: ContactInput,
    { keep }: Pick<CreateCall, "keep"> = {},
  ): Promise<ContactJson> =>
    context.groupCommit.submit(createEach, { item: { actor, workspaceId, contact }, keep }),
);

interface CreateCall {
  readonly item: CreateItem;
  readonly keep?: ((tx: Tx, contact: ContactJson) => Promise<void>) | undefined;
}

/** Creates the contacts of calls that arrived together, and keeps the answer of each under its caller's key. */
async function createEach(
  context: Pick<Context, "ids" | "clock" | "wake" | "sealer">,
  tx: Tx,
  calls: readonly CreateCall[],
): Promise<Settled<ContactJson>[]> {
  const settled = await createContacts(
    context,
    tx,
    calls.map(({ item }) => item),
  );
  return storeAnswersOf(tx, calls, settled);
}
