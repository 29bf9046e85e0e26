import { write } from "../../write.ts";
import { audit } from "../../workspaces/write-audit.ts";
import { actorName } from "../../actor.ts";
import type { Context } from "../../context.ts";
import { invalid, notInState } from "../../errors.ts";
import { TRANSITIONS, type Broadcast } from "../record/broadcast.ts";
import type { WithinOptions } from "../record/create-broadcast.ts";
import { findBroadcast } from "../record/find-broadcast.ts";
import { RATE_CEILING, RATE_FLOOR } from "./pace.ts";
import { liftNumber, setRate } from "./pace-store.ts";

/** States in which it may still send something: a campaign that can be cancelled has not ended. */
const OPEN: readonly string[] = Object.keys(TRANSITIONS.cancel);

/**
 * Sets a campaign's pace by hand: messages a minute, 10 to 1,000,000, from the next batch on and so within a
 * second, whichever worker sends it; the timeline records the actor, before and after. A limit from a refusal is
 * lifted up to this pace, because a person knows better. Open calls belong to the former pace, and a refusal of
 * theirs does not halve this one. Errors: `BROADCAST_NOT_FOUND`, `VALIDATION_FAILED`, `NOT_ALLOWED_IN_STATE` once
 * it has ended.
 */
export const setPace = write(
  "broadcast.set_pace",
  async (
    actor,
    context: Context,
    workspaceId: string,
    id: string,
    ratePerMinute: number,
    options: WithinOptions = {},
  ): Promise<Broadcast> => {
    if (
      !(
        Number.isInteger(ratePerMinute) &&
        ratePerMinute >= RATE_FLOOR &&
        ratePerMinute <= RATE_CEILING
      )
    )
      throw invalid(
        "rateLimitPerMinute",
        `must be a whole number from ${RATE_FLOOR} to ${RATE_CEILING}`,
      );
    const key = { workspaceId, id };
    const found = await findBroadcast(context, workspaceId, id);
    const at = context.clock.now();
    return context.db.transaction(async (tx) => {
      await liftNumber(tx, key, ratePerMinute);
      const paced = await setRate(tx, key, OPEN, ratePerMinute, { at, actor: actorName(actor) });
      if (paced === null) {
        const explanation = `a ${found.status} campaign has no pace to set: it must be ${OPEN.join(", ")}`;
        throw notInState(found.status, OPEN, explanation);
      }
      await audit(actor, context, tx, workspaceId, {
        action: "broadcast.paced",
        subject: id,
        facts: { to: ratePerMinute },
      });
      await options.within?.(tx, paced);
      tx.afterCommit(() => context.wake.nudge("broadcasts"));
      return paced;
    });
  },
);
