import type { Context } from "../../context.ts";
import type { Tx } from "../../db/database.ts";
import { monthOf } from "../../usage/month.ts";
import { countMessages } from "../../usage/count-messages.ts";
import {
  giveBackAiReply,
  reserveAiReply,
  type AiReservation,
} from "../../usage/reserve-ai-replies.ts";
import { emitEvents } from "../../webhooks/emit-events.ts";
import { notifyAdmins } from "../../workspaces/notify-admins.ts";
import { mayHold, type Caps } from "./spending.ts";
import type { Thought } from "./think.ts";
import {
  deleteTurnsBefore,
  endTurn,
  answerAside,
  insertAside,
  insertTurn,
  selectLostTurns,
  type AsideAnswer,
  type AsideTurn,
  type TurnStart,
} from "./turn-store.ts";

/** How long a turn may be open: a little longer than it may take. */
export const TURN_LEASE_MS = 60_000;
/** How long turns are kept. */
const KEPT_MS = 30 * 86_400_000;

type Begin = Omit<TurnStart, "month" | "processId" | "leaseUntil" | "at">;

/** A turn that began, or why it did not. */
type Begun =
  | { readonly granted: true }
  | ({ readonly granted: false; readonly why: "limit_reached" } & Pick<
      AiReservation,
      "limit" | "used"
    >)
  | { readonly granted: false; readonly why: "cost_cap" };

/**
 * Begins a turn: its row is the reservation of one AI reply, and holds the most that the turn may cost. Not granted: nothing
 * was stored but the notice. Lock conversation and run first.
 */
export async function beginTurn(
  context: Pick<Context, "clock" | "ids" | "wake" | "life">,
  tx: Tx,
  turn: Begin,
  caps: Caps,
): Promise<Begun> {
  const { workspaceId, held } = turn;
  if (!(await mayHold(context, tx, workspaceId, held, caps)))
    return { granted: false, why: "cost_cap" };
  const reserved = await reserveAiReply(context, tx, workspaceId);
  const { granted, month, limit, used, crossed, events } = reserved;
  const at = context.clock.now();
  if (granted) {
    const leaseUntil = new Date(at.getTime() + TURN_LEASE_MS);
    tx.later(insertTurn(tx, { ...turn, month, processId: context.life.id, leaseUntil, at }));
  }
  for (const percent of crossed)
    await notifyAdmins(context, tx, workspaceId, {
      kind: "usage.ai_replies",
      subject: `${percent} % of this month's AI replies are used`,
      body: `${used} of ${limit ?? 0} AI replies are used. At the limit, bots hand over to people, and no more replies are suggested until the month ends.`,
      dedupe: `ai-replies:${month}:${percent}`,
    });
  if (events.length > 0) await emitEvents(context, tx, events);
  return granted ? { granted } : { granted, why: "limit_reached", limit, used };
}

/**
 * Ends an open turn without a text: its AI reply is given back. False: it is not open any more.
 */
export async function endWithoutText(
  context: Pick<Context, "clock">,
  tx: Tx,
  workspaceId: string,
  id: string,
  end: {
    readonly status: "superseded" | "handed_over" | "failed" | "began";
    readonly thought: Thought | null;
  },
): Promise<boolean> {
  const month = await endTurn(tx, workspaceId, id, { ...end, at: context.clock.now() });
  if (month === null) return false;
  await giveBackAiReply(tx, workspaceId, month);
  return true;
}

/** Ends an open turn with a text that a customer or a member gets. False: it is not open any more, and nothing may be sent. */
export async function endWithText(
  context: Pick<Context, "clock">,
  tx: Tx,
  workspaceId: string,
  id: string,
  end: {
    readonly status: "sent" | "suggested";
    readonly thought: Thought;
    readonly messageId?: string;
    readonly channelId: string | null;
  },
): Promise<boolean> {
  const at = context.clock.now();
  const month = await endTurn(tx, workspaceId, id, { ...end, at });
  if (month === null) return false;
  await countMessages(tx, [{ workspaceId, channelId: end.channelId, at, aiReplies: 1 }]);
  return true;
}

/**
 * Begins a question to a model that is not about a reply: it holds the most that the question may cost. Null: that is more
 * than may be spent. Its conversation may have been deleted meanwhile.
 */
export function beginAside(
  context: Pick<Context, "db" | "clock" | "ids">,
  aside: Omit<AsideTurn, "id" | "month" | "at">,
  caps: Caps,
): Promise<string | null> {
  const at = context.clock.now();
  const id = context.ids.next();
  const { workspaceId, held } = aside;
  return context.db.transaction(async (tx) => {
    if (!(await mayHold(context, tx, workspaceId, held, caps))) return null;
    await insertAside(tx, { ...aside, id, month: monthOf(at), at });
    return id;
  });
}

/** Ends such a question with what it took. */
export const endAside = (
  { db }: Pick<Context, "db">,
  workspaceId: string,
  id: string,
  answer: AsideAnswer,
): Promise<void> => answerAside(db, workspaceId, id, answer);

/** Gives back what turns of lost workers hold. Gives how many. */
export async function sweepTurns(
  context: Pick<Context, "db" | "clock">,
  limit: number,
): Promise<number> {
  const lost = await selectLostTurns(context.db, context.clock.now(), limit);
  for (const { workspaceId, id } of lost)
    await context.db.transaction((tx) =>
      endWithoutText(context, tx, workspaceId, id, { status: "failed", thought: null }),
    );
  return lost.length;
}

/** Deletes what is older than 30 days. Gives how many. */
export const pruneTurns = (context: Pick<Context, "db" | "clock">): Promise<number> =>
  deleteTurnsBefore(context.db, new Date(context.clock.now().getTime() - KEPT_MS));
