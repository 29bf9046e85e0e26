import { write } from "../../write.ts";
import type { Context } from "../../context.ts";
import { AppError, invalid } from "../../errors.ts";
import { permitRight } from "../../policies.ts";
import { isId } from "../../lib/ids.ts";
import { emitEvents } from "../../webhooks/emit-events.ts";
import type { NewEvent } from "../../webhooks/event.ts";
import {
  attributesFit,
  changeFaults,
  normaliseFields,
  withParts,
  type ContactFields,
} from "./contact-input.ts";
import { causeOf } from "./contact-change.ts";
import { presentContact, type ContactRow, type ContactInput } from "./contact.ts";
import { type ContactJson, type ContactPatch } from "../../wire/contact.ts";
import { findContact } from "../identity/find-contact.ts";
import { lockCurrent } from "../identity/lock-current.ts";
import { evidenceOf } from "../consent/change-consent.ts";
import { changeConsents, followNumbers } from "../consent/set-consent.ts";
import { writeChanges } from "./write-changes.ts";

/**
 * Changes a contact and emits `contact.updated`, and `contact.opted_out` or `contact.opted_in` when consent
 * changed. Emits nothing when nothing changed. Fields that `patch` leaves out stay as they are; null clears. The
 * contact's history and the consent ledger keep the actor. An opt-in against the customer's own STOP is held: the rest
 * is stored, the contact stays opted out and `held` is called, unless a member or the operator gives `evidence` that
 * the customer wants it. Throws FORBIDDEN, VALIDATION_FAILED, NOT_FOUND, and
 * CONTACT_NEEDS_IDENTITY when neither e-mail, phone nor a channel would identify it.
 */
export const updateContact = write(
  "contact.update",
  async (
    actor,
    context: Pick<Context, "db" | "ids" | "clock" | "wake" | "sealer">,
    workspaceId: string,
    id: string,
    patch: ContactPatch & {
      /** The attribute of this name alone: all others stay. Null removes it. */
      readonly language?: string | null | undefined;
    },
    options: {
      readonly evidence?: string | undefined;
      readonly held?: () => void;
      /** Throws unless this is the version that the caller read. Called under the contact's lock. */
      readonly match?: (current: ContactJson) => void;
    } = {},
  ): Promise<ContactJson> => {
    // Before the contact is looked up: whether the change is valid does not depend on the contact.
    const faults = changeFaults(patch);
    if (faults.length > 0) throw new AppError("VALIDATION_FAILED", { details: faults });
    const fields = normaliseFields(patch);
    if (!isId(id)) throw new AppError("NOT_FOUND");
    // The scope of a key was checked with the operation.
    if (patch.optedOut === false && actor.kind !== "key") permitRight(actor, "consent.opt_in");
    const evidence = actor.kind === "key" ? undefined : evidenceOf(options.evidence);
    const cause = causeOf(actor);
    return context.db.transaction(async (tx) => {
      const [before] = (await lockCurrent(tx, workspaceId, [id])).rows;
      if (!before) throw new AppError("NOT_FOUND");
      options.match?.(presentContact(before));
      const row = withLanguage(withParts(applyPatch(before, patch, fields), patch), patch.language);
      if (row.email === null && row.phone === null && row.externalId === null) {
        throw new AppError("CONTACT_NEEDS_IDENTITY");
      }
      const now = context.clock.now();
      const events: NewEvent[] = [];
      if (!sameContact(before, row)) {
        await writeChanges(context, tx, [{ before, after: row }], cause);
        events.push({
          workspaceId,
          type: "contact.updated",
          data: { contact: presentContact(row) },
        });
      }
      if (row.phone !== before.phone)
        events.push(...(await followNumbers(context, tx, workspaceId, [before.id])));
      if (patch.optedOut !== undefined) {
        const change = {
          workspaceId,
          contactId: before.id,
          optedOut: patch.optedOut,
          source: cause.source,
          detail: cause.ref,
          at: now,
          evidence,
        };
        const consent = await changeConsents(context, tx, [change]);
        events.push(...consent.events);
        if (consent.held.length > 0) options.held?.();
      }
      await emitEvents(context, tx, events, actor);
      return (await findContact(tx, workspaceId, before.id)) ?? presentContact(row);
    });
  },
);

function applyPatch(before: ContactRow, patch: ContactPatch, fields: ContactFields): ContactRow {
  const given = (key: keyof ContactInput): boolean => patch[key] !== undefined;
  return {
    ...before,
    name: given("name") ? fields.name : before.name,
    email: given("email") ? fields.email : before.email,
    phone: given("phone") ? fields.phone : before.phone,
    notes: given("notes") ? fields.notes : before.notes,
    tags: given("tags") ? fields.tags : before.tags,
    attributes: given("attributes") ? fields.attributes : before.attributes,
  };
}

/** Throws VALIDATION_FAILED when the attributes would be too large. */
function withLanguage(row: ContactRow, language: string | null | undefined): ContactRow {
  if (language === undefined) return row;
  const { language: _, ...others } = row.attributes;
  const attributes = language === null ? others : { ...others, language };
  if (!attributesFit(attributes)) throw invalid("attributes", "must not exceed 16 KiB");
  return { ...row, attributes };
}

/** Whether two rows would look alike. */
export function sameContact(a: ContactRow, b: ContactRow): boolean {
  return JSON.stringify(presentContact(a)) === JSON.stringify(presentContact(b));
}
