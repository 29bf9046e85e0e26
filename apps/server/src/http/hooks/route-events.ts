import { createHash, timingSafeEqual } from "node:crypto";
import type { InboundEvent } from "../../channels/adapter.ts";
import { accountsOfCall, type LoadedAccount } from "../../channels/load-accounts.ts";
import type { Context } from "../../context.ts";
import type { InboundItem } from "../../messages/receive/receive-events.ts";
import { CALL_RULES, MOST_ACCOUNTS, type CallingType } from "./call-rules.ts";

/** The account that was called, which proved the call, and every channel with the same account. */
interface Called {
  readonly account: LoadedAccount;
  readonly sharing: readonly LoadedAccount[];
}

/**
 * Finds the channels that the facts of one call belong to, all in one statement. A call may carry several numbers,
 * and several workspaces may have one number or share one app (channels.md §1.5, contract §5 "Channel numbers"). A
 * channel gets a fact only when its OWN secret is the one that proved the call, so that a workspace cannot forge a
 * message to another one's number by signing with its own app. Facts of numbers that nobody connected are left
 * out. Null: the call names more than 1,000 accounts, which no platform does.
 */
export async function routeEvents(
  context: Pick<Context, "db" | "sealer" | "log">,
  type: CallingType,
  called: Called,
  events: readonly InboundEvent[],
): Promise<InboundItem[] | null> {
  const named = { externalIds: new Set<string>(), businessIds: new Set<string>() };
  for (const event of events) {
    const { account, business } = namesOf(event);
    // Almost every call is only about the account that it is made to.
    if (account === called.account.externalId) continue;
    if (account !== null) named.externalIds.add(account);
    else if (business !== null) named.businessIds.add(business);
  }
  const count = named.externalIds.size + named.businessIds.size;
  if (count > MOST_ACCOUNTS) return null;
  const others =
    count === 0
      ? []
      : await accountsOfCall(context, type, {
          externalIds: [...named.externalIds],
          businessIds: [...named.businessIds],
        });
  // Compared as secrets, instead of verifying the call again: for 3 MB that takes milliseconds for each account.
  const proven = proves(type, called.account);
  const byAccount = Map.groupBy(others.filter(proven), (one) => one.externalId);
  byAccount.set(called.account.externalId, called.sharing.filter(proven));
  const byBusiness = Map.groupBy(others.filter(proven), (one) => one.settings["wabaId"]);
  return events.flatMap((event) => {
    const { account, business } = namesOf(event);
    const owners =
      account !== null
        ? byAccount.get(account)
        : business !== null
          ? byBusiness.get(business)
          : undefined;
    // Only the three names: an item may be stored, and an account contains secrets.
    return (owners ?? []).map(({ workspaceId, channelId, type: channelType }) => ({
      account: { workspaceId, channelId, channelType },
      event,
    }));
  });
}

const namesOf = (event: InboundEvent) => ({
  account: "accountExternalId" in event ? event.accountExternalId : null,
  business: "businessId" in event ? event.businessId : null,
});

/** Whether one account would prove a call that another proved: their secrets are the same. */
function proves(type: CallingType, proved: LoadedAccount): (one: LoadedAccount) => boolean {
  const { secret } = CALL_RULES[type];
  const digestOf = ({ secrets }: LoadedAccount) =>
    createHash("sha256")
      .update(secrets[secret] ?? "")
      .digest();
  const expected = digestOf(proved);
  return (one) => one.channelId === proved.channelId || timingSafeEqual(digestOf(one), expected);
}
