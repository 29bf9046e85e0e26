import {
  claimProfiles,
  settleProfile,
  type ProfileAnswer,
} from "../contacts/record/settle-profile.ts";
import type { Context } from "../context.ts";
import { describeForLog } from "../db/describe-for-log.ts";
import { httpFor } from "../lib/check-address.ts";
import { loadAccounts, type LoadedAccount } from "./load-accounts.ts";
import { profileSourceFor } from "./registry.ts";

const AT_ONCE = 8;

/**
 * Asks platforms for the names of new contacts, a few at a time. Gives how many were asked for. After a refusal,
 * or with a token that the platform does not accept, the contact only stays without a name: whether the channel
 * works is found by sending.
 */
export async function fetchProfiles(context: Context): Promise<number> {
  const claims = await claimProfiles(context, AT_ONCE);
  if (claims.length === 0) return 0;
  const accounts = await loadAccounts(context, claims);
  const results = await Promise.allSettled(
    claims.map(async (claim) => {
      const answer = await ask(context, accounts.get(claim.channelId), claim.externalId);
      await settleProfile(context, claim, answer);
    }),
  );
  for (const [index, result] of results.entries()) {
    if (result.status === "rejected")
      context.log.error(
        { contactId: claims[index]?.contactId, ...describeForLog(result.reason) },
        "a profile was not settled; its lease ends and it is asked for again",
      );
  }
  return claims.length;
}

async function ask(
  context: Pick<Context, "providerHttp" | "guardedHttp" | "log">,
  account: LoadedAccount | undefined,
  externalId: string,
): Promise<ProfileAnswer> {
  const source = account === undefined ? null : profileSourceFor(account.type);
  if (account === undefined || source === null) return { kind: "refused" };
  const outcome = await source.fetchProfile(httpFor(context, account), account, externalId);
  if (outcome.ok) return { kind: "told", name: outcome.profile.name };
  const { channelId } = account;
  context.log.info({ channelId, code: outcome.code }, "the platform told no profile");
  if (outcome.reason === "rejected") return { kind: "refused" };
  return { kind: "later", afterMs: outcome.retryAfterMs };
}
