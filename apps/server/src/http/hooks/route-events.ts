import type { ChannelAdapter, InboundEvent, RawWebhook } from "../../channels/adapter.ts";
import {
  accountsByBusinessId,
  accountsByExternalId,
  type LoadedAccount,
} from "../../channels/load-accounts.ts";
import type { Context } from "../../context.ts";
import type { InboundItem } from "../../messages/receive-events.ts";

/**
 * Finds the channels that the facts of one call belong to. A call may carry several numbers, and several workspaces
 * may hold one number or share one app (channels.md §1.5, contract §5 "Channel numbers"). A channel gets a fact only
 * when its OWN app secret verifies the call, so that a workspace cannot forge a message to another one's number by
 * signing with its own app. Facts of numbers that nobody connected are left out.
 */
export async function routeEvents(
  context: Pick<Context, "db" | "sealer" | "log">,
  adapter: ChannelAdapter,
  request: RawWebhook,
  called: { readonly account: LoadedAccount; readonly sharing: readonly LoadedAccount[] },
  events: readonly InboundEvent[],
): Promise<InboundItem[]> {
  const owners = new Map<string, Promise<LoadedAccount[]>>();
  const ownersOf = (event: InboundEvent): Promise<LoadedAccount[]> => {
    const account = "accountExternalId" in event ? event.accountExternalId : null;
    const business = "businessId" in event ? event.businessId : null;
    const key = account === null ? `business:${business}` : `account:${account}`;
    let found = owners.get(key);
    if (found === undefined) {
      found = load(account, business).then((accounts) =>
        accounts.filter(
          (one) => one.channelId === called.account.channelId || adapter.verify(request, one),
        ),
      );
      owners.set(key, found);
    }
    return found;
  };
  const load = (
    account: string | null,
    business: string | null,
  ): Promise<readonly LoadedAccount[]> => {
    // Almost every call speaks of the account that it is made to, and of no other.
    if (account === called.account.externalId) return Promise.resolve(called.sharing);
    if (account !== null) return accountsByExternalId(context, adapter.type, account);
    if (business !== null) return accountsByBusinessId(context, adapter.type, business);
    return Promise.resolve([]);
  };
  const routed: InboundItem[] = [];
  for (const event of events)
    for (const { workspaceId, channelId, type } of await ownersOf(event))
      // The three names alone: an item may be stored, and an account carries secrets.
      routed.push({ account: { workspaceId, channelId, channelType: type }, event });
  return routed;
}
