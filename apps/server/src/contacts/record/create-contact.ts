import { write } from "../../write.ts";
import { actorName, type Actor } from "../../actor.ts";
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
    data: { contact: presentContact(row) },
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
 * from a channel fills them in. Throws VALIDATION_FAILED, CONTACT_NEEDS_IDENTITY. `within` runs in the
 * transaction, which then is not shared with other requests.
 */
export const createContact = write(
  "contact.create",
  async (
    actor,
    context: Pick<Context, "db" | "ids" | "clock" | "wake" | "sealer" | "groupCommit">,
    workspaceId: string,
    contact: ContactInput,
    options: { readonly within?: (tx: Tx, contact: ContactJson) => Promise<void> } = {},
  ): Promise<ContactJson> => {
    const item = { actor, workspaceId, contact };
    const { within } = options;
    if (!within) return context.groupCommit.submit(createContacts, item);
    return context.db.transaction(async (tx) => {
      const [outcome] = await createContacts(context, tx, [item]);
      if (!outcome?.ok) throw outcome?.error ?? new Error("batch answered too few items");
      await within(tx, outcome.value);
      return outcome.value;
    });
  },
);
