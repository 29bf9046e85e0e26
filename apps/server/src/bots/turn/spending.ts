import type { Context } from "../../context.ts";
import type { Queryable, Tx } from "../../db/database.ts";
import { modelOf, type FoundModel } from "../../models/find-model.ts";
import { costOf } from "../../models/model.ts";
import { dayOf, monthBounds } from "../../usage/month.ts";
import type { AiDocument } from "../../wire/bot.ts";
import { spentOnAssists } from "../assist/assist-store.ts";
import { MAX_TOKENS, mostCalls } from "./think.ts";
import { isInSandbox, lockMoney, spentSince } from "./turn-store.ts";

/** What a prompt may hold at most, in tokens: its cost is held before the call. */
const MOST_PROMPT_TOKENS = 16_000;

/** The most that a turn may cost: a search and each look-up ask once more. */
export const heldFor = ({ profile }: FoundModel, document: Pick<AiDocument, "lookups">): number =>
  mostCalls(document) * costOf(profile, { input: MOST_PROMPT_TOKENS, output: MAX_TOKENS });

/** The money that calls are held against: the workspace's, and of a bot its own too. */
export interface Caps {
  readonly of: Pick<FoundModel, "costPerDay" | "costPerMonth">;
  readonly bot?: { readonly botId: string; readonly costPerDay: number | undefined };
}

/**
 * Whether a call that may cost `held` fits into what may be spent. The caller stores in the same transaction what it holds:
 * no other call of the workspace is asked about before its commit, so calls at the same time never pass a cap together.
 * Lock conversation and run first, the meter afterwards. Without a cap nothing is locked.
 */
export async function mayHold(
  { clock }: Pick<Context, "clock">,
  tx: Tx,
  workspaceId: string,
  held: number,
  { of, bot }: Caps,
): Promise<boolean> {
  const caps = [of.costPerDay, of.costPerMonth, bot?.costPerDay];
  if (caps.every((cap) => cap === null || cap === undefined)) return true;
  await lockMoney(tx, workspaceId);
  return !(await costsTooMuch({ db: tx, clock }, workspaceId, of, held, bot));
}

/**
 * Whether a call that may cost `held` exceeds what the workspace or the bot may spend, today or this month. What bots and
 * members' calls took counts, and what open ones hold. It holds nothing: `mayHold` decides.
 */
export async function costsTooMuch(
  { db, clock }: Pick<Context, "clock"> & { readonly db: Queryable },
  workspaceId: string,
  { costPerDay, costPerMonth }: Pick<FoundModel, "costPerDay" | "costPerMonth">,
  held: number,
  ofBot?: { readonly botId: string; readonly costPerDay: number | undefined },
): Promise<boolean> {
  const now = clock.now();
  const today = new Date(`${dayOf(now)}T00:00:00Z`);
  const exceeds = async (cap: number | null | undefined, spent: () => Promise<number>) =>
    cap !== null && cap !== undefined && (await spent()) + held > cap;
  const ofAll = async (since: Date) =>
    (await spentSince(db, workspaceId, since, null)) +
    (await spentOnAssists(db, workspaceId, since));
  return (
    (await exceeds(costPerDay, () => ofAll(today))) ||
    (await exceeds(costPerMonth, () => ofAll(monthBounds(now).start))) ||
    (ofBot !== undefined &&
      (await exceeds(ofBot.costPerDay, () => spentSince(db, workspaceId, today, ofBot.botId))))
  );
}

/** The workspace's model for a conversation, with the bot's own name where it has one; null: none. Undefined: no such conversation. */
export async function modelFor(
  context: Pick<Context, "db" | "sealer">,
  workspaceId: string,
  conversationId: string,
  named: string | undefined,
): Promise<FoundModel | null | undefined> {
  const sandbox = await isInSandbox(context.db, workspaceId, conversationId);
  if (sandbox === null) return undefined;
  const found = await modelOf(context, workspaceId, { sandbox });
  if (!found || named === undefined || named === "") return found;
  return { ...found, profile: { ...found.profile, name: named } };
}
