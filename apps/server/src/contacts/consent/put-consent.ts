import type { Context } from "../../context.ts";
import type { Queryable } from "../../db/database.ts";
import { AppError, invalid } from "../../errors.ts";
import { isCalendarDay } from "../../lib/calendar-day.ts";
import { isId } from "../../lib/ids.ts";
import { contactOperations } from "../../operations/contacts.ts";
import { emitEvents } from "../../webhooks/emit-events.ts";
import type { ContactConsentJson } from "../../wire/contact-record.ts";
import { perform } from "../../write.ts";
import { findContact } from "../identity/find-contact.ts";
import { lockCurrent } from "../identity/lock-current.ts";
import { causeOf } from "../record/contact-change.ts";
import { CONSENT_HELD, evidenceOf } from "./change-consent.ts";
import { consentHistory } from "./consent-history.ts";
import { changeConsents } from "./set-consent.ts";

const MOST_ENTRIES = 100;
/** How far a caller's clock may be ahead of ours. */
const AHEAD_MS = 60_000;

type Deps = Pick<Context, "db" | "ids" | "clock" | "wake" | "sealer">;

/** The consent of a contact with its ledger. Throws NOT_FOUND. */
export const readContactConsent = perform(
  contactOperations.readContactConsent,
  async (_actor, context: Pick<Context, "db" | "sealer">, workspaceId, { id }) =>
    shown(context, context.db, workspaceId, id),
);

/**
 * Opts a contact out or in for a program. After the customer's own STOP an opt-in needs `evidence`, and the customer must
 * have agreed (`at`, now when it is left out) after they opted out. Throws NOT_FOUND, VALIDATION_FAILED, CONSENT_HELD.
 */
export const putContactConsent = perform(
  contactOperations.putContactConsent,
  async (
    actor,
    context: Deps,
    workspaceId,
    { id, optedOut, at: given, evidence: words, source: place },
  ) => {
    const evidence = evidenceOf(words);
    const at = givenTime(given, context.clock.now());
    if (!isId(id)) throw new AppError("NOT_FOUND");
    const contactId = await context.db.transaction(async (tx) => {
      const [before] = (await lockCurrent(tx, workspaceId, [id])).rows;
      if (!before) throw new AppError("NOT_FOUND");
      const late = !optedOut && before.optedOutAt !== null && at < before.optedOutAt;
      if (late) throw new AppError("CONSENT_HELD", CONSENT_HELD);
      const { source, ref: detail } = causeOf(actor);
      const givenSource = place?.trim();
      const change = {
        workspaceId,
        contactId: before.id,
        optedOut,
        source,
        detail,
        at,
        evidence,
        givenSource,
      };
      const { events, held } = await changeConsents(context, tx, [change]);
      if (held.length > 0) throw new AppError("CONSENT_HELD", CONSENT_HELD);
      await emitEvents(context, tx, events, actor);
      return before.id;
    });
    return shown(context, context.db, workspaceId, contactId);
  },
);

function givenTime(given: string | undefined, now: Date): Date {
  if (given === undefined) return now;
  const at = new Date(given);
  if (!isCalendarDay(given.slice(0, 10)) || Number.isNaN(at.getTime()))
    throw invalid("at", "must be a time in ISO 8601");
  if (at.getTime() > now.getTime() + AHEAD_MS) throw invalid("at", "must not be in the future");
  return at;
}

async function shown(
  context: Pick<Context, "db" | "sealer">,
  db: Queryable,
  workspaceId: string,
  id: string,
): Promise<ContactConsentJson> {
  const contact = await findContact(db, workspaceId, id);
  if (!contact) throw new AppError("NOT_FOUND");
  const who = { contactId: contact.id };
  const entries = await consentHistory(context, workspaceId, who, { newest: MOST_ENTRIES });
  return {
    contactId: contact.id,
    optedOut: contact.optedOut,
    optedOutAt: contact.optedOutAt,
    entries: entries
      .toReversed()
      .map(({ at, optedOut, source, detail, held, evidence, givenSource }) => ({
        at,
        optedOut,
        source,
        detail,
        held,
        evidence,
        givenSource,
      })),
  };
}
