import { optedOutAmong } from "../../contacts/consent/opted-out-numbers.ts";
import type { Context } from "../../context.ts";
import type { Tx } from "../../db/database.ts";
import type { RecipientClaim, SkipReason } from "../audience/recipient.ts";
import { splitRendering } from "../audience/split.ts";
import type { Waiting } from "../audience/waiting-store.ts";
import type { Broadcast } from "../record/broadcast.ts";
import type { Filled, SendPlan } from "./plan-sending.ts";

/** A call that may be made now, once: its intent is committed. */
export interface BatchCall {
  readonly claim: RecipientClaim;
  readonly messageId: string;
  readonly filled: Filled;
  /** When the intent to call was stored. */
  readonly calledAt: Date;
}

export interface Skip {
  readonly claim: Waiting;
  readonly reason: SkipReason;
}

/** A text needs an open reply window on WhatsApp. */
export const needsWindow = ({ kind, channelType }: Broadcast): boolean =>
  kind === "TEXT" && channelType === "WHATSAPP";

/** Sorts waiting recipients: called now, skipped with a reason, or not covered by the allowance. */
export async function sortWaiting(
  context: Context,
  tx: Tx,
  broadcast: Broadcast,
  plan: SendPlan,
  waiting: readonly Waiting[],
  mostSlots: number,
  calledAt: Date,
) {
  const windowed = needsWindow(broadcast);
  const formerly = await formerNumbersOut(context, tx, broadcast, waiting);
  const skips: Skip[] = [];
  const calls: (BatchCall & { readonly claim: Waiting })[] = [];
  const unpaid = new Set<string>();
  const rendering = splitRendering(broadcast);
  let slots = mostSlots;
  for (const claim of waiting) {
    const rendered = rendering.render(claim.variant, claim.content ?? []);
    if (claim.gone) skips.push({ claim, reason: "no_address" });
    else if (claim.optedOut || formerly.has(claim.address))
      skips.push({ claim, reason: "opted_out" });
    else if (windowed && !(claim.windowExpiresAt && claim.windowExpiresAt > calledAt))
      skips.push({ claim, reason: "window_closed" });
    else if (rendered === null) skips.push({ claim, reason: "missing_variable" });
    else if (claim.messageId !== null || slots-- > 0) {
      const messageId = claim.messageId ?? context.ids.next();
      calls.push({ claim, messageId, filled: plan.fill(rendered, claim.variant), calledAt });
    } else unpaid.add(claim.contactId);
  }
  return { skips, calls, unpaid };
}

/** Opted-out numbers with which the audience was stored and that their contacts have changed since. */
async function formerNumbersOut(
  context: Pick<Context, "sealer">,
  tx: Tx,
  { workspaceId, channelType }: Broadcast,
  waiting: readonly Waiting[],
): Promise<ReadonlyMap<string, Date>> {
  // On those channels a message goes to an id.
  if (channelType === "TELEGRAM") return new Map();
  const former = waiting.flatMap(({ renumbered, address }) => (renumbered ? [address] : []));
  return optedOutAmong(context, tx, workspaceId, former);
}
