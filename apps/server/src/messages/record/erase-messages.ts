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

/** Why a reply that waited for its channel, or a campaign's message for its next try, did not go. */
const CONTACT_ERASED = {
  code: "CONTACT_ERASED",
  message: "The contact was erased before this was sent.",
} as const;

export interface ErasedMessages {
  readonly messages: number;
  readonly files: number;
  /** A call to the platform is in the air with them: they stay until it is over. */
  readonly held: readonly string[];
  readonly events: readonly NewEvent[];
}

/** A message that waited when its contact was erased fails. */
export function unsentToErased(
  message: Pick<Settlement, "workspaceId" | "messageId" | "channelId">,
  at: Date,
): Settlement {
  const { code: errorCode, message: errorMessage } = CONTACT_ERASED;
  return { ...message, providerMessageId: null, status: "failed", at, errorCode, errorMessage };
}

/**
 * Removes messages with their parts and files. One that waits for its channel will not be sent: it fails first
 * (`CONTACT_ERASED`), so that the meter, campaigns and receivers of webhooks know. One whose call is in the air is left
 * alone (`held`), because its outcome is still to be counted. The caller emits the events last.
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

/** Some of the messages of conversations, but for those named. */
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
 * Removes conversations. False, and nothing is done, when one still has a message: a transaction that was just storing one had the
 * conversation locked, and a later one finds none (`receive-messages.ts`).
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

/** Removes calls of platforms that could not be taken in and name one of these ids or numbers; gives how many. */
export function eraseFailures(
  tx: Tx,
  workspaceId: string,
  names: readonly string[],
): Promise<number> {
  // In JSON an id is a text, or a number of its own; a short number would be found within others.
  const words = names.flatMap((name) =>
    /^\d{7,}$/.test(name) ? [name] : [JSON.stringify(name), `:${name},`, `:${name}}`],
  );
  return words.length === 0 ? Promise.resolve(0) : deleteFailures(tx, workspaceId, words);
}

/** Whether a call for a reply of these conversations is in the air. */
export function repliesInTheAir(
  tx: Tx,
  workspaceId: string,
  threadIds: readonly string[],
): Promise<boolean> {
  return hasCalls(tx, workspaceId, threadIds);
}
