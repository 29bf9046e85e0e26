import { write } from "../../write.ts";
import type { Context } from "../../context.ts";
import { AppError, invalid } from "../../errors.ts";
import { emitEvents } from "../../webhooks/emit-events.ts";
import { normalisePhone } from "../record/contact-input.ts";
import { causeOf } from "../record/contact-change.ts";
import { permitRight } from "../../policies.ts";
import { changeConsents, setConsent } from "./set-consent.ts";
import { selectMissed } from "./consent-store.ts";

/**
 * Opts a number out or in by hand. This changes every contact of the workspace with the number. When no contact
 * has it, the change waits for the next contact that gets it. Gives how many contacts changed. Throws
 * VALIDATION_FAILED when it is not a number, and CONSENT_HELD for an opt-in without `evidence` against the customer's
 * own STOP.
 */
export const changeNumberConsent = write(
  "consent.change",
  async (
    actor,
    context: Pick<Context, "db" | "ids" | "clock" | "wake" | "sealer">,
    workspaceId: string,
    input: {
      readonly phone: string;
      readonly optedOut: boolean;
      readonly evidence?: string | undefined;
    },
  ): Promise<{ readonly phone: string; readonly optedOut: boolean; readonly contacts: number }> => {
    const phone = normalisePhone(input.phone);
    if (phone === null) throw invalid("phone", "must be 1 to 40 digits");
    const { optedOut } = input;
    const evidence = evidenceOf(input.evidence);
    if (!optedOut) permitRight(actor, "consent.opt_in");
    const { source, ref: detail } = causeOf(actor);
    return context.db.transaction(async (tx) => {
      const at = context.clock.now();
      const change = {
        workspaceId,
        contactId: null,
        phone,
        optedOut,
        source,
        detail,
        at,
        evidence,
      };
      const { events, held } = await changeConsents(context, tx, [change]);
      if (held.length > 0) throw new AppError("CONSENT_HELD", CONSENT_HELD);
      await emitEvents(context, tx, events, actor);
      return { phone, optedOut, contacts: events.length };
    });
  },
);

/** What is said to a person whose opt-in was held. */
export const CONSENT_HELD = {
  explanation:
    "the customer wrote STOP: only START by them, or evidence that they asked for it since, opts them in again",
} as const;

/** Evidence as the ledger keeps it: 1 to 200 characters. Throws VALIDATION_FAILED. */
export function evidenceOf(given: string | undefined): string | undefined {
  const words = given?.trim();
  if (words !== undefined && (words === "" || words.length > 200))
    throw invalid("evidence", "must be 1 to 200 characters");
  return words;
}

/**
 * Opts out contacts that were created while their number was being opted out: two open transactions do not see
 * each other. Until then nothing is sent to these contacts either, because sending checks the number. Looks at
 * every number that was opted out since `since`.
 */
export async function sweepConsent(
  context: Pick<Context, "db" | "ids" | "clock" | "wake" | "sealer">,
  since: Date,
): Promise<number> {
  const at = context.clock.now();
  const missed = await selectMissed(context.db, since, 500);
  if (missed.length === 0) return 0;
  await context.db.transaction(async (tx) => {
    const changes = missed.map(({ workspaceId, id }) => ({
      workspaceId,
      contactId: id,
      optedOut: true,
      source: "number",
      at,
    }));
    await emitEvents(context, tx, await setConsent(context, tx, changes));
  });
  return missed.length;
}
