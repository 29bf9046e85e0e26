import type { Context } from "../../context.ts";
import type { Conversation } from "../../conversations/conversation.ts";
import type { Tx } from "../../db/database.ts";
import { storeSuggestion } from "../../inbox/suggest-reply.ts";
import type { Suggested } from "../../inbox/suggestion.ts";
import { findWorkspaces } from "../../workspaces/find-workspace.ts";
import { onlySeen } from "../guard/plain-fault.ts";
import { describeWithheld } from "../hand-over/hand-over-words.ts";
import { botNames } from "../record/live-bot.ts";
import { endWithText } from "./settle-turn.ts";
import type { Thought } from "./think.ts";

/** A thought as a suggestion to members. */
export const suggestionOf = (
  { text, sources }: Pick<Thought, "text" | "sources">,
  reason: string | null,
): Suggested => ({
  text,
  template: null,
  reason,
  sources: sources.map(({ title }) => ({ title: title.slice(0, 200) || "—" })).slice(0, 10),
});

/** Whether an answer failed its checks and has words that a member may use. */
export const isWithheld = ({ stops, text }: Thought): boolean =>
  stops === "checks_failed" && onlySeen(text) !== "";

/**
 * Leaves an answer that failed its checks to members as a suggestion with the reason, beside the hand-over; the turn counts
 * as one AI reply. Does nothing when the turn is not open any more. In the caller's transaction, under the conversation's
 * lock. Then `sayChanged`.
 */
export async function suggestWithheld(
  context: Context,
  tx: Tx,
  { workspaceId, id: conversationId, channelId }: Conversation,
  {
    botId,
    turnId,
    thought,
  }: { readonly botId: string; readonly turnId: string; readonly thought: Thought },
): Promise<void> {
  const end = { status: "suggested", thought, channelId } as const;
  if (!(await endWithText(context, tx, workspaceId, turnId, end))) return;
  const workspace = (await findWorkspaces(tx, [workspaceId])).get(workspaceId);
  const reason = describeWithheld(workspace?.locale ?? "en", thought.checks);
  const [bot] = await botNames(tx, workspaceId, [botId]);
  await storeSuggestion(context, tx, workspaceId, {
    id: conversationId,
    author: `bot:${botId}`,
    authorName: bot?.name ?? null,
    content: suggestionOf({ ...thought, text: onlySeen(thought.text) }, reason),
  });
}
