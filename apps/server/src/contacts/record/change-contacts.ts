import type { Context } from "../../context.ts";
import type { Tx } from "../../db/database.ts";
import type { NewEvent } from "../../webhooks/event.ts";
import { attributesFit } from "./contact-input.ts";
import type { ChangeCause } from "./contact-change.ts";
import { lockContacts, removeContacts } from "./contact-store.ts";
import { deletedEvent } from "./deleted-event.ts";
import { moveTotals } from "./contact-total-store.ts";
import { presentContact, type ContactRow } from "./contact.ts";
import { setConsent } from "../consent/set-consent.ts";
import { sameContact } from "./update-contact.ts";
import { writeChanges } from "./write-changes.ts";

/** One change to many contacts. */
export type ContactChange =
  | { readonly action: "tag" | "untag"; readonly tags: readonly string[] }
  /** Null removes the attribute. */
  | { readonly action: "set_attribute"; readonly key: string; readonly value: unknown }
  | { readonly action: "opt_out" | "opt_in"; readonly reason: string | null }
  | { readonly action: "delete" };

/**
 * Makes one change to contacts of a workspace and gives the events for the caller to emit last. These are
 * `contact.updated` for each contact that changed (a receiver's copy would be wrong otherwise), and
 * `contact.opted_out`, `contact.opted_in` and `contact.deleted` in the same way. There are none for contacts that
 * were so already. An attribute that would take a contact beyond 16 KiB is left
 * out, and so are unknown contacts. `cause` goes to the contacts' timelines.
 */
export async function changeContacts(
  context: Pick<Context, "ids" | "clock" | "sealer">,
  tx: Tx,
  workspaceId: string,
  ids: readonly string[],
  change: ContactChange,
  cause: ChangeCause,
): Promise<{ readonly changed: number; readonly events: readonly NewEvent[] }> {
  const at = context.clock.now();
  if ("reason" in change) {
    const optedOut = change.action === "opt_out";
    // The reason that a person gave for an opt-in is the evidence that the customers want it.
    const evidence = optedOut ? undefined : (change.reason ?? undefined);
    const wish = { workspaceId, optedOut, source: "bulk", detail: change.reason, at, evidence };
    const events = await setConsent(
      context,
      tx,
      ids.map((contactId) => ({ ...wish, contactId })),
    );
    return { changed: events.length, events };
  }
  const rows = await lockContacts(tx, workspaceId, ids);
  if (change.action === "delete") {
    const gone = await removeContacts(
      tx,
      workspaceId,
      rows.map((row) => row.id),
    );
    moveTotals(tx, [{ workspaceId, by: -gone.length }]);
    const events = gone.map((id) => deletedEvent(workspaceId, id, false, at));
    return { changed: gone.length, events };
  }
  const changed = rows.flatMap((row) => {
    const next = changedRow(row, change);
    return sameContact(row, next) || !attributesFit(next.attributes)
      ? []
      : [{ before: row, after: next }];
  });
  await writeChanges(context, tx, changed, cause);
  const events = changed.map(({ after }): NewEvent => ({
    workspaceId,
    type: "contact.updated",
    data: { contact: presentContact(after) },
  }));
  return { changed: changed.length, events };
}

function changedRow(
  row: ContactRow,
  change: Extract<ContactChange, { readonly action: "tag" | "untag" | "set_attribute" }>,
): ContactRow {
  switch (change.action) {
    case "tag":
      return { ...row, tags: [...new Set([...row.tags, ...change.tags])] };
    case "untag":
      return { ...row, tags: row.tags.filter((tag) => !change.tags.includes(tag)) };
    case "set_attribute": {
      const others = Object.entries(row.attributes).filter(([key]) => key !== change.key);
      const added: [string, unknown][] = change.value === null ? [] : [[change.key, change.value]];
      const same = JSON.stringify(row.attributes[change.key]) === JSON.stringify(change.value);
      return Object.hasOwn(row.attributes, change.key) && same
        ? row
        : { ...row, attributes: Object.fromEntries([...others, ...added]) };
    }
  }
}
