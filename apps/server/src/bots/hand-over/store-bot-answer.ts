import { actorName, type Actor } from "../../actor.ts";
import type { Choice } from "../../channels/choices.ts";
import type { Context } from "../../context.ts";
import { lockConversations } from "../../conversations/touch-conversations.ts";
import type { Tx } from "../../db/database.ts";
import { AppError } from "../../errors.ts";
import { insertWithin } from "../../inbox/write-note.ts";
import { acceptMessages } from "../../messages/accept/accept-message.ts";
import type { Message } from "../../messages/record/message.ts";
import { notes as notesOfMembers } from "../../operations/notes.ts";
import { permit, permitDeclared } from "../../policies.ts";
import { botNames } from "../record/live-bot.ts";
import { finishRun } from "../thread/finish-run.ts";
import { moveRun, type RunPatch } from "../thread/run-store.ts";
import { compareThread, Superseded, type SeenThread } from "../thread/who-answers.ts";
import { handOver, takesNoText, type HandOver } from "./hand-over.ts";
import { handOverRun, type ClaimedRun } from "./hand-over-run.ts";

/** One message of a bot. `byModel`: a language model wrote it, or a part of it. */
interface BotWords {
  readonly text: string;
  readonly choices?: readonly Choice[];
  readonly byModel?: boolean;
}

/** What one turn of a bot does to its conversation. */
export interface BotAnswer {
  /** Where the run is afterwards. */
  readonly patch: RunPatch;
  readonly messages: readonly BotWords[];
  /** What members read. */
  readonly notes?: readonly string[];
  /** Absent: it goes on. `done`: the customer's next message begins again. Else people answer. */
  readonly ends?: "done" | Pick<HandOver, "reason" | "summary" | "collected" | "to">;
  /** Runs in the same transaction after all that; `sent`: the messages. What it throws undoes the turn. */
  readonly within?: (tx: Tx, sent: readonly Message[]) => Promise<void>;
}

/**
 * Stores a turn of a claimed run in one transaction: where the run is, notes, messages, its end. The conversation must still
 * be the bot's with no newer message, and the claim the newest: else throws Superseded, and nothing is stored. A channel or
 * a plan that takes no message hands the conversation over instead, without `within`, and gives false. At a hand-over the
 * messages are its one text.
 */
export async function storeBotAnswer(
  context: Context,
  run: ClaimedRun & { readonly botId: string },
  seen: SeenThread,
  answer: BotAnswer,
): Promise<boolean> {
  const actor: Actor = { kind: "bot", botId: run.botId };
  try {
    return await context.db.transaction((tx) => storeWithin(actor, context, tx, run, seen, answer));
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const full = error.code === "MESSAGE_LIMIT_REACHED" || error.code === "SUBSCRIPTION_SUSPENDED";
    await handOverRun(context, run, { reason: full ? "limit_reached" : "stuck" });
    return false;
  }
}

async function storeWithin(
  actor: Actor,
  context: Context,
  tx: Tx,
  run: ClaimedRun & { readonly botId: string },
  seen: SeenThread,
  { patch, messages, notes = [], ends, within }: BotAnswer,
): Promise<boolean> {
  const { workspaceId, conversationId } = run;
  const [conversation] = await lockConversations(tx, [{ workspaceId, id: conversationId }]);
  if (!conversation) throw new Superseded("the conversation was deleted");
  const [isMoved] = await Promise.all([
    moveRun(tx, run, patch),
    compareThread(tx, workspaceId, conversationId, seen),
  ]);
  if (!isMoved) throw new Superseded("another worker has the run");
  await writeNotes(actor, context, tx, run, notes);
  const unsendable = messages.length > 0 && (await takesNoText(context, tx, conversation));
  if (unsendable || (ends !== undefined && ends !== "done")) {
    const given =
      ends === undefined || ends === "done" ? { reason: "limit_reached" as const } : ends;
    const words = messages.map(({ text }) => text).join("\n\n");
    // Without words the customer gets the text of the bot's document.
    const text = unsendable ? null : words;
    const byModel = messages.some((one) => one.byModel === true);
    const farewell = text === "" ? {} : { text, byModel };
    const said = await handOver(context, tx, {
      workspaceId,
      conversationId,
      ...given,
      ...farewell,
    });
    if (!unsendable) await within?.(tx, said ?? []);
    return !unsendable;
  }
  permit(actor, "message.send");
  const events = ends === "done" ? await finishRun(context, tx, conversation) : [];
  const news = messages.map((one) => ({ actor, workspaceId, conversationId, ...one }));
  const sent: Message[] = [];
  for (const one of await acceptMessages(context, tx, news, events)) {
    if (!one.ok) throw one.error;
    sent.push(one.value);
  }
  await within?.(tx, sent);
  return true;
}

async function writeNotes(
  actor: Actor,
  context: Context,
  tx: Tx,
  { workspaceId, conversationId, botId }: ClaimedRun & { readonly botId: string },
  notes: readonly string[],
): Promise<void> {
  if (notes.length === 0) return;
  permitDeclared(actor, notesOfMembers.writeNote);
  const [bot] = await botNames(tx, workspaceId, [botId]);
  const by = { memberId: null, author: actorName(actor), authorName: bot?.name ?? null };
  for (const text of notes)
    await insertWithin(context, tx, workspaceId, conversationId, by, { text });
}
