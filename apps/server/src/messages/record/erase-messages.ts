import type { Context } from "../../context.ts";
import type { Tx } from "../../db/database.ts";
import { eraseMedia } from "../../media/erase-media.ts";
import { lockThreadsUntilCommit, removeThreads } from "../../conversations/person-threads.ts";
import type { NewEvent } from "../../webhooks/event.ts";
import {
  deleteFailures,
  deleteMessages,
  hasCalls,
  hasMessages,
  lockMessages,
  selectSomeMessages,
} from "./erasure-store.ts";
import { settleMessages, type Settlement } from "./settle-messages.ts";

/** Why a waiting reply, or a message of a campaign that waited for another try, was not sent. */
const CONTACT_ERASED = {
  code: "CONTACT_ERASED",
  message: "The contact was erased before this was sent.",
} as const;

export interface ErasedMessages {
  readonly messages: number;
  readonly files: number;
  /** Messages that stay for now, because a call to the platform is under way with them. */
  readonly held: readonly string[];
  readonly events: readonly NewEvent[];
}

/** Fails a message that still waited when its contact was erased. */
export function unsentToErased(
  message: Pick<Settlement, "workspaceId" | "messageId" | "channelId">,
  at: Date,
): Settlement {
  const { code: errorCode, message: errorMessage } = CONTACT_ERASED;
  return { ...message, providerMessageId: null, status: "failed", at, errorCode, errorMessage };
}

/**
 * Deletes messages with their parts and files. A message that still waits will not be sent, so it fails first
 * (`CONTACT_ERASED`): the meter, campaigns and receivers of webhooks learn of it. A message whose call is under way
 * stays (`held`), because its outcome must still be counted. The caller emits the events last.
 */
export async function eraseMessages(
  context: Context,
  tx: Tx,
  of: { readonly workspaceId: string; readonly erasureId: string },
  ids: readonly string[],
): Promise<ErasedMessages> {
  const { workspaceId } = of;
  if (ids.length === 0) return { messages: 0, files: 0, held: [], events: [] };
  const locked = await lockMessages(tx, workspaceId, ids);
  const held = locked.filter((row) => row.state === "calling").map((row) => row.id);
  const free = locked.filter((row) => row.state !== "calling");
  const at = context.clock.now();
  const events = await settleMessages(
    context,
    tx,
    free.flatMap(({ id, channelId, state }) =>
      state === null ? [] : unsentToErased({ workspaceId, messageId: id, channelId }, at),
    ),
  );
  const gone = free.map((row) => row.id);
  const files = await eraseMedia(context, tx, of, gone);
  const messages = await deleteMessages(tx, workspaceId, gone);
  return { messages, files, held, events };
}

/** At most `limit` messages of these conversations, except `but`. */
export function someMessages(
  tx: Tx,
  workspaceId: string,
  threadIds: readonly string[],
  but: readonly string[],
  limit: number,
): Promise<string[]> {
  return threadIds.length === 0
    ? Promise.resolve([])
    : selectSomeMessages(tx, workspaceId, threadIds, but, limit);
}

/**
 * Deletes conversations. Gives false, and deletes nothing, when one of them still has a message: a transaction that was
 * storing it held the lock. Later transactions no longer find the conversation (`receive-messages.ts`).
 */
export async function eraseThreads(
  tx: Tx,
  workspaceId: string,
  threadIds: readonly string[],
): Promise<boolean> {
  if (threadIds.length === 0) return true;
  await lockThreadsUntilCommit(tx, workspaceId, threadIds);
  if (await hasMessages(tx, workspaceId, threadIds)) return false;
  await removeThreads(tx, workspaceId, threadIds);
  return true;
}

/** Deletes kept calls and events of platforms that name one of these ids or numbers. Gives how many. */
export function eraseFailures(
  tx: Tx,
  workspaceId: string,
  names: readonly string[],
): Promise<number> {
  // In JSON an id is a text or a number. A short number would also be found inside longer ones, so its surroundings are
  // compared too.
  const words = names.flatMap((name) =>
    /^\d{7,}$/.test(name) ? [name] : [JSON.stringify(name), `:${name},`, `:${name}}`],
  );
  return words.length === 0 ? Promise.resolve(0) : deleteFailures(tx, workspaceId, words);
}

/** Whether a call for a reply of these conversations is under way. */
export function repliesInTheAir(
  tx: Tx,
  workspaceId: string,
  threadIds: readonly string[],
): Promise<boolean> {
  return hasCalls(tx, workspaceId, threadIds);
}
